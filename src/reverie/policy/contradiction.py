"""What follows from two facts that do not go together. Better an open record than a wrong retirement."""

from dataclasses import dataclass
from typing import Literal

from reverie.model.base import Instant, Trust
from reverie.model.memories import Memory
from reverie.model.thinking import Clash


@dataclass(frozen=True, slots=True)
class Weights:
    margin: float = 0.3  # one side of a conflict must be surer by more than this
    sure: float = 0.5  # below this, the reasoner's own word that it is an update is not enough


WEIGHTS = Weights()


@dataclass(frozen=True, slots=True)
class Resolution:
    """`none`: nothing to record. `open`: both stay, marked. `auto`: `loser`, if any, holds until `valid_until`."""

    status: Literal["none", "open", "auto"]
    why: str
    winner: str | None = None
    loser: str | None = None
    valid_until: Instant | None = None


def resolve(older: Memory, newer: Memory, clash: Clash, w: Weights = WEIGHTS) -> Resolution:
    """What to do about `clash`, the reasoner's reading of the two."""
    if clash.kind == "none":
        return Resolution("none", clash.why)
    if clash.kind == "extends":
        return Resolution("auto", f"both hold: {clash.why}")
    if corrected := _correction(older, newer):
        return corrected
    if newer.trust < older.trust:
        # A page cannot end what the user said, however sure it sounds.
        return Resolution("open", f"{newer.origin} contradicts {older.origin}, which is more trusted")
    if clash.kind == "update":
        if clash.confidence < w.sure:
            return Resolution("open", f"perhaps an update: {clash.why}")
        return _retire(older, newer, since(newer), f"update: {clash.why}")
    return _conflict(older, newer, clash, w)


def since(memory: Memory) -> Instant:
    """From when a fact holds: where it says so, else when it was said."""
    return memory.dated if memory.valid_from is None else memory.valid_from


def _correction(older: Memory, newer: Memory) -> Resolution | None:
    """A person's correction always wins; of two, the later."""
    if _is_correction(newer):
        return _retire(older, newer, since(newer), "a person's correction")
    if _is_correction(older):
        return _retire(newer, older, since(newer), "a person's correction stands")
    return None


def _is_correction(memory: Memory) -> bool:
    return memory.correction and memory.trust >= Trust.USER


def _conflict(older: Memory, newer: Memory, clash: Clash, w: Weights) -> Resolution:
    """In favour of the surer side, whichever is newer; never on a narrow margin."""
    margin = newer.confidence - older.confidence
    if abs(margin) <= w.margin + 1e-9:
        return Resolution("open", f"confidence {older.confidence:.2f} against {newer.confidence:.2f}: {clash.why}")
    winner, loser = (newer, older) if margin > 0 else (older, newer)
    why = f"confidence {winner.confidence:.2f} against {loser.confidence:.2f}: {clash.why}"
    return _retire(loser, winner, since(newer), why)


def _retire(loser: Memory, winner: Memory, at: Instant, why: str) -> Resolution:
    # A fact that ends before it began never held; it must not come back `as_of` some moment in between.
    until = max(at, loser.valid_from) if loser.valid_from is not None else at
    return Resolution("auto", why, winner.id, loser.id, until)
