"""Which lines of core later statements may have overtaken: by their words, and as a reader of two statements finds."""

from collections.abc import Sequence

from reverie.asleep.step import Minds
from reverie.model.memories import Memory
from reverie.policy.core.overtaken import may_be_overtaken

DOUBT = -0.5  # the odds of the reader below which both stand


def doubted(minds: Minds, lines: Sequence[Memory], later: Sequence[Memory]) -> list[tuple[Memory, Memory]]:
    """The pairs of a line and a later statement that may have overtaken it."""
    pairs = [(line, said) for line in lines for said in later if may_be_overtaken(line, said)]
    if minds.overtaking is None or not pairs:
        return pairs
    odds = minds.overtaking.read([(line.quote, said.quote) for line, said in pairs])
    return [pair for pair, its in zip(pairs, odds, strict=True) if its.overtakes >= DOUBT]
