"""What somebody brought along in a text: mails, letters, forum posts, chats, pages between marks, long quotations.

Whoever wrote such a text also chose how it looks, and may end it whenever they like. So what begins as brought along
goes on to the end of the turn: what its reader says after it is found by search, and asks for nothing.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from reverie.language.handed import MOST_TYPED, handed_from
from reverie.language.vocabulary import word_set

_CLOCK = r"[\[(]?\d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp][Mm])?[\])]?"
_DAY = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"
_NAME = r"[A-ZÀ-Þ][\w.'’-]{0,24}(?: [A-ZÀ-Þ][\w.'’-]{0,24}){0,2}"
_ROLE = "user|assistant|system|human|bot|ai|me|you|admin|agent|support|customer|interviewer|moderator|speaker ?\\d?"
_LABELLED = re.compile(
    rf"\s{{0,3}}(?P<at>{_CLOCK}[ ,-]{{0,3}})?\*{{0,2}}(?P<name>{_NAME}|(?i:{_ROLE}))\*{{0,2}}"
    rf"(?P<beside> ?\([^()\n]{{1,30}}\)|,? {_CLOCK})? ?:\*{{0,2}} +(?P<said>\S.*)"
)
# A line of an exported chat: day, time, whoever speaks in whatever script. One is enough: nobody types that.
_DATED = re.compile(
    rf"\s{{0,3}}[\[(]?(?:{_DAY}[,T]? {{0,2}}{_CLOCK}|{_CLOCK}, {_DAY})[\])]?(?: [-–—])? {{1,2}}[^:\n]{{1,40}}: \S"
)
_NICKNAMED = re.compile(rf"\s{{0,3}}(?:{_CLOCK}[ ,-]{{0,3}})?<[@+ ]?[\w.-]{{2,24}}> \S")
_IS_ROLE = re.compile(rf"(?:{_ROLE})\Z", re.I)
_VOICE = re.compile(r"\b(?:i|i'm|my|me|we|our|you|your|us)\b", re.I)
# Words that stand before a colon in somebody's own notes, and name nobody.
_NO_NAMES = word_set("""
    monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun january february march april
    may june july august september october november december today tomorrow yesterday morning noon afternoon evening
    night breakfast lunch dinner note notes todo update edit ps p.s question answer problem goal goals context
    background example examples status plan budget deadline subject step option reason result task summary name address
    phone email e-mail first second third fourth fifth next then finally pros cons warning error important reminder
    remember fyi tldr input output expected actual title topic date time place age job city country allergies
    medication diet hobbies family work home school price cost total link url
