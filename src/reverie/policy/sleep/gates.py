"""May a run that is due begin? Gates in a fixed order, cheapest first, each with its why; a dream has its own."""

from collections.abc import Callable
from dataclasses import dataclass

from reverie.language.calendar import counted, span
from reverie.model.base import HOUR, MINUTE, Instant
from reverie.model.rhythm import Gate, GateAnswer, Rhythm, Sleeping, SleepRequest
from reverie.policy.decision import Decision

LONGEST_REST = 3.0  # seconds


@dataclass(frozen=True, slots=True)
class _Asked:
    """All that a gate may look at."""

    request: SleepRequest
    state: Rhythm
    settings: Sleeping
    now: Instant


_Gate = Callable[[_Asked], GateAnswer]


def decide(request: SleepRequest, state: Rhythm, settings: Sleeping, now: Instant) -> list[GateAnswer]:
    """Every gate's answer, in order. The run may begin if all are open; `first_closed` names what stops it.

    >>> answers = decide(SleepRequest("nap", "idle"), Rhythm(), Sleeping(), now=100.0)
    >>> [a.why for a in answers if not a.open]
    ['0 new turns, needs 1']
    """
    ask = _Asked(request, state, settings, now)
    if request.trigger != "manual":
        return [gate(ask) for _, gate in GATES]
    passed = "a person asked for it"
    return [gate(ask) if name in NEVER_PASSED else GateAnswer(name, True, passed) for name, gate in GATES]


def first_closed(answers: list[GateAnswer]) -> GateAnswer | None:
    return next((answer for answer in answers if not answer.open), None)


def opens_at(answers: list[GateAnswer]) -> Instant | None:
    """When to ask again: once the last of the gates that wait for time has opened. None if time opens nothing.

    >>> opens_at([GateAnswer("time", False, "", retry_at=5.0), GateAnswer("rate", False, "", retry_at=9.0)])
    9.0
    """
    return max((a.retry_at for a in answers if a.retry_at is not None), default=None)


def yield_seconds(state: Rhythm, settings: Sleeping, now: Instant, waited: float) -> float:
    """How long a model-using step should still wait before its next batch, because the user is active.

    >>> yield_seconds(Rhythm(last_turn_at=96.0), Sleeping(), now=100.0, waited=0.0)
    6.0
    """
    if state.last_turn_at is None or state.last_turn_at > now + MINUTE:
        return 0.0  # nothing was said yet, or by a clock that was set back since
    active = state.last_turn_at + settings.active_seconds - now
    return max(0.0, min(active, settings.max_yield_seconds - waited))


def rest_seconds(state: Rhythm, settings: Sleeping, now: Instant, worked: float) -> float:
    """How long a night rests after a batch that took `worked` seconds, because the user is active.

    A busy core slows the one beside it, however low its priority.

    >>> rest_seconds(Rhythm(last_turn_at=96.0), Sleeping(), now=100.0, worked=0.0625)
    1.8125
    """
    active = yield_seconds(state, settings, now, waited=0.0) > 0
    return min(worked * settings.rest_factor, LONGEST_REST) if active else 0.0


def backoff(failures: int, settings: Sleeping) -> float:
    """Seconds to wait after so many failures in a row.

    >>> [backoff(n, Sleeping()) for n in (1, 2, 3, 20)]
    [60.0, 120.0, 240.0, 3600.0]
    """
    return float(min(settings.backoff_seconds * 2 ** min(failures - 1, 30), settings.max_backoff_minutes * MINUTE))


def _enabled(ask: _Asked) -> GateAnswer:
    if not ask.settings.enabled:
        return GateAnswer("enabled", False, "sleep is switched off for this space", "disabled")
    if ask.state.paused:
        return GateAnswer("enabled", False, "sleep is paused", "paused")
    return GateAnswer("enabled", True, "enabled")


def _backoff(ask: _Asked) -> GateAnswer:
    if ask.state.failures == 0 or ask.state.failed_at is None:
        return GateAnswer("backoff", True, "the last run did not fail")
    wait = backoff(ask.state.failures, ask.settings)
    why = f"{counted(ask.state.failures, 'failure')} in a row, tries again after {span(wait)}"
    return _after("backoff", ask.state.failed_at + wait, ask.now, why)


def _time(ask: _Asked) -> GateAnswer:
    if ask.request.kind == "nap":
        last, wait, unit = ask.state.last_run_at, ask.settings.min_seconds_between_naps, "the last run"
    else:
        last, wait, unit = ask.state.last_night_at, ask.settings.min_hours_between_nights * HOUR, "the last night"
        if ask.request.trigger == "sessions":
            wait = max(wait, ask.settings.night_after_hours * HOUR)
    if last is None:
        return GateAnswer("time", True, "the first")
    return _after("time", last + wait, ask.now, f"{span(max(0.0, ask.now - last))} since {unit}, needs {span(wait)}")


def _scan(ask: _Asked) -> GateAnswer:
    if ask.request.trigger != "sessions" or ask.state.last_scan_at is None:
        return GateAnswer("scan", True, "no scan to throttle")
    wait = ask.settings.scan_throttle_minutes * MINUTE
    why = f"{span(max(0.0, ask.now - ask.state.last_scan_at))} since the last scan, needs {span(wait)}"
    return _after("scan", ask.state.last_scan_at + wait, ask.now, why)


