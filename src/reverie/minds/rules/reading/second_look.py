"""A second look at sentences whose words leave open whether they are directives, by the bundled embedder.

Its middle layers tell what kind of sentence it is. One weight for each of their numbers, one for the sum of the words
and one for a plain form are in `second_look.npy`, fitted by `bench/fit_directives.py`. Other embedders have no such
layers: then the words decide alone, as they do awake.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
WIDTH = 768
LONGEST = 300  # characters of a sentence that are looked at
FORM, SUM, BIAS = WIDTH, WIDTH + 1, WIDTH + 2  # the places of the last three weights


@dataclass(frozen=True, slots=True)
class SecondLook:
    """From each sentence, the sum of its words and whether its form is plain: how much it reads as a directive."""

    middle: Callable[[Sequence[str]], Floats]

    @classmethod
    def by(cls, embedder: Any) -> "SecondLook | None":
        """By an embedder that shows its middle layers; None for every other one."""
        middle = getattr(embedder, "middle", None)
        return cls(middle) if middle is not None else None

    def scores(self, sentences: Sequence[str], sums: Sequence[float], forms: Sequence[bool]) -> list[float]:
        vectors = self.middle([" ".join(sentence.split())[:LONGEST] for sentence in sentences])
        return [round(float(score), 3) for score in scored(_weights(), vectors, sums, forms)]


def scored(weights: Floats, vectors: Floats, sums: Sequence[float], forms: Sequence[bool]) -> Floats:
    form, words, bias = weights[FORM], weights[SUM], weights[BIAS]
    total: Floats = vectors @ weights[:WIDTH] + np.asarray(sums) * words + np.asarray(forms) * form + bias
    return total


@lru_cache(maxsize=1)
def _weights() -> Floats:
    with as_file(files(__package__).joinpath("second_look.npy")) as path:
        weights: Floats = np.load(path)
    return weights
