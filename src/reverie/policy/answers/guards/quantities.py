"""Numbers, units and dates: two questions must name the same ones."""

import re

from reverie.language.calendar import MONTHS, WEEKDAYS
from reverie.language.vocabulary import listed, word_set
from reverie.policy.answers.guards.tokens import Words

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


def numbers_in(words: Words) -> tuple[str, ...]:
    """
    >>> from reverie.policy.answers.guards.tokens import words
    >>> numbers_in(words("Are 1,500 euros on the 3rd twenty or one 10k?"))
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


def numbers_differ(asked: tuple[str, ...], cached: tuple[str, ...]) -> str:
    if asked == cached:
        return ""
    return f"numbers differ: {_shown(asked, cached)}, not {_shown(cached, asked)}"


def _shown(these: tuple[str, ...], others: tuple[str, ...]) -> str:
    return ", ".join(sorted(set(these) - set(others))) or "none"


_SPELLINGS = {
    "second": "seconds", "minute": "minutes min mins", "hour": "hours hr hrs", "day": "days", "week": "weeks",
    "month": "months", "year": "years yr yrs", "decade": "decades", "century": "centuries",
    "gram": "grams g", "kilogram": "kilograms kilo kilos kg kgs", "pound": "pounds lb lbs £ quid gbp",
    "ounce": "ounces oz", "ton": "tons tonne tonnes", "stone": "stones",
    "millimetre": "millimeter millimeters millimetres mm", "centimetre": "centimeter centimeters centimetres cm cms",
    "metre": "meter meters metres", "kilometre": "kilometer kilometers kilometres km kms", "mile": "miles",
    "inch": "inches", "foot": "feet ft", "yard": "yards", "acre": "acres", "hectare": "hectares",
    "litre": "liter liters litres", "millilitre": "milliliter milliliters millilitres ml", "gallon": "gallons",
    "pint": "pints", "cup": "cups", "spoon": "spoons teaspoon teaspoons tablespoon tablespoons",
    "celsius": "centigrade", "fahrenheit": "", "kelvin": "", "percent": "% percentage percents",
    "dollar": "dollars $ usd bucks", "euro": "euros € eur", "rupee": "rupees rs inr", "yen": "¥ jpy",
    "franc": "francs chf", "peso": "pesos", "crore": "crores", "lakh": "lakhs",
    "byte": "bytes", "kilobyte": "kilobytes kb", "megabyte": "megabytes mb", "gigabyte": "gigabytes gb",
    "terabyte": "terabytes tb", "watt": "watts", "kilowatt": "kilowatts kw", "volt": "volts",
    "calorie": "calories kcal",
    "mph": "", "kmh": "kph", "degree": "degrees",
}  # fmt: skip
_UNITS = {form: unit for unit, forms in _SPELLINGS.items() for form in (unit, *forms.split())}
# Every unit of time has other uses ("one day", "these days"): only a quantity or "how many" makes it a unit.
_LOOSE = word_set("second minute day week month year cup stone foot yard degree pound")
_QUANTITY = word_set("many few several per each every a an in of half two three four five six seven eight nine ten")


def units_in(words: Words) -> tuple[str, ...]:
    """
    >>> from reverie.policy.answers.guards.tokens import words
    >>> units_in(words("How many lbs are 5kg in those days?"))
    ('kilogram', 'pound')
    """
    found = {unit for i, word in enumerate(words.low) if (unit := _unit(words.low, i, word))}
    return tuple(sorted(found))


def _unit(low: tuple[str, ...], i: int, word: str) -> str:
    if word[0].isdigit():
        word = word.lstrip("0123456789.,:/")
        return _UNITS.get(word, "") if word else ""
    unit = _UNITS.get(word, "")
    if unit in _LOOSE and i:
        before = low[i - 1]
        return unit if before in _QUANTITY or before[0].isdigit() else ""
    return unit


def units_differ(asked: tuple[str, ...], cached: tuple[str, ...]) -> str:
    if asked == cached:
        return ""
    return f"units differ: {', '.join(asked) or 'none'}, not {', '.join(cached) or 'none'}"


_DAYS = {
    "today": "today", "tonight": "tonight", "yesterday": "yesterday", "tomorrow": "tomorrow", "weekend": "weekend",
    "morning": "morning", "noon": "noon", "afternoon": "afternoon", "evening": "evening", "midnight": "midnight",
    "night": "night", "am": "", "pm": "pm", "spring": "spring", "summer": "summer", "autumn": "autumn",
    "winter": "winter", "christmas": "christmas", "easter": "easter", "halloween": "halloween",
    "thanksgiving": "thanksgiving", "diwali": "diwali", "ramadan": "ramadan", "valentine": "valentine",
    "breakfast": "breakfast", "lunch": "lunch", "dinner": "dinner", "supper": "dinner",
}  # fmt: skip
_NAMES = {
    **{name: name for name in (*MONTHS, *WEEKDAYS) if name not in ("may", "march")},
    **{name[:3]: name for name in MONTHS if name not in ("may", "march", "december", "june", "july", "january")},
    **{f"{name}s": name for name in WEEKDAYS},
    **{name: value for name, value in _DAYS.items() if value},
    **{f"{name}s": value for name, value in _DAYS.items() if value},
}
_MONTH_BEFORE = word_set("in of since until till by during last next this early late mid before after")
_SHIFTS = word_set("last next this previous past coming every each")
_SPANS = word_set("week month year decade century semester quarter term day")


def dates_in(words: Words) -> tuple[str, ...]:
    """
    >>> from reverie.policy.answers.guards.tokens import words
    >>> dates_in(words("May I leave in May, next week or on Fridays?"))
    ('friday', 'may', 'next week')
    """
    low = words.low
    found = [name for i, word in enumerate(low) if (name := _dates_named(low, i, word))]
    return tuple(sorted(set(found)))


def _dates_named(low: tuple[str, ...], i: int, word: str) -> str:
    before = low[i - 1] if i else ""
    if word in ("may", "march"):
        return word if _is_month(low, i) else ""
    if word in _SPANS and before in _SHIFTS:
        return f"{before} {word}"
    if word == "fall" and (before in ("in", "last", "next", "this") or low[i - 2 : i] == ("in", "the")):
        return "autumn"
    if word == "evening" and before == "this":
        return "tonight"
    return _NAMES.get(word, "")


def _is_month(low: tuple[str, ...], i: int) -> bool:
    """ "In May" and "May 5" name a month; "may I" and "march on" do not."""
    before = low[i - 1] if i else ""
    after = low[i + 1] if i + 1 < len(low) else ""
    return before in _MONTH_BEFORE or before[:1].isdigit() or after[:1].isdigit()


def dates_differ(asked: tuple[str, ...], cached: tuple[str, ...]) -> str:
    if asked == cached:
        return ""
    return f"dates differ: {', '.join(asked) or 'none'}, not {', '.join(cached) or 'none'}"
