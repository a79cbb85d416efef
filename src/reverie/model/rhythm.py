"""When a space sleeps: its settings, what has been counted since it last slept, and what the policies answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Literal

from reverie.model.base import JSON, Instant
from reverie.model.night import Night, NightKind

Trigger = Literal["idle", "cadence", "event", "interval", "cron", "sessions", "manual"]
Gate = Literal["enabled", "backoff", "time", "scan", "material", "rate", "budget", "lease"]

# The most that one run of a step takes on; a space may set its own.
DEFAULT_CAPS: Mapping[str, int] = {
    "collect": 1_000,  # new turns
    "care": 100,  # old memories that need tags, links or scores
    "contradict": 20,
    "profile": 3,  # entities that get prose
    "reason": 5,  # entities
    "anticipate": 8,  # questions
    "embed": 2_000,  # vectors of an old embedder redone
}


@dataclass(frozen=True, slots=True)
class Sleeping:
    """A space's sleep settings. Zero, or an empty text, switches a trigger off."""

    enabled: bool = True
    idle_seconds: float = 60.0
    cadence_turns: int = 5
    importance_threshold: float = 3.0
    interval_minutes: float = 0.0
    cron: str = "0 3 * * *"
    timezone: str = "UTC"
    night_after_hours: float = 24.0
    night_after_sessions: int = 5
    full_every_days: float = 7.0  # every so often a night reconsiders everything, not only what changed
    min_new_turns: int = 1
    min_seconds_between_naps: float = 20.0
    max_naps_per_hour: int = 12
    min_hours_between_nights: float = 6.0
    scan_throttle_minutes: float = 10.0
    backoff_seconds: float = 60.0  # after a failure, doubling with each further one
    max_backoff_minutes: float = 60.0
    when_spent: Literal["rules", "wait"] = "rules"  # without budget: go on by the rules, or wait for more
    active_seconds: float = 10.0  # a user who spoke so recently is active: model-using steps yield
    max_yield_seconds: float = 30.0
    rest_factor: float = 29.0  # meanwhile other steps rest after each batch, so many times as long as it took
    budget_space_tokens: int | None = None  # that models may cost this space in all its time; None: no limit
    budget_space_cost: float | None = None
    skip_steps: tuple[str, ...] = ()
    keep_nights: int = 30  # that can be undone
    caps: Mapping[str, int] = field(default_factory=dict)

    def cap(self, step: str) -> int:
        return self.caps.get(step, DEFAULT_CAPS[step])

    @classmethod
    def of(cls, changes: Mapping[str, JSON]) -> "Sleeping":
        """Settings as a space stores them: only what differs from the defaults."""
        known = {f.name for f in fields(cls)}
        if unknown := sorted(set(changes) - known):
            raise ValueError(f"no sleep setting {', '.join(unknown)}; there are {', '.join(sorted(known))}")
        values = dict(changes)
        if "skip_steps" in values:
            values["skip_steps"] = tuple(values["skip_steps"])
        return cls(**values)

    @classmethod
    def of_night(cls, night: Night) -> "Sleeping":
        """Those that a night began with: a resumed one keeps them."""
        return cls.of(night.settings.get("sleeping", {}))

    def changes(self) -> dict[str, JSON]:
        default = Sleeping()
        names = (f.name for f in fields(self))
        return {name: getattr(self, name) for name in names if getattr(self, name) != getattr(default, name)}


@dataclass(frozen=True, slots=True)
class Exhausted:
    """A budget that allows nights no model call."""

    why: str
    until: Instant | None = None  # when time alone fills it again; None: not before somebody raises it


@dataclass(frozen=True, slots=True)
class Rhythm:
    """What has been counted for one space. `since` is since a run last read the log; a night resets its own."""

    created_at: Instant = 0.0
    turns_since: int = 0
    last_turn_at: Instant | None = None
    importance_sum: float = 0.0
    edits_since: int = 0  # remembered, imported, corrected, deferred: material that is no turn
    session_ended_at: Instant | None = None  # events since the last run, at the instant they happened
    overflowed_at: Instant | None = None
    turns_since_night: int = 0
    sessions_since: int = 0  # sessions since the last night
    last_nap_at: Instant | None = None  # the last that succeeded: a failed run moves no clock
    last_night_at: Instant | None = None
    last_full_at: Instant | None = None
    recent_naps: tuple[Instant, ...] = ()  # those of the last hour
    last_scan_at: Instant | None = None
    failures: int = 0  # in a row
    failed_at: Instant | None = None
    paused: bool = False
    spent: Exhausted | None = None  # the budget that allows no model call; None while all do
    lease_holder: str | None = None
    lease_until: Instant = 0.0

    @property
    def last_run_at(self) -> Instant | None:
        return max((at for at in (self.last_nap_at, self.last_night_at) if at is not None), default=None)


@dataclass(frozen=True, slots=True)
class Due:
    """A run that is, or will be, due."""

    kind: NightKind
    trigger: Trigger
    why: str
    due_at: Instant


@dataclass(frozen=True, slots=True)
class SleepRequest:
    kind: NightKind
    trigger: Trigger
    worker: str = ""  # who asks: it may renew its own lease
    reprocess: tuple[str, ...] = ()  # steps to do over again for all memories


@dataclass(frozen=True, slots=True)
class GateAnswer:
    """One gate's answer. A closed gate says when to ask again, where time alone opens it."""

    gate: Gate
    open: bool
    why: str
    code: str = ""  # machine-readable reason of a closed gate: active_run, local_lock, too_soon, …
    retry_at: Instant | None = None
