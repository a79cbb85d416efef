"""A small reader: it judges a sentence in its talk, and answers in odds.

The lower layers are the bundled embedder's; three upper ones of its own (`model/judge.onnx`, 5 MB) were fitted by
`bench/fit_judge.py` to labelled talk. It runs in nights alone. Words and forms explain a decision;
where they leave it open, this decides.
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
CONTEXT_TOKENS, TOKENS = 44, 110
BEFORE, LEAD = 160, 200  # characters of what was said just before, and of the same turn before the sentence
REMEMBERED = 4_096  # texts that were judged last: a turn that could not be finished comes again
DECIMALS = 3


class Judged(NamedTuple):
    """The logarithms of the odds: above nought, rather yes. In the order of the model's heads."""

    directive: float  # it tells the agent how to behave from now on
    worth: float  # somebody will need it in a later week
    core: float  # an assistant should have it before its eyes at all times
    leans: float  # nobody understands it without the turn before, or what was said still earlier
    meant: float  # literally, by the speaker: no joke, no hypothesis, nobody else's words


@dataclass(frozen=True, slots=True)
class SentenceInTalk:
    """A sentence, what its speaker said before it in the same turn, and the end of the turn before that."""

    text: str
    lead: str = ""
    before: str = ""

    @property
    def context(self) -> str:
        """
        >>> SentenceInTalk("410 GB.", "yes, big.", "How big is it?").context
        'How big is it? / yes, big.'
        """
        return f"{_end(self.before, BEFORE)} / {_end(self.lead, LEAD)}".strip() if self.before or self.lead else ""


class Judge:
    """Loads its model when it is first asked."""

    def __init__(self, lower: MiniLM) -> None:
        self._lower = lower
        self._upper = UpperLayers(lower, "judge.onnx", len(Judged._fields))

    @classmethod
    def by(cls, embedder: Any) -> "Judge | None":
        """With the bundled embedder; None with any other, whose layers the judge does not know."""
        return cls(embedder) if isinstance(embedder, MiniLM) else None

    def sentences(self, said: Sequence[SentenceInTalk]) -> list[Judged]:
        return self._of([(one.context, " ".join(one.text.split())) for one in said])

    def by_itself(self, text: str) -> Judged:
        """What it is if nobody knows what was said before it."""
        return self._of([("", " ".join(text.split()))])[0]

    def leaning(self, texts: Sequence[str]) -> list[float]:
        """How surely each text needs something that was said before it."""
        return [one.leans for one in self._of([("", " ".join(text.split())) for text in texts])]

    def nearness(self, one: str, other: str) -> float:
        """How near two texts are in meaning: the cosine of their vectors."""
        a, b = self._lower.embed([one, other])
        return float(a @ b)

    def _of(self, texts: Sequence[tuple[str, str]]) -> list[Judged]:
        return [Judged(*odds) for odds in self._upper.odds(texts)]


class UpperLayers:
    """Upper layers that were fitted to some questions, above the embedder's lower ones: the odds of a text behind its
    context. What was asked lately is not read again."""

    def __init__(self, lower: MiniLM, model: str, questions: int) -> None:
        self._lower = lower
        self._model = model
        self._questions = questions
        self._lock = Lock()
        self._seen: OrderedDict[tuple[str, str], tuple[float, ...]] = OrderedDict()

    def odds(self, texts: Sequence[tuple[str, str]]) -> list[tuple[float, ...]]:
        """Of each context and text the logarithm of the odds of every question."""
        known = {pair: odds for pair in texts if (odds := self._seen.get(pair)) is not None}
        new = [pair for pair in dict.fromkeys(texts) if pair not in known]
        known |= zip(new, self._read(new), strict=True)
        with self._lock:  # nights of several spaces share one judge
            self._seen.update((pair, known[pair]) for pair in new)
            while len(self._seen) > REMEMBERED:
                self._seen.popitem(last=False)
        return [known[pair] for pair in texts]

    def ids(self, context: str, text: str) -> tuple[list[int], int]:
        """`[CLS]`, the end of the context, `[SEP]`, the text, `[SEP]`; and where the text begins."""
        pieces = self._lower.pieces
        first, last = pieces.ends
        around = pieces.plain(context)[-CONTEXT_TOKENS:] if context else []
        own = pieces.plain(text)[: TOKENS - 3 - len(around)]
        return [first, *around, last, *own, last], len(around) + 2

    def _read(self, texts: Sequence[tuple[str, str]]) -> list[tuple[float, ...]]:
        encoded = [self.ids(*pair) for pair in texts]
        out = np.zeros((len(texts), self._questions), np.float32)
        for batch in batches([len(ids) for ids, _ in encoded]) if texts else ():
            out[batch] = self._run([encoded[i] for i in batch])
        return [tuple(round(float(value), DECIMALS) for value in row) for row in out]

    def _run(self, encoded: Sequence[tuple[Sequence[int], int]]) -> Floats:
        states, mask = self._lower.states([ids for ids, _ in encoded])
        own = mask.astype(np.float32)
        for row, (_, start) in enumerate(encoded):
            own[row, :start] = 0.0
        judged: Floats
        (judged,) = self._session.run(["judged"], {"states": states, "attention_mask": mask, "own": own})
        return judged

    @cached_property
    def _session(self) -> Any:
        return session(MODEL / self._model, threads=1)


def _end(text: str, characters: int) -> str:
    return " ".join(text.split())[-characters:]
