"""Is a nap or a night due, and since when? Every trigger is a line of arithmetic over what was counted."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from croniter import CroniterError, croniter

from reverie.errors import ConfigError
from reverie.model.base import DAY, HOUR, MINUTE, Instant
from reverie.model.rhythm import Due, Rhythm, Sleeping

MOST_TURNS = 2_000  # of a backlog in one run: steps look at all that their night has made, batch after batch


def decide(state: Rhythm, settings: Sleeping, now: Instant) -> Due | None:
    """What is due now: a night before a nap (it contains one), then what has been due for longest.

    >>> decide(Rhythm(turns_since=5, last_turn_at=100.0), Sleeping(cron=""), now=100.0).why
    '5 new turns, a nap every 5'
    """
    due = [d for d in _candidates(state, settings, now) if d.due_at <= now]
    return min(due, key=lambda d: (d.kind != "night", d.due_at), default=None)


def next_due(state: Rhythm, settings: Sleeping, now: Instant) -> Due | None:
    """What falls due first if nothing else happens; stored, so that a quiet space still wakes its sleeper.

    >>> next_due(Rhythm(turns_since=1, last_turn_at=100.0), Sleeping(cron=""), now=110.0).due_at
    160.0
    """
    return min(_candidates(state, settings, now), key=lambda d: d.due_at, default=None)


def in_turn(waiting: Iterable[tuple[Instant, str]]) -> list[str]:
    """The spaces that are due, in the order of their runs: who has waited longest goes first.

    >>> in_turn([(5.0, "later"), (2.0, "first")])
    ['first', 'later']
    """
    return [space for _, space in sorted(waiting)]


def turns_to_take(settings: Sleeping, waiting: int) -> int:
    """How many waiting turns one run reads: more where more wait, as far as a turn costs no more than in a short night.

    A space's own cap holds in any case.

    >>> [turns_to_take(Sleeping(), n) for n in (50, 1_400, 100_000)], turns_to_take(Sleeping(caps={"collect": 5}), 9)
    ([1000, 1400, 2000], 5)
    """
    cap = settings.cap("collect")
    return cap if "collect" in settings.caps else max(cap, min(waiting, MOST_TURNS))


def goes_on(settings: Sleeping, waiting: int) -> bool:
    """Whether what a person asked for takes one more run: turns that were there then are still unread."""
    return waiting > 0 and "collect" not in settings.caps


def is_full(state: Rhythm, settings: Sleeping, now: Instant) -> bool:
    """Is this night one that reconsiders every block, profile and link? Once a week, by default."""
    since = state.created_at if state.last_full_at is None else state.last_full_at
    return settings.full_every_days > 0 and now - since >= settings.full_every_days * DAY


@lru_cache(maxsize=4096)  # a pure function of its arguments, asked about every space at every look
def next_cron(expression: str, timezone: str, after: Instant) -> Instant:
    """The first instant past `after` at which the wall clock of `timezone` matches.

    A time that the clock skips in spring runs at the same distance from midnight, an hour later on the wall; one
    that it shows twice in autumn runs once.

    >>> next_cron("0 3 * * *", "UTC", 0.0) == 3 * HOUR
    True
    """
    place = zone(timezone)
    wall = datetime.fromtimestamp(after, place).replace(tzinfo=None)
    try:
        matches: Iterator[datetime] = iter(croniter(expression, wall, ret_type=datetime, max_years_between_matches=5))
        instants = (match.replace(tzinfo=place).timestamp() for match in matches)
        # In the hour that comes twice, the first showing of a match may lie behind us.
        return next(at for at in instants if at > after)
    except CroniterError as wrong:
        raise ConfigError(f"cron {expression!r}: {wrong}", cron=expression) from wrong


def zone(name: str) -> ZoneInfo:
    """The time zone of that name; ConfigError if there is none."""
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError) as wrong:  # unreadable, malformed, unknown
        raise ConfigError(f"no time zone {name!r}", timezone=name) from wrong


def _candidates(state: Rhythm, settings: Sleeping, now: Instant) -> Iterator[Due]:
    yield from _nights(state, settings)
    yield from _events(state, settings, now)
    if settings.interval_minutes > 0:
        at = _or(state.last_run_at, state.created_at) + settings.interval_minutes * MINUTE
        yield Due("nap", "interval", f"every {settings.interval_minutes:g} minutes", at)
    if state.turns_since == 0 or state.last_turn_at is None:
        return
    if 0 < settings.cadence_turns <= state.turns_since:
        why = f"{state.turns_since} new turns, a nap every {settings.cadence_turns}"
        yield Due("nap", "cadence", why, state.last_turn_at)
    if settings.idle_seconds > 0:
        quiet = max(0.0, now - state.last_turn_at)
        why = f"no turn for {quiet:.0f} s, idle after {settings.idle_seconds:g}"
        yield Due("nap", "idle", why, state.last_turn_at + settings.idle_seconds)


def _nights(state: Rhythm, settings: Sleeping) -> Iterator[Due]:
    since = _or(state.last_night_at, state.created_at)
    if settings.cron:
        at = next_cron(settings.cron, settings.timezone, since)
        yield Due("night", "cron", f"cron {settings.cron} ({settings.timezone})", at)
    if 0 < settings.night_after_sessions <= state.sessions_since and settings.night_after_hours > 0:
        why = f"{state.sessions_since} sessions and {settings.night_after_hours:g} h since the last night"
        yield Due("night", "sessions", why, since + settings.night_after_hours * HOUR)


def _events(state: Rhythm, settings: Sleeping, now: Instant) -> Iterator[Due]:
    if state.session_ended_at is not None:
        yield Due("nap", "event", "a session ended", state.session_ended_at)
    if state.overflowed_at is not None:
        yield Due("nap", "event", "the context overflowed", state.overflowed_at)
    if 0 < settings.importance_threshold <= state.importance_sum:
        why = f"importance of what is new: {state.importance_sum:.1f}, threshold {settings.importance_threshold:g}"
        yield Due("nap", "event", why, _or(state.last_turn_at, now))


def _or(at: Instant | None, default: Instant) -> Instant:
    return default if at is None else at
