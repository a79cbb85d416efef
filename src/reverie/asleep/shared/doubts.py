"""Which lines of core later statements may have overtaken: by their words, by how near the two are in meaning, and as a
reader of two statements finds."""

from collections.abc import Iterator, Sequence
from math import tanh

from reverie.asleep.step import Minds
from reverie.model.memories import Memory
from reverie.policy.core.lines import is_lasting, of_health
from reverie.policy.core.overtaken import may_be_overtaken

DOUBT = -0.5  # the odds of the reader below which both stand, where only the words of the later one speak of a change
# Fitted to the updates of 29 histories: for the cosine, for the odds of the reader, for words that speak of a change,
# and the sum from which a line gives way: 39 of 100 overtaken lines that nothing else finds do, and 5 of 100 others.
NEAR, READ, WORDS, GIVES_WAY = 6.0, 0.7, 1.0, 3.4


def doubted(minds: Minds, lines: Sequence[Memory], later: Sequence[Memory]) -> list[tuple[Memory, Memory]]:
    """The pairs of a line and a later statement that may have overtaken it."""
    by_words = [(line, said) for line in lines for said in later if may_be_overtaken(line, said)]
    if minds.overtaking is None or not minds.embedder.dim:
        return by_words
    near = list(_near(minds, lines, later))
    pairs = [*by_words, *(pair for pair, _ in near)]
    odds = [its.overtakes for its in minds.overtaking.read([(line.quote, said.quote) for line, said in pairs])]
    found = [pair for pair, its in zip(by_words, odds, strict=False) if its >= DOUBT]
    for ((line, said), cosine), its in zip(near, odds[len(by_words) :], strict=True):
        speaks = (line, said) in by_words
        if (line, said) not in found and NEAR * cosine + READ * tanh(its / 4.0) + WORDS * speaks >= GIVES_WAY:
            found.append((line, said))
    return found


def _near(
    minds: Minds, lines: Sequence[Memory], later: Sequence[Memory]
) -> Iterator[tuple[tuple[Memory, Memory], float]]:
    """The pairs that are near enough to be read. Who somebody is, their people and their health are given up for words
    of change alone, unless a day is told with them."""
    passing = [line for line in lines if not (of_health(line) or (is_lasting(line) and line.happened_at is None))]
    vectors = dict(
        zip(
            (one.id for one in (*passing, *later)),
            minds.embedder.embed([one.quote for one in (*passing, *later)]),
            strict=True,
        )
    )
    for line in passing:
        for said in later:
            if said.dated > line.dated and said.speaker == line.speaker and said.quote:
                cosine = float(vectors[line.id] @ vectors[said.id])
                if NEAR * cosine + READ + WORDS >= GIVES_WAY:
                    yield (line, said), cosine
