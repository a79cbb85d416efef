"""Counts and spans of time as a person reads them."""

from reverie.model.base import DAY, HOUR, MINUTE


def counted(count: int, noun: str) -> str:
    """
    >>> counted(1, "new turn"), counted(1_200, "turn")
    ('1 new turn', '1,200 turns')
    """
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def span(seconds: float) -> str:
    """A duration in the unit a person would use.

    >>> span(45), span(90), span(5_400), span(200_000)
    ('45 s', '1.5 min', '1.5 h', '2.3 days')
    """
    if seconds < MINUTE:
        return f"{seconds:.0f} s"
    if seconds < HOUR:
        return f"{round(seconds / MINUTE, 1):g} min"
    return f"{round(seconds / HOUR, 1):g} h" if seconds < 2 * DAY else f"{round(seconds / DAY, 1):g} days"
