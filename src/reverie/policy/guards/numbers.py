"""Numbers: "3", "three", "3rd" and "1,000" as values; two questions must name the same ones."""

import re

from reverie.policy.guards.tokens import Words
from reverie.policy.guards.vocabulary import listed, word_set

_ONES = listed("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen")
_ONES += listed("seventeen eighteen nineteen")
_TENS = listed("twenty thirty forty fifty sixty seventy eighty ninety")
_ORDINALS = listed("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth")
_NAMED = {
    **{word: str(value) for value, word in enumerate(_ONES)},
    **{word: str(10 * (place + 2)) for place, word in enumerate(_TENS)},
    **{word: str(value) for value, word in enumerate(_ORDINALS, start=1)},
    "once": "1", "twice": "2", "thrice": "3", "dozen": "12", "half": "0.5", "quarter": "0.25", "double": "x2",
    "triple": "x3", "hundred": "100", "thousand": "1000", "million": "1000000", "billion": "1000000000",
    "last": "last", "next": "next", "previous": "previous", "final": "last",
}  # fmt: skip
_DIGITS = re.compile(r"^(\d+(?:[.,]\d+)*)([^\W\d_]*)$")
_SUFFIX = {"k": 1e3, "m": 1e6, "bn": 1e9, "b": 1e9}
_ROMAN = word_set("ii iii iv vi vii viii ix")


def find(words: Words) -> tuple[str, ...]:
    """
    >>> from reverie.policy.guards.tokens import words
    >>> find(words("Are 1,500 euros on the 3rd twenty or one 10k?"))
    ('10000', '1500', '20', '3')
    """
    found = [value for word in words.low if (value := _value(word))]
    return tuple(sorted(found))


def _value(word: str) -> str:
    if word == "one":  # mostly a pronoun ("which one"); and "one hour" is "an hour"
        return ""
    if word in _NAMED:
        return _NAMED[word]
    if word in _ROMAN:
        return word
    return _digits(word) if word[0].isdigit() else ""


def _digits(word: str) -> str:
    matched = _DIGITS.match(word)
    if not matched:
        return word  # a time or a fraction: 10:30, 3/4
    number, suffix = matched.groups()
    if suffix in ("st", "nd", "rd", "th", "s"):
        return str(int(float(number.replace(",", ""))))
    value = float(number.replace(",", "") if number.count(".") < 2 else number.replace(".", ""))
    scale = _SUFFIX.get(suffix)
    return f"{value * (scale or 1):g}".replace("e+", "e") + ("" if scale else suffix) if suffix else _plain(value)


def _plain(value: float) -> str:
    return str(int(value)) if value == int(value) and value < 1e15 else str(value)


def differs(asked: tuple[str, ...], cached: tuple[str, ...]) -> str:
    if asked == cached:
        return ""
    return f"numbers differ: {_shown(asked, cached)}, not {_shown(cached, asked)}"


def _shown(these: tuple[str, ...], others: tuple[str, ...]) -> str:
    return ", ".join(sorted(set(these) - set(others))) or "none"
