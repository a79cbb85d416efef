"""What somebody hands over to be worked on: a text to translate or correct, a form, a patch, a quiz, a part to play.

Nobody says of themselves what stands in it, though it may speak in the first person. Whoever hands it over says so in
words of their own, so those are looked at, and not the text, whose writer chose how it looks; a patch has marks.
"""

import re
from collections.abc import Iterator, Sequence

from reverie.language.playing import play_at

MOST_TYPED = 4  # lines above a text that was brought along: whoever types more than that writes a text
LONGEST_REQUEST = 200  # characters

# What is written to be read by somebody else, or to be learnt, sung or filled in.
_NOUN = (
    r"(?:letters?|e-?mails?|mails?|messages?|texts?|essays?|home ?work|exercises?|sentences?|paragraphs?|drafts?"
    r"|stor(?:y|ies)|articles?|poems?|songs?|lyrics|verses?|chorus|scenes?|dialogues?|monologues?|forms?|applications?"
    r"|cvs?|questionnaires?|r[eé]sum[eé]s?|bios?|captions?|screenshots?|chats?|conversations?|transcripts?"
    r"|posts?|tweets?|threads?|diary|translations?|quiz(?:zes)?|worksheets?|surveys?|statements?|complaints?|speech"
    r"|flyers?|leaflets?|notices?|adverts?|abstracts?|blurbs?|toasts?|eulog(?:y|ies)|vows|gaps|blanks|testimonials?"
    r"|subtitles?|srt|excerpts?|recordings?|voicemails?|flash ?cards?|handwriting|ocr|prompts?|profiles?|jokes?"
    r"|riddles?|anecdotes?|limericks?|slogans?|ads?)"
)
# The same, of others only: whoever says these words without "this" or "her" may well speak of their own.
_NOUN_OF_OTHERS = rf"(?:{_NOUN}|reviews?|answers?|responses?|requests?|tickets?)"
# The same where it is said which one is meant ("this note", "her wish list"): anything that has words.
_ANY_TEXT = (
    rf"(?:{_NOUN_OF_OTHERS}|notes?|comments?|descriptions?|quotes?|quotations?|sayings?|proverbs?|headlines?|titles?"
    r"|slips?|stickers?|signs?|wish ?lists?|lists?|affirmations?|prayers?|mantras?|mottos?|sheets?|snippets?|samples?"
    r"|personas?|passages?|confessions?|interviews?|memos?|minutes|scripts?|sketch(?:es)?|skits?|fixtures?|strings?|inputs?"
    r"|outputs?|repl(?:y|ies)|user stor(?:y|ies)|backstor(?:y|ies)|horoscopes?|predictions?|dictations?)"
)
_A_TEXT = re.compile(rf"\b(?:{_NOUN}|grammar|spelling|punctuation|wording)\b", re.I)
_OTHERS = (
    r"(?:this|these|his|her|their|the following"
    r"|(?!(?:here|there|that|it|what|where|who|how|let|he|she)['’])[\w-]{1,30}['’]s)"
)
_A_TEXT_OF_OTHERS = re.compile(
    rf"\b(?:{_OTHERS} (?:[\w-]{{1,30}} ){{0,2}}{_NOUN_OF_OTHERS}"
    rf"|{_NOUN_OF_OTHERS} (?:of|by|from) (?!me\b|mine\b|myself\b|ours\b)\w)",
    re.I,
)
# A verb that asks: at the beginning, or after "please", "can you", "help me".
_ASKED = (
    r"(?:\A|[,;(.!?] |\b(?:please|pls|plz|(?:can|could|would|will) you|you to|help me|help me to"
    r"|(?:asks|asked|wants|wanted) me to|and|then|kindly|just|hi|hey) )(?:quickly |also )?"
)
_LANGUAGE = (
    r"(?:english|german|french|spanish|portuguese|italian|dutch|polish|turkish|russian|ukrainian|arabic|chinese|japanese"
    r"|korean|swedish|danish|norwegian|finnish|greek|czech|hungarian|romanian|hindi|latin)"
)
_MANNER = rf"(?:{_LANGUAGE}|(?:more |less )?(?:formal|plain|simple|proper|polite|better|nicer|other|business)\b)"
_SAME = r"(?:this|that|it|these|the following)"
# Nothing but a text can be asked for with these.
_REWORK = re.compile(
    rf"{_ASKED}(?:re)?(?:translate|proof-?read|paraphrase|summari[sz]e|spell-?check)\b"
    rf"|{_ASKED}(?:rewrite|reword|rephrase|shorten|simplify|polish) {_SAME}\b"
    rf"|{_ASKED}(?:turn|put|say|write|phrase|convert) {_SAME} (?:in|into) {_MANNER}"
    rf"|{_ASKED}make {_SAME} (?:sound|read|more|less|shorter|nicer|friendlier|clearer|polite|formal)\b"
    rf"|{_ASKED}(?:check|correct|proof-?read) it for\b"
    rf"|{_ASKED}(?:read|say|repeat|type|spell|sing) {_SAME} (?:aloud|out|back|after me|into)\b"
    r"|\b(?:übersetz|korrigier|korrekturles|umformulier|tradui|traduc|corrig|corregg|riassum|vertaal)\w{0,4}\b"
    r"|\bfass\w{0,2} [^.!?:]{1,40} zusammen\b|\b(?:résume[rz]?|resum(?:ir|e|eme)) (?:l[aeo]s?|ce|cette|est[aeo]s?)\b"
    r"|\b(?:comment (?:dit-on|on dit|dire)|c[oó]mo se dice|come si dice|wie sagt man|como se diz)\b"
    r"|\bhow (?:do|would|can|should) (?:i|you|we) say\b",
    re.I,
)
# With these it can, if one is named.
_LOOK_OVER = re.compile(
    rf"{_ASKED}(?:correct|check|mark|grade|rate|polish|shorten|revise|assess|evaluate|review|score|critique|rephrase"
    r"|reword|rewrite|look (?:over|at|through)|go (?:over|through)|have a look at|hear|fill(?: in)?|solve|analy[sz]e"
    r"|classify|categori[sz]e|code|cluster|type up|transcribe|make [\w ]{1,20}(?:from|of)|finish"
    r"|interpret|explain|tighten|trim|improve|continue|complete|(?:reply|respond|react|write back) to|answer)\b"
    r"|\b(?:how (?:good|bad|convincing|believable|natural) (?:is|are)|what (?:do|would) you (?:think|make|say)"
    r"|(?:is|are|does|do|did|what is|what are|what does) (?:this|these|his|her|their)"
    r"|(?:is|are) the (?=grammar|spelling|punctuation|wording)|what(?:'s| is) (?:wrong|right|off) with"
    r"|would you (?:accept|believe)|(?:is|are) the (?:tone|style|mood|message) of"
    r"|(?:any|no) (?:mistakes|errors|typos)|feedback on)\b",
    re.I,
)
# A rule for texts is the speaker's own word, and so is what they put right in their own papers.
_OWN_WORD = re.compile(
    r"\b(?:rules?|preferences?|conventions?|guidelines?|always|never|from now on|whenever|when you|if you|every time"
    r"|remember|remind me"
    r"|(?:complete|fill(?: in| out)?) (?:the|my|our) (?:[\w-]{1,30} )?(?:form|application|questionnaire)"
    r"|(?:correct|check|look at|complete) (?:my|our) (?:cv|form|bio|application|r[eé]sum[eé]|(?:last )?message))\b",
    re.I,
)
# Before a colon: words of others, as they stand.
_WORDS_OF_OTHERS = re.compile(
    r"\b(?:his|her|their|[\w-]{1,30}['’]s) (?:last |latest |new )?(?:text|message|e-?mail|letter|post|tweet|bio)\Z"
    r"|\bwhat (?:did|does|do) (?!(?:i|we|you)\b)[^.!?:]{1,60} (?:write|say|answer|put|mean)\b[^.!?:]{0,60}\Z"
    r"|\b(?:lyrics|verse|chorus|screenshots?)\b[^,;]{0,40}\Z"
    rf"|\b(?:saw|seen|read|heard|found|got|love|hate) (?:this|these) (?:[\w-]{{1,30}} ){{0,2}}{_ANY_TEXT}\Z",
    re.I,
)
_SAYING = re.compile(r"(?<!\bi )(?<!\bwe )\b(?:always|often|used to) (?:say|says|said|sings?|sang)\Z", re.I)
_COLON = re.compile(r"[:：](?=\s|\Z)")
_SENTENCE_END = re.compile(r"[.!?]\s")
# Somebody else's words are shown, and nothing is asked.
_SHOWS = re.compile(
    r"\b(?:(?:text|words) (?:in|of|on|from) (?:the|this|that|an?|my|his|her) (?:image|picture|screenshot|photo|scan)"
    rf"|(?:this is|here is|here are|here's|it is|it's|from) (?:{_OTHERS}|the|an?) (?:[\w-]{{1,30}} ){{0,2}}{_NOUN}"
    r" (?:of|by|from|between|with)"
    r"|what (?!(?:i|we|you)\b)(?:[\w'’-]{1,30} ){1,6}(?:says?|wrote|writes|reads|posted)"
    r"(?: (?:in|on|to|about) [^.!?]{1,40})?\Z"
    r"|reads? as follows|dictated\Z"
    r"|what (?!(?:i|we|you)\b)(?:[\w'’-]{1,30} ){1,6}(?:was|were|are|is) (?:saying|singing|writing|talking about)"
    r"|(?:invite|hire|shortlist|interview|employ|reject) (?:this|these) (?:applicant|candidate|person|one)s?"
    rf"|what (?:is|are) (?:this|these|the) (?:[\w-]{{1,30}} ){{0,2}}{_NOUN} (?:about|saying|trying to say)"
    r"|(?:my|our|his|her|the) (?:lines|part|role|text) (?:for|in|of|from) (?:the|our|my|an?|his|her)"
    r" (?:[\w-]{1,30} ){0,2}(?:play|musical|film|movie|show|sketch|scene|opera|game|campaign|larp))\b",
    re.I,
)
# Somebody else's words begin with the next line, even without an empty one: "my boss dictated this", "true or false?".
_BEGINS_BELOW = re.compile(
    r"(?<!\bi )(?<!\bwe )\b(?:said|wrote|answered|replied|dictated|texted|posted)"
    r" (?:this|the following)(?: to (?:me|us))?(?=[,.:;?!]|\Z)"
    r"|\b(?:it|this|that) (?:says|reads|goes)\Z|\bwhat (?:i|we) got (?:back )?from\b"
    r"|\b(?:finish|continue|complete) the (?:sentence|paragraph|story|line|scene|verse)\b"
    r"|\b(?:true or false|reading comprehension|(?:example|sample) sentences|put in the (?:right|correct|missing))\b"
    r"|\A(?:exercise|worksheet|exercice|ejercicio|esercizio|übung|aufgabe) \d{1,3}\b",
    re.I,
)
# What is shown is also asked to be worked on: "this is the prompt of our bot, tighten it".
_WORK_ON_IT = re.compile(
    rf"{_ASKED}(?:(?:re)?(?:translate|proof-?read|paraphrase|summari[sz]e|spell-?check|write|word|phrase)|shorten|simplify"
    r"|polish|tighten|trim|improve|correct|check|fix|rate|grade|mark|review|format|explain|make) (?:it|this|that)\b",
    re.I,
)
# Words that came from somewhere, and stand below: "I found this note on my desk", "the bot of the supplier said".
_CAME = re.compile(
    rf"\b(?:found|saw|seen|got|received|left|sent|posted|heard|use|take|using)\b[^.!?\n]{{0,30}}"
    rf"\b(?:this|these) (?:[\w-]{{1,30}} ){{0,2}}{_ANY_TEXT}\b(?![^\n]{{0,120}}[.!]\Z)"
    r"|(?<!\bi )(?<!\bwe )\b(?:told|gave|sent|texted|wrote|showed) (?:me|us)"
    r" (?:this|these|the following)\b[^.!\n]{0,60}\Z"
    r"|\A(?!(?:i|we|you|as)\b)[^.!?\n]{3,80} (?:said|says|wrote|writes|reads|replied|answered|posted|told me)[:,]?\Z",
    re.I,
)
# Words that stand for any: to try a program, a box or a voice with, or to hang on a wall.
_FOR_SHOW = re.compile(
    r"\A(?:the |an? |some |my |our )?(?:[\w-]{1,30} ){0,2}(?:(?:dummy|filler|sample|placeholder|mock|fake|demo)"
    r" (?:texts?|data|copy|content|bios?|inputs?|users?|profiles?|sentences?|messages?|records?|answers?|strings?)"
    r"|lorem ipsum|character sheets?|backstor(?:y|ies)|fortune cookies?"
    r"|(?:quote|saying|proverb|verse|word|thought|horoscope) (?:of|for) (?:the|to)[ -]?\w{1,10})\b"
    r"[^\n]{0,120}(?<![.!])\Z",
    re.I,
)
# A line that names a text and whose it is: "subtitles of episode 2", "Interview answers from candidate 3".
_NAMES_A_TEXT = re.compile(
    rf"\A(?:the |an? |some )?(?:[\w-]{{1,30}} ){{0,2}}{_NOUN_OF_OTHERS} (?:of|by|from)"
    r" (?!me\b|mine\b|myself\b|my own\b|our\b|ours\b|today|yesterday|this \w|last \w)[^\n]{0,120}(?<![.!])\Z",
    re.I,
)
# The same by whose it is alone: "Tom's wedding speech for tomorrow, can you make it funnier?".
_NAMES_WHOSE_TEXT = re.compile(
    r"\A(?:(?:my|our|the|his|her|their) (?:[\w-]{1,30} ){0,2})?"
    r"(?!(?:to|yester|mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|week|month|year|morning|night|it|that|here|let|what)"
    rf"[\w-]{{1,30}}['’]s (?:[\w-]{{1,30}} ){{0,2}}{_ANY_TEXT}"
    r"(?: (?:for|about|from|to|on|of|at) [^.!?:;,\n]{1,60})?(?=[,.:;?!]|\Z)",
    re.I,
)
# What stands below is one of the kind that is wanted: "20 more sentences like these".
_LIKE_THESE = re.compile(
    r"\b(?:more|other|another|similar|further|new|\d{1,4}|some|few)\b[^.!?\n]{0,100}"
    r"\b(?:like|similar to|along the lines of|in the style of|such as)"
    r" (?:this|these|those|the following)(?: ones?)?[:.,]?\Z",
    re.I,
)
# What is asked for has to be done with what stands above it.
_POINTS_UP = re.compile(r"\s{0,3}(?:\^{1,3}|[↑⬆👆☝])\s?\S")
_ABOVE = r"(?:this|that|the above|(?:the|this|that) [\w-]{1,30} above|everything above|all of (?:this|that))"
_WORK_ABOVE = re.compile(
    rf"{_ASKED}(?:(?:re)?(?:translate|proof-?read|paraphrase|summari[sz]e|spell-?check|write|word|phrase)|shorten|simplify"
    rf"|polish|tighten|correct the (?:spelling|grammar) (?:of|in)) {_ABOVE}\b",
    re.I,
)
_FIT_FOR_A_TEXT = re.compile(
    r"\A\s{0,3}(?:(?:is|was) (?:it|this|that) |(?:does|would|will) (?:it|this|that) (?:work|do|pass|go) )?"
    r"(?:(?:not )?(?:too [\w-]{1,20}|[\w-]{1,20} enough|good|ok(?:ay)?|fine|fit|suitable|all ?right|appropriate) )?"
    rf"(?:for|as|in) an? (?:[\w-]{{1,30}} ){{0,2}}{_NOUN}\s{{0,2}}\?{{1,3}}\s{{0,3}}\Z",
    re.I,
)
_THIS = re.compile(
    r"\b(?:this|these|the following|it for|das hier|diese[mnrs]?|folgende[ns]?|ceci|ça|cela|cette?|est[aeo]s?"
    r"|quest[aeio])\b",
    re.I,
)
# What follows are words in the first person, and above them stands a line that has nobody in it who could say them.
_FIRST_PERSON = re.compile(r"\s{0,3}[\"“]?(?:I|I['’](?:m|ve|ll|d)|My|We|We['’](?:re|ve)|Our)\b")
_SPEAKER = re.compile(r"\b(?:i|i['’]?(?:m|ve|ll|d)|we|we['’](?:re|ve|ll)|let['’]?s|myself|self|ich|je|yo|io)\b", re.I)
_NEWS = re.compile(
    r"\b(?:he|she|they|it|you|is|are|was|were|has|have|had|do|does|did|will|would|can|could|should|may|might|must|\w{2,10}n['’]t"
    r"|[\w-]{3,20}ed|got|came|went|says|said)\b|\w['’](?:s|re|ll|d) (?:an?|the|not|so|up|\w{2,20}ing)\b",
    re.I,
)
_OWN_HEAD = re.compile(
    r"\A(?:my|our)\b(?! [\w -]{1,40}['’]s\b)"
    r"|\A(?:for|about|re|regarding|on|in|at|with|after|before|since|until|to|ok(?:ay)?|hi|hey|hello|thanks?|thank|danke|merci"
    r"|gracias|good|dear|yes|no|sure|right|great|cool|nice|so|and|also|btw|but|then|now|today|yesterday|tomorrow|tonight"
    r"|sorry|please)\b"
    r"|\b(?:rules?|preferences?|conventions?|context|background|plans?|todos?|goals?|things?|ideas?|questions?|steps?"
    r"|options?|facts?|details?|situation|problems?|issues?|status|news|updates?|summary|recap|reminders?|remember|notes?"
    r"|fyi|today|yesterday|tomorrow|tonight|this (?:week|month|year|morning|evening|afternoon|time)|days?|weeks?|budget"
    r"|conclusions?|decisions?|reasons?|experience|story so far)\b",
    re.I,
)
_CATAPHORA = re.compile(
    r"\b(?:the following|below|like so|as follows"
    r"|(?:this|these)(?! (?:week|month|year|morning|evening|afternoon|time|summer|winter|spring|autumn|weekend"
    r"|is|was)\b))\b",
    re.I,
)
LEAST_LEAD = 3  # words: "Kitchen" above one's own lines is a heading of theirs
_LISTED = re.compile(r"\s{0,3}(?:[-*+•–—]|\(?\d{1,3}[.)])\s")
_LABEL = re.compile(r"\s{0,3}\*{0,2}[^\W\d_a-z][^\W_]{0,20}(?:[ /-][^\W_]{1,20}){0,3}\*{0,2} ?[:：] ?\S")
_CHOICE = re.compile(r"\b(?:which|choose|pick|select|correct|multiple choice|quiz)\b|___", re.I)
_OPTION = re.compile(r"\s{0,3}\(?[A-Ea-e][.)] \S")
_PATCH = re.compile(r"(?:diff --git |\+\+\+ b/|@@ -\d{1,7}(?:,\d{1,7})? \+\d)")
_OLD_FILE, _NEW_FILE = re.compile(r"--- \S"), re.compile(r"\+\+\+ \S")
_PROMPT = re.compile(r"\s{0,3}(?:[\w.-]{1,30}@[\w.-]{1,30}[: ][^$#%\n]{0,60})?[$%] [^\W\d]|\s{0,3}\$ [./~]|PS [A-Z]:\\")
_OF_PATCH = re.compile(
    r"[-+ \t\\]|@@ |(?:diff|index|new file|deleted file|old mode|new mode|rename|copy|(?:dis)?similarity|Binary files) "
)


