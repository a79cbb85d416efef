"""The night, in order: one line a step. A nap is the slice of it that reads only what is new."""

from collections.abc import Collection

from reverie.asleep.step import Step
from reverie.model.night import NightKind

STEPS: tuple[Step, ...] = ()


def steps_of(kind: NightKind, skipped: Collection[str] = ()) -> tuple[Step, ...]:
    """The steps of a night or nap; a space's settings may leave some out."""
    return tuple(step for step in STEPS if (kind == "night" or step.naps) and step.name not in skipped)
