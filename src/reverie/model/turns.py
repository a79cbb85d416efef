"""A turn is one message in the log: never edited, never lost."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from reverie.model.base import DAY, JSON, Instant, Origin, Role, Trust

What = Literal["append", "recall", "answer", "night"]  # may happen in a space
TURN = "turn-"  # how a turn's id begins
RETRACTED = "retracted"  # in quarantine: its client has taken it back, and no night reads it


def is_turn(ref: str) -> bool:
    """Whether an id names a turn; else it is a memory's."""
    return ref.startswith(TURN)


@dataclass(frozen=True, slots=True)
class Turn:
    id: str
    space: str
    seq: int  # the turn's place in its space; watermarks are such places
    session: str
    role: Role
    text: str
    at: Instant
    origin: Origin = "user"
    trust: Trust = Trust.USER
    speaker: str | None = None  # a person's name where known; the role otherwise
    metadata: Mapping[str, JSON] = field(default_factory=dict)
    key: str | None = None  # idempotency key
    redacted: int = 0  # how many secrets were taken out before storing
    block: str | None = None  # the label of the block that this line was too long for; nobody but Reverie sets it
    quarantine: str | None = None  # why it is shown to nobody until a person has looked at it


SessionKind = Literal["interactive", "cron", "heartbeat", "subagent"]
SESSION_KINDS: tuple[SessionKind, ...] = get_args(SessionKind)


Play = Literal["", "begins", "ends"]


@dataclass(frozen=True, slots=True)
class SessionNote:
    """What a session is and where it comes from, as the harness knows it; None leaves what was said before."""

    kind: str | None = None  # one of SESSION_KINDS
    channel: str | None = None  # how it reaches the agent: a chat, a mailbox, a telephone
    source: str | None = None  # which program appends it
    play: Play = ""  # set by `append` alone: whether the user takes a part here, or leaves it


@dataclass(frozen=True, slots=True)
class Draft:
    """A turn as a caller gives it."""

    role: str
    text: str
    session: str = "default"
    key: str | None = None
    origin: str | None = None
    speaker: str | None = None
    at: Instant | None = None
    metadata: Mapping[str, JSON] = field(default_factory=dict)
    session_note: SessionNote = field(default_factory=SessionNote)


@dataclass(frozen=True, slots=True)
class Appended:
    """What `append` answers: the turn's id and place, and whether the key had been seen before."""

    id: str
    seq: int
    repeated: bool = False
    redacted: int = 0


@dataclass(frozen=True, slots=True)
class AddedBlock:
    """What a proxy has added to a user's turn; empty if the turn went without. `seen` names what it shows."""

    text: str
    at: Instant
    seen: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RecallEvent:
    """The record that a real query returned a memory: the only evidence that promotion counts."""

    space: str
    memory: str  # a memory's or a turn's id
    query: str  # hash of the query, never its text
    day: str  # YYYY-MM-DD, UTC
    score: float  # relevance, 0-1
    at: Instant


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that happened in a space: a turn came in, a question was asked, an answer was served, a night ran."""

    at: Instant
    what: What
    text: str
    ref: str = ""  # the turn's, night's or answer's id
    who: str = ""  # the speaker, or how it ended
    session: str = ""
    hits: int = 0  # of a question: how many memories it brought


# What the user wants to be reminded of when something comes up.
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
