"""A small reader: it judges a sentence in its talk, and answers in odds.

The lower layers are the bundled embedder's; three upper ones of its own (`model/judge.onnx`, 5 MB) were fitted by
`bench/fit_judge.py` to labelled talk. It runs in nights alone. Words and forms explain a decision;
where they leave it open, this decides.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from reverie.minds.authorship import AuthorshipReader, PlaceInTurn
from reverie.minds.minilm import MiniLM
from reverie.minds.upper_layers import UpperLayers

BEFORE, LEAD = 160, 200  # characters of what was said just before, and of the same turn before the sentence


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
        self._authorship = AuthorshipReader(lower)

    @classmethod
    def by(cls, embedder: Any) -> "Judge | None":
        """With the bundled embedder; None with any other, whose layers the judge does not know."""
        return cls(embedder) if isinstance(embedder, MiniLM) else None

    def sentences(self, said: Sequence[SentenceInTalk]) -> list[Judged]:
        return self._of([(one.context, " ".join(one.text.split())) for one in said])

    def others(self, places: Sequence[PlaceInTurn]) -> list[float]:
        """How surely the words at each place are somebody else's."""
        return self._authorship.others(places)

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


def _end(text: str, characters: int) -> str:
    return " ".join(text.split())[-characters:]
