"""Fits when a later sentence ends a directive (`policy/core/lifting.py`), from the keys of histories.

    python -m bench.fit_lifting FOLDER…     # each folder judged by weights from the others

A key says of each directive whether it still holds at the end (`still_holds`, or a `status`), seldom by which sentence
it was ended: of a directive that is gone the likeliest one counts, again and again until the weights stand.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.told import History, load
from reverie.language.speech import utterances
from reverie.minds.minilm import MiniLM
from reverie.minds.overtaking import OvertakingReader
from reverie.minds.rules.directives.endings import changes, ending_of
from reverie.policy.core.lifting import RELATED, RuleAndSentence, may_lift

Floats = NDArray[np.float64]
ROUNDS, STEPS, PENALTY = 8, 60, 0.3
HARDEST = 3  # sentences that come nearest to ending a directive that holds
START = (4.0, 1.0, 1.5, 1.0, -5.0)
BARS = (-0.3, 0.0, 0.2, 0.5, 1.0, 1.5)


@dataclass(frozen=True)
class KeyedDirective:
    """A directive of a key, whether it holds at the end, and the signs of every later sentence."""

    folder: str
    holds: bool
    signs: Floats


def keyed(folder: Path, embedder: MiniLM, reader: OvertakingReader) -> Iterator[KeyedDirective]:
    for history in load(folder):
        key = folder / f"{history.name}.key.json"
        listed = json.loads(key.read_text("utf-8")).get("directives", []) if key.exists() else []
        for item in listed:
            if isinstance(item, dict) and ("still_holds" in item or "status" in item):
                holds = bool(item.get("still_holds", item.get("status") == "standing"))
                yield KeyedDirective(folder.name, holds, _signs(history, item, embedder, reader))


def _signs(history: History, item: dict[str, Any], embedder: MiniLM, reader: OvertakingReader) -> Floats:
    given = int(item["turns"][0] if "turns" in item else item["line"])
    later = [
        one.text
        for turn in history.turns
        if turn.role == "user" and int(turn.id) > given
        for one in utterances(turn.text)
        if may_lift(one.text)
    ]
    (own,) = embedder.embed([item["text"]])
    near = [float(own @ vector) for vector in embedder.embed(later)]
    pairs = [(text, cosine) for text, cosine in zip(later, near, strict=True) if cosine >= RELATED]
    odds = reader.read([(item["text"], text) for text, _ in pairs])
    rows = [
        RuleAndSentence(item["text"], text, cosine, its.overtakes, changes(text) or bool(ending_of(text))).signs
        for (text, cosine), its in zip(pairs, odds, strict=True)
    ]
    return np.array(rows) if rows else np.zeros((0, len(START)))


def fitted(known: Sequence[KeyedDirective]) -> Floats:
    weights = np.array(START)
    for _ in range(ROUNDS):
        rows: list[Floats] = []
        ended: list[float] = []
        for one in (one for one in known if len(one.signs)):
            likeliest = np.argsort(-(one.signs @ weights))[: HARDEST if one.holds else 1]
            rows += list(one.signs[likeliest])
            ended += [0.0 if one.holds else 1.0] * len(likeliest)
        weights = _regressed(np.array(rows), np.array(ended), weights)
    return weights


def _regressed(rows: Floats, ended: Floats, weights: Floats) -> Floats:
    """Logistic regression; a directive that is gone counts twice, for there are fewer. The last sign is the base."""
    counts = 1.0 + ended
    penalty = PENALTY * np.diag([1.0] * (rows.shape[1] - 1) + [0.01])
    for _ in range(STEPS):
        odds = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (counts * (odds - ended)) + penalty @ weights
        curve = (rows * (counts * odds * (1 - odds))[:, None]).T @ rows + penalty
        weights = weights - np.linalg.solve(curve, slope)
    return weights


def _best(one: KeyedDirective, weights: Floats) -> float:
    return float(max(one.signs @ weights, default=-9.0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    embedder = MiniLM()
    reader = OvertakingReader(embedder)
    known = [one for folder in parser.parse_args().folders for one in keyed(folder, embedder, reader)]
    held: list[float] = []
    gone: list[float] = []
    for folder in sorted({one.folder for one in known}):
        weights = fitted([one for one in known if one.folder != folder])
        for one in (one for one in known if one.folder == folder):
            (held if one.holds else gone).append(_best(one, weights))
    for bar in BARS:
        found, lost = (np.mean(np.array(some) >= bar) for some in (gone, held))
        print(f"{bar:5}: {found:.0%} of {len(gone)} that ended are found, {lost:.0%} of {len(held)} that hold are lost")
    print("weights:", " ".join(f"{value:.2f}" for value in fitted(known)))


if __name__ == "__main__":
    main()
