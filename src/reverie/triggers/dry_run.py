"""A dry run: the night as it would be, with its diff, and nothing written."""

from dataclasses import dataclass, replace

from reverie.asleep.runner import Runner
from reverie.model.night import Change, Night, NightStep
from reverie.model.rhythm import Sleeping, SleepRequest
from reverie.store.commit import journal
from reverie.store.db import Database
from reverie.store.tables import memories, nights
from reverie.triggers.inline import sleep


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
    """With what new memories say: the journal keeps no copy of a new row, and this one is gone in a moment."""
    new = memories.by_ids(db, space, [c.key for c in changes if c.relation == "memories" and c.before is None])
    return [
        replace(c, after={"kind": new[c.key].kind, "text": new[c.key].text})
        if c.relation == "memories" and c.before is None and c.key in new
        else c
        for c in changes
    ]
