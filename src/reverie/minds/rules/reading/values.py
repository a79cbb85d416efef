"""What tells two statements apart and what joins them: the values of a text, by type, and the things that it names."""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from reverie.language.calendar import MONTHS, WEEKDAYS
from reverie.language.words import terms
from reverie.minds.rules.reading.matters import matter_of, plain

LONGEST = 600  # characters of a statement that are read

_MONTH = "|".join(f"{month}|{month[:3]}" for month in MONTHS if month != "may") + "|sept|may"
NUMBER_WORDS = "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty".split()
_NUMBER = rf"(?:\d[\d.,]*|{'|'.join(NUMBER_WORDS)})"
_UNITS = (
    r"gb|mb|tb|kb|mi|gi|ms|s|sec|seconds?|mins?|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?|kg|g|km|cm|mm|m|mg|"
    r"mcg|micrograms?|milligrams?|µg|ml|l|k|"
    r"eur|euros?|usd|dollars?|pounds?|%|percent|people|guests?|users?|steps?|pages?|words?|times|points?|rooms?|seats?|"
    r"retries|workers?|nodes?|replicas|rows|units|pieces|persons|kids|licen[cs]es|jars|bins|degrees"
)
# a type of value, and what it looks like; what one type has read no other reads again
TYPES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(shape, re.I))
    for name, shape in (
        ("time", r"\b(?:[01]?\d|2[0-4]):[0-5]\d\b|\b\d{1,2} ?[ap]m\b|\bnoon\b|\bmidnight\b|\bat (?:\d{1,2}|half past "
        r"\w+|quarter (?:past|to) \w+)\b(?![.,:]?\d| ?%)"),
        ("date", rf"\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})\b|\b(?:{_MONTH}) (?:the )?\d{{1,2}}(?:st|nd|rd|"
        rf"th)?\b(?!:)|\b(?:the )?\d{{1,2}}(?:st|nd|rd|th)\b|\b(?:early|mid|late|end of|beginning of|in|until|till|by|"
        rf"from|before|after) (?:{_MONTH}|spring|summer|autumn|winter|easter|christmas)\b|"
        rf"\b\d{{1,2}}[./]\d{{1,2}}\.(?:\d{{2,4}})?"),
        ("weekday", r"\b(?:" + "|".join(WEEKDAYS) + r")s?\b"),
        ("measure", rf"\b{_NUMBER} ?(?:{_UNITS})\b|\b{_NUMBER} ?%|[€$£] ?\d[\d.,]*(?:k|m)?\b"),
        ("decimal", r"\bv?\d+\.\d+(?:\.\d+)*\b"),
        ("frequency", r"\b(?:daily|weekly|biweekly|fortnightly|monthly|quarterly|yearly|annually|nightly|hourly|once|"
        r"twice|every (?:day|week|month|other \w+|\w+day))\b"),
        ("daypart", r"\b(?:morning|afternoon|evening|night|bedtime|breakfast|lunch)s?\b"),
        ("phone", r"(?<!\d)\+?\d[\d/-]*(?: \d{2,}){2,}"),
        ("path", r"(?<![\w./-])[\w.-]{1,100}/[\w./-]+\b"),
        ("identifier", r"\b[A-Za-z]\w*_\w+\b|\b(?=\w*\d)(?=\w*[A-Za-z])[A-Za-z]\w*\b"),
        ("title", r"[\"“][^\"”\n]{4,80}[\"”]"),
        ("number", rf"(?<![\w.,:/-])\d[\d,]*\b(?![:.]\d)|\b(?:{'|'.join(NUMBER_WORDS)})\b"),
    )
)  # fmt: skip
_VALUES = re.compile(
    "|".join(shape.pattern for name, shape in TYPES if name not in ("title", "identifier", "path")), re.I
)
_ADDRESS = re.compile(r"\b[A-ZÀ-Þ][\w'’-]{3,}(?:[ -][\w'’-]+)? \d{1,4}\b(?![:.]\d)")
_NAME = re.compile(r"(?<![.!?\"“] )(?<!^)\b[A-ZÀ-Þ][a-zà-ÿ'’][\w'’-]*")
_COMMON = frozenset(
    "get got go goe gone make made say said tell told think know want need ask try help book call owe rememb take "
    "taken give look see come good great new old now today tomorrow yesterday day week month year time thing way lot "
    "bit note noted ok sure right well really actual set put let like love just back still one two three four five six "
    "seven eight nine ten first last next anyway please thank sorry people someone everybody already again start end "
    "keep use work done much many even ever never always every also morning afternoon evening night may will could pm "
    "am be not yes no btw only both other nobody so don won can t s re ve ll m d u thx lol haha".split()
) | {word[:3] for word in MONTHS} | frozenset(MONTHS) | frozenset(WEEKDAYS)  # fmt: skip