def _material(ask: _Asked) -> GateAnswer:
    turns = (
        ask.state.turns_since if ask.request.kind == "nap" else max(ask.state.turns_since, ask.state.turns_since_night)
    )
    if turns >= ask.settings.min_new_turns:
        return GateAnswer("material", True, counted(turns, "new turn"))
    if ask.state.edits_since:
        return GateAnswer("material", True, counted(ask.state.edits_since, "edit"))
    why = f"{counted(turns, 'new turn')}, needs {ask.settings.min_new_turns}"
    return GateAnswer("material", False, why, "nothing_new")


def _rate(ask: _Asked) -> GateAnswer:
    if ask.request.kind == "night":
        return GateAnswer(
            "rate", True, f"one night in {ask.settings.min_hours_between_nights:g} h, kept by the time gate"
        )
    naps = sorted(at for at in ask.state.recent_naps if ask.now - HOUR < at <= ask.now)
    why = f"{counted(len(naps), 'nap')} in the last hour, at most {ask.settings.max_naps_per_hour}"
    if len(naps) < ask.settings.max_naps_per_hour:
        return GateAnswer("rate", True, why)
    # The nap whose leaving makes room: with none allowed at all, the newest.
    leaving = naps[-max(1, ask.settings.max_naps_per_hour)] if naps else ask.now
    return GateAnswer("rate", False, why, "too_many", leaving + HOUR)


def _budget(ask: _Asked) -> GateAnswer:
    spent = ask.state.spent
    if spent is None:
        return GateAnswer("budget", True, "within budget")
    if ask.settings.when_spent == "rules":
        return GateAnswer("budget", True, f"{spent.why}: the rules do it")
    return GateAnswer("budget", False, spent.why, "budget_spent", spent.until)


def _lease(ask: _Asked) -> GateAnswer:
    if ask.state.lease_holder is None or ask.state.lease_until <= ask.now:
        return GateAnswer("lease", True, "nobody sleeps here")
    own = ask.request.worker == ask.state.lease_holder
    code, who = ("active_run", "a run is under way") if own else ("local_lock", f"held by {_who(ask)}")
    return GateAnswer("lease", False, who, code, ask.state.lease_until)


def _who(ask: _Asked) -> str:
    """The holder of the lease with its process, and for how long it has had it."""
    state = ask.state
    since = f", for {span(max(0.0, ask.now - state.lease_since))}" if state.lease_since else ""
    return f"{state.lease_holder} ({state.lease_process}{since})" if state.lease_process else str(state.lease_holder)


GATES: tuple[tuple[Gate, _Gate], ...] = (
    ("enabled", _enabled),
    ("backoff", _backoff),
    ("time", _time),
    ("scan", _scan),
    ("material", _material),
    ("rate", _rate),
    ("budget", _budget),
    ("lease", _lease),
)
NEVER_PASSED: tuple[Gate, ...] = ("budget", "lease")


def _after(gate: Gate, opens: Instant, now: Instant, why: str) -> GateAnswer:
    if now >= opens:
        return GateAnswer(gate, True, why)
    return GateAnswer(gate, False, why, "too_soon", opens)


@dataclass(frozen=True, slots=True)
class DreamWeights:
    hours: float = 24.0  # since the last dream that succeeded
    throttle_minutes: float = 10.0  # between two looks at the transcripts
    sessions: int = 5  # new ones


DREAM_WEIGHTS = DreamWeights()


@dataclass(frozen=True, slots=True)
class DreamClock:
    """What the lock file of a directory tells: 0 for never."""

    dreamt_at: Instant = 0.0
    scanned_at: Instant = 0.0


def rested(clock: DreamClock, now: Instant, w: DreamWeights = DREAM_WEIGHTS) -> Decision:
    """
    >>> rested(DreamClock(dreamt_at=0.0), 30 * HOUR).why, rested(DreamClock(dreamt_at=20 * HOUR), 30 * HOUR).why
    ('never dreamt', '10.0 h since the last dream, needs 24')
    """
    if not clock.dreamt_at:
        return Decision(True, "never dreamt")
    hours = (now - clock.dreamt_at) / HOUR
    return Decision(hours >= w.hours, f"{hours:.1f} h since the last dream, needs {w.hours:g}")


def may_scan(clock: DreamClock, now: Instant, w: DreamWeights = DREAM_WEIGHTS) -> Decision:
    """Counting sessions means reading a directory; a hook that fires at every prompt must not do so each time."""
    minutes = (now - clock.scanned_at) / MINUTE
    if not clock.scanned_at or minutes >= w.throttle_minutes:
        return Decision(True, "the transcripts may be looked at")
    return Decision(False, f"looked {minutes:.0f} min ago, again after {w.throttle_minutes:g}")


def enough(sessions: int, w: DreamWeights = DREAM_WEIGHTS) -> Decision:
    """
    >>> enough(3).why
    '3 new sessions, needs 5'
    """
    return Decision(sessions >= w.sessions, f"{sessions} new sessions, needs {w.sessions}")
