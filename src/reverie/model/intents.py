"""An intent is what the user wants to be reminded of when something comes up."""

from dataclasses import dataclass

from reverie.model.base import DAY, Instant

COOLDOWN = DAY  # between two reminders of one intent
MOST_TIMES = 3
LIFETIME = 90 * DAY
MOST_LIVE = 100  # of a space; the oldest give way in matching, none is deleted
LONGEST = 300  # characters of what to remind of, and of what has to come up


@dataclass(frozen=True, slots=True)
class Intent:
    id: str
    space: str
    remind: str  # of what, in the user's words
    trigger: str  # what has to come up, in the user's words
    made_at: Instant
    expires_at: Instant
    turn: str | None = None  # where they said it; None where a person wrote it down
    session: str | None = None
    scope: str = ""  # the name of the session that it is for, `*` for anything; empty: anywhere
    cancelled_at: Instant | None = None
    fired: int = 0
    fired_at: Instant | None = None

    @property
    def live(self) -> bool:
        """Whether it may still remind: not cancelled, and not often enough yet."""
        return self.cancelled_at is None and self.fired < MOST_TIMES


@dataclass(frozen=True, slots=True)
class Reminder:
    """An intent whose moment has come, and the one line that a context shows."""

    intent: Intent
    line: str


@dataclass(frozen=True, slots=True)
class IntentWords:
    """What a sentence says about reminders: one to make, or one to cancel."""

    remind: str
    trigger: str = ""
    cancels: bool = False
