"""The night, in order: one line a step. A nap is the slice of it that reads only what is new."""

from collections.abc import Collection

from reverie.asleep.step import Step
from reverie.asleep.steps.collect import collect
from reverie.asleep.steps.dedupe import dedupe
from reverie.asleep.steps.tag import tag
from reverie.model.night import NightKind

STEPS: tuple[Step, ...] = (
    Step("light", "collect", collect, naps=True),
    Step("light", "dedupe", dedupe, naps=True),
    Step("light", "tag", tag, naps=True),
)


def steps_of(kind: NightKind, skipped: Collection[str] = ()) -> tuple[Step, ...]:
    """The steps of a night or nap; a space's settings may leave some out."""
    return tuple(step for step in STEPS if (kind == "night" or step.naps) and step.name not in skipped)
