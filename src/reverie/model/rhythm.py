"""When a space sleeps: its settings, what has been counted since it last slept, and what the policies answer."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Literal

from reverie.model.base import DAY, HOUR, JSON, MINUTE, Instant
from reverie.model.night import Night, NightKind
from reverie.model.settings import Setting, setting

Trigger = Literal["idle", "cadence", "event", "interval", "cron", "sessions", "manual"]
Gate = Literal["enabled", "backoff", "time", "scan", "material", "rate", "budget", "lease"]

# The most that one run of a step takes on; a space may set its own.
DEFAULT_CAPS: Mapping[str, int] = {
    "collect": 1_000,  # new turns
    "care": 100,  # old memories that need tags, links or scores
    "contradict": 20,
    "profile": 3,  # entities that get prose
    "reason": 5,  # entities
    "ponder": 8,  # contexts
    "anticipate": 8,  # questions
    "embed": 2_000,  # vectors of an old embedder redone
}


# A hundred years, in the unit of the setting: what is due later than that is not due.
CENTURY = {unit: 100 * 365 * DAY / seconds for unit, seconds in (("s", 1), ("m", MINUTE), ("h", HOUR), ("d", DAY))}
BUDGET = "a space may spend in all its time, nights and chat; 0: rules only; none: no limit"


@dataclass(frozen=True, slots=True)
class Sleeping:
    """A space's sleep settings, the only place where they are defined. Zero, or an empty text, switches a trigger off.

    Those that hold for all spaces are settings of the configuration too (`config.py`).
    """

    enabled: bool = setting(True, "whether spaces sleep by themselves")
    idle_seconds: float = setting(60.0, "a nap is due after this long without a turn; 0: off", most=CENTURY["s"])
    cadence_turns: int = setting(5, "a nap is due after this many turns; 0: off")
    importance_threshold: float = setting(3.0, "a nap is due when what is new is so important in all; 0: off")
    interval_minutes: float = setting(0.0, "a nap is due this often; 0: off", most=CENTURY["m"])
    cron: str = setting("0 3 * * *", "when a night is due, in `timezone`; empty: never by the clock", own_type="cron")
    timezone: str = setting("UTC", "time zone of `cron`", own_type="timezone")
    night_after_hours: float = setting(
        24.0, "a night is due this long after the last, if enough sessions came; 0: off", most=CENTURY["h"]
    )
    night_after_sessions: int = setting(5, "how many sessions that takes; 0: off")
    full_every_days: float = setting(
        7.0, "how often a night reconsiders everything, not only what changed; 0: never", most=CENTURY["d"]
    )
    min_new_turns: int = setting(1, "fewest new turns for a run that nobody asked for")
    min_seconds_between_naps: float = setting(20.0, "fewest seconds between two naps", most=CENTURY["s"])
    max_naps_per_hour: int = setting(12, "most naps in an hour")
    min_hours_between_nights: float = setting(6.0, "fewest hours between two nights", most=CENTURY["h"])
    scan_throttle_minutes: float = setting(10.0, "fewest minutes between two counts of sessions", most=CENTURY["m"])
    backoff_seconds: float = setting(60.0, "wait after a failed run, doubling with each further one", most=CENTURY["s"])
    max_backoff_minutes: float = setting(60.0, "longest such wait", most=CENTURY["m"])
    when_spent: Literal["rules", "wait"] = setting(
        "rules", "without budget: go on by the rules, or wait for more", own_type="choice", choices=("rules", "wait")
    )
    active_seconds: float = setting(
        10.0, "a user who spoke so recently is active: steps that call a model wait", most=CENTURY["s"]
    )
    max_yield_seconds: float = setting(30.0, "longest such wait for one batch", most=CENTURY["s"])
    rest_factor: float = setting(29.0, "meanwhile other steps rest after each batch, so many times as long as it took")
    budget_space_tokens: int | None = setting(None, f"tokens {BUDGET}", own_type="whole", optional=True)
    budget_space_cost: float | None = setting(None, f"dollars {BUDGET}", own_type="number", optional=True)
    skip_steps: tuple[str, ...] = setting((), "steps that nights leave out", own_type="steps")
    keep_nights: int = setting(30, "how many nights can be undone")
    caps: Mapping[str, int] = setting(
        {}, "the most that one run of a step takes on", own_type="caps", choices=tuple(DEFAULT_CAPS)
    )

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


# Every sleep setting that a space may have, by its name.
SLEEP_SETTINGS: Mapping[str, Setting] = {
    f.name: replace(f.metadata["setting"], name=f.name, space=f.name) for f in fields(Sleeping)
}


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
    lease_process: str = ""  # which process that is, for a person
    lease_since: Instant = 0.0
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
