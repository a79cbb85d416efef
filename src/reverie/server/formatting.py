"""Moments and nights in words, as all surfaces write them."""

from datetime import UTC, datetime

from reverie.model.base import Instant
from reverie.model.night import Night

# The counts that tell what a night came to, and how they are called here.
ALIKE = ("turns", "episodes", "facts", "insights", "profiles", "links", "tagged", "promoted", "answers")
COUNTS = {"notes_written": "notes", **{name: name for name in ALIKE}}


def iso(at: Instant) -> str:
    """
    >>> iso(0.5)
    '1970-01-01T00:00:00.500000+00:00'
    """
    return datetime.fromtimestamp(at, UTC).isoformat()


def outcome(night: Night) -> str:
    """What a night came to, in one line.

    >>> counts = {"facts": 2, "links": 0, "notes_written": 1, "turns": 6, "told": {"mirror": ["wrote human.md"]}}
    >>> outcome(Night("n", "s", "nap", "idle", 0.0, 0.0, status="done", counts=counts))
    '2 facts, 1 notes, 6 turns'
    """
    if night.status != "done":
        return night.error or night.why
    return ", ".join(
        f"{times} {COUNTS[what]}" for what, times in sorted(night.counts.items()) if what in COUNTS and times
    )