@lru_cache(maxsize=16_384)  # of single words too
def things(text: str) -> frozenset[str]:
    """The stems of what a text names, without numbers and the words that stand everywhere.

    >>> sorted(things("the ledger deadline is now on 12 December"))
    ['deadlin', 'ledger']
    """
    named = _VALUES.sub(" ", plain(text[:LONGEST]))
    return frozenset(word for word in terms(named) if len(word) > 1 and word not in _COMMON and not word[0].isdigit())


@lru_cache(maxsize=4096)
def values_of(text: str) -> dict[str, frozenset[str]]:
    """The typed values of a text.

    >>> values_of("2.5 mg on Fridays at 9:30")["weekday"]
    frozenset({'friday'})
    """
    rest = plain(text[:LONGEST])
    found: dict[str, frozenset[str]] = {}
    if addresses := _ADDRESS.findall(rest):
        found["address"] = frozenset(address.lower() for address in addresses)
    for name, shape in TYPES:
        if matches := shape.findall(rest):
            found[name] = frozenset(_bare(match) for match in matches)
            rest = shape.sub(" ", rest)
    return found


@dataclass(frozen=True, slots=True)
class Slot:
    """A value with the things that stand by it: what it is the value of."""

    kind: str
    value: str
    of: frozenset[str]