""")
# What the head of a mail calls its subject and its sender, as mail programs of many languages write them.
_ABOUT = "Subject|Betreff|Objet|Asunto|Oggetto|Assunto|Onderwerp|Emne|Ämne|Aihe|Temat|Předmět|Tárgy|Konu|Θέμα|Тема"
_ABOUT += "|主题|主旨|标题|件名|題名|제목|الموضوع|נושא|विषय"
_BY = "From|Von|De|Da|Van|Fra|Från|Od|Feladó|Kimden|Από|От|От кого|Від|Sender"
_BY += "|发件人|寄件者|寄件人|差出人|보낸 ?사람|من|מאת"
_SUBJECT = re.compile(rf"\s{{0,3}}\*{{0,2}}(?:{_ABOUT})\*{{0,2}} ?[:：]\*{{0,2}} ?\S", re.I)
_SENDER = re.compile(rf"\s{{0,3}}\*{{0,2}}(?:{_BY})\*{{0,2}} ?[:：][^\n]{{0,120}}[@<]", re.I)
# When a line of a film or a talk is heard: nobody types that either.
_HEARD = re.compile(rf"\s{{0,3}}{_CLOCK}[.,]?\d{{0,3}} {{0,2}}-{{1,2}}> {{0,2}}{_CLOCK}")
# A line that says, in whatever language, that something is put in here: "---------- … ---------".
_RULE = "(?:-{4,80}|_{4,80}|={4,80}|—{3,80})"
_RULED = re.compile(rf"\s{{0,3}}{_RULE} ?[^\s=_-][^\n=_—]{{0,60}}?{_RULE}\s{{0,9}}$")
_WROTE = re.compile(
    r"\A\s{0,3}(?:(?:On|Am|Le|El|Il) [^\n]{4,120}(?:wrote|schrieb|a écrit|escribió|ha scritto)\b[^\n]{0,80}:"
    r"|[^\n]{0,60}<[^<>\n]{3,60}> (?:wrote|schrieb)\s?:"
    r"|[\w.@' -]{2,40} (?:wrote|said|writes|posted|commented|replied|schrieb)\s?:"
    r"|-{2,} ?(?:Original|Forwarded|Weitergeleitete|Ursprüngliche|Message)[^\n]{0,40})\s*$",
    re.I,
)
_POSTED = re.compile(
    r"\A\s{0,3}(?:(?:Originally )?Posted (?:by|on|in)\b|Quote from\b"
    r"|(?:\[[\w -]{2,24}\] )?(?:Comment|Note|Update|Answered|Asked|Added|Reply|Reported) by\b"
    r"|u/\w|\d+ (?:points?|upvotes?|likes?|replies|comments)\b[^\n]{0,60}$"
    r"|@?[\w.' -]{2,40} ?[·•|] ?[^\n]{0,20}(?:\d+ ?(?:h|d|w|mo|yr|hours?|days?|minutes?|min)\b|(?:To|Yester)day at)"
    r"|@?[\w.'-]{2,24} [—-] [^\n]{0,12}(?:\d+ ?(?:h|d|w|mo|yr|hours?|days?|minutes?|min) ago|(?:To|Yester)day at)"
    rf"|{_NAME} {{1,4}}(?:(?:Today|Yesterday) at )?{_CLOCK}\s*$)",
    re.I,
)
_TO_SOMEBODY = re.compile(
    r"\s{0,3}(?:Hi|Hello|Hey|Dear|Hallo|Liebe[rs]?|Sehr geehrte[rs]?|Guten Tag|Bonjour|Cher|Chère|Hola|Estimad[oa]"
    r"|Querid[oa]|Ciao|Gentile)\b(?P<whom>[^.!?\n]{0,60})[,:]\s*$"
)
# The same with the letter behind it in one line.
_ADDRESSED = re.compile(
    r"\s{0,3}(?:Dear|Sehr geehrte[rs]?|Liebe[rs]?|Cher|Chère|Estimad[oa]s?|Querid[oa]s?|Gentile|Geachte|Caro|Cara)"
    r" (?P<whom>[^.!?,:\n]{2,60})[,:] \S"
)
_TO_AGENT = word_set("claude assistant chatgpt gpt copilot gemini agent bot ai reverie letta there again")
_PARTING = re.compile(
    r"\s{0,3}(?:(?:(?:Best|Kind|Warm|Many|With best) )?(?:regards|wishes|thanks)|Best|Cheers|Sincerely"
    r"|Yours(?: \w+)?|Thanks(?: again)?|Thank you|Love|(?:Viele|Liebe|Beste|Schöne) Grüße|Mit freundlichen Grüßen|LG|VG"
    r"|Cordialement|Bien à vous|Saludos|Un saludo|Atentamente|Cordiali saluti)[,.!]?\s*$",
    re.I,
)
_FORMAL_PARTING = re.compile(
    r"\A\s*(?:(?:Best|Kind|Warm) regards|Sincerely|Yours|Mit freund|Cordial|Atentamente)", re.I
)
_SIGNED = re.compile(r"\s{0,3}[A-ZÀ-Þ][\w.'’-]*(?: [\w.'’-]+){0,3}\s*$")
_ANNOUNCED = re.compile(
    r"\b(?:e-?mails?|mails?|messages?|posts?|threads?|chats?|conversations?|transcripts?|letters?|pages?|articles?"
    r"|comments?|tickets?|web ?sites?|forum|slack|discord|whatsapp|teams|repl(?:y|ies)|reviews?|dms?|sms|tweets?"
    r"|newsletter|notification|readme|blog|documents?|docs|issue|bug report|description|instructions|result|response"
    r"|output"
    r"|(?:text|words) (?:in|of|on|from) (?:the|this|that|an?|my) (?:image|picture|screenshot|photo|scan)|ocr"
    r"|invoice|invitation|forwarded|fwd|(?:got|received|found|saw|sent|read) (?:me |us )?(?:this|these|the following)"
    r"|(?:it|this|that|which|he|she|they) (?:says|said|reads|wrote|writes|goes))\b[^\n]{0,60}:\s*$",
    re.I,
)
_OWN_WRITING = re.compile(
    r"\b(?:my|our|i want(?: you)? to (?:send|post|write))\b[^.!?\n]{0,20}"
    r"(?:messages?|posts?|comments?|repl(?:y|ies)|review|description|instructions|issue|docs)\b"
    # what something is for is no text yet
    r"|\A\s{0,3}for (?:the|my|our|your|this|next) (?:[\w-]{1,20} )?(?:reviews?|issues?|tickets?|docs|chat)\s?:",
    re.I,
)
_HEADING = re.compile(r"\s{0,3}#{1,6} \S")
_TITLE = re.compile(r"\s{0,3}[\"“*_]{0,2}[^\W\d_a-z][^.!?:;,\n]{2,70}\s*$")
# A text of somebody else's, or one that is shown: "their docs", "this story", "the readme", "I pasted …".
_SPOKEN_OF = re.compile(
    r"\b(?:(?:this|these|that|their|his|her|its|\w{1,30}'s) (?:[\w-]{1,30} ){0,2}(?:stor(?:y|ies)|tale|poem|essay|fable"
    r"|text|page|document|docs?|documentation|manual|guide|wiki|chapter|scene|message|thread|ticket|issue|report|paper"
    r"|recipe|song|lyrics|novel|homework|website|description)s?"
    r"|(?:the|this|that|these|their|his|her|its|an?|\w{1,30}'s) (?:[\w-]{1,30} ){0,2}(?:read ?me|e-?mail|mail|letter"
    r"|article|chat|transcript|story|newsletter|announcement|blog post|changelog|release notes)s?"
    r"|past(?:ed?|ing)|copied|forwarded|below|(?:the )?following|attached|wrote (?:this|that|it)|found (?:this|that)"
    r"|got this|sent (?:me|us)|says|reads)\b",
    re.I,
)
_VALUED = re.compile(r"\s{0,3}\*{0,2}([^\W\d_]{1,20}(?: [^\W\d_]{1,20})?)\*{0,2} ?[:：] ?\S")
# Questions and requests that only a text under them gives a sense. "That" points back, to what was talked of.
_TO_JUDGE = re.compile(
    r"\b(?:who(?:'s| is) right|what (?:grade|mark|score|rating) would you|what (?:does|do) (?:he|she|they|this)"
    r" (?:want|mean|say)|is (?:he|she) serious|(?:does|do) (?:this|these) (?:look|sound|read|seem|make sense)"
    r"|is this (?:real|normal|true|right|fine|correct|ok(?:ay)?|legit\w{0,6}|legal|spam|a scam|safe)"
    r"(?! (?:to|that|if|for)\b)"
    r"|what (?:should|do|can|would) (?:i|we|you) (?:answer|reply|respond|write back)"
    r"|(?:summari[sz]e|translate|proofread|paraphrase|rephrase|shorten|grade|explain|analy[sz]e) (?:this|these|what"
    r"|the (?:following|text))|(?:correct|check|fix) (?:this|the|his|her|their) (?:spelling|grammar|english|text)"
    r"|(?:what do you|do you) (?:think|make|believe) (?:of|about|in) (?:this|these))\b",
    re.I,
)
_MEASURE = r"\d ?(?:g|kg|ml|cl|dl|l|oz|lbs?|tbsp|tsp|cups?|tablespoons?|teaspoons?|grams?|EL|TL|°[CF])\b"
_COOKED = re.compile(
    r"(?:\A|[.!?\n]\s{1,3})(?:mix|stir|whisk|knead|add|bake|boil|combine|fold|heat|melt|pour|beat|chop|simmer|fry|roast"
    rf"|dissolve|blend|cream|sift)\b[^.!?\n]{{1,80}}{_MEASURE}[^.!?\n]{{1,80}}{_MEASURE}",
    re.I,
)
_OPENED = re.compile(r"\s{0,3}<([A-Za-z][\w-]*)(?: [^<>\n]{0,200})?>\s*$")
_QUOTATION = re.compile(
    r'(?<!\w)"(?=\S)([^"]{12,6000}?)(?<=\S)"(?!\w)|“([^“”]{12,6000})”|„([^„“”]{12,6000})[“”]|«([^«»]{12,6000})»'
)
_AFTER_COLON = re.compile(r"\b(?:says|said|reads|wrote|states|writes|mentions)\s?: +([^\n]{12,2000})", re.I)
_NEXT_SENTENCE = re.compile(r"[.!?]\s+\S")
_WORD = re.compile(r"\w+")
# Who speaks in a story, beside the quotation: "…," she went on, or: Tom said, "…". Nobody tells of themselves so.
_SPEAKS = "said|says|asked|replied|answered|went on|whispered|shouted|continued|added|muttered|told|cried|explained"
_ANOTHER = rf"(?!I\b)(?:he|she|they|{_NAME}|(?:the|my|his|her) \w{{2,20}})"
_ATTRIBUTED = re.compile(rf"\A[ ,]{{0,2}}(?:{_ANOTHER} (?:{_SPEAKS})|(?:{_SPEAKS}) {_ANOTHER})\b")
_ATTRIBUTES = re.compile(rf"\b{_ANOTHER} (?:{_SPEAKS})[,:]? {{0,2}}\Z")
_LONGEST_ATTRIBUTION = 80
# What somebody else's words would ask of an agent, were they the user's.
_ASKS = re.compile(
    r"\b(?:remember|memori[sz]e|always|never|from now on|going forward|don'?t forget|keep in mind|note that|make sure"
    r"|the user|ab sofort|merke? dir|immer|désormais|souviens|toujours|recuerda|siempre)\b",
    re.I,
)


def brought_from(lines: Sequence[str]) -> int:
    """The place of the first line that was brought along, with all after it; how many there are if none was.

    >>> brought_from(["see what I got", "", "Subject: my flat", "I moved to Cardiff."])
    2
    >>> brought_from(["Ana: I always take the early train", "Ben: you never do", "who is right?"])
    0
    """
    found = (look(lines) for look in _LOOKS)
    return min((place for place in found if place is not None), default=len(lines))


def _heads(lines: Sequence[str]) -> int | None:
    """A mail's head, or a line above a post that says who wrote it."""
    patterns = (_SUBJECT, _SENDER, _WROTE, _POSTED, _RULED, _DATED, _HEARD)
    return next((i for i, line in enumerate(lines) if any(p.match(line[:400]) for p in patterns)), None)


