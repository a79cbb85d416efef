"""A dry run: the night as it would be, with its diff, and nothing written."""

from dataclasses import dataclass, replace

from reverie.asleep.runner import Runner
from reverie.model.night import Change, Night, NightStep
from reverie.model.rhythm import Sleeping, SleepRequest
from reverie.store import journal, nights
from reverie.store.scratch import scratch
from reverie.triggers.inline import sleep


@dataclass(frozen=True, slots=True)
class Dry:
    night: Night
    steps: list[NightStep]
    diff: list[Change]


def dry_run(runner: Runner, location: str, space: str, want: SleepRequest, settings: Sleeping) -> Dry:
    """`location` is where the store lies. Model calls are real, and charged as always."""
    with scratch(location) as db:
        night = sleep(replace(runner, db=db, minds=runner.minds.over(db)), space, want, settings).night
        return Dry(night, nights.steps(db, night.id), journal.of_night(db, night.id))
