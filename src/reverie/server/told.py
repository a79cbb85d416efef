"""How the surfaces tell of moments and of nights."""

from datetime import UTC, datetime

from reverie.model.base import Instant
from reverie.model.night import Night

TOLD = ("turns", "episodes", "facts", "notes", "insights", "profiles", "links", "tagged", "promoted", "answers")


def iso(at: Instant) -> str:
    """
    >>> iso(0.5)
    '1970-01-01T00:00:00.500000+00:00'
    """
    return datetime.fromtimestamp(at, UTC).isoformat()


def outcome(night: Night) -> str:
    """What a night came to, in one line.

    >>> outcome(Night("n", "s", "nap", "idle", 0.0, 0.0, status="done", counts={"facts": 2, "links": 0, "turns": 6}))
    '2 facts, 6 turns'
    """
    if night.status != "done":
        return night.error or night.why
    return ", ".join(f"{times} {what}" for what, times in sorted(night.counts.items()) if what in TOLD and times)