def handed_at(passage: str) -> int | None:
    """The place in a passage behind which stands a text that was handed over; None if there is no such place.

    >>> passage = "please correct my pupil's homework: I live in Oslo."
    >>> passage[handed_at(passage) :]
    ' I live in Oslo.'
    >>> handed_at("please correct that: I live in Oslo.") is None
    True
    """
    played = play_at(passage)
    for colon in _COLON.finditer(passage, 0, len(passage) if played is None else played):
        head = _last_sentence(passage[max(0, colon.start() - LONGEST_REQUEST) : colon.start()])
        of_others = _SAYING.search(head) or (_WORDS_OF_OTHERS.search(head) and not _OWN_WORD.search(head))
        if of_others or _asks_to_work(head):
            return colon.end()
    return played


def handed_from(lines: Sequence[str]) -> int | None:
    """The place of the first line that was handed over by the words above it.

    >>> handed_from(["can you check Rosa's form?", "Name: Rosa", "Town: Oslo", "I moved to Oslo."])
    1
    """
    found = (look(lines) for look in (_form, _options, _shown, _led))
    return min((place for place in found if place is not None), default=None)


def handed_until(lines: Sequence[str]) -> int:
    """How many lines were handed over by the words below them, which are the last: "^ would you believe that?".

    >>> handed_until(["I live in Oslo.", "too long for a caption?"]), handed_until(["I live in Oslo.", "and you?"])
    (1, 0)
    """
    filled = [i for i, line in enumerate(lines) if line.strip()]
    if len(filled) < 2 or len(lines[filled[-1]]) > LONGEST_REQUEST:
        return 0
    typed = lines[filled[-1]].strip()
    points = _POINTS_UP.match(typed) or _FIT_FOR_A_TEXT.match(typed) or _WORK_ABOVE.search(typed)
    return filled[-1] if points and not _OWN_WORD.search(typed) else 0


