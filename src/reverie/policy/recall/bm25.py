"""BM25 over weighted fields: how much a term found in a text says about it.

Every place where a term occurs adds its field's weight to one pooled frequency, which is saturated once: a word that
stands both in a turn and in the turn before it is not two pieces of evidence.
"""

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Number = TypeVar("Number", float, "NDArray[np.float64]")


@dataclass(frozen=True, slots=True)
class Bm25Weights:
    """Measured on LoCoMo's development split (`bench/retrieval.py`); the optimum is flat around these."""

    body: float = 1.0
    context: float = 0.5  # the two turns before, and the date in words
    extra: float = 0.25  # hints, added by nights: entities, derived facts, turns farther off
    third_before: float = 0.25
    next: tuple[float, float] = (0.5, 0.25)  # the two turns after
    spoken: float = 1.0  # for what was said by the person whose name the query holds
    k1: float = 1.2
    b: float = 0.75


WEIGHTS = Bm25Weights()


def rarity(documents: int, holding: int) -> float:
    """A term's weight; never zero, so that a space of one turn can be searched too.

    >>> round(rarity(100, 1), 2), round(rarity(100, 100), 3)
    (4.21, 0.005)
    """
    return log(1 + (documents - holding + 0.5) / (holding + 0.5))


def name_rarity(documents: int, holding: int) -> float:
    """A speaker's name says something only while few texts hold it: in a talk of two, every other turn does.

    >>> round(name_rarity(100, 2), 2), name_rarity(100, 60)
    (3.67, 0.0)
    """
    return max(0.0, log((documents - holding + 0.5) / (holding + 0.5)))


def saturated(frequency: Number, length: Number, *, k1: float = WEIGHTS.k1, b: float = WEIGHTS.b) -> Number:
    """A pooled frequency in a text whose length is `length` times the mean; approaches `k1 + 1`.

    >>> round(saturated(1.0, 1.0), 2), round(saturated(5.0, 1.0), 2), round(saturated(1.0, 3.0), 2)
    (1.0, 1.77, 0.55)
    """
    return frequency * (k1 + 1) / (frequency + k1 * (1 - b + b * length))
