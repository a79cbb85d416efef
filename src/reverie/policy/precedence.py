"""A fact that holds stands before the sentence it was drawn from: first what is so, then who said it."""

from collections.abc import Mapping, Sequence


def facts_first(order: Sequence[str], drawn: Mapping[str, Sequence[str]]) -> list[str]:
    """The same ids, each fact moved up to just before the first of its sentences that stands above it.

    `drawn`: facts that hold, with the sentences they were drawn from. A sentence lifts the best of its facts only.

    >>> facts_first(["said", "other", "fact", "second"], {"fact": ["said"], "second": ["said"]})
    ['fact', 'said', 'other', 'second']
    """
    place = {ref: i for i, ref in enumerate(order)}
    lifted: dict[str, str] = {}  # sentence -> the fact that goes before it
    for fact in (ref for ref in order if ref in drawn):
        above = [ref for ref in drawn[fact] if ref in place and place[ref] < place[fact]]
        first = min(above, key=place.__getitem__, default=None)
        if first is not None and first not in lifted:
            lifted[first] = fact
    moved = set(lifted.values())
    ordered: list[str] = []
    for ref in order:
        if ref in lifted:
            ordered.append(lifted[ref])
        if ref not in moved:
            ordered.append(ref)
    return ordered