def patched(lines: Sequence[str]) -> frozenset[int]:
    """The lines of patches: from the head of one, or of a part of one, as long as they begin as its lines do.

    >>> sorted(patched(["see", "@@ -1 +1,2 @@", " a", "+I live in Oslo.", "", "and now?"]))
    [1, 2, 3]
    """
    found: set[int] = set()
    within = False
    for i, line in enumerate(lines):
        files = i + 1 < len(lines) and _OLD_FILE.match(line) and _NEW_FILE.match(lines[i + 1])
        if files or _PATCH.match(line):
            within = True
        elif line.strip() and not _OF_PATCH.match(line):
            within = False
        if within and line.strip():
            found.add(i)
    return frozenset(found)


def typed_out(lines: Sequence[str]) -> frozenset[int]:
    """The lines of a terminal: a prompt with a command, and what a program answers, up to an empty line.

    >>> sorted(typed_out(["see", "$ ./setup.sh", "I live in Oslo.", "", "ok?"]))
    [1, 2]
    """
    found: set[int] = set()
    within = False
    for i, line in enumerate(lines):
        within = bool(line.strip()) and (within or _PROMPT.match(line[:200]) is not None)
        if within:
            found.add(i)
    return frozenset(found)


def _asks_to_work(request: str, named: re.Pattern[str] = _A_TEXT) -> bool:
    """Whether words ask for something to be done with a text: "can you mark this essay of my student's"."""
    if _OWN_WORD.search(request):
        return False
    return bool(_REWORK.search(request) or (_LOOK_OVER.search(request) and named.search(request)))


