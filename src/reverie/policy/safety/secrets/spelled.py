"""Passwords that somebody spells: "capital T, trombone, nine nine, exclamation mark"."""

import re
from collections.abc import Iterator

from reverie.policy.safety.secrets.access import speaks_of_access

_NUMBER = (
    r"zero|one|two|three|four|five|six|seven|eight|nine|ten|null|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun"
    r"|un|deux|trois|quatre|cinq|sept|huit|neuf|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve"
)
_SIGN = (
    r"dollar(?: sign)?|exclamation(?: mark| point)?|underscore|hyphen|dash|asterisk|ampersand|hashtag|hash(?: sign)?"
    r"|pound sign|at[- ]sign"
    r"|question mark|percent(?: sign)?|plus(?: sign)?|star|ausrufezeichen|unterstrich|bindestrich|raute|klammeraffe"
    r"|dollarzeichen|sternchen"
    r"|point d['’]exclamation|tiret(?: bas)?|arobase|dièse|guion bajo|guión|arroba|almohadilla"
)
_CASE = (
    r"(?:capital|upper ?case|lower ?case|big|small|groß(?:es|er)?|klein(?:es|er)?|majuscule|mayúscula|double|triple)"
    r" [^\W\d_]{1,20}"
)
_UNIT = rf"(?:{_CASE}|{_NUMBER}|{_SIGN}|[a-z0-9])(?![^\W_])"
_JOINT = r"[ ,]{1,3}(?:(?:then|and|dann|und|puis|et|luego|y|followed by|an?|the number|the word)[ ,]{1,2}){0,2}"
_SPELLED = re.compile(rf"(?i)(?<![^\W_]){_UNIT}(?:{_JOINT}(?:{_UNIT}|[^\W\d_]{{2,20}}(?={_JOINT}{_UNIT}))){{2,24}}")
_UNITS, _SIGNS = re.compile(rf"(?i)(?<![^\W_]){_UNIT}"), re.compile(rf"(?i)(?<![^\W_])(?:{_SIGN}|{_CASE})(?![^\W_])")
MARKS = (
    "capital", "uppercase", "upper case", "lowercase", "lower case", "dollar", "exclamation", "underscore", "hyphen",
    "asterisk", "ampersand",
    "hash", "at sign", "at-sign", "groß", "ausrufezeichen", "unterstrich", "bindestrich", "raute", "majuscule",
    "arobase", "tiret", "guion", "arroba",
)  # fmt: skip


def spelled(text: str, lower: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, kind) of what is spelled, where somebody speaks of getting in.

    >>> text = "capital R, then iverbank six six dollar sign, that unlocks the drive"
    >>> [text[start:end] for start, end, _ in spelled(text, text.lower())]
    ['capital R, then iverbank six six dollar sign']
    """
    if [mark for mark in MARKS if mark in lower]:
        for match in _SPELLED.finditer(text):
            if len(_UNITS.findall(match[0])) > 2 and _SIGNS.search(match[0]) and speaks_of_access(text, *match.span()):
                yield match.start(), match.end(), "password"
