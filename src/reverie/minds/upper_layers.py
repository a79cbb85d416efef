"""Readers over the bundled embedder: its lower layers, then upper ones of a reader's own, fitted to some questions.

A reader sees a text in its talk and answers in odds. All of them share the lower layers, and run in nights alone.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reverie.minds.minilm import MODEL, MiniLM, batches, session

Floats = NDArray[np.float32]
REMEMBERED = 4_096  # texts that were read last: a turn that could not be finished comes again
DECIMALS = 3


@dataclass(frozen=True, slots=True)
class Room:
    """How many tokens a reader reads."""

    context: int = 44
    after: int = 0
    tokens: int = 110  # in all


class Encoded(NamedTuple):
    """The tokens of a text in its talk, and which of them are the text's own."""

    ids: list[int]
    begin: int
    end: int


class UpperLayers:
    """Upper layers that were fitted to some questions, above the embedder's lower ones: the odds of a text behind its
    context. What was asked lately is not read again."""

    def __init__(self, lower: MiniLM, model: str, questions: int, room: Room | None = None) -> None:
        self._lower = lower
        self._model = model
        self._questions = questions
        self._room = room or Room()
        self._lock = Lock()
        self._seen: OrderedDict[tuple[str, ...], tuple[float, ...]] = OrderedDict()

    def odds(self, texts: Sequence[tuple[str, ...]]) -> list[tuple[float, ...]]:
        """Of each context, text and what comes after it the logarithm of the odds of every question."""
        known = {pair: odds for pair in texts if (odds := self._seen.get(pair)) is not None}
        new = [pair for pair in dict.fromkeys(texts) if pair not in known]
        known |= zip(new, self._read(new), strict=True)
        with self._lock:  # nights of several spaces share one judge
            self._seen.update((pair, known[pair]) for pair in new)
            while len(self._seen) > REMEMBERED:
                self._seen.popitem(last=False)
        return [known[pair] for pair in texts]

    def encoded(self, context: str, text: str, after: str = "") -> Encoded:
        """`[CLS]`, the end of the context, `[SEP]`, the text, `[SEP]`; what comes after it behind that."""
        pieces, room = self._lower.pieces, self._room
        first, last = pieces.ends
        around = pieces.plain(context)[-room.context :] if context else []
        behind = [*pieces.plain(after)[: room.after], last] if after else []
        own = pieces.plain(text)[: room.tokens - 3 - len(around) - len(behind)]
        begin = len(around) + 2
        return Encoded([first, *around, last, *own, last, *behind], begin, begin + len(own) + 1)

    def _read(self, texts: Sequence[tuple[str, ...]]) -> list[tuple[float, ...]]:
        encoded = [self.encoded(*parts) for parts in texts]
        out = np.zeros((len(texts), self._questions), np.float32)
        for batch in batches([len(one.ids) for one in encoded]) if texts else ():
            out[batch] = self._run([encoded[i] for i in batch])
        return [tuple(round(float(value), DECIMALS) for value in row) for row in out]

    def _run(self, encoded: Sequence[Encoded]) -> Floats:
        states, mask = self._lower.states([one.ids for one in encoded])
        own = np.zeros(mask.shape, np.float32)
        for row, one in enumerate(encoded):
            own[row, one.begin : one.end] = 1.0
        judged: Floats
        (judged,) = self._session.run(["judged"], {"states": states, "attention_mask": mask, "own": own})
        return judged

    @cached_property
    def _session(self) -> Any:
        return session(MODEL / self._model, threads=1)
