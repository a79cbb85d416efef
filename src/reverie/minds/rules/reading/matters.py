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
    negated: bool = False  # the value is said to be over, and nothing to take its place


NOTHING = Matter()

# The words that mark a change. Strong ones say it by themselves; weak ones need the same matter beside them.
STRONG_CUES = (
    r"no longer|not any ?more|any ?more|instead|(?:was|were|been|got|gets|is|are|has|have|had) (?:\w+ )?(?:moved|"
    r"pushed|shifted|changed|"
    r"switched|swapped)|moved? (?:it|that|this|them|us|back|up|forward|the [\w-]+|my [\w-]+|our [\w-]+) to|moved the "
    r"\w+|"
    r"(?:moved?|moves|changed?|changes|switched|switch(?:es)?|pushed|shifted|swapped|migrated) (?:back )?(?:to|from) "
    r"(?!work|bed|sleep|see|get|the (?:gym|store|shop))|"
    r"changed (?:it|that|the|my|our|her|his|their|banks?|jobs?|on)|postponed|brought forward|extended|rescheduled|"
    r"replaced|renamed|lowered|raised|cancel+ed|"
    r"it'?s now|(?:is|are|am|i'm|we're) now|now it'?s|as of (?:today|now|tomorrow|midnight|next|this|last|\w+day|\d)|"
    r"from (?:today|tomorrow|next|this week|\w+day|january|february|march|april|may|june|july|august|september|"
    r"october|november|december)(?: on)?|"
    r"back to (?=\d|the old|normal|\w+days?)|(?<!get )used to|gave up|given up|quit|stopped (?!at|by|in|for)|dropped|"
    r"scrap(?:ped)?|called off|is off|fell through|"
    r"correction|i meant|re-?(?:registered|booked|named|scheduled|arranged)|got a new|bought a new|new (?:one|"
    r"address|number|job|phone|plan|date|"
    r"time|version|name|place|flat|limit|deadline|price|title|router|owner|boss|doctor|car)|make (?:it|that) (?=\d|"
    r"\w+day)|turns out|"
    r"not (?:the )?[\w-]+ but|changed (?:my|our|her|his|their) minds?|on (?:parental|maternity|sick) leave|that "
    r"leaves|takes? over|took over|"
    r"handed in (?:my|her|his) notice|broke up|split up|divorced|rather than|forget (?:the|about)|(?:her|his|my|"
    r"their) (?:successor|replacement)"
)
WEAK_CUES = (
    r"actually|now|then|again|new|since|only|after all|finally|so|update|signed|decided|alternative|other|"
    r"merged|different|else|already|became|become|back to"
)
_STRONG = re.compile(rf"\b(?:{STRONG_CUES})\b", re.I)
_WEAK = re.compile(rf"\b(?:{WEAK_CUES})\b", re.I)
_ADDS = re.compile(r"\b(?:also|another|as well|a second|in addition|besides|additionally|extra)\b", re.I)
_REPLACES = re.compile(
    r"\b(?:from (?:the |my |our )?(?P<from>[\w.:+#/-]+(?: [\w.:+#/-]+)?) to\b|"
    r"(?:instead of|rather than|replac(?:es|ed|ing)) (?:an? |the |my |our )?(?P<of>[\w.:+#/-]*\w(?: \d+)?))",
    re.I,
)
_UNREAL = re.compile(
    r"\b(?:what if|if (?:i|we|you|he|she|they|it)|imagine|suppose|wish|would (?:be|have|like|love)|could|might|maybe|"
    r"perhaps|thinking (?:of|about)|considering|hypothetical\w*|dream(?:ed|t|ing)?|pretend)\b",
    re.I,
)


@lru_cache(maxsize=4096)
def cue_of(text: str) -> str:
    """The strong words of a change in a text, or nothing.

    >>> cue_of("it's now December 18"), cue_of("we're now at 30"), cue_of("I like tea now")
    ("it's now", "we're now", '')
    """
    said = plain(text)
    found = next((cue for cue in _STRONG.finditer(said) if not _NOT_SO.search(said[: cue.start()])), None)
    return found.group().lower() if found else ""


_NOT_SO = re.compile(r"(?:n't|\bnot|\bnever|\bdont|\bwont)(?: \w+)?\s*$", re.I)  # "I won't quit"


def hint_of(text: str) -> str:
    """A weaker word that a change may come with."""
    found = _WEAK.search(plain(text))
    return found.group().lower() if found else ""


def adds(text: str) -> bool:
    return bool(_ADDS.search(text))