def _letter(lines: Sequence[str]) -> int | None:
    """From "Dear Ana," on where something stands before it, or where it is signed; not what is said to an agent."""
    opened = next((i for i, line in enumerate(lines) if _to_somebody(line) or _addressed(lines, i)), None)
    signed = next((i for i in range(len(lines)) if _parts(lines, i)), None)
    if opened is not None and (
        any(line.strip() for line in lines[:opened]) or (signed is not None and signed > opened)
    ):
        return opened
    if signed is None or not _FORMAL_PARTING.match(lines[signed]) or any(map(_to_agent, lines)):
        return None
    return next((i + 1 for i in range(signed) if not lines[i].strip()), 0)


def _to_somebody(line: str) -> bool:
    return _TO_SOMEBODY.match(line[:200]) is not None and not _to_agent(line)


def _addressed(lines: Sequence[str], i: int) -> bool:
    """Whether a paragraph begins as a letter does: "Dear team, my name is Quirin"."""
    apart = i > 0 and not lines[i - 1].strip()
    return apart and _ADDRESSED.match(lines[i][:200]) is not None and not _to_agent(lines[i])


def _to_agent(line: str) -> bool:
    found = _TO_SOMEBODY.match(line[:200]) or _ADDRESSED.match(line[:200])
    return found is not None and not _TO_AGENT.isdisjoint(found["whom"].casefold().split())


