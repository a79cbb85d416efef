"""A small reader of whose words a sentence is: the user's own, or of a text that was handed over, shown or made up.

Marks and requests give most of it away (`language/speech.py`), but people paste without a mark and ask in words that no
table foresees. The reader sees the sentence where it stands: the end of the turn before, how the turn begins and ends,
and what is around the sentence. It has upper layers of its own, as the judge has, fitted to labelled turns by
`bench/fit_authorship.py`. It runs in nights alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reverie.minds.minilm import MiniLM
from reverie.minds.upper_layers import Room, UpperLayers

TASKS = ("others",)
# Odds that words are somebody else's, from which nothing is kept of them: in the first line of a turn, and below it. Of
# what people say to an agent one sentence in fifty stands below, where nearly all that others wrote stands as well.
FIRST_LINE, BELOW = 2.5, 0.0
MAYBE_FIRST_LINE, MAYBE_BELOW = 0.0, -5.0  # from here they are worth no more than a file's
ROOM = Room(context=116, after=52, tokens=236)
BEFORE, HEAD, LEAD, NEXT, TAIL = 120, 200, 160, 70, 130  # characters


@dataclass(frozen=True, slots=True)
class PlaceInTurn:
    """A part of a turn, and the turn before it ("assistant: sure, paste it")."""

    turn: str
    begin: int
    end: int
    before: str = ""

    @classmethod
    def of(cls, turn: str, said: str, before: str = "") -> "PlaceInTurn":
        """Where something was said in a turn; `before` is what the assistant had said."""
        begin = max(0, turn.find(said))
        return cls(turn, begin, begin + len(said), f"assistant: {before}" if before else "")

    @property
    def is_below(self) -> bool:
        """Whether it stands behind the first line of the turn."""
        return "\n" in self.turn[: self.begin].lstrip()

    @property
    def parts(self) -> tuple[str, str, str]:
        """What stands before the part, the part, and what stands behind it.

        >>> PlaceInTurn("fix her text\\n\\nI live in Oslo. thx", 14, 29, "assistant: Hi!").parts
        ('assistant: Hi! | fix her text //', 'I live in Oslo.', 'thx')
        """
        first, second = _around(self.turn[: self.begin], HEAD, LEAD), _around(self.turn[self.end :], NEXT, TAIL)
        before = " ".join(self.before.split())[-BEFORE:]
        return f"{before} | {_line(first)}", _line(self.turn[self.begin : self.end]), _line(second)


def is_others(place: PlaceInTurn, odds: float) -> bool:
    """Whether the words there are somebody else's."""
    return odds > (BELOW if place.is_below else FIRST_LINE)


def is_doubted(place: PlaceInTurn, odds: float) -> bool:
    """Whether they may be."""
    return odds > (MAYBE_BELOW if place.is_below else MAYBE_FIRST_LINE)


class AuthorshipReader:
    """Loads its model when it is first asked."""

    def __init__(self, lower: MiniLM) -> None:
        self._upper = UpperLayers(lower, "authorship.onnx", len(TASKS), ROOM)

    @classmethod
    def by(cls, embedder: Any) -> "AuthorshipReader | None":
        """With the bundled embedder; None with any other."""
        return cls(embedder) if isinstance(embedder, MiniLM) else None

    def others(self, places: Sequence[PlaceInTurn]) -> list[float]:
        """Of each place the logarithm of the odds that its words are not the speaker's own."""
        return [odds for (odds,) in self._upper.odds([place.parts for place in places])]


def _around(text: str, first: int, last: int) -> str:
    """The beginning and the end of a text."""
    return text if len(text) <= first + last else f"{text[:first]} … {text[-last:]}"


def _line(text: str) -> str:
    """A text in one line that shows where lines and paragraphs ended."""
    lines = [" ".join(line.split()) for line in text.splitlines()]
    if text.endswith("\n"):
        lines.append("")
    return " ".join(" / ".join(lines).replace("/  /", "//").split())
