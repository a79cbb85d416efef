"""A sentence cut into clauses that can each be read alone, with what marks them: a request, a change, a correction."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from reverie.minds.rules.filters import is_question, not_asserted
from reverie.minds.rules.relatives import unfolded


@dataclass(frozen=True, slots=True)
class Piece:
    """One clause as text, and what its sentence said about it."""

    text: str
    asked: bool = False  # "remember that …"
    correction: bool = False  # "actually, …"
    conditional: bool = False  # "… if it rains"
    denied: str = ""  # "…, not the 12th"


# Openers that carry no content; the first group marks a request, the second a correction.
_ASKED = (
    r"(?:(?:can|could|would) you )?(?:please |pls )?(?:also )?(?:(?:always |just )?"
    r"(?:(?:remember|keep in mind|bear in mind|do not forget|never forget|make a note|take note)"
    r"(?: (?:for me|this|for later|for next time|for the future|it|to self|for the record|for future reference))*"
    r"(?: that|:|,|;)?"
    r"|(?:note|save|store|write|memori[sz]e|log|record|jot|add to (?:your )?memory|be aware|know)"
    r"(?: (?:down|for me|this|for later|it|to self))*(?: that|:|(?= (?:I|my|we|our|the)\b)))"
    r"|note to self:?|important:|reminder:|for your memory:?) "
)
_CORRECTS = (
    r"(?:(?:oh|no|sorry|wait|oops|hmm|well|ah|nope|ok|okay|yeah|um|uh|actually)[,.;! ]+)*"
    r"(?:actually|correction|scratch that|I (?:was wrong|misspoke|made a mistake)|my mistake|to correct "
    r"myself|let me correct (?:that|myself)|"
    r"update|quick update|small correction|I meant|I mean|on second thought|that is wrong|that is not right|"
    r"not anymore|rather|sorry|wait)"
    r"[:,;.! ]+(?:that )?(?:(?:and|but|no|so)[, ]+)?"
)
_FILLER = (
    r"(?:(?:oh|well|so|and|but|also|plus|ok|okay|hey|hi|hello|yeah|yes|yep|no|nope|nah|um|uh|hmm|haha|lol|wow|"
    r"sure|right|anyway|"
    r"anyways|btw|fyi|tbh|honestly|frankly|basically|personally|luckily|sadly|unfortunately|fortunately|"
    r"obviously|incidentally|"
    r"thanks|thank you|cool|great|good|nice|perfect|awesome|true|exactly|sorry|listen|look|see|ugh|yay|man|"
    r"dude|guess what|"
    r"good news|bad news|big news|great news|fun fact|funny enough|interestingly|turns out|it turns out|"
    r"as you know|as I said|as I mentioned|like I said|by the way|just so you know|so you know|for the record|"
    r"for context|"
    r"for what it is worth|to be honest|in fact|in general|generally|in my case|as for me|for me|of course|"
    r"a bit about me|some background|about me|quick (?:note|question|one|intro)|one (?:more )?thing|another "
    r"thing|first(?: of all| off)?|second|secondly|"
    r"finally|in addition|additionally|besides|on top of that|today I learned|"
    r"I (?:am (?:so |really |super |very |pretty )?(?:happy|excited|proud|glad|pleased|sad|sorry|thrilled|"
    r"afraid|sure|relieved|certain) "
    r"(?:to (?:say|tell you|announce|report|share)|that|because)|"
    r"(?:just )?(?:wanted|want|need|have) (?:you )?to (?:say|tell you|mention|let you know|share|know|add|"
    r"point out|admit|confess|remember)|"
    r"(?:should|must|have to|might|can|will|gotta) (?:say|mention|admit|add|tell you|confess|note)|"
    r"(?:already |just |have )?(?:told|said|mentioned|think|believe|guess|realised|realized|know|forgot to "
    r"(?:say|mention|tell you)|admit|noticed|confess|swear|found out)"
    r"(?: (?:you|to you|before|earlier|already|now))*)"
    r"(?: that)?|(?:you )?(?:should |must |need to )?know that|you (?:should|might want to) know|"
    r"let me (?:tell you|introduce myself|start by saying|add)|did I (?:mention|tell you)(?: that)?|"
    r"what I (?:mean|meant) is|the thing is|the truth is|point is|fact is|it is true that|the fact is)"
    r"(?:[:,;!.]+ ?| )(?:(?:that|is) (?=I|my|we))?)"
)
_SUBJECT = r"(?:I|we|he|she|they|my|our|his|her|their|it|there|you)"
_JOINTS = re.compile(
    rf";\s*|:\s+(?={_SUBJECT}\b)"
    rf"|,?\s+(?:but|because|although|though|even though|whereas|however|plus|yet|cuz|cause|'cause)"
        rf"\s+(?:also\s+|then\s+)?"
    rf"|,\s+so\s+|\s+so\s+(?={_SUBJECT}\b)|,\s*(?:and|or)\s+(?={_SUBJECT}\b)|\s+and\s+(?={_SUBJECT}\s+\w)"
        rf"(?!I\s+(?:are|both|live together))"
    rf"|,\s+(?=(?:I|we|my|our|he|she|they)\s)|,\s+(?=today (?:was|is)\b)"
    rf"|,\s+(?=(?:the|this|these|that|those)\s[^,]{{1,40}}?\s(?:is|are|was|were)\b)"
    rf"|\s+since\s+(?={_SUBJECT}\b)|\s+as\s+(?=(?:I|we|my) (?:am|have|live|"
        rf"work|do|are|is)\b)"
    rf"|,?\s+while\s+(?={_SUBJECT}\b)|,\s+(?=not\s)|\s+which is why\s+|\s+that is why\s+|,\s+and\s+(?=[A-Z]\w+ "
        rf"(?:is|has|lives|works|likes|loves|hates|prefers)\b)"
    rf"|\s+and\s+(?=[A-Z][a-z]+ (?:is|has|lives|works|likes|loves|hates|prefers|moved|plays|drives)\b)|"
        rf",\s+(?=[A-Z][a-z]+ (?:lives|works|hates|prefers|drives)\b)"
)  # fmt: skip
_DROPPED = re.compile(
    r",?\s+(?:when|whenever|until|before|after|once|even if|in order to|so that|as long as|as soon as|in case|"
    r"like when)\s+(?:I|we|you|he|she|it|they|my|our|the|his|her)\b.*$|,\s*(?:which|where|when|what|whose)"
    r"\b[^,]*(?:,|$)"
    r"|,\s*(?:right|ok|okay|you know|I think|I guess|I believe|I mean|lol|haha|huh|sorry|"
    r"sadly|unfortunately|luckily|thankfully|please|thanks|thank "
    r"you|by the way|btw|"
    r"though|actually|honestly|to be honest|in case you (?:wondered|forgot|are wondering)|just so you know|"
    r"fyi|for the record|of course|as you know|remember)\s*$",
    re.I,
)
_ASK_TAIL = re.compile(
    r"[,;]\s+(?=(?:so |and |but |then |now |please )?(?:what|where|who|which|how|when|why|can|could|do|does|"
    r"did|is|are|was|any|should|would|will|have|has|"
    r"got|please|remember|right|okay|ok|anything|suggest|recommend)\b)",
    re.I,
)
_GIVEN = re.compile(
    r"^(?:since|because|as|given that|given|seeing as|seeing that|now that|considering(?: that)?)\s+", re.I
)
_FRONTED_TIME = re.compile(
    r"^(?:when|whenever|while|after|before|once|until|if|even if|unless|every time)\b[^,]*,\s*", re.I
)


@lru_cache(maxsize=1)
def _openers() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    return re.compile(_ASKED, re.I), re.compile(_CORRECTS, re.I), re.compile(_FILLER, re.I)


_TAIL_REQUEST = re.compile(
    r"(?:[,;.]\s+(?:so |and )?(?:please )?|\s+please )"
    r"(?:remember|note|keep in mind|do not forget|bear in mind)(?: that| this| it)?\s*$",
    re.I,
)


def opened(sentence: str) -> Piece:
    """The sentence without its openers, and what they marked.

    >>> opened("Oh, and remember that I am vegan.").asked, opened("Actually, I live in Kiel.").text
    (True, 'I live in Kiel.')
    """
    asks, corrects, fills = _openers()
    piece = Piece(sentence)
    for _ in range(6):
        text = piece.text
        if match := asks.match(text):
            piece = replace(piece, text=text[match.end() :], asked=True)
        elif match := corrects.match(text):
            piece = replace(piece, text=text[match.end() :], correction=True)
        elif match := fills.match(text):
            piece = replace(piece, text=text[match.end() :])
        else:
            break
    tail = _TAIL_REQUEST.search(piece.text.rstrip(" .!"))
    return replace(piece, text=piece.text[: tail.start()], asked=True) if tail else piece


def _statement_of(sentence: str) -> str:
    """What a question presupposes: "I am vegan, what can I eat?" states its first part."""
    parts = _ASK_TAIL.split(sentence)
    head = parts[0]
    if len(parts) < 2 or is_question(head):
        return ""
    return head if re.match(rf"(?:{_GIVEN.pattern[1:]})?(?:I|we|my|our)\b", head, re.I) else ""


def pieces(sentence: str) -> list[Piece]:
    """The clauses of one prepared sentence that its speaker asserts."""
    whole = opened(sentence)
    text = whole.text.strip()
    if not whole.asked and (is_question(text) or is_question(sentence)):
        text = _statement_of(text)
    text = _FRONTED_TIME.sub("", text) if not text.lower().startswith(("if", "unless", "even if")) else text
    conditional, text = _condition(text)
    if not text or not_asserted(text):
        return _rescued(whole, text)
    parts = [
        part
        for told in unfolded(_GIVEN.sub("", text))
        for part in _refronted([_trim(p) for p in _JOINTS.split(told)])
        if part
    ]
    return [
        replace(whole, text=part, conditional=conditional, denied=_denied(following))
        for part, following in pairwise([*parts, ""])
    ]


def _denied(part: str) -> str:
    """ "…, not the 12th": the value that the clause before puts right."""
    return part.removeprefix("not ") if part.startswith("not ") and len(part.split()) <= 5 else ""


_FRONT = re.compile(
    r"(?:(?:in|on|at|since|by|after|before|during|over|for|back in|just|earlier|later) )?(?:the |my |our |"
    r"this |last |next |every |each |most )?"
    r"(?:[\w'-]+(?: |$)){1,4}$",
    re.I,
)
_TIME = re.compile(
    r"\b(?:day|night|morning|evening|week|weekend|month|year|summer|winter|spring|autumn|fall|today|yesterday|"
    r"tomorrow|ago|(?:19|20)\d\d|\w+days?|January|February|March|April|May|June|July|August|September|October|"
    r"November|December|lately|recently|Christmas|Easter)s?$",
    re.I,
)


def _refronted(parts: list[str]) -> list[str]:
    """ "Last week, my cat ran away": a time that was cut off goes back to its clause."""
    kept: list[str] = []
    for part in parts:
        own = re.match(r"(?:I|we|my|our|he|she)\b", part, re.I)
        if (
            own
            and kept
            and _FRONT.match(kept[-1])
            and _TIME.search(kept[-1])
            and not re.match(r"(?:I|we|my|our|he|she)\b", kept[-1], re.I)
        ):
            kept[-1] = f"{kept[-1]} {part}"
        else:
            kept.append(part)
    return kept


def _rescued(whole: Piece, text: str) -> list[Piece]:
    """A doubtful sentence may still hold sound clauses: "I live in Kiel, but I might move"."""
    reason = not_asserted(text) if text else ""
    if reason not in ("uncertain", "hypothetical", "hearsay") or text.lower().startswith(("if ", "suppose", "imagine")):
        return []
    parts = [
        part
        for part in (
            _trim(p) for p in re.split(r"[,;]?\s+(?:but|and|though|although|because)\s+(?=I\b|my\b|we\b)|;\s*", text)
        )
        if part
    ]
    return [replace(whole, text=p) for p in parts if not not_asserted(p)] if len(parts) > 1 else []


def _condition(text: str) -> tuple[bool, str]:
    """A trailing "if …" is cut off; a leading one stays, and makes the whole sentence hypothetical."""
    head, found, _ = text.partition(" if ")
    if (
        not found
        or not head
        or re.search(r"\b(?:would|could|might|know|see|ask|wonder|sure|what|as|not|tell me)\b", head)
    ):
        return False, text
    return True, head


def _trim(text: str) -> str:
    return _DROPPED.sub("", " " + text.strip(" .!,;?")).strip(" .!,;?")