def _parts(lines: Sequence[str], i: int) -> bool:
    """Whether a line takes leave and a name stands below it."""
    if not _PARTING.match(lines[i][:80]):
        return False
    below = [line for line in lines[i + 1 : i + 4] if line.strip()]
    return bool(below) and len(below[0]) <= 60 and _SIGNED.match(below[0]) is not None


def _talk(lines: Sequence[str]) -> int | None:
    """A conversation of others: lines that begin with who speaks."""
    nicknamed = [i for i, line in enumerate(lines) if _NICKNAMED.match(line[:200])]
    if len(nicknamed) > 1:
        return nicknamed[0]
    said = [(i, found) for i, line in enumerate(lines) if (found := _LABELLED.match(line[:400])) and _names(found)]
    if len(said) < 2:
        return None
    names = Counter(found["name"].casefold() for _, found in said)
    voiced = any(_VOICE.search(found["said"]) for _, found in said)
    timed = any(found["at"] or found["beside"] for _, found in said)
    roles = any(_IS_ROLE.match(name) for name in names)
    return said[0][0] if timed or roles or voiced or max(names.values()) > 1 else None


def _names(found: re.Match[str]) -> bool:
    return _NO_NAMES.isdisjoint(found["name"].casefold().split())


def _announced(lines: Sequence[str]) -> int | None:
    """After "here is the mail I got:", unless it is the speaker's own text."""
    for i, line in enumerate(lines[:-1]):
        tail = line[-200:]
        if _ANNOUNCED.search(tail) and not _OWN_WRITING.search(tail):
            return i + 1
    return None


