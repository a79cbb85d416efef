"""Dates and times as words: months, weekdays, seasons, feasts, "yesterday", "next week"."""

from reverie.policy.guards.tokens import Words
from reverie.policy.guards.vocabulary import listed, word_set

_MONTHS = listed("january february march april may june july august september october november december")
_WEEKDAYS = listed("monday tuesday wednesday thursday friday saturday sunday")
_DAYS = {
    "today": "today", "tonight": "tonight", "yesterday": "yesterday", "tomorrow": "tomorrow", "weekend": "weekend",
    "morning": "morning", "noon": "noon", "afternoon": "afternoon", "evening": "evening", "midnight": "midnight",
    "night": "night", "am": "", "pm": "pm", "spring": "spring", "summer": "summer", "autumn": "autumn",
    "winter": "winter", "christmas": "christmas", "easter": "easter", "halloween": "halloween",
    "thanksgiving": "thanksgiving", "diwali": "diwali", "ramadan": "ramadan", "valentine": "valentine",
    "breakfast": "breakfast", "lunch": "lunch", "dinner": "dinner", "supper": "dinner",
}  # fmt: skip
_NAMES = {
    **{name: name for name in (*_MONTHS, *_WEEKDAYS) if name not in ("may", "march")},
    **{name[:3]: name for name in _MONTHS if name not in ("may", "march", "december", "june", "july", "january")},
    **{f"{name}s": name for name in _WEEKDAYS},
    **{name: value for name, value in _DAYS.items() if value},
    **{f"{name}s": value for name, value in _DAYS.items() if value},
}
_MONTH_BEFORE = word_set("in of since until till by during last next this early late mid before after")
_SHIFTS = word_set("last next this previous past coming every each")
_SPANS = word_set("week month year decade century semester quarter term day")


def find(words: Words) -> tuple[str, ...]:
    """
    >>> from reverie.policy.guards.tokens import words
    >>> find(words("May I leave in May, next week or on Fridays?"))
    ('friday', 'may', 'next week')
    """
    low = words.low
    found = [name for i, word in enumerate(low) if (name := _named(low, i, word))]
    return tuple(sorted(set(found)))


def _named(low: tuple[str, ...], i: int, word: str) -> str:
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


def differs(asked: tuple[str, ...], cached: tuple[str, ...]) -> str:
    if asked == cached:
        return ""
    return f"dates differ: {', '.join(asked) or 'none'}, not {', '.join(cached) or 'none'}"
