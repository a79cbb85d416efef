"""Does anything sleep here? Silence is never health."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reverie.language.calendar import counted, span
from reverie.model.base import DAY, Instant
from reverie.store.db import Database
from reverie.store.tables import failures, nights, rhythm, spaces, turns

SILENT = 120.0  # seconds without a sign of life


@dataclass(frozen=True, slots=True)
class SleepHealth:
    """One space. `trouble` is for a person, empty if there is none."""

    space: str
    backlog: int  # turns that no night has read
    backlog_age: float  # seconds since the oldest of them could have been read
    last_done_at: Instant | None
    failures: int
    aside: int  # items set aside after three failures
    failing: int  # items that failed and will be tried again
    failed_nights: int  # of the last week, those that ended so
    trouble: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SchedulerFigures:
    """Whether anything sleeps for these spaces, and what waits."""

    alive: bool
    worker: str | None  # the sleeper that was last heard of
    heard_at: Instant | None
    next_due_at: Instant | None
    spaces: int
    backlog: int  # turns that no night has read
    ended: Mapping[str, int]  # nights of the last day, by status


def scheduler(db: Database, ids: Sequence[str], now: Instant) -> SchedulerFigures:
    """The figures of all these spaces together."""
    worker, heard_at = rhythm.last_alive(db) or (None, None)
    ended: Counter[str] = Counter()
    for space in ids:
        ended.update(nights.counted(db, space, now - DAY))
    due = [at for space in ids if (at := rhythm.due_at(db, space)) is not None]
    return SchedulerFigures(
        alive=sleeper_alive(db, now),
        worker=worker,
        heard_at=heard_at,
        next_due_at=min(due, default=None),
        spaces=len(ids),
        backlog=sum(max(0, turns.activity(db, id).last_seq - spaces.by_id(db, id).watermark) for id in ids),
        ended=ended,
    )


def sleeper_alive(db: Database, now: Instant) -> bool:
    alive = rhythm.last_alive(db)
    return alive is not None and abs(now - alive[1]) <= SILENT  # one from the future: the clock was set back since


def health(db: Database, space: str, now: Instant) -> SleepHealth:
    record = spaces.by_id(db, space)
    waiting = turns.past(db, space, record.watermark, limit=1)
    backlog = turns.activity(db, space).last_seq - record.watermark if waiting else 0
    age = now - waiting[0].at if waiting else 0.0
    done = nights.listed(db, space, limit=1, statuses=("done",))
    items = failures.listed(db, space)
    aside = [item for item in items if item["aside"]]
    in_a_row = rhythm.failures(db, space)
    trouble = []
    if age > DAY:
        trouble.append(f"{counted(backlog, 'turn')} unread, the oldest for {span(age)}: is a sleeper running?")
    if in_a_row >= rhythm.FAILING:
        trouble.append(f"the last {in_a_row} runs failed")
    if aside:
        first = f"{aside[0]['step']} {aside[0]['item']}: {aside[0]['error']}"
        trouble.append(f"{counted(len(aside), 'item')} set aside after three failures ({first})")
    ended = done[0].ended_at if done else None
    failed = nights.counted(db, space, now - 7 * DAY).get("failed", 0)
    left = len(items) - len(aside)
    return SleepHealth(space, backlog, age, ended, in_a_row, len(aside), left, failed, tuple(trouble))