_OF_THEIR_OWN = re.compile(
    r"\b(?:i|i'?m|i'?ve|i'?ll|me|my|mine|we|we're|our|us|you|your|rules?|preferences|conventions|context|background|plans?"
    r"|todos?|lists?|goals?|things|ideas?|questions?|steps?|options?|facts?|remember"
    r"|note (?:that|this|down)|keep in mind)\b",
    re.I,
)


def _after_colon(lines: Sequence[str]) -> int | None:
    """What stands apart under a line that ends in a colon and says nothing of its speaker: "Note on Bexley, for the
    file:", an empty line, and then somebody's text.
    """
    filled = [i for i, line in enumerate(lines) if line.strip()]
    if len(filled) < 2 or not lines[filled[0]].rstrip().endswith(":") or filled[1] - filled[0] < 2:
        return None
    under = lines[filled[1]]
    prose = len(_WORD.findall(" ".join(lines[i] for i in filled[1:4]))) >= LEAST_OF_A_TEXT
    return filled[1] if prose and not _OF_THEIR_OWN.search(lines[filled[0]]) and not _LISTED.match(under) else None


LEAST_OF_A_TEXT = 12  # words
_LISTED = re.compile(r"\s{0,3}(?:[-*+•–]|\(?\d{1,3}[.)])\s")


def _judged(lines: Sequence[str]) -> int | None:
    """What stands under a question that needs a text to be answered: "who is right?", "can you translate this?"."""
    filled = [i for i, line in enumerate(lines) if line.strip()]
    for place, i in enumerate(filled[1 : MOST_TYPED + 1], 1):
        if not lines[i - 1].strip():
            typed = " ".join(lines[one] for one in filled[:place])[-400:]
            return i if _TO_JUDGE.search(typed) else None
    return None


def _foreign_head(lines: Sequence[str]) -> int | None:
    """A mail's head in any language: a line that ends in a colon, names with values under it, then a text."""
    for i in range(len(lines) - 4):
        if not lines[i].rstrip().endswith((":", "：")) or not (first := _VALUED.match(lines[i + 1][:300])):
            continue
        below = next((j for j in range(i + 2, min(i + 9, len(lines))) if not _VALUED.match(lines[j][:300])), i)
        if below > i + 2 and not lines[below].strip() and first[1].casefold() not in _NO_NAMES:
            return i
    return None


def _titled(lines: Sequence[str]) -> int | None:
    """From a heading or a title on, where what stands above it speaks of a text of somebody else's."""
    filled = [i for i, line in enumerate(lines) if line.strip()]
    for place, i in enumerate(filled[: MOST_TYPED + 1]):
        if place and (_HEADING.match(lines[i][:200]) or _is_title(lines, i)):
            typed = " ".join(lines[one] for one in filled[:place])[-600:]
            return i if _SPOKEN_OF.search(typed) else None
    return None


