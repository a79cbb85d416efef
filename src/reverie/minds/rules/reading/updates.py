"""Whether a later statement brings an earlier one up to date: a sum of cues that read aloud, kept with its parts.

Three things together make an update: a word of change (said, or acknowledged in the reply), a value of the same type
that is another one (a time, a price, a weekday), and the same matter (words that both share, or a later statement that
leans on what was said before). Whose matter it is must not differ: my son's appointment is not mine.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from reverie.language.calendar import MONTHS, WEEKDAYS
from reverie.language.words import terms
from reverie.minds.rules.reading.matters import KIN, adds, cue_of, hint_of, matter_of, plain, unreal
from reverie.model.base import HOUR, Instant

LONGEST = 600  # characters of a statement that are read

_MONTH = "|".join(f"{month}|{month[:3]}" for month in MONTHS if month != "may") + "|may"
_NUMBER_WORDS = "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty".split()
_UNITS = (
    r"gb|mb|tb|kb|ms|s|sec|seconds?|mins?|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?|kg|g|km|cm|mm|m|mg|mcg|"
    r"ml|l|"
    r"eur|euros?|usd|dollars?|pounds?|%|percent|people|guests?|users?|steps?|pages?|words?|times|points?|rooms?|seats?|"
    r"retries|workers?|nodes?|replicas|rows|units|pieces|persons"
)
# type of value, how much it counts that both have one and they differ, what it looks like
TYPES: tuple[tuple[str, float, re.Pattern[str]], ...] = tuple(
    (name, weight, re.compile(shape, re.I))
    for name, weight, shape in (
        ("time", 1.5, r"\b(?:[01]?\d|2[0-4]):[0-5]\d\b|\b\d{1,2} ?[ap]m\b|\bnoon\b|\bmidnight\b"),
        ("date", 1.2, rf"\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})\b|\b(?:{_MONTH}) \d{{1,2}}\b(?!:)|\bthe "
        rf"\d{{1,2}}(?:st|nd|rd|th)\b"),
        ("weekday", 1.2, r"\b(?:" + "|".join(WEEKDAYS) + r")s?\b"),
        ("measure", 1.5, rf"\b(?:\d[\d.,]*|{'|'.join(_NUMBER_WORDS)}) ?(?:{_UNITS})\b|[€$£] ?\d[\d.,]*(?:k|m)?\b|"
        rf"\b\d[\d.,]*[km]\b"),
        ("decimal", 1.5, r"\bv?\d+\.\d+(?:\.\d+)*\b"),
        ("frequency", 1.5, r"\b(?:daily|weekly|biweekly|fortnightly|monthly|quarterly|yearly|annually|nightly|"
        r"hourly)\b"),
        ("daypart", 1.2, r"\b(?:morning|afternoon|evening|night)s?\b"),
        ("title", 1.2, r"[\"“][^\"”\n]{4,80}[\"”]"),
        ("identifier", 1.2, r"\b[A-Za-z]\w*_\w+\b"),
        ("number", 1.0, rf"(?<![\w.,:/-])\d[\d,]*\b(?![:.]\d)|\b(?:{'|'.join(_NUMBER_WORDS)})\b"),
    )
)  # fmt: skip
_VALUES = re.compile("|".join(shape.pattern for name, _, shape in TYPES if name not in ("title", "identifier")), re.I)
_ADDRESS = re.compile(r"\b[A-ZÀ-Þ][\w'’-]{2,} \d{1,4}\b(?![:.]\d)")
_NAME = re.compile(r"(?<![.!?\"“] )(?<!^)\b[A-ZÀ-Þ][a-zà-ÿ'’][\w'’-]*")
_WHO_ELSE = re.compile(
    r"\bmy (?P<kin>[a-zé]+)(?:'s)?\b(?! (?:says?|said|told|thinks?|called|wrote|asked|signed|and i\b))|"
    r"\b(?P<of>[A-ZÀ-Þ][\w-]+)'s\b"
    r"|\b(?P<pronoun>hers|theirs)\b|(?:^|[.!?] )(?P<bare>colleague|friend|neighbou?r|boss|sister|brother)(?! "
    r"(?:says?|said|told|thinks?|called))\b",
)
_LEANS = re.compile(
    r"^(?:(?:ok|okay|and|but|so|well|yes|no|actually|hm+)[\s,.]+)*(?:it|it's|its|that|that's|this|they|make it|same|"
    r"\d|\W*\w+[.,] )|\b(?:it|that one|the other one|the old one|ours|instead|the same)\b",
    re.I,
)
_COMMON = frozenset(
    "get got go goe gone make made say said tell told think know want need ask try help book call owe rememb take "
    "taken give look see come good great "
    "new old now today tomorrow yesterday "
    "day week month year time thing way lot bit note noted ok sure right well really actual set put let like love "
    "just back still one two three four "
    "five six seven eight nine ten first last next anyway please thank sorry people someone everybody already again "
    "start end keep use work done much "
    "many even ever never always every also morning afternoon evening night may will could pm am be not".split()
) | {word[:3] for word in MONTHS} | frozenset(MONTHS) | frozenset(WEEKDAYS)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Said:
    """A statement as the weighing reads it: the sentence, its whole turn, what was said before, the reply after."""

    own: str
    turn: str = ""
    before: str = ""
    reply: str = ""
    at: Instant = 0.0


@dataclass(frozen=True, slots=True)
class Update:
    """The sum and its parts; `part` names the words of the older that are overtaken, where only these are."""

    score: float
    parts: Mapping[str, float] = field(default_factory=dict)
    part: str = ""

    @property
    def why(self) -> str:
        return ", ".join(self.parts)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """How much somebody has said, how rare its words are there (1 is rare), and the cosine of the two statements."""

    statements: int = 1
    rarity: Mapping[str, float] = field(default_factory=dict)
    closeness: float = 0.0


NONE = Update(0.0)
ALONE = Surroundings()


def enough(statements: int) -> float:
    """The sum from which it is an update: the more somebody has said, the more it takes to know what is meant.

    >>> [round(enough(n), 1) for n in (4, 100, 1000)]
    [2.0, 4.7, 6.7]
    """
    return 2.0 + 0.85 * math.log(max(1.0, statements / 4))


def may_update(newer: Said, statements: int) -> bool:
    """Whether it is worth looking for what a statement brings up to date."""
    if unreal(newer.own) or not (things(newer.own) or values_of(newer.own)):
        return False
    change = _change(newer)
    return bool(change) and (statements <= FEW or max(change.values()) >= PLAIN)


def repeats(said: str, reply: str) -> bool:
    """Whether a reply says a statement again: "Noted, 9:15.".

    >>> repeats("standup is 9:15", "Noted, 9:15."), repeats("standup is 9:15", "Who leads it?")
    (True, False)
    """
    if reply.rstrip().endswith("?"):
        return False
    a, b = values_of(said), values_of(reply)
    return any(a[kind] & b[kind] for kind in a.keys() & b.keys()) or (
        len(reply.split()) <= SHORT and bool(things(said) & things(reply))
    )


SHORT = 12  # words of a reply that does no more than acknowledge


def weigh(older: Said, newer: Said, around: Surroundings = ALONE) -> Update:
    """How surely `newer` brings `older` up to date.

    >>> a = Said("standup is 9:15", reply="Noted, 9:15.")
    >>> weigh(a, Said("standup moved to 9:45")).score, weigh(a, Said("I had 3 eggs")).score
    (4.5, 0.0)
    """
    if unreal(newer.own) or unreal(older.own) or _elsewhere(older, newer) or _replaces_another(older, newer):
        return NONE
    change = _change(newer)
    if not change or (newer.at - older.at < TOLD_ON and max(change.values()) < STRONG):
        return NONE
    link = _link(older, newer, around.rarity)
    kinds = _other_values(older, newer)
    if not link or not (kinds or max(change.values()) >= STRONG or sum(change.values()) >= PLAIN):
        return NONE
    if around.statements > FEW and not _plain_enough(change, link, kinds, around.closeness):
        return NONE
    parts = {**change, **link, **kinds}
    if not kinds and any(_ENDS.search(cue) for cue in change) and any(name.startswith("both") for name in link):
        parts["an end of it"] = 1.0
    if around.closeness >= 0.35:
        parts["close in meaning"] = round(min(1.0, 2 * (around.closeness - 0.1)), 2)
    if adds(newer.own):
        parts["adds to it"] = -2.0
    if not kinds and _same_values(older.own, newer.own):
        parts["says the same"] = -2.0
    return Update(round(sum(parts.values()), 2), parts, _part(older.own, newer.own))


FEW = 8  # statements: among more of them a hint is not enough
STRONG, PLAIN = 2.0, 1.2
TOLD_ON = HOUR  # what follows so soon is more of the same, unless it says otherwise


def _plain_enough(
    change: Mapping[str, float], link: Mapping[str, float], kinds: Mapping[str, float], closeness: float
) -> bool:
    """Said in so many words, of something that both name, and with another value or as a plain end."""
    shared = [weight for name, weight in link.items() if name.startswith("both")]
    again = sum(weight for name, weight in link.items() if name.startswith("names"))
    named, told = sum(shared) + again, max(change.values())
    if "another number" in kinds and told < STRONG and not again and len(shared) < 2:
        return False  # a bare number may count anything
    if not kinds:
        return (
            bool(shared)
            and closeness >= 0.5
            and any(_ENDS.search(cue) for cue, weight in change.items() if weight >= STRONG)
        )
    return told >= PLAIN and named >= 0.4


_ENDS = re.compile(
    r"no longer|any ?more|off|cancel|scrap|dropped|instead|moved the|changed|switch|gave up|fell through|back to|"
    r"replaced"
)


def _change(newer: Said) -> dict[str, float]:
    """The words that say that something changed: in the statement, beside it, in what it answers, in the reply."""
    found: dict[str, float] = {}
    if cue := cue_of(newer.own):
        found[f"says “{cue}”"] = STRONG
    elif cue := cue_of(newer.turn):
        found[f"beside “{cue}”"] = 1.2
    elif values_of(newer.own) and _NOW.search(newer.own):
        found["says “now”"] = 1.2
    elif hint := hint_of(newer.own):
        found[f"says “{hint}”"] = 0.5
    if reason := _REASONS.search(plain(newer.turn or newer.own)):
        found[f"for “{reason.group().lower()}”"] = 0.7
    if asked := _ASKS_FOR_CHANGE.search(plain(newer.before)):
        found[f"after “{asked.group().lower()}”"] = PLAIN if asked["other"] else 0.7
    if answered := _ACKNOWLEDGED.search(plain(newer.reply)):
        found[f"answered “{answered.group().lower()}”"] = 0.8
    return found


_NOW = re.compile(r"\bnow\b", re.I)
_REASONS = re.compile(
    r"\b(?:hates? it|too (?:few|many|much|long|short|late|early|expensive|small|big)|(?:doesn't|didn't|won't) (?:fit|"
    r"work)|"
    r"nobody liked|tired of|wrong|complain\w*|experiment over)\b",
    re.I,
)
_ASKS_FOR_CHANGE = re.compile(
    r"\b(?:(?P<other>alternatives?|instead|other one)|new|changed?|moved?|updated?)\b|^(?:so|then)\b", re.I
)
_ACKNOWLEDGED = re.compile(
    r"\b(?:moved|replaced|changed|updated|set to|switched|instead|is now|now|new|back to|from (?:today|now|\w+day)|"
    r"re\w+ed|"
    r"cancel+ed|taken (?:it|that) out|removed|swapped)\b|(?:^|[.!] )(?:then|so)\b",
    re.I,
)


def _link(older: Said, newer: Said, rarity: Mapping[str, float]) -> dict[str, float]:
    """What says that both are on the same matter: shared words, their own more than those around them."""
    a, b = things(older.own), things(newer.own)
    own = a & b
    beside = ((a | things(older.turn)) & (b | things(newer.turn))) - own
    apart = newer if newer.before != older.reply else replace(newer, before="")  # one turn between them links nothing
    around = (_around(older) & _around(apart)) - own - beside
    people = _names(older.own) & _names(newer.own)  # somebody is in many matters
    weights = {word: rarity.get(word, 1.0) * (0.6 if word in people else 1.0) for word in sorted(own)[:3]}
    found = {f"both say “{word}”": round(weight, 2) for word, weight in weights.items()}
    found |= {f"beside both “{word}”": round(0.6 * rarity.get(word, 1.0), 2) for word in sorted(beside)[:2]}
    found |= {f"around both “{word}”": round(0.4 * rarity.get(word, 1.0), 2) for word in sorted(around)[:2]}
    if values := _named_again(older.own, newer.own):
        found[f"names “{values[0]}” too"] = 1.0
    elif _same_values(older.own, newer.own):
        found["one value is the same"] = 0.5
    if _LEANS.search(plain(newer.own)[:LONGEST]):
        found["leans on what was before"] = 0.4
    return found


def _names(text: str) -> frozenset[str]:
    return frozenset(word for name in _NAME.findall(plain(text)) for word in terms(name))


def _named_again(older: str, newer: str) -> list[str]:
    """Values of the older that the newer names beside another of that type: "the 21st instead of the 18th"."""
    a, b = values_of(older), values_of(newer)
    both = (value for kind in a.keys() & b.keys() if b[kind] - a[kind] for value in sorted(a[kind] & b[kind]))
    return [value for value in both if len(value) > 1]


def _around(said: Said) -> frozenset[str]:
    return things(said.own) | things(said.turn) | things(said.before) | things(said.reply)


@lru_cache(maxsize=4096)
def things(text: str) -> frozenset[str]:
    """The stems of what a text names, without numbers and the words that stand everywhere."""
    named = _VALUES.sub(" ", plain(text[:LONGEST]))
    return frozenset(word for word in terms(named) if len(word) > 2 and word not in _COMMON and not word[0].isdigit())


@lru_cache(maxsize=4096)
def values_of(text: str) -> dict[str, frozenset[str]]:
    """The typed values of a text; what one type has read no other reads again."""
    rest = plain(text[:LONGEST])
    found: dict[str, frozenset[str]] = {}
    if addresses := _ADDRESS.findall(rest):
        found["address"] = frozenset(address.lower() for address in addresses)
    for name, _, shape in TYPES:
        if matches := shape.findall(rest):
            found[name] = frozenset(match.lower().rstrip("s") for match in matches)
            rest = shape.sub(" ", rest) if name != "measure" else rest
    return found


_WEIGHTS = {name: weight for name, weight, _ in TYPES} | {"address": 1.5}


def _other_values(older: Said, newer: Said) -> dict[str, float]:
    """The weightiest type of which both have values and the newer has another one; units must agree."""
    a, b = values_of(older.own), values_of(newer.own)
    other = {name for name in a.keys() & b.keys() if b[name] - a[name]}
    if "title" in other and not _TITLED.search(f"{older.own} {newer.own} {older.reply} {newer.reply}"):
        other.discard("title")  # two things that somebody quotes
    if "measure" in other and not _units(a["measure"]) & _units(b["measure"]):
        other.discard("measure")
    best = max(other, key=lambda name: (_WEIGHTS[name], name), default="")
    return {f"another {best}": _WEIGHTS[best]} if best else {}


_TITLED = re.compile(r"\b(?:title|titled|name|named|called|macro|headline|slogan|label)\b", re.I)


def _units(values: frozenset[str]) -> set[str]:
    bare = (re.sub(r"[\d.,\s]+|" + "|".join(_NUMBER_WORDS), "", value) for value in values)
    return {"" if unit in ("k", "m", "€", "$", "£", "eur", "usd", "euro", "dollar", "pound") else unit for unit in bare}


def _same_values(older: str, newer: str) -> bool:
    a, b = values_of(older), values_of(newer)
    return any(a[name] & b[name] for name in a.keys() & b.keys())


def _elsewhere(older: Said, newer: Said) -> bool:
    """The newer is on somebody of whom the older does not speak."""
    before = plain(f"{older.own} {older.turn}").lower()
    for match in _WHO_ELSE.finditer(plain(newer.own)):
        who = (match["kin"] or match["of"] or match["pronoun"] or match["bare"]).lower()
        if (match["kin"] is None or who in KIN) and who not in before:
            return True
    return False


def says_otherwise(text: str, wrong: str, right: str) -> bool:
    """Whether a text says what was wrong: a word or value that only the mistake has, on the matter of both.

    >>> wrong, right = "the essay is due on 3 May", "the essay is due on 10 May"
    >>> [says_otherwise(text, wrong, right) for text in ("essay: 3 May!", "essay by 10 May", "3 May is a Sunday")]
    [True, False, False]
    """
    mistaken, said, corrected = _marks(wrong), _marks(text), _marks(right)
    if not (mistaken - corrected) & said or (corrected - mistaken) & said:
        return False
    shared = things(wrong) & things(right)
    if not shared or shared & things(text):
        return True
    a, b = matter_of(wrong), matter_of(text)
    return bool(a.predicate) and (a.subject, a.predicate) == (b.subject, b.predicate)


def _marks(text: str) -> frozenset[str]:
    """What tells two statements on one matter apart: their values, and the words that they name."""
    return things(text).union(*values_of(text).values())


_FROM = re.compile(
    r"\b(?:from (?P<from>[\w.:]+(?: [\w.:]+)?) to\b|instead of (?:the )?(?P<of>[\w.:]+(?: [\w.:]+)?)|not (?:the "
    r")?(?P<not>[\w.:]+) but\b)",
    re.I,
)


def _replaces_another(older: Said, newer: Said) -> bool:
    """The newer names what it takes the place of, and the older does not speak of it."""
    match = _FROM.search(plain(newer.own))
    if match is None:
        return False
    old = next(value for value in match.groups() if value is not None)
    told = set(re.findall(r"[\w.:]*\w", plain(f"{older.own} {older.turn}").lower()))
    return things(old).isdisjoint(_around(older)) and told.isdisjoint(w for w in old.lower().split() if len(w) > 1)


_SEGMENT = re.compile(r"[,;]\s+|(?<!\s)\s+and\s+|\n")


def _part(older: str, newer: str) -> str:
    """Of a list of like values ("small room 89, large room 124") the item that the newer names; else nothing."""
    segments = [segment.strip() for segment in _SEGMENT.split(older[:LONGEST]) if values_of(segment)]
    kinds = [kind for kind in values_of(newer) if sum(kind in values_of(segment) for segment in segments) > 1]
    if not kinds:
        return ""
    shared = sorted((len(_words(segment) & _words(newer)), segment) for segment in segments)
    return shared[-1][1] if shared[-1][0] > shared[-2][0] else ""


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in terms(text) if not word[0].isdigit())
