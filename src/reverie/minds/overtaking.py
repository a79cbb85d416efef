"""A small reader of two statements: does the later one bring the earlier one up to date?

Words of change and values that differ say it only where somebody says it in so many words ("moved to the 18th"). People
mostly tell the news and leave the rest to whoever listens: "Dr. Amadi wants me on 75 now". The reader has upper layers
of its own, as the judge has, fitted to labelled pairs by `bench/fit_overtaking.py`. It runs in nights alone.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from reverie.minds.judge import UpperLayers
from reverie.minds.minilm import MiniLM

TASKS = ("overtakes", "wholly")


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
        """Of each earlier and later statement."""
        texts = [(" ".join(older.split()), " ".join(newer.split())) for older, newer in pairs]
        return [Overtaking(*odds) for odds in self._upper.odds(texts)]
