"""How a block is rewritten without harm: a person's lines stay as they are, and a night lets go of few sentences."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from reverie.model.thinking import Sentence
from reverie.policy.diffs import WEIGHTS


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a block. Without sources it is a person's own."""

    text: str
    sources: tuple[str, ...] = ()

    @property
    def own(self) -> bool:
        return not self.sources


def lines_of(value: str, sources: Mapping[str, tuple[str, ...]]) -> list[Line]:
    """A block's lines; those that a night wrote, and nobody has touched since, carry their sources.

    >>> lines_of("My notes\\nThe user likes tea.", {"The user likes tea.": ("mem-1",)})
    [Line(text='My notes', sources=()), Line(text='The user likes tea.', sources=('mem-1',))]
    """
    return [Line(line, sources.get(line.strip(), ())) for line in value.splitlines()]


def parted(lines: Sequence[Line], over: Collection[str]) -> tuple[list[Line], list[Line]]:
    """The lines that stay, and those that rest on something that no longer holds."""
    gone = [line for line in lines if any(source in over for source in line.sources)]
    return [line for line in lines if line not in gone], gone


def woven(lines: Sequence[Line], drafted: Sequence[Sentence]) -> list[Line]:
    """A draft in the place of what nights wrote before: own lines stay where they are, word for word.

    >>> woven([Line("Mine"), Line("Tea.", ("a",)), Line("Rum.", ("b",))], [Sentence("Tea and rum.", ("a", "b"))])
    [Line(text='Mine', sources=()), Line(text='Tea and rum.', sources=('a', 'b'))]
    """
    new = {sentence.text: Line(sentence.text, sentence.sources) for sentence in drafted if sentence.sources}
    here = {line.text for line in lines if line.own}
    result: list[Line] = []
    for line in lines:
        if line.own:
            result.append(line)
        elif line.text in new and line.text not in here:
            result.append(new.pop(line.text))
    return [*result, *(line for text, line in new.items() if text not in here)]


def lost(before: Sequence[Line], after: Sequence[Line]) -> list[Line]:
    """Lines of nights whose sources no line rests on any more."""
    carried = {source for line in after for source in line.sources}
    return [line for line in before if not line.own and carried.isdisjoint(line.sources)]


def restored(before: Sequence[Line], after: Sequence[Line], weight: Mapping[str, float]) -> list[Line]:
    """A draft that let go of too much gets back what matters most: at most a quarter of the lines goes in one night."""
    missing = sorted(lost(before, after), key=lambda line: (_weight(line, weight), line.text))
    back = missing[int(WEIGHTS.review_from * len(before)) :]
    return [*after, *(line for line in before if line in back)]


def condensed(lines: Sequence[Line], weight: Mapping[str, float], size: int) -> list[Line]:
    """The lines without the least of what nights wrote, until they fit in `size` or a quarter of them has gone.

    >>> kept = condensed([Line("a" * 9, ("1",)), Line("b" * 9, ("2",)), Line("c"), Line("d")], {"1": 0.2, "2": 0.9}, 15)
    >>> [line.text[0] for line in kept]
    ['b', 'c', 'd']
    """
    kept = list(lines)
    candidates = sorted((line for line in lines if not line.own), key=lambda line: (_weight(line, weight), line.text))
    for line in candidates[: int(WEIGHTS.review_from * len(lines))]:
        if len(text_of(kept)) <= size:
            break
        kept.remove(line)
    return kept


def text_of(lines: Sequence[Line]) -> str:
    return "\n".join(line.text for line in lines).strip("\n")


def compared(before: Sequence[Line], after: Sequence[Line], ended: Sequence[Line]) -> str:
    """The old text as a reviewer of removals should see it: without what ended, and with what was only reworded."""
    standing = [line for line in before if line not in ended]
    gone = lost(standing, after)
    carried = {source: line.text for line in after for source in line.sources}
    return "\n".join(
        line.text if line.own or line in gone else next(carried[s] for s in line.sources if s in carried)
        for line in standing
    )


def _weight(line: Line, weight: Mapping[str, float]) -> float:
    return max((weight.get(source, 0.0) for source in line.sources), default=1.0)