def _last_sentence(text: str) -> str:
    ends = [found.end() for found in _SENTENCE_END.finditer(text)]
    return text[ends[-1] :] if ends else text


def _form(lines: Sequence[str]) -> int | None:
    """Names with values under words that speak of somebody else's text, and what stands behind them."""
    for i, typed in _typed(lines):
        if i + 1 < len(lines) and _LABEL.match(lines[i][:200]) and _LABEL.match(lines[i + 1][:200]):
            return i if _A_TEXT_OF_OTHERS.search(typed) else None
    return None


def _options(lines: Sequence[str]) -> int | None:
    """What can be chosen under a question: a) …, b) …"""
    for i, typed in _typed(lines):
        if i + 1 < len(lines) and _OPTION.match(lines[i][:80]) and _OPTION.match(lines[i + 1][:80]):
            return i if _CHOICE.search(typed) and typed.rstrip().endswith(("?", ":")) else None
    return None


def _shown(lines: Sequence[str]) -> int | None:
    """What stands under words that show a text, or ask for something to be done with one: apart from them, or under
    "translate this" at once.
    """
    for i, typed in _typed(lines):
        above = lines[i - 1].strip()
        apart = not above or above.endswith(":") or _LISTED.match(lines[i]) is not None
        if lines[i].lstrip().startswith(">"):
            return None  # a quotation ends where its marks do
        if (_points_below(typed) or (apart and _shows(typed))) and not _OWN_WORD.search(typed):
            return i
        if not above:
            return None
    return None


