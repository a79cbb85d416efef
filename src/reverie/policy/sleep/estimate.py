"""How long a night over many turns will still take, from how long it took so far, and how long the last one took."""

from collections.abc import Sequence
from dataclasses import dataclass

from reverie.model.night import NightStep

READING = "collect"  # the step that reads turns
LEAST = 500  # turns: what a smaller night took says little of a larger one


@dataclass(frozen=True, slots=True)
class KnownPace:
    """How long a night took."""

    reading: float  # the part of it that reading turns took
    a_turn: float = 0.0  # seconds, all steps together; 0 where nothing is known


USUAL = KnownPace(0.3)  # by the rules with the default embedder


def known_pace(steps: Sequence[NightStep]) -> KnownPace:
    """What the steps of a finished night tell about the next; the usual if it read few turns.

    >>> read = NightStep("n", "collect", 0, "done", duration_ms=10_000.0, counts={"turns": 2_000})
    >>> known_pace([read, NightStep("n", "extract", 1, "done", duration_ms=30_000.0)])
    KnownPace(reading=0.25, a_turn=0.02)
    """
    took = sum(step.duration_ms for step in steps) / 1000
    for step in steps:
        turns = step.counts.get("turns", 0)
        if step.step == READING and turns >= LEAST and step.duration_ms > 0:
            return KnownPace(step.duration_ms / 1000 / took, took / turns)
    return USUAL


def seconds_left(turns: int, total: int, elapsed: float, collected_in: float, known: KnownPace = USUAL) -> float:
    """The seconds until the end, after `turns` of `total` were read in `collected_in` seconds; never below zero.

    Where none was read yet, as after a break, it is the last night's pace that tells; 0 where that is not known.

    >>> seconds_left(500, 1_000, elapsed=60.0, collected_in=60.0), seconds_left(1_000, 1_000, 200.0, 90.0)
    (340.0, 100.0)
    >>> seconds_left(0, 1_000, elapsed=5.0, collected_in=0.0, known=KnownPace(0.25, 0.02))
    15.0
    """
    if total <= 0:
        return 0.0
    whole = collected_in / turns * total / known.reading if turns else total * known.a_turn
    return max(0.0, whole - elapsed)
