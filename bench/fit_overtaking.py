"""Fits the reader of two statements (`minds/overtaking.py`) to labelled pairs, and reports on a hand it has not seen.

python -m bench.fit_overtaking FITTED.npz [--unseen mixed] [--epochs 4]    # a quarter of an hour on two cores
python -m scripts.build_judge FITTED.npz overtaking                       # then: int8, into the package

Labels: `strands.jsonl` (ten to sixteen statements of one person, with the pairs of which the later one overtakes the
earlier wholly or in part, and those that only look like it), `overtaking.tsv` and `update_pairs.tsv`. Needs what
`bench/fit_judge.py` needs, and goes the same way: three upper layers on the embedder's lower three.
"""

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bench import fit_judge
from bench.judge_examples import HISTORIES, Example
from reverie.minds.overtaking import TASKS

UNRELATED = 2  # pairs of a strand that nobody has labelled, for each that is an update
RATE = 1.5e-4


def pairs(folder: Path = HISTORIES, seed: int = 1) -> list[Example]:
    chance = random.Random(seed)
    found = [*_strands(folder / "strands.jsonl", chance), *_single(folder)]
    chance.shuffle(found)
    return found


def _strands(path: Path, chance: random.Random) -> Iterator[Example]:
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        said = [one["t"] for one in row["said"]]
        whole, partly, same = ({tuple(pair) for pair in row[name]} for name in ("updates", "partly", "same"))
        rest = [(i, j) for j in range(len(said)) for i in range(j) if (i, j) not in whole | partly | same]
        some = chance.sample(rest, min(len(rest), UNRELATED * len(whole)))
        for i, j in sorted(whole | partly | same) + some:
            yield _example(said[i], said[j], (i, j) in whole, (i, j) in partly, row["id"].split("-")[0])


def _single(folder: Path) -> Iterator[Example]:
    for line in (folder / "update_pairs.tsv").read_text("utf-8").splitlines():
        label, older, _, newer, _ = line.split("\t")
        yield _example(older, newer, label == "+", False, "pairs")
    for line in (folder / "overtaking.tsv").read_text("utf-8").splitlines():
        label, older, newer = line.split("\t")
        group = "few" if sum(older.encode()) % 6 == 5 else "single"  # an earlier statement stands in several pairs
        yield _example(older, newer, label == "+", label == "p", group)


def _example(older: str, newer: str, whole: bool, partly: bool, group: str) -> Example:
    return Example(older, newer, {"overtakes": whole or partly, "wholly": whole}, group)


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("target", type=Path)
    reader.add_argument("--unseen", nargs="*", default=["few"], help="hands that it does not see")
    reader.add_argument("--epochs", type=int, default=4)
    asked = reader.parse_args()
    found = pairs()
    unseen = np.array([one.group in asked.unseen for one in found])
    texts = fit_judge.Texts(found, TASKS)
    print(f"{len(found)} pairs, {unseen.sum()} of them not seen", flush=True)
    start = fit_judge.upper_layers(TASKS)
    weights = fit_judge.fitted(texts, np.flatnonzero(~unseen), np.flatnonzero(unseen), start, asked.epochs, RATE, TASKS)
    arrays: dict[str, Any] = {name: np.asarray(value) for name, value in weights.items()}
    np.savez(asked.target, **arrays)


if __name__ == "__main__":
    main()
