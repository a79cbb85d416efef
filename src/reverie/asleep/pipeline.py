"""The night, in order: one line a step. A nap is the slice of it that reads only what is new."""

from collections.abc import Collection

from reverie.asleep.step import Step
from reverie.asleep.steps.anticipate import anticipate
from reverie.asleep.steps.collect import collect
from reverie.asleep.steps.consolidate import consolidate
from reverie.asleep.steps.contradict import contradict
from reverie.asleep.steps.decay import decay
from reverie.asleep.steps.dedupe import dedupe
from reverie.asleep.steps.diary import diary
from reverie.asleep.steps.extract import extract
from reverie.asleep.steps.housekeep import housekeep, sweep
from reverie.asleep.steps.link import link_memories
from reverie.asleep.steps.profile import profile
from reverie.asleep.steps.promote import promote
from reverie.asleep.steps.reason import reason
from reverie.asleep.steps.rethink import rethink
from reverie.asleep.steps.summarize import summarize
from reverie.asleep.steps.tag import tag
from reverie.asleep.steps.tier import tier
from reverie.model.night import NightKind

STEPS: tuple[Step, ...] = (
    Step("light", "collect", collect, naps=True),
    Step("light", "dedupe", dedupe, naps=True),
    Step("light", "tag", tag, naps=True),
    Step("light", "extract", extract, naps=True, thinks=True),
    Step("rem", "consolidate", consolidate, thinks=True),
    Step("rem", "contradict", contradict, naps=True, thinks=True),
    Step("rem", "decay", decay),
    Step("rem", "profile", profile, thinks=True),
    Step("rem", "reason", reason, thinks=True),
    Step("rem", "link", link_memories),
    Step("deep", "promote", promote, naps=True),
    Step("deep", "rethink", rethink, naps=True, thinks=True),
    Step("deep", "tier", tier),
    Step("deep", "summarize", summarize, thinks=True),
    Step("dream", "anticipate", anticipate, naps=True, thinks=True),
    Step("morning", "housekeep", housekeep, after=sweep),
    Step("morning", "diary", diary, thinks=True),
)


def steps_of(kind: NightKind, skipped: Collection[str] = ()) -> tuple[Step, ...]:
    """The steps of a night or nap; a space's settings may leave some out."""
    return tuple(step for step in STEPS if (kind == "night" or step.naps) and step.name not in skipped)
