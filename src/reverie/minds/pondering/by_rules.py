"""The rules' way of thinking ahead: what tables, lists, dates, logs and kin come to; where unsure, nothing."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime

from reverie.language.words import content_hash
from reverie.model.thinking import Material, Pondered, Thought
from reverie.policy.ponder import days, prose
from reverie.policy.ponder.figures import figures
from reverie.policy.ponder.grids import grids
from reverie.policy.ponder.kinship import kin
from reverie.policy.ponder.logs import log_figures

MOST = 80  # thoughts on one context
MOST_LINES = 2_000
LONGEST_LINE = 2_000


def ponder(material: Material) -> Pondered:
    """What follows from a context by code alone."""
    lines = [line.text[:LONGEST_LINE] for line in material.lines[:MOST_LINES]]
    found: list[Thought] = [thought for grid in grids(lines) for thought in figures(grid)]
    for read in READINGS:
        found += read(lines)
    years = frozenset[int]() if material.talk else days.years(material.text)
    found += [*prose.spans(lines, years), *prose.terms(lines, years)]
    if material.now is not None:
        found += prose.until(lines, datetime.fromtimestamp(material.now, UTC).date(), years)
    kept = once(found)[:MOST]
    return Pondered(tuple(kept), {"thought": len(kept), **Counter(thought.kind for thought in kept)})


def once(thoughts: Iterable[Thought]) -> list[Thought]:
    """Each text once, the first of them."""
    return list({content_hash(thought.text): thought for thought in reversed(list(thoughts))}.values())[::-1]


READINGS: tuple[Callable[[Sequence[str]], Iterable[Thought]], ...] = (
    log_figures,
    prose.tallies,
    prose.prices,
    kin,
)