@lru_cache(maxsize=4096)
def slots(text: str) -> tuple[Slot, ...]:
    """
    >>> [(slot.kind, slot.value, sorted(slot.of)) for slot in slots("folic acid 5 mg, and the dentist is on Friday")]
    [('weekday', 'friday', ['dentist']), ('measure', '5mg', ['acid', 'folic'])]
    """
    rest = plain(text[:LONGEST])
    found = []
    for name, shape in TYPES:
        matches = list(shape.finditer(rest))
        for match in matches:
            before = _BREAK.split(rest[max(0, match.start() - BY_IT) : match.start()])[-1]
            after = _BREAK.split(rest[match.end() : match.end() + BY_IT // 2])[0]
            found.append(Slot(name, _bare(match.group()), things(f"{before} {after}")))
        if matches:
            rest = shape.sub(lambda match: " " * len(match.group()), rest)
    return tuple(found)


BY_IT = 60  # characters
_BREAK = re.compile(r"[;.!?\n]\s|,\s(?=and |the |my |our )|,\s+and\s")


def _bare(value: str) -> str:
    """
    >>> _bare("the 3rd"), _bare("Mondays"), _bare("10 %")
    ('3', 'monday', '10%')
    """
    low = _ENDING.sub("", _SMALL_WORDS.sub("", value.lower()).strip())
    return _GAP.sub("", low)


_SMALL_WORDS = re.compile(r"\b(?:the|of|at) ?")
_ENDING = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b|(?<=[a-z])s$")
_GAP = re.compile(r" (?=%)|(?<=[\d]) (?=[a-z])")
_AMOUNT = re.compile(r"[\d.,\s]+|" + "|".join(NUMBER_WORDS))


@lru_cache(maxsize=4096)
def names(text: str) -> frozenset[str]:
    """The stems of what is written with a capital inside a sentence."""
    return frozenset(word for name in _NAME.findall(plain(text)) for word in terms(name))


def units(values: frozenset[str]) -> set[str]:
    """The units of measures, all money as one."""
    bare = (_AMOUNT.sub("", value) for value in values)
    return {"" if unit in ("k", "m", "€", "$", "£", "eur", "usd", "euro", "dollar", "pound") else unit for unit in bare}


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
_SEGMENT = re.compile(r"[,;]\s+|(?<!\s)\s{1,9}and\s+|\n")


def part_of(older: str, newer: str) -> str:
    """Of a list of like values the item that the newer names; else nothing.

    >>> part_of("child ticket 4, adult ticket 9", "an adult pays 11 since March")
    'adult ticket 9'
    >>> part_of("ximena leads backend, torsten leads mobile", "quentin takes mobile")
    'torsten leads mobile'
    """
    segments = [segment.strip() for segment in _SEGMENT.split(older[:LONGEST]) if segment.strip()]
    valued = [segment for segment in segments if values_of(segment)]
    kinds = [kind for kind in values_of(newer) if sum(kind in values_of(segment) for segment in valued) > 1]
    alike = valued if kinds else segments if all(len(things(segment)) > 1 for segment in segments) else []
    if len(alike) < 2:
        return ""
    shared = sorted((len(_words(segment) & _words(newer)), segment) for segment in alike)
    return shared[-1][1] if shared[-1][0] > shared[-2][0] and (kinds or not shared[-2][0]) else ""


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in terms(text) if not word[0].isdigit())


def contrast(older: str, newer: str) -> bool:
    """Whether a word that both say comes with another word before it in each: staging db, prod db.

    >>> contrast("staging db is 40 GB", "prod db passed 900 GB"), contrast("the release is on 3 May", "release: 4 May")
    (True, False)
    """
    a, b = _kinds(older), _kinds(newer)
    return any(a[word].isdisjoint(b[word]) for word in a.keys() & b.keys())


@lru_cache(maxsize=4096)
def _kinds(text: str) -> dict[str, set[str]]:
    """For each thing the things that stand just before it, or as its place behind "at", "for" or "in"."""
    words = [(word, things(word)) for word in re.findall(r"[\w'’-]+", plain(text)[:LONGEST]) if word not in _ARTICLES]
    found: dict[str, set[str]] = {}
    for (_, kind), (_, thing) in pairwise(words):
        if kind and thing:
            found.setdefault(next(iter(thing)), set()).update(kind)
    for (_, thing), (link, _), (_, kind) in zip(words, words[1:], words[2:], strict=False):
        if kind and thing and link in _LINKS:
            found.setdefault(next(iter(thing)), set()).update(kind)
    return found


_ARTICLES = frozenset("the a an my our his her their".split())
_LINKS = frozenset("of for at in with to on".split())


def says_otherwise(text: str, wrong: str, right: str) -> bool:
    """Whether a text says what was wrong: a word or value that only the mistake has, on the matter of both.

    >>> wrong, right = "the essay is due on 3 May", "the essay is due on 10 May"
    >>> [says_otherwise(text, wrong, right) for text in ("essay: 3 May!", "essay by 10 May", "3 May is a Sunday")]
    [True, False, False]
    """
    mistaken, said, corrected = _told_apart(wrong), _told_apart(text), _told_apart(right)
    kinds = values_of(wrong).keys() & values_of(right).keys()
    if kinds:  # what differs is a value: the words around it may be others
        mistaken, corrected = (frozenset[str]().union(*(values_of(t)[kind] for kind in kinds)) for t in (wrong, right))
    if not (mistaken - corrected) & said or (corrected - mistaken) & said:
        return False
    shared = things(wrong) & things(right)
    if not shared or shared & things(text):
        return True
    a, b = matter_of(wrong), matter_of(text)
    return bool(a.predicate) and (a.subject, a.predicate) == (b.subject, b.predicate)


def _told_apart(text: str) -> frozenset[str]:
    """What tells two statements on one matter apart: their values, and the words that they name."""
    return things(text).union(*values_of(text).values())
