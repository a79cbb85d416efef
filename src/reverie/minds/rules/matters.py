"""What a statement is on: whose or what thing's attribute it tells, the value, and whether it says that this changed.

Index and clash material, never shown: an empty answer is a good one. The tables hold a few words of high precision;
what they do not read is found by what two statements share (`updates.py`).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from reverie.language.vocabulary import APOSTROPHES


@dataclass(frozen=True, slots=True)
class Matter:
    """`subject` is "user", a person ("Blaž", "user's sister") or a thing ("ledger"); `value` stands in the quote."""

    subject: str = ""
    predicate: str = ""
    value: str = ""
    exclusive: bool = False  # one value at a time
    cue: str = ""  # the words that say that something changed
    replaces: str = ""  # the value that is said to be over
    negated: bool = False  # it ends, and nothing is said to take its place


NOTHING = Matter()

# The words that mark a change. Strong ones say it by themselves; weak ones need the same matter beside them.
STRONG_CUES = (
    r"no longer|not any ?more|any ?more|instead|(?:was|were|been|got|gets|is|are|has|have|had) (?:\w+ )?(?:moved|pushed|shifted|changed|"
    r"switched|swapped)|moved? (?:it|that|this|them|us|back|up|forward|the [\w-]+|my [\w-]+|our [\w-]+) to|moved the \w+|"
    r"(?:moved?|moves|changed?|changes|switched|switch(?:es)?|pushed|shifted|swapped|migrated) (?:back )?(?:to|from) (?!work|bed|sleep|see|get|the (?:gym|store|shop))|"
    r"changed (?:it|that|the|my|our|her|his|their|banks?|jobs?|on)|postponed|brought forward|extended|rescheduled|replaced|renamed|lowered|raised|cancel+ed|"
    r"it'?s now|(?:is|are|am|i'm|we're) now|now it'?s|as of (?:today|now|tomorrow|midnight|next|this|last|\w+day|\d)|"
    r"from (?:today|tomorrow|next|this week|\w+day|january|february|march|april|may|june|july|august|september|october|november|december)(?: on)?|"
    r"back to (?=\d|the old|normal|\w+days?)|(?<!get )used to|gave up|given up|quit|stopped (?!at|by|in|for)|dropped|scrap(?:ped)?|called off|is off|fell through|"
    r"correction|i meant|re-?(?:registered|booked|named|scheduled|arranged)|got a new|bought a new|new (?:one|address|number|job|phone|plan|date|"
    r"time|version|name|place|flat|limit|deadline|price|title|router|owner|boss|doctor|car)|make (?:it|that) (?=\d|\w+day)|turns out|"
    r"not (?:the )?[\w-]+ but|changed (?:my|our|her|his|their) minds?|on (?:parental|maternity|sick) leave|that leaves|takes? over|took over|"
    r"handed in (?:my|her|his) notice|broke up|split up|divorced|rather than|forget (?:the|about)|(?:her|his|my|their) (?:successor|replacement)"
)
WEAK_CUES = (
    r"actually|now|then|again|new|since|only|after all|finally|so|update|today|signed|decided|alternative|other|"
    r"merged|different|else|already|became|become|back to"
)
_STRONG = re.compile(rf"\b(?:{STRONG_CUES})\b", re.I)
_WEAK = re.compile(rf"\b(?:{WEAK_CUES})\b", re.I)
_ENDS = re.compile(
    r"\b(?:cancel+ed|called off|is off|no longer|not (?!only\b)(?:\w+ ){0,4}any ?more|fell through|gave up|quit|stopped)\b",
    re.I,
)
_ADDS = re.compile(r"\b(?:also|another|as well|a second|in addition|besides|additionally|extra)\b", re.I)
_REPLACES = re.compile(
    r"\b(?:from|instead of|rather than|replac(?:es|ed|ing)|no longer|not)\s+(?:an? |the |my |our )?"
    r"(?P<old>[\w][\w.'+#/-]*(?: [\w.'+#/-]+)?)",
    re.I,
)
_UNREAL = re.compile(
    r"\b(?:what if|if (?:i|we|you|he|she|they|it)|imagine|suppose|wish|would (?:be|have|like|love)|could|might|maybe|"
    r"perhaps|thinking (?:of|about)|considering|hypothetical\w*|dream(?:ed|t|ing)?|pretend)\b",
    re.I,
)


def cue_of(text: str) -> str:
    """The strong words of a change in a text, or nothing.

    >>> cue_of("it's now December 18"), cue_of("we're now at 30"), cue_of("I like tea now")
    ("it's now", "we're now", '')
    """
    found = _STRONG.search(plain(text))
    return found.group().lower() if found else ""


def hint_of(text: str) -> str:
    """A weaker word that a change may come with."""
    found = _WEAK.search(plain(text))
    return found.group().lower() if found else ""


def adds(text: str) -> bool:
    return bool(_ADDS.search(text))


def unreal(text: str) -> bool:
    """Asked, imagined or only considered."""
    return text.rstrip(" \"'”)").endswith("?") or bool(_UNREAL.search(plain(text)))


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    return text.translate(APOSTROPHES)


_VALUE = r"(?P<value>[^\s,;!?][^,;!?\n]{0,60}?)"
_STOP = r"(?=\s*(?:[,;!?\n]|\.(?:\s|$)|$| (?:and|but|so|because|since|though|which|who|when|while|where|until|till|from|for)\b))"
_TO_BE = r"(?:'s|s)? ?(?:is|are|was|were|will be|became|=|:|at|now|stays?)? ?(?:now |currently |set to |still )?(?::|=|at|on)?\s*"
_DATE_OR_TIME = (
    r"(?:on |by |at |for |until |till )?(?:the )?(?=[\w :.]{0,16}(?:\d|day\b|tomorrow|tonight|noon|week|month|january|february|march|april|june|july|"
    r"august|september|october|november|december))"
)
# noun of an attribute -> predicate. The thing that it belongs to stands before it, or behind "of" or "for".
ATTRIBUTES = {
    "deadline": "deadline", "due date": "deadline", "budget": "budget", "rent": "rent", "salary": "salary",
    "price": "price", "cost": "price", "fee": "price", "address": "address", "phone number": "phone",
    "number": "phone", "email": "email", "e-mail": "email", "birthday": "birthday", "version": "version",
    "port": "port", "database": "database", "framework": "framework", "title": "title", "timezone": "timezone",
    "time zone": "timezone", "limit": "limit", "goal": "goal", "timeout": "timeout", "isolation level": "isolation_level",
    "dose": "dose", "dosage": "dose", "contact": "contact", "capacity": "capacity", "size": "size",
}  # fmt: skip
_NOUNS = "|".join(sorted(ATTRIBUTES, key=len, reverse=True))
_ATTRIBUTE = re.compile(
    rf"\b(?P<owner>my|our|his|her|their|the|\w+'s) (?:(?P<thing>(?!(?:new|old|current|hard|next|final)\b)[\w-]+(?: [\w-]+)?) )?"
    rf"(?:(?:new|old|current|hard|next|final) )?(?P<noun>{_NOUNS})(?: (?:of|for) (?:the |my |our )?(?P<of>[\w-]+(?: [\w-]+)?))?"
    rf" (?:is|was|=|:|moved to|changed to|got moved to|went up to|is set to|will be)(?: now| still)? {_VALUE}{_STOP}",
    re.I,
)
_DUE = re.compile(
    rf"\b(?:the |my |our )?(?P<thing>[\w-]+(?: [\w-]+)?)(?: is|'s| are|'re)?(?: now)? due (?:on |by |at )?{_VALUE}{_STOP}", re.I
)
_I = r"(?P<who>i|we|my (?P<kin>\w+)|(?P<name>[A-ZÀ-Þ][\w'’-]+))"
_ADVERB = r"(?: (?:now|actually|still|currently|recently|just|both|also|finally))?"
_PLACE = r"(?P<value>[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+){0,2})"
# predicate, one at a time, what the sentence looks like (the case of names counts)
SHAPES: tuple[tuple[str, bool, re.Pattern[str]], ...] = tuple(
    (predicate, exclusive, re.compile(rf"(?:^|(?<=[\s,;:.(])){shape}"))
    for predicate, exclusive, shape in (
        ("lives_in", True, rf"(?i:{_I}(?:'m|'re| am| are| is)?{_ADVERB} (?:live|lives|living|based|moved|relocated)"
                           rf"(?: (?:now|back|again|over))? (?:in|to)) {_PLACE}"),
        ("works_at", True, rf"(?i:{_I}(?:'m|'re| am| are| is)?{_ADVERB} (?:work|works|working|started|starts)"
                           rf"(?: now)? (?:at|for)) (?:the )?{_PLACE}"),
        ("name", True, rf"(?i:my name(?:'s| is)) (?:now )?{_PLACE}"),
        ("age", True, r"(?i:(?:i'm|im|i am|i(?:'ve)? (?:just )?turned) (?P<value>\d{1,2})(?= years| yo\b|[.,!]|$| today| now))"),
        ("allergic_to", False, rf"(?i:{_I}(?:'m| am| is) (?:severely |badly |very |also )?allergic to (?:the )?{_VALUE}{_STOP})"),
        ("diet", True, r"(?i:(?P<who>i)(?:'m|m| am|'ve gone| went| became|'ve been)(?: a| now)?(?: strict)?"
                       r" (?P<value>vegetarian|vegan|pescatarian)\b)"),
        ("likes", False, rf"(?i:(?P<who>i) (?:really |absolutely |just )?(?:love|adore|like|enjoy) {_VALUE}{_STOP})"),
        ("dislikes", False, rf"(?i:(?P<who>i) (?:really |absolutely |just )?(?:hate|dislike|can't stand|don't like) {_VALUE}{_STOP})"),
    )
)  # fmt: skip
_POINTS = re.compile(r"^(?:it|that|this|them|these|those|how|when|what|to|your?|him|her|the (?:idea|way|fact)|seeing|being)\b", re.I)
KIN = frozenset(
    "wife husband partner fiancé fiancée girlfriend boyfriend mother mum mom father dad sister brother son daughter cousin aunt "
    "uncle niece nephew grandmother grandfather grandma grandpa friend boss manager colleague neighbour neighbor landlord "
    "roommate flatmate teacher doctor dog cat".split()
)


def matter_of(quote: str, about: str = "", speaker: str = "user") -> Matter:
    """The matter of a quote, as far as the tables read it. `about` is the question that it answers.

    >>> matter_of("We moved to Hamburg last month")
    Matter(subject='user', predicate='lives_in', value='Hamburg', exclusive=True, cue='moved', replaces='', negated=False)
    >>> matter_of("the ledger deadline is now December 18").subject
    'ledger'
    """
    said = plain(quote)
    if unreal(said):
        return NOTHING
    found = next(_stated(said, speaker), NOTHING)
    if not found.predicate and about:
        found = _answered(said, plain(about), speaker)
    cue = cue_of(said)
    ended = bool(_ENDS.search(said)) and not found.value
    old = _REPLACES.search(said) if cue else None
    replaces = old["old"] if old and found.value and old["old"].casefold() not in found.value.casefold() else ""
    return replace(found, cue=cue, replaces=replaces, negated=ended)


def _stated(said: str, speaker: str) -> Iterator[Matter]:
    for match in _ATTRIBUTE.finditer(said):
        owner = match["owner"].lower()
        thing = match["thing"] or match["of"] or ""
        subject = thing.lower() or (speaker if owner in ("my", "our") else owner[:-2] if owner.endswith("'s") else "")
        if subject:
            yield Matter(subject, ATTRIBUTES[match["noun"].lower()], match["value"].strip(), exclusive=True)
    if match := _DUE.search(said):
        if match["thing"].lower().split()[0] not in ("it", "that", "this", "was", "is", "rent", "i'm"):
            yield Matter(match["thing"].lower(), "deadline", match["value"].strip(), exclusive=True)
    for predicate, exclusive, shape in SHAPES:
        match = shape.search(said)
        if match and not _POINTS.match(match["value"]) and (subject := _subject(match, speaker)):
            yield Matter(subject, predicate, match["value"].strip(" ."), exclusive)


def _subject(match: re.Match[str], speaker: str) -> str:
    groups = match.groupdict()
    if groups.get("kin"):
        kin = groups["kin"].lower()
        return f"{speaker}'s {kin}" if kin in KIN else ""
    name = groups.get("name") or ""
    return name if name and name.casefold() not in ("i", "we") else speaker


_ASKED = re.compile(rf"\b(?:what|which|when|where|how)\b.*?\b(?P<noun>{_NOUNS})\b", re.I)
_WHERE_LIVE = re.compile(r"\bwhere (?:do|are) you (?:live|living|based)\b", re.I)
_SHORT_ANSWER = re.compile(r"^(?:oh|well|yes|yeah|it'?s|that'?s|now|at|in|on|the|,|\s)*(?P<value>[^.,;!?\n]{2,60})", re.I)


def _answered(said: str, about: str, speaker: str) -> Matter:
    """A short answer is the value of what was asked: "What's the new address?" "Kastanjelaan 8"."""
    value = _SHORT_ANSWER.match(said)
    if value is None or len(value["value"].split()) > 5:
        return NOTHING
    if _WHERE_LIVE.search(about) and value["value"][:1].isupper():
        return Matter(speaker, "lives_in", value["value"].strip(), exclusive=True)
    asked = _ASKED.search(about)
    if asked is None or "?" not in about:
        return NOTHING
    return Matter(speaker, ATTRIBUTES[asked["noun"].lower()], value["value"].strip(), exclusive=True)
