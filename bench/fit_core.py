"""Fits what makes a statement one of a talk's most important (`policy/core/needed.py`), from the keys of histories.

    python -m bench.fit_core FOLDER… [--stores DIR]     # each folder judged by weights from the others

A fact counts as important if it was drawn from a turn that the key lists, and has one of the listed words. Facts that
something surely overtakes are left out: core does not see them.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.told import History, SleptOver, load, slept_over
from reverie.model.memories import Filter, Memory
from reverie.model.turns import is_turn
from reverie.policy.core.lines import of_health, told
from reverie.policy.core.needed import signs
from reverie.policy.recall.current import HINT, MAYBE

Floats = NDArray[np.float64]
FIRST = (8, 12, 16)  # facts of a history
STEPS, PENALTY = 30, 1.0


@dataclass(frozen=True)
class WeighedFact:
    folder: str
    history: str
    important: bool
    signs: tuple[float, ...]


def facts_of(folder: Path, stores: Path) -> Iterator[WeighedFact]:
    for history in load(folder):
        key = folder / f"{history.name}.key.json"
        listed = json.loads(key.read_text("utf-8")).get("important", []) if key.exists() else []
        if listed:
            with slept_over(history, stores / history.name) as slept:
                important = [
                    (set(map(str, one.get("lines", one.get("turns")))), one.get("words", ())) for one in listed
                ]
                yield from _of_history(folder.name, history, slept, important)


def _of_history(
    folder: str, history: History, slept: SleptOver, important: Sequence[tuple[set[str], Sequence[str]]]
) -> Iterator[WeighedFact]:
    found = slept.space.all(Filter(kinds=("fact",), include_stale=False), limit=5_000)
    overtakes, overtaken = _edges(slept, found)
    for fact in found:
        if overtaken.get(fact.id, 0.0) < MAYBE and "alone" in fact.marks:
            turns = {history.turns[slept.places[id]].id for id in fact.sources if id in slept.places}
            named = any(
                turns & lines and (not words or any(word.casefold() in fact.text.casefold() for word in words))
                for lines, words in important
            )
            seen = signs(fact, told(fact), overtakes.get(fact.id, 0.0), overtaken.get(fact.id, 0.0) >= HINT)
            yield WeighedFact(folder, history.name, named, (*seen, float(of_health(fact)), 1.0))


def _edges(slept: SleptOver, found: Sequence[Memory]) -> tuple[dict[str, float], dict[str, float]]:
    """How surely each fact, or the turn that it stands in, overtakes something and is overtaken."""
    out: dict[str, float] = {}
    into: dict[str, float] = {}
    for fact in found:
        own = {fact.id, *(source for source in fact.sources if not is_turn(source))}
        for edge in (edge for id in own for edge in slept.space.links(id) if edge.relation == "updates"):
            for side, end in ((out, edge.a), (into, edge.b)):
                if end in own:
                    side[fact.id] = max(side.get(fact.id, 0.0), edge.weight)
    return out, into


def fitted(known: Sequence[WeighedFact]) -> Floats:
    """Logistic regression; the last sign is the base."""
    rows = np.array([one.signs for one in known])
    important = np.array([float(one.important) for one in known])
    weights = np.zeros(rows.shape[1])
    penalty = PENALTY * np.diag([1.0] * (rows.shape[1] - 1) + [1e-6])
    for _ in range(STEPS):
        odds = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (odds - important) + penalty @ weights
        weights = weights - np.linalg.solve((rows * (odds * (1 - odds))[:, None]).T @ rows + penalty, slope)
    return weights


def report(known: Sequence[WeighedFact]) -> None:
    of: dict[str, list[tuple[float, bool]]] = {}
    for folder in sorted({one.folder for one in known}):
        weights = fitted([one for one in known if one.folder != folder])
        for one in (one for one in known if one.folder == folder):
            of.setdefault(one.history, []).append((float(np.array(one.signs) @ weights), one.important))
    for first in FIRST:
        found = [sum(named for _, named in sorted(its, reverse=True)[:first]) for its in of.values()]
        every = [sum(named for _, named in its) for its in of.values()]
        print(f"the first {first} facts hold {sum(found)} of {sum(every)} important ones ({len(of)} histories)")
    print("weights:", " ".join(f"{value:.3f}" for value in fitted(known)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--stores", type=Path, help="where stores are kept; those that are there are read as they are")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        report([one for folder in given.folders for one in facts_of(folder, given.stores or Path(temporary))])


if __name__ == "__main__":
    main()