@lru_cache(maxsize=4096)  # a statement is compared with many
def unreal(text: str) -> bool:
    """Asked, imagined or only considered."""
    return text.rstrip(" \"'”)").endswith("?") or bool(_UNREAL.search(plain(text)))


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    return text.translate(APOSTROPHES)


_VALUE = r"(?P<value>[^\s,;!?(](?:[^,;!?\n(]|(?<=\d),(?=\d{3})){0,60}?)"
_STOP = (
    r"(?=\s*(?:[;!?\n(]|,(?!\d{3})|\.(?:\s|$)|$)| (?:and|but|so|because|since|though|which|who|when|while|where|"
    r"until|till|from|for|as|with|now)\b)"
)
# noun of an attribute -> predicate. The thing that it belongs to stands before it, or behind "of" or "for".
ATTRIBUTES = {
    "deadline": "deadline", "due date": "deadline", "budget": "budget", "rent": "rent", "salary": "salary",
    "price": "price", "address": "address", "phone number": "phone", "email": "email", "e-mail": "email",
    "birthday": "birthday", "version": "version", "port": "port", "database": "database", "framework": "framework",
    "title": "title", "timezone": "timezone", "time zone": "timezone", "limit": "limit", "timeout": "timeout",
    "isolation level": "isolation_level", "dose": "dose", "dosage": "dose", "capacity": "capacity",
    "go-live": "go_live", "launch date": "launch", "kickoff": "kickoff", "stand-up": "standup", "standup": "standup",
    "retention": "retention", "wifi": "wifi", "weight": "weight", "rate limit": "rate_limit", "wedding date": "wedding",
}  # fmt: skip
_NOUNS = "|".join(sorted(ATTRIBUTES, key=len, reverse=True))
_KIND = r"(?:new|old|current|hard|next|final|actual|real|monthly|total|first)"
_ATTRIBUTE = re.compile(
    rf"\b(?:(?P<owner>my|our|his|her|their|the|[\w-]{{1,40}}'s) )?(?:(?P<thing>(?!{_KIND}\b|"
    rf"(?:my|our|his|her|their|the|a|"
    rf"an|is|of|for|and|or|no)\b)"
    rf"[\w-]{{1,40}}(?: (?!{_KIND}\b)[\w-]{{1,40}})?) )??(?:{_KIND} )?(?P<noun>{_NOUNS})(?: (?:of|for) (?:the |my |our "
    rf")?(?P<of>[\w-]{{1,40}}(?: (?!is\b)[\w-]{{1,40}})?))?"
    rf"(?: is| was|'s| =|:| got| has been| will be)?(?: now| still| actually| currently)?"
    rf"(?: moved to| changed to| set to| raised to| lowered to| pushed to| extended to| back to)?(?<! (?:of|or)) "
    rf"(?:on |at |the )?{_VALUE}{_STOP}",
    re.I,
)
_DUE = re.compile(
    rf"\b(?:the|my|our) (?P<thing>[\w-]+(?: (?!is\b|are\b|for\b|of\b)[\w-]+)?)(?: (?:for|of) [\w ]{{1,24}}?)? (?:is|"
    rf"are)(?: now)? due "
    rf"(?:on |by |at )?{_VALUE}{_STOP}",
    re.I,
)
_WHO = (
    r"(?P<who>[Ii]|[Ww]e|[Mm]y (?P<kin>\w+)|(?P<name>[A-ZÀ-Þ](?!['’]?(?:m|ve)\b)[\w-]+))(?:['’](?:m|re|ve|s)|m| "
    r"am| are| is| have| has)?"
)
_ADVERB = r"(?: (?:now|actually|still|currently|recently|just|both|also|finally|(?P<ended>no longer)))?"
_PLACE = r"(?P<value>[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+){0,2})"
# predicate, one at a time, what the sentence looks like (the case of names counts)
SHAPES: tuple[tuple[str, bool, re.Pattern[str]], ...] = tuple(
    (predicate, exclusive, re.compile(rf"(?:^|(?<=[\s,;:.(])){shape}"))
    for predicate, exclusive, shape in (
        ("lives_in", True, rf"{_WHO}{_ADVERB} (?:live|lives|living|based|moved|relocated)(?: (?:now|back|again|"
        rf"over))? (?:in|to) {_PLACE}"),
        ("works_at", True, rf"{_WHO}{_ADVERB} (?:work|works|working|started|starts?)(?: now)? (?:at|for) (?:the "
        rf")?{_PLACE}"),
        ("name", True, rf"[Mm]y name(?:'s| is) (?:now )?{_PLACE}"),
        ("age", True, r"(?i:(?:i'm|im|i am|i(?:'ve)? (?:just )?turned) (?P<value>\d{1,2})(?= years| yo\b|[.,!]|$| "
        r"today| now))"),
        ("allergic_to", False, rf"{_WHO} (?:severely |badly |very |also )?allergic to (?:the )?{_VALUE}{_STOP}"),
        ("diet", True, r"(?i:(?P<who>i)(?:'m|m| am|'ve gone| went| became|'ve been|'ve become)(?: a| now| "
        r"(?P<ended>no longer))?"
                       r"(?: strict)? (?P<value>vegetarian|vegan|pescatarian)\b)"),
        ("likes", False, rf"(?P<who>[Ii]) (?:really |absolutely |just )?(?:love|adore|like|enjoy) {_VALUE}{_STOP}"),
        ("dislikes", False, rf"(?P<who>[Ii]) (?:really |absolutely |just )?(?:hate|dislike|can't stand|don't like) "
        rf"{_VALUE}{_STOP}"),
    )
)  # fmt: skip
_POINTS = re.compile(
    r"^(?:it|that|this|them|these|those|how|when|what|to|your?|him|her|the (?:idea|way|fact)|seeing|being)\b", re.I
)
KIN = frozenset(
    "wife husband partner fiancé fiancée girlfriend boyfriend mother mum mom father dad sister brother son daughter "
    "cousin aunt "
    "uncle niece nephew grandmother grandfather grandma grandpa friend boss manager colleague neighbour neighbor "
    "landlord "
    "roommate flatmate teacher doctor dog cat".split()
)


