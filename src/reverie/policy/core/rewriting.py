"""How a block is rewritten without harm: a person's lines stay, few sentences go at once, limits hold."""

import difflib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from reverie.language.sentences import sentences
from reverie.language.words import normalised


@dataclass(frozen=True, slots=True)
class BlockLine:
    """One line of a block. Without sources it is a person's own."""

    text: str
    sources: tuple[str, ...] = ()

    @property
    def own(self) -> bool:
        return not self.sources


def lines_of(value: str, sources: Mapping[str, tuple[str, ...]]) -> list[BlockLine]:
    """A block's lines; those that a night wrote, and nobody has touched since, carry their sources.

    >>> lines_of("My notes\\nThe user likes tea.", {"The user likes tea.": ("mem-1",)})
    [BlockLine(text='My notes', sources=()), BlockLine(text='The user likes tea.', sources=('mem-1',))]
    """
    return [BlockLine(line, sources.get(line.strip(), ())) for line in value.splitlines()]


def parted(lines: Sequence[BlockLine], over: Collection[str]) -> tuple[list[BlockLine], list[BlockLine]]:
    """The lines that stay, and those that rest on something that no longer holds."""
    gone = [line for line in lines if any(source in over for source in line.sources)]
    return [line for line in lines if line not in gone], gone


def woven(lines: Sequence[BlockLine], drafted: Sequence[BlockLine]) -> list[BlockLine]:
    """A draft in the place of what nights wrote before, together; own lines stay, word for word and in their order.

    >>> lines = [BlockLine("Mine"), BlockLine("Tea.", ("a",)), BlockLine("Rum.", ("b",)), BlockLine("Mine too")]
    >>> [line.text for line in woven(lines, [BlockLine("Tea and rum.", ("a", "b"))])]
    ['Mine', 'Tea and rum.', 'Mine too']
    """
    own = {line.text for line in lines if line.own}
    new = {line.text: line for line in drafted if line.sources and line.text not in own}
    place = next((i for i, line in enumerate(lines) if not line.own), len(lines))
    return [*lines[:place], *new.values(), *(line for line in lines[place:] if line.own)]


def lost(before: Sequence[BlockLine], after: Sequence[BlockLine]) -> list[BlockLine]:
    """Lines of nights whose sources no line rests on any more."""
    carried = {source for line in after for source in line.sources}
    return [line for line in before if not line.own and carried.isdisjoint(line.sources)]


def restored(before: Sequence[BlockLine], after: Sequence[BlockLine], weight: Mapping[str, float]) -> list[BlockLine]:
    """A draft that let go of too much gets back what matters most: at most a quarter of the lines goes in one night."""
    missing = sorted(lost(before, after), key=lambda line: (_weight(line, weight), line.text))
    back = missing[int(DIFF_WEIGHTS.review_from * len(before)) :]
    return [*after, *(line for line in before if line in back)]


def condensed(lines: Sequence[BlockLine], weight: Mapping[str, float], size: int) -> list[BlockLine]:
    """The lines without the least of what nights wrote, until they fit in `size` or a quarter of them has gone.

    >>> lines = [BlockLine("a" * 9, ("1",)), BlockLine("b" * 9, ("2",)), BlockLine("c"), BlockLine("d")]
    >>> [line.text[0] for line in condensed(lines, {"1": 0.2, "2": 0.9}, 15)]
    ['b', 'c', 'd']
    """
    kept = list(lines)
    candidates = sorted((line for line in lines if not line.own), key=lambda line: (_weight(line, weight), line.text))
    for line in candidates[: int(DIFF_WEIGHTS.review_from * len(lines))]:
        if len(text_of(kept)) <= size:
            break
        kept.remove(line)
    return kept


def text_of(lines: Sequence[BlockLine]) -> str:
    return "\n".join(line.text for line in lines).strip("\n")


def compared(before: Sequence[BlockLine], after: Sequence[BlockLine], ended: Sequence[BlockLine]) -> str:
    """The old text as a reviewer of removals should see it: without what ended, and with what was only reworded."""
    standing = [line for line in before if line not in ended]
    gone = lost(standing, after)
    carried = {source: line.text for line in after for source in line.sources}
    return "\n".join(
        line.text if line.own or line in gone else next(carried[s] for s in line.sources if s in carried)
        for line in standing
    )


def _weight(line: BlockLine, weight: Mapping[str, float]) -> float:
    return max((weight.get(source, 0.0) for source in line.sources), default=1.0)


@dataclass(frozen=True, slots=True)
class LimitWeights:
    target: float = 0.6  # of its limit, to which a condensed block is brought, so that it does not fill at once


LIMIT_WEIGHTS = LimitWeights()


def with_line(value: str, line: str) -> str:
    """A block with one line more.

    >>> with_line("Anna", " lives in Hamburg "), with_line("", "Anna")
    ('Anna\\nlives in Hamburg', 'Anna')
    """
    return f"{value.rstrip()}\n{line.strip()}" if value.strip() else line.strip()


def condensed_size(limit: int, w: LimitWeights = LIMIT_WEIGHTS) -> int:
    """How long a condensed block may be.

    >>> condensed_size(5_000)
    3000
    """
    return int(w.target * limit)


@dataclass(frozen=True, slots=True)
class DiffWeights:
    review_from: float = 0.25  # share of a block's sentences; a rewrite that removes more waits for a person


DIFF_WEIGHTS = DiffWeights()


def unified(before: str, after: str) -> str:
    """A unified diff without file names; empty if nothing changed.

    >>> print(unified("tea\\nmilk", "tea\\ncoffee"))
    @@ -1,2 +1,2 @@
     tea
    -milk
    +coffee
    """
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=2)
    return "\n".join(line for line in lines if not line.startswith(("---", "+++")))


def removed_share(before: str, after: str) -> float:
    """Which part of a text's sentences is gone. A sentence that moved, or changed in spacing only, is still there.

    >>> removed_share("Anna bakes. Tom sings. Ben runs. Eve reads.", "Eve reads. Anna bakes. Ben runs.")
    0.25
    """
    old = [normalised(sentence) for sentence in sentences(before)]
    kept = {normalised(sentence) for sentence in sentences(after)}
    return sum(sentence not in kept for sentence in old) / len(old) if old else 0.0


def needs_review(before: str, after: str, w: DiffWeights = DIFF_WEIGHTS) -> str | None:
    """Why a person must look at a night's rewrite, or None: it takes away more than a quarter of the sentences.

    `before` should be without what the night replaces on purpose: a superseded sentence is not lost.

    >>> needs_review("Anna bakes. Tom sings.", "Anna bakes.")
    '50% of the sentences would go, at most 25% without a review'
    """
    if before.strip() and not after.strip():
        return "nothing would be left of it"
    share = removed_share(before, after)
    if share > w.review_from:
        return f"{share:.0%} of the sentences would go, at most {w.review_from:.0%} without a review"
    return None
