"""The night, in order: one line a step. A nap is the slice of it that reads only what is new."""

from collections.abc import Collection

from reverie.asleep.shared.items import drop_failed
from reverie.asleep.step import Step
from reverie.asleep.steps.anticipate.anticipate import anticipate
from reverie.asleep.steps.collect import collect
from reverie.asleep.steps.consolidate import consolidate, consolidate_again
from reverie.asleep.steps.contradict.contradict import contradict, contradict_again
from reverie.asleep.steps.decay import decay
from reverie.asleep.steps.dedupe import dedupe
from reverie.asleep.steps.diary import deep_entry, diary, dream_entry, light_entry, rem_entry
from reverie.asleep.steps.directives import directives
from reverie.asleep.steps.extract.extract import extract, extract_again
from reverie.asleep.steps.housekeep import housekeep
from reverie.asleep.steps.link import link_memories
from reverie.asleep.steps.ponder.ponder import ponder
from reverie.asleep.steps.profile import profile, profile_again
from reverie.asleep.steps.promote.promote import promote
from reverie.asleep.steps.reason import reason, reason_again
from reverie.asleep.steps.rethink.rethink import rethink, rethink_again
from reverie.asleep.steps.summarize import summarize, summarize_again
from reverie.asleep.steps.tag import tag
from reverie.asleep.steps.tier import tier
from reverie.model.night import Night, NightKind
from reverie.model.rhythm import Sleeping
from reverie.store.db import Database
from reverie.store.upkeep import tidy


def sweep(db: Database, night: Night) -> dict[str, int]:
    """After `housekeep`: deletes what is old and needs no undo, in short transactions that may each happen twice."""
    return tidy(db, night.space, night.now, Sleeping.of_night(night).keep_nights)


STEPS: tuple[Step, ...] = (
    Step("light", "collect", collect, naps=True),
    Step("light", "dedupe", dedupe, naps=True),
    Step("light", "tag", tag, naps=True),
    Step("light", "extract", extract, naps=True, thinks=True, again=extract_again),
    Step("light", "light_entry", light_entry),
    Step("rem", "consolidate", consolidate, thinks=True, again=consolidate_again),
    Step("rem", "contradict", contradict, naps=True, thinks=True, again=contradict_again),
    Step("rem", "decay", decay),
    Step("rem", "profile", profile, thinks=True, again=profile_again),
    Step("rem", "reason", reason, thinks=True, again=reason_again, at_once=1),
    Step("rem", "link", link_memories),
    Step("rem", "rem_entry", rem_entry),
    Step("deep", "promote", promote, naps=True),
    Step("deep", "rethink", rethink, naps=True, thinks=True, again=rethink_again, at_once=1),
    Step("deep", "directives", directives, naps=True),
    Step("deep", "tier", tier),
    Step("deep", "summarize", summarize, thinks=True, again=summarize_again),
    Step("deep", "deep_entry", deep_entry),
    Step("dream", "ponder", ponder, thinks=True, again=drop_failed),
    Step("dream", "anticipate", anticipate, naps=True, thinks=True, again=drop_failed),
    Step("dream", "dream_entry", dream_entry),
    Step("morning", "housekeep", housekeep, after=sweep),
    Step("morning", "diary", diary, thinks=True),
)


def steps_of(kind: NightKind, skipped: Collection[str] = ()) -> tuple[Step, ...]:
    """The steps of a night or nap; a space's settings may leave some out."""
    return tuple(step for step in STEPS if (kind == "night" or step.naps) and step.name not in skipped)
