"""What a model's program came to, asked twice: quantities that two samples disagree on are kept from neither."""

from collections.abc import Iterable, Sequence

from reverie.language.words import jaccard, stems, tokens
from reverie.model.thinking import Thought
from reverie.policy.ponder.program import Quantity, Worked

ALIKE = 0.75  # of the words of two names: they mean the same quantity
_EMPTY = frozenset(("the", "a", "an", "of", "in", "for", "and", "to", "by", "is", "number"))


def agreed(samples: Sequence[Worked]) -> tuple[list[Quantity], int]:
    """Derived quantities of all samples, each once, and how many were dropped because two samples disagree.

    >>> from reverie.policy.ponder.program import run
    >>> one = run(["cost_of_pens = 2 * 3 # 1", "cost_of_ink = 2 + 3 # 1"], ["2 pens, 3 ink"])
    >>> two = run(["cost_of_the_pens = 3 * 2 # 1", "cost_of_ink = 2 * 3 # 1"], ["2 pens, 3 ink"])
    >>> kept, dropped = agreed([one, two])
    >>> [one.name for one in kept], dropped
    (['cost_of_pens'], 2)
    """
    kept: list[Quantity] = []
    refused: list[Quantity] = []
    for n, sample in enumerate(samples):
        others = [one for m, other in enumerate(samples) if m != n for one in other.quantities.values()]
        for one in sample.derived:
            rivals = [other for other in others if same_name(one, other)]
            if any(other.value != one.value for other in rivals):
                refused.append(one)
            elif not any(same_name(one, other) and other.value == one.value for other in kept):
                kept.append(one)
    return kept, len(refused)


def same_name(a: Quantity, b: Quantity) -> bool:
    """Whether two names mean the same quantity."""
    return a.name == b.name or jaccard(_words(a), _words(b)) >= ALIKE


def as_thoughts(quantities: Iterable[Quantity]) -> list[Thought]:
    """Worked-out quantities as sentences; one that rests on no line of the text is none."""
    return [
        Thought(
            "comparison" if isinstance(one.value, bool) else "computation",
            f"{one.words[:1].upper()}{one.words[1:]}: {one.worked} = {one.shown}",
            one.lines,
            one.shown,
            one.worked,
        )
        for one in quantities
        if one.lines
    ]


def _words(quantity: Quantity) -> frozenset[str]:
    return frozenset(stems(word for word in tokens(quantity.words) if word not in _EMPTY))
