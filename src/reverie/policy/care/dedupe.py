"""Which memories say the same: candidates by MinHash bands, the verdict by the words themselves.

Bands are kept in a table, so a new text is compared with the few that share one, never with all. Merging is the
one thing that can lose a statement, so words that change the meaning (numbers, negations, another name) forbid it.
"""

import zlib
from collections.abc import Set
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from reverie.language.vocabulary import STOP_WORDS
from reverie.language.words import jaccard, stem, tokens
from reverie.model.memories import Memory
from reverie.policy.decision import Decision


@dataclass(frozen=True, slots=True)
class DedupeWeights:
    near: float = 0.9  # token Jaccard from which two texts say the same
    bands: int = 12  # texts at 0.9 share one with probability 0.999, texts at 0.5 with 0.05
    rows: int = 8
    seed: int = 1


WEIGHTS = DedupeWeights()
Signature = npt.NDArray[np.uint32]

NEGATIONS = frozenset(
    {"no", "not", "never", "none", "nothing", "neither", "nor", "without", "cannot", "dont", "doesnt", "didnt"}
    | {"isnt", "arent", "wasnt", "werent", "wont", "wouldnt", "cant", "couldnt", "shouldnt", "havent", "hasnt", "hadnt"}
)


def _multipliers(w: DedupeWeights) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    """Multiply-shift hashing: odd 64-bit factors and offsets from a fixed seed, the same on every machine for ever."""
    seeded = np.random.Generator(np.random.PCG64(w.seed))
    size = w.bands * w.rows
    factors = seeded.integers(1, 2**63, size=size, dtype=np.uint64) | np.uint64(1)
    return factors, seeded.integers(0, 2**63, size=size, dtype=np.uint64)


_FACTORS, _OFFSETS = _multipliers(WEIGHTS)
_SHIFT = np.uint64(32)


def signature(text: str) -> Signature | None:
    """The MinHash of a text's words; None for a text without any (nothing is like it)."""
    return _minhash(_words(text))


@lru_cache(maxsize=256)  # a text is compared with each that shares a band with it
def _words(text: str) -> frozenset[str]:
    return frozenset(tokens(text))


def _minhash(words: Set[str]) -> Signature | None:
    if not words:
        return None
    hashed = np.array([zlib.crc32(word.encode()) for word in words], dtype=np.uint64)
    smallest: npt.NDArray[np.uint64] = (hashed[:, None] * _FACTORS + _OFFSETS).min(axis=0)
    return (smallest >> _SHIFT).astype(np.uint32)


def bands(text: str, w: DedupeWeights = WEIGHTS) -> tuple[int, ...]:
    """The keys under which a text is kept; near duplicates share at least one.

    >>> len(bands("I moved to Berlin last week")), bands("…")
    (12, ())
    >>> bands("I moved to Berlin") == bands("i moved, to Berlin!")
    True
    """
    found = signature(text)
    if found is None:
        return ()
    data, width = found.astype("<u4").tobytes(), 4 * w.rows
    return tuple([n << 32 | zlib.crc32(data[n * width : (n + 1) * width]) for n in range(w.bands)])


def near(a: str, b: str, w: DedupeWeights = WEIGHTS) -> Decision:
    """Do two texts say the same, and why (not)?

    >>> walk = "on the walk along the river we counted ducks and herons near"
    >>> near(f"{walk} bridge", f"{walk} bridge 12").why
    'the numbers differ: 12'
    """
    ours, theirs = _words(a), _words(b)
    likeness = jaccard(ours, theirs)
    if likeness < w.near:
        return Decision(False, f"{likeness:.2f} of their words are shared, needs {w.near:g}")
    only_a, only_b = ours - theirs, theirs - ours
    if why := _meaning_differs(only_a, only_b):
        return Decision(False, why)
    return Decision(True, f"{likeness:.2f} of their words are shared")


def survivor(a: Memory, b: Memory) -> Memory:
    """Which of two duplicates stays: the more trusted, the one a person cares for, the one that says more, the older.

    The other's sources, counts and date of first mention are kept with it.
    """
    return max((a, b), key=_standing)


def _standing(memory: Memory) -> tuple[int, bool, int, float, str]:
    cared_for = memory.pinned or memory.correction or memory.asked
    return memory.trust, cared_for, len(set(tokens(memory.text))), -memory.dated, memory.id


def _meaning_differs(only_a: Set[str], only_b: Set[str]) -> str | None:
    apart = only_a | only_b
    if numbers := sorted(word for word in apart if any(c.isdigit() for c in word)):
        return f"the numbers differ: {', '.join(numbers)}"
    if negated := sorted(apart & NEGATIONS):
        return f"one is negated: {', '.join(negated)}"
    left = {stem(word) for word in only_a - STOP_WORDS}
    right = {stem(word) for word in only_b - STOP_WORDS}
    if left - right and right - left:  # an added word tells more, an exchanged one tells something else
        return f"one says {', '.join(sorted(left - right))}, the other {', '.join(sorted(right - left))}"
    return None