def _is_title(lines: Sequence[str], i: int) -> bool:
    """A short line by itself, with a capital and without an end, and a text below it."""
    alone = not lines[i - 1].strip() and i + 2 < len(lines) and not lines[i + 1].strip() and bool(lines[i + 2].strip())
    return alone and _TITLE.match(lines[i][:100]) is not None


def _between_marks(lines: Sequence[str]) -> int | None:
    """<email> on a line of its own opens something that was put between marks."""
    return next((i for i, line in enumerate(lines) if _OPENED.match(line[:300])), None)


_LOOKS = (
    _heads,
    _foreign_head,
    _letter,
    _talk,
    _announced,
    _after_colon,
    _titled,
    _judged,
    _between_marks,
    handed_from,
)


def is_recipe(text: str) -> bool:
    """Whether a text tells how something is cooked: a sentence with two measures and nobody in it.

    >>> is_recipe("My aunt's bread. Mix 500 g of flour with 300 ml of water."), is_recipe("I ate 200 g of it.")
    (True, False)
    """
    return any(not _VOICE.search(found[0]) for found in _COOKED.finditer(text))


def quotations(text: str) -> Iterator[tuple[int, int]]:
    """Where somebody else speaks within a sentence: several sentences in quotation marks, or an order in them.

    >>> text = 'he wrote "I moved. Remember that." today'
    >>> [text[start:end] for start, end in quotations(text)]
    ['"I moved. Remember that."']
    """
    for found in _QUOTATION.finditer(text):
        inside = next(filter(None, found.groups()))
        several = _NEXT_SENTENCE.search(inside) is not None and len(_WORD.findall(inside)) > 4
        if several or (_ASKS.search(inside) and len(_WORD.findall(inside)) > 3) or _of_another(text, found):
            yield found.span()
    for found in _AFTER_COLON.finditer(text):
        if _ASKS.search(found[1]):
            yield found.span(1)


def _of_another(text: str, quotation: re.Match[str]) -> bool:
    """Whether the text says beside a quotation who speaks, as a story does."""
    begin, end = quotation.span()
    after = _ATTRIBUTED.match(text[end : end + _LONGEST_ATTRIBUTION])
    return after is not None or _ATTRIBUTES.search(text[max(0, begin - _LONGEST_ATTRIBUTION) : begin]) is not None


# A text that is announced in the turn before: "marking year 5, I paste them one by one", "Ready when you are.".
LONGEST_READY = 160  # characters of whoever only says that it may come

_READY = re.compile(
    r"\b(?:send|paste|share|post|drop|read|type|give) (?:it|them|me|the|over|away|on|in|ahead)\b|\bgo (?:ahead|on)\b"
    r"|\bready when\b|\blet['’]?s (?:have|see|hear)\b|\bover to you\b|\bfire away\b|\b(?:ready|listening)\b",
    re.I,
)
_COMES = re.compile(
    r"\b(?:past(?:e|ing)|next message|one (?:by one|at a time|after (?:the other|another))|typed as spoken"
    r"|dictat(?:e|ing)|read(?:ing)? (?:it|them|you) (?:out|aloud)|(?:comes|coming|follows) (?:next|now|below|up)"
    r"|send(?:ing)? (?:you )?(?:it|them|the|his|her|their|one))\b",
    re.I,
)
_OWN_TEXT = re.compile(r"\b(?:my|our) (?!(?:pupils?|students?|patients?|customers?|clients?)\b)", re.I)


def announced(said: str, reply: str) -> bool:
    """Whether what comes after this turn and its reply is the text that the turn spoke of.

    >>> announced("Next message is today's patient, typed as spoken.", "Understood, send it over.")
    True
    >>> announced("I'll paste my address next.", "Go ahead.")
    False
    """
    if len(reply) > LONGEST_READY or not _READY.search(reply):
        return False
    return any(_COMES.search(part) and not _OWN_TEXT.search(part) for part in re.split(r"[.!?\n]", said[-600:]))
