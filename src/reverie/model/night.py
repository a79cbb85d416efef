"""A night is one run of the sleep pipeline over one space; it is made of steps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from reverie.model.base import Instant

NightKind = Literal["nap", "night"]
Status = Literal["requested", "running", "done", "failed", "skipped", "cancelled", "undoing", "undone"]
StepStatus = Literal["pending", "running", "done", "failed", "skipped"]
TOLD = "told"  # among a night's counts: what its steps had to say; no count may have this name


@dataclass(frozen=True, slots=True)
class Night:
    id: str
    space: str
    kind: NightKind
    trigger: str
    now: Instant  # the night's own clock; a resumed night goes on in the same moment
    requested_at: Instant
    status: Status = "requested"
    why: str = ""
    began_at: Instant | None = None
    ended_at: Instant | None = None
    upto: int = 0  # turns up to this sequence belong to it
    settings: Mapping[str, Any] = field(default_factory=dict)
    counts: Mapping[str, Any] = field(default_factory=dict)
    tokens: int = 0
    cost: float = 0.0
    attempts: int = 0
    token: int = 0
    error: str | None = None

    @property
    def told(self) -> Mapping[str, Sequence[str]]:
        """What its steps had to say: why nothing was promoted, what moved and why, which files were written."""
        told: Mapping[str, Sequence[str]] = self.counts.get(TOLD, {})
        return told


@dataclass(frozen=True, slots=True)
class NightStep:
    night: str
    step: str
    position: int
    status: StepStatus = "pending"
    cursor: str | None = None
    batches: int = 0
    duration_ms: float = 0.0
    counts: Mapping[str, int] = field(default_factory=dict)
    error: str | None = None


@dataclass(frozen=True, slots=True)
class NightReport:
    """One night with its steps; `night_diff` has what it changed."""

    night: Night
    steps: tuple[NightStep, ...]


@dataclass(frozen=True, slots=True)
class DiaryEntry:
    night: str
    at: Instant
    text: str


@dataclass(frozen=True, slots=True)
class Lease:
    space: str
    holder: str
    token: int
    expires_at: Instant
    since: Instant = 0.0
    process: str = ""  # which one holds it, and where, for a person


@dataclass(frozen=True, slots=True)
class Change:
    """One journal entry: what a night did to one row."""

    night: str
    n: int
    step: str
    relation: str
    key: str
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Progress:
    """What a night tells while it runs: one for its beginning and end, one a step, one a batch."""

    night: str
    space: str
    what: Literal["night", "step", "batch"]
    status: str  # running, done, failed, skipped, waiting, cancelled, stopped
    phase: str = ""
    step: str = ""
    batch: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)
    duration_ms: float = 0.0
    held_ms: float = 0.0  # how long the batch held the write lock
    turns: int = 0  # how many turns this night has read so far
    of_turns: int = 0  # how many waited when it began; further runs take what one does not
    seconds_left: float = 0.0  # an estimate, until all of them are slept over
    why: str = ""


@dataclass(frozen=True, slots=True)
class Job:
    """A space that waits for a run. Who gets it decides again what is due: a job that comes twice is harmless."""

    space: str
    priority: int
    since: Instant


@dataclass(frozen=True, slots=True)
class WorkerRecord:
    """Who works on what, since when, and when it was last heard of."""

    name: str
    host: str
    pid: int
    version: str
    engine: str
    began_at: Instant
    heard_at: Instant
    space: str = ""  # its id; empty: it waits
    step: str = ""
    since: Instant = 0.0
    state: Literal["idle", "busy", "gone"] = "idle"
    space_name: str = ""
