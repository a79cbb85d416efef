"""What kind of answer a question wants: a person, a time, a place, a reason, a manner, a number, a yes, a thing."""

from reverie.language.vocabulary import word_set
from reverie.policy.answers.guards.tokens import Words

_AUXILIARIES = word_set("am is are was were do does did have has had can could will would shall should may might must")
_HOW_MUCH = {  # the word after "how" decides
    "many": "count", "much": "amount", "long": "duration", "old": "age", "far": "distance", "often": "frequency",
    "tall": "height", "high": "height", "big": "size", "large": "size", "heavy": "weight", "fast": "speed",
    "soon": "duration", "frequently": "frequency", "deep": "depth", "wide": "width", "expensive": "amount",
    "come": "reason", "good": "degree", "bad": "degree", "likely": "degree", "hard": "degree", "difficult": "degree",
    "important": "degree", "well": "degree", "dangerous": "degree", "safe": "degree", "close": "degree",
}  # fmt: skip
_NAMED = {  # "what time", "which city", "what is the reason": the noun decides
    "time": "hour", "hour": "hour", "day": "day", "date": "day", "weekday": "day", "month": "month", "year": "year",
    "size": "size", "duration": "duration", "deadline": "time",
    "place": "place", "city": "place", "town": "place", "country": "place", "location": "place",
    "reason": "reason", "reasons": "reason", "cause": "reason", "causes": "reason", "person": "person",
    "way": "manner", "ways": "manner", "method": "manner", "methods": "manner", "steps": "manner", "tips": "manner",
    "places": "place", "cities": "place", "countries": "place", "measures": "manner",
    "procedure": "manner", "process": "manner", "age": "age", "height": "height", "weight": "weight",
    "distance": "distance", "price": "amount", "cost": "amount", "amount": "amount",
}  # fmt: skip
_BETWEEN = word_set(
    "is are was were the a an my your some of best good most easiest easy fastest fast effective efficient possible"
    " two three few different main other any be simple simplest alternative alternatives"
)
_OWNED = word_set("age height weight size deadline price location")
_SINGLE = {
    "who": "person", "whom": "person", "whose": "owner", "when": "time", "where": "place", "why": "reason",
    "if": "yes", "whether": "yes",
}  # fmt: skip
# Each pair may ask for the same: "when is it?" by the hour or by the day; "which is best?" and "what is best?".
_CLOSE = frozenset(
    frozenset(pair)
    for pair in (("thing", "choice"), ("time", "hour"), ("time", "day"), ("time", "month"), ("time", "year"))
)
# The words that only say the kind: in "what time is my flight?" the flight is the content.
KIND_WORDS: dict[str, frozenset[str]] = {
    "hour": word_set("time hour"),
    "day": word_set("day date weekday"),
    "month": word_set("month"),
    "year": word_set("year"),
    "time": word_set("deadline"),
    "reason": word_set("reason reasons cause causes"),
    "size": word_set("size big large"),
    "age": word_set("age old"),
    "duration": word_set("duration long time"),
}


def find(words: Words) -> str:
    """
    >>> from reverie.policy.answers.guards.tokens import words
    >>> find(words("What time is it?")), find(words("How come?")), find(words("Is it late?"))
    ('hour', 'reason', 'yes')
    """
    low = words.low
    for i, word in enumerate(low):
        if word in _SINGLE:
            return _SINGLE[word]
        if word == "how":
            return _how(low, i)
        if word in ("what", "which"):
            return _what(low, i)
        if word in _AUXILIARIES:
            return _asked_yes(low, i)
    return _NAMED.get(low[0], "thing") if low else "thing"


def _how(low: tuple[str, ...], i: int) -> str:
    after = low[i + 1] if i + 1 < len(low) else ""
    if after == "much" and low[i + 2 : i + 3] == ("time",):
        return "duration"
    return _HOW_MUCH.get(after, "manner")


def _what(low: tuple[str, ...], i: int) -> str:
    """The first noun after "what", past articles and praise: "what are the best ways to …" asks how."""
    for word in low[i + 1 : i + 7]:
        if word in _NAMED:
            return _NAMED[word]
        if word not in _BETWEEN:
            break
    if low[i + 1 : i + 2] in (("is",), ("was",)) and low[-1] in _OWNED:
        return _NAMED[low[-1]]  # "what is my son's age"
    if low[i + 2 : i + 3] == ("size",):
        return "size"
    if low[i + 1 : i + 2] == ("makes",):
        return "reason"
    if low[i + 1 : i + 2] and low[i + 1] in ("should", "can", "could") and "do" in low[i + 2 : i + 4]:
        return "manner"
    return "choice" if low[i] == "which" and low[i + 1 : i + 2] in (("is",), ("are",), ("one",)) else "thing"


def _asked_yes(low: tuple[str, ...], i: int) -> str:
    """An auxiliary first asks for a yes, unless a question word follows at once or a way is asked for."""
    if low[i + 1 : i + 2] == ("there",) and any(word in ("way", "ways", "method") for word in low[i + 2 : i + 6]):
        return "manner"
    return _statement(low, i) if i else "yes"


def _statement(low: tuple[str, ...], i: int) -> str:
    """Where a statement comes first ("I have a dog. What …"), the question word further on decides."""
    for j in range(i + 1, len(low)):
        if low[j] in _SINGLE and low[j] not in ("if", "who", "whether", "when", "where"):
            return _SINGLE[low[j]]
        if low[j] == "how":
            return _how(low, j)
        if low[j] in ("what", "which"):
            return _what(low, j)
    return "yes"


def also(words: Words) -> tuple[str, ...]:
    """What is asked on top: "which is best, and why?" asks more than "which is best?".

    >>> from reverie.policy.answers.guards.tokens import words
    >>> also(words("Which is best, and why?"))
    ('why',)
    """
    return ("why",) if "why" in words.low[1:] else ()


def alike(asked: str, cached: str) -> bool:
    return asked == cached or frozenset((asked, cached)) in _CLOSE


def differs(asked: str, cached: str) -> str:
    return "" if alike(asked, cached) else f"asks for {asked}, not {cached}"


def more(asked: tuple[str, ...], cached: tuple[str, ...]) -> str:
    """A cached answer may hold more than is asked, never less; "to yourself" must be in both."""
    missing = set(asked) - set(cached) or (set(cached) - set(asked)) & {"self"}
    return f"only one of the two asks {', '.join(sorted(missing))}" if missing else ""
