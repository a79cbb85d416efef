"""A second look at sentences whose words leave something open, by the bundled embedder.

Its middle layers tell what kind of sentence it is: a directive or a story, worth keeping or of the moment. One weight
for each of their numbers and one for the sum of the words stand in `directives/second_look.npy` (which also has one for
a plain form) and `reading/second_look.npy`, fitted by `bench/fit_directives.py` and `bench/fit_salience.py`. Other
embedders have no such layers: then the words decide alone, as they do awake.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import as_file, files
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
WIDTH = 768
LONGEST = 300  # characters of a sentence that are looked at
REMEMBERED = 512  # sentences that were looked at last: two questions are asked of each


@dataclass(frozen=True, slots=True)
class SecondLook:
    """How much each sentence reads as a directive, and as worth keeping."""

    middle: Callable[[Sequence[str]], Floats]
    _seen: dict[str, Floats] = field(default_factory=dict)

    @classmethod
    def by(cls, embedder: Any) -> "SecondLook | None":
        """By an embedder that shows its middle layers; None for every other one."""
        middle = getattr(embedder, "middle", None)
        return cls(middle) if middle is not None else None

    def lasting(self, sentences: Sequence[str], sums: Sequence[float], forms: Sequence[bool]) -> list[float]:
        """Whether they are directives: above nought, rather yes. `forms` says which are plain by their form."""
        return _rounded(scored(weights("directives"), self._vectors(sentences), forms, sums))

    def worth(self, sentences: Sequence[str], sums: Sequence[float]) -> list[float]:
        """Whether they are worth keeping, in the same way."""
        return _rounded(scored(weights("reading"), self._vectors(sentences), sums))

    def _vectors(self, sentences: Sequence[str]) -> Floats:
        plain = [" ".join(sentence.split())[:LONGEST] for sentence in sentences]
        missing = [text for text in dict.fromkeys(plain) if text not in self._seen]
        found = dict(zip(missing, self.middle(missing), strict=True)) if missing else {}
        vectors = np.array([found[text] if text in found else self._seen[text] for text in plain], np.float32)
        if len(self._seen) + len(found) > REMEMBERED:
            self._seen.clear()
        self._seen.update(found)
        return vectors.reshape(len(plain), WIDTH)


def _rounded(scores: Floats) -> list[float]:
    return [round(float(score), 3) for score in scores]


def scored(weights: Floats, vectors: Floats, *marks: Sequence[float] | Sequence[bool]) -> Floats:
    """The weighted sum of the layers and of each further mark of a sentence, and the bias, which stands last."""
    total: Floats = vectors @ weights[:WIDTH] + weights[-1]
    for mark, weight in zip(marks, weights[WIDTH:-1], strict=True):
        total = total + np.asarray(mark, np.float32) * weight
    return total


@lru_cache(maxsize=2)
def weights(room: str) -> Floats:
    with as_file(files(__package__).joinpath(room, "second_look.npy")) as path:
        found: Floats = np.load(path)
    return found