def _led(lines: Sequence[str]) -> int | None:
    """Lines in the first person under a single one that only names or shows something: "an essay by a student"."""
    filled = [i for i, line in enumerate(lines) if line.strip()]
    if len(filled) < 2 or not _FIRST_PERSON.match(lines[filled[1]]):
        return None
    lead = lines[filled[0]].strip()
    if (
        len(lead) > LONGEST_REQUEST
        or not lead[0].isalpha()
        or lead.endswith((".", "!", "…"))
        or len(lead.split()) < LEAST_LEAD
    ):
        return None
    if _SPEAKER.search(lead) or _OWN_HEAD.search(lead) or _OWN_WORD.search(lead):
        return None
    names = not lead.endswith("?") and _NEWS.search(lead) is None
    return filled[1] if names or _CATAPHORA.search(lead) else None


def _shows(typed: str) -> bool:
    """Whether words show a text of somebody else's, or ask for something to be done with one."""
    return _SHOWS.search(typed) is not None or _asks_to_work(_last_sentence(typed), _A_TEXT_OF_OTHERS)


def _points_below(typed: str) -> bool:
    """Whether words can only mean what stands on the next line: "classify this ticket", "he dictated this"."""
    request = _last_sentence(typed)
    pointed = _THIS.search(request) is not None and _asks_to_work(request, _A_TEXT_OF_OTHERS)
    shown = _SHOWS.search(typed) is not None and _WORK_ON_IT.search(typed) is not None
    named = _NAMES_A_TEXT.match(typed) or _NAMES_WHOSE_TEXT.match(typed) or _LIKE_THESE.search(typed)
    named = named or _CAME.search(typed) or _FOR_SHOW.match(typed)
    return pointed or shown or named is not None or _BEGINS_BELOW.search(typed) is not None


def _typed(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The first lines that something stands above, each with that."""
    filled = [i for i, line in enumerate(lines) if line.strip()]
    for place, i in enumerate(filled[1 : MOST_TYPED + 1], 1):
        yield i, " ".join(lines[one] for one in filled[:place])[-600:]