def matter_of(quote: str, about: str = "", speaker: str = "user") -> Matter:
    """The matter of a quote, as far as the tables read it. `about` is the question that it answers.

    >>> moved = matter_of("We moved to Hamburg last month")
    >>> moved.subject, moved.predicate, moved.value, moved.cue
    ('user', 'lives_in', 'Hamburg', 'moved to')
    >>> matter_of("the ledger deadline is now December 18").subject
    'ledger'
    >>> matter_of("I no longer work at Acme").negated
    True
    """
    said = plain(quote)
    if unreal(said):
        return NOTHING
    found = next(_stated(said, speaker), NOTHING)
    if not found.predicate and about:
        found = _answered(said, plain(about), speaker)
    cue = cue_of(said).strip()
    old = _REPLACES.search(said) if cue and found.value else None
    replaces = (old["from"] or old["of"]) if old else ""
    return replace(found, cue=cue, replaces=replaces)


def _stated(said: str, speaker: str) -> Iterator[Matter]:
    for match in _ATTRIBUTE.finditer(said):
        subject = _owner(match, speaker)
        if subject and _SOUND.search(match["value"]):
            yield Matter(subject, ATTRIBUTES[match["noun"].lower()], match["value"].strip(" ."), exclusive=True)
    if (due := _DUE.search(said)) and _SOUND.search(due["value"]):
        yield Matter(due["thing"].lower(), "deadline", due["value"].strip(" ."), exclusive=True)
    for predicate, exclusive, shape in SHAPES:
        told = shape.search(said)
        if told and not _POINTS.match(told["value"]) and (subject := _subject(told, speaker)):
            ended = bool(told.groupdict().get("ended"))
            yield Matter(subject, predicate, told["value"].strip(" ."), exclusive, negated=ended)


_SOUND = re.compile(
    r"[\d@]|^[A-ZÀ-Þ]|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|noon"
)  # a value, not a remark


def _owner(match: re.Match[str], speaker: str) -> str:
    thing = (match["thing"] or match["of"] or "").lower()
    owner = (match["owner"] or "").lower()
    if thing:
        return thing
    return speaker if owner in ("my", "our") else owner.removesuffix("'s") if owner.endswith("'s") else ""


_NO_PERSON = frozenset("i we he she they it you this that there who what and but so also then ok yes no not".split())


def _subject(match: re.Match[str], speaker: str) -> str:
    groups = match.groupdict()
    if groups.get("kin"):
        kin = groups["kin"].lower()
        return f"{speaker}'s {kin}" if kin in KIN else ""
    name = groups.get("name") or ""
    if name.isupper() and name.casefold() == "not":
        return speaker  # "I am NOT allergic": shouted, and nobody's name
    return speaker if not name else "" if name.casefold() in _NO_PERSON else name


_ASKED = re.compile(rf"\b(?:what|which|when|where|how)\b.*?\b(?P<noun>{_NOUNS})\b", re.I)
_WHERE_LIVE = re.compile(r"\bwhere (?:do|are) you (?:live|living|based)\b", re.I)
_SHORT_ANSWER = re.compile(
    r"^(?:oh|well|yes|yeah|it'?s|that'?s|now|at|in|on|the|,|\s)*(?P<value>[^.,;!?\n]{2,60})", re.I
)


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
