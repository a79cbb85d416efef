"""A small reader of two statements: does the later one bring the earlier one up to date?

Words of change and values that differ say it only where somebody says it in so many words ("moved to the 18th"). People
mostly tell the news and leave the rest to whoever listens: "Dr. Amadi wants me on 75 now". The reader has upper layers
of its own, as the judge has, fitted to labelled pairs by `bench/fit_overtaking.py`. It runs in nights alone.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from reverie.language.sentences import sentences
from reverie.minds.minilm import MiniLM
from reverie.minds.upper_layers import UpperLayers

TASKS = ("overtakes", "wholly")
LONGEST = 600  # characters of a statement that is read sentence by sentence as well
LEAST = 4  # words of such a sentence


class Overtaking(NamedTuple):
    """The logarithms of the odds, in the order of the model's heads."""

    overtakes: float  # what the earlier says is no longer so, or not all of it
    wholly: float  # nothing of it is


class OvertakingReader:
    """Loads its model when it is first asked."""

    def __init__(self, lower: MiniLM) -> None:
        self._upper = UpperLayers(lower, "overtaking.onnx", len(TASKS))

    @classmethod
    def by(cls, embedder: Any) -> "OvertakingReader | None":
        """With the bundled embedder; None with any other."""
        return cls(embedder) if isinstance(embedder, MiniLM) else None

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Overtaking]:
        """Of each earlier and later statement; of several sentences, what the most telling of them says."""
        parts = [[(_line(older), part) for part in _parts(newer)] for older, newer in pairs]
        odds = iter(self._upper.odds([pair for some in parts for pair in some]))
        return [max(Overtaking(*next(odds)) for _ in some) for some in parts]


def _parts(text: str) -> list[str]:
    """The statement, and each of its sentences that may say something by itself."""
    told = sentences(text) if len(text) <= LONGEST else []
    single = [_line(one) for one in told if len(one.split()) >= LEAST] if len(told) > 1 else []
    return [_line(text), *single]


def _line(text: str) -> str:
    return " ".join(text.split())
