"""Sleeping here and now, in this process: a night, one if it is due, or a dry run that writes nothing."""

from dataclasses import dataclass, replace

from reverie.asleep.runner import Runner
from reverie.model.night import Change, Lease, Night, NightStep
from reverie.model.rhythm import Sleeping, SleepRequest
from reverie.policy.sleep import due
from reverie.store.commit import journal
from reverie.store.db import Database
from reverie.store.tables import answers, contradictions, leases, memories, nights, rhythm, spaces
from reverie.store.undo import undo
from reverie.triggers.admission import Admission, request

TOLD = ("memories", "answers", "contradictions")  # new rows of a dry run that say something


def sleep(runner: Runner, space: str, want: SleepRequest, settings: Sleeping, *, quiet: bool = False) -> Admission:
    """Runs a night now, after whatever an earlier one left; answers it as it ended, or skipped with the reason.

    `quiet`: as for `request`.
    """
    left = resume(runner, space, want.worker)
    if left and left[-1].status not in ("done", "undone"):
        return Admission(left[-1])
    now = runner.clock()
    asked = request(runner.db, space, want, settings, now, spent=runner.spent(space, now), quiet=quiet)
    if asked.lease is None:
        return asked
    read, ended = spaces.by_id(runner.db, space).watermark, runner.run(asked.night, asked.lease)
    while want.trigger == "manual" and due.goes_on(settings, backlog(runner.db, ended, read)):
        more = request(runner.db, space, want, settings, runner.clock(), spent=runner.spent(space, runner.clock()))
        if more.lease is None:
            break
        read, ended = spaces.by_id(runner.db, space).watermark, runner.run(more.night, more.lease)
    return replace(asked, night=ended)


def backlog(db: Database, night: Night, read: int) -> int:
    """How many turns that were there when a night was asked for are unread after it; `read` is the watermark before it.

    None of one that did not end, or that read nothing: the next would not either.
    """
    watermark = spaces.by_id(db, night.space).watermark
    return max(0, night.upto - watermark) if night.status == "done" and watermark > read else 0


def resume(runner: Runner, space: str, worker: str) -> list[Night]:
    """Goes on with nights that were asked for, broken off or have failed, oldest first; none while another runs."""
    ended: list[Night] = []
    for night in nights.unfinished(runner.db, space):
        lease = leases.acquire(runner.db, space, worker or night.id, runner.clock())
        if lease is None:
            break
        ended.append(_go_on(runner, nights.by_id(runner.db, space, night.id), lease))
        if ended[-1].status not in ("done", "undone"):
            break
    return ended


def _go_on(runner: Runner, night: Night, lease: Lease) -> Night:
    """As it is now: another worker may have ended it before we held the lease."""
    if night.status in ("requested", "running", "failed"):
        return runner.run(night, lease)
    try:
        if night.status == "undoing":
            undo.finish(runner.db, night, lease, runner.clock())
        return nights.by_id(runner.db, night.space, night.id)
    finally:
        leases.release(runner.db, lease)


def sleep_if_due(runner: Runner, space: str, settings: Sleeping, worker: str) -> Admission | None:
    """For cron and hooks, where no sleeper lives: None if nothing is due."""
    record = spaces.by_id(runner.db, space)
    found = due.decide(rhythm.read(runner.db, record, settings, runner.clock()), settings, runner.clock())
    if found is None:
        return None
    return sleep(runner, space, SleepRequest(found.kind, found.trigger, worker), settings)


@dataclass(frozen=True, slots=True)
class Dry:
    night: Night
    steps: list[NightStep]
    diff: list[Change]


def dry_run(runner: Runner, space: str, want: SleepRequest, settings: Sleeping) -> Dry:
    """The night, its steps and its diff. Model calls are real, and charged as always."""
    with runner.db.dialect.scratch() as db:
        night = sleep(runner.over(db), space, want, settings).night
        return Dry(night, nights.steps(db, night.id), _told(db, space, journal.of_night(db, night.id)))


def _told(db: Database, space: str, changes: list[Change]) -> list[Change]:
    """With what new rows say: the journal keeps no copy of a new row, and this one is gone in a moment."""
    new = {relation: [c.key for c in changes if c.relation == relation and c.before is None] for relation in TOLD}
    kept, made = memories.by_ids(db, space, new["memories"]), answers.by_ids(db, space, new["answers"])
    clashes = [contradictions.by_id(db, space, key) for key in new["contradictions"]]
    said = memories.by_ids(db, space, [end for clash in clashes for end in (clash.older, clash.newer)])
    rows: dict[str, dict[str, str]] = {
        **{memory.id: {"kind": memory.kind, "text": memory.text} for memory in kept.values()},
        **{answer.id: {"question": answer.question} for answer in made.values()},
        **{
            clash.id: {"older": said[clash.older].text, "newer": said[clash.newer].text}
            for clash in clashes
            if clash.older in said and clash.newer in said
        },
    }
    return [replace(c, after=rows[c.key]) if c.before is None and c.key in rows else c for c in changes]
