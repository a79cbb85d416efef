"""Units: what a quantity is counted in; "how many miles" is not "how many kilometres"."""

from reverie.policy.guards.tokens import Words
from reverie.policy.guards.vocabulary import word_set

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


def find(words: Words) -> tuple[str, ...]:
    """
    >>> from reverie.policy.guards.tokens import words
    >>> find(words("How many lbs are 5kg in those days?"))
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


def differs(asked: tuple[str, ...], cached: tuple[str, ...]) -> str:
    if asked == cached:
        return ""
    return f"units differ: {', '.join(asked) or 'none'}, not {', '.join(cached) or 'none'}"
