"""Fits what each mark of a sentence weighs for salience, from the labelled sentences of the development histories.

python -m bench.fit_salience            # each sixth of the histories judged by the others
python -m bench.fit_salience --write    # and write salience.tsv of minds/rules/reading
"""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.fitting import Shown, fit, table, vocabulary
from reverie.language.speech import utterances
from reverie.minds.rules.reading.cues import bar_in, words_of
from reverie.minds.rules.reading.salience import Situation, is_question, marks
from reverie.minds.rules.reference.earlier import last_words
from reverie.minds.rules.weighing import situation_of

HISTORIES = Path(__file__).parent / "histories" / "dev"
WEIGHTS = Path(__file__).parent.parent / "src" / "reverie" / "minds" / "rules" / "reading" / "salience.tsv"
PENALTY = 2.5
PARTS = 6  # of the histories; each is judged by weights from the others
WORTH = {"keep", "keep-about"}


@dataclass(frozen=True)
class Labelled:
    history: str
    text: str
    label: str
    situation: Situation


def sentences(folder: Path) -> list[Labelled]:
    """Every labelled sentence with its place in the talk; material and directives are judged elsewhere."""
    found = []
    for path in sorted(folder.glob("*.sentences.tsv")):
        name = path.name.split(".")[0]
        rows = [line.split("\t", 3) for line in path.read_text("utf-8").splitlines()]
        labels = {(id.split(":")[1], text): label for id, label, _, text in rows}
        before: dict[str, str] | None = None
        for line in (folder / f"{name}.jsonl").read_text("utf-8").splitlines():
            turn = json.loads(line)
            said = utterances(turn["text"]) if turn["role"] == "user" else []
            for i, one in enumerate(said):
                label = labels.get((str(turn["n"]), " ".join(one.text.split())), "material")
                found.append(Labelled(name, one.text, label, situation_of(said, i, _before(before, turn))))
            before = turn
    return [one for one in found if one.label not in ("material", "directive")]


def _before(before: dict[str, str] | None, turn: dict[str, str]) -> str:
    other = before is not None and (before.get("speaker"), before["role"]) != (turn.get("speaker"), turn["role"])
    return last_words(before["text"]) if other and before is not None else ""


def barred(one: Labelled) -> bool:
    return is_question(one.text) or bool(bar_in(words_of(one.text)))


def left_out(rows: list[Labelled], y: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Each sentence's chance by weights that were fitted to the other histories."""
    found = np.zeros(len(rows))
    names = np.array([one.history for one in rows])
    seen = [list(marks(one.text, words_of(one.text), one.situation)) for one in rows]
    order = sorted(set(names))
    for part in range(PARTS):
        tested = np.isin(names, order[part::PARTS])
        train = np.flatnonzero(~tested)
        columns = vocabulary([seen[i] for i in train])
        bias, weights = fit(Shown.of([seen[i] for i in train], columns), y[train], PENALTY)
        rest = np.flatnonzero(tested)
        found[rest] = Shown.of([seen[i] for i in rest], columns).times(weights) + bias
    return 1 / (1 + np.exp(-found))


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--histories", type=Path, default=HISTORIES)
    reader.add_argument("--write", action="store_true")
    asked = reader.parse_args()
    rows = [one for one in sentences(asked.histories) if not barred(one)]
    y = np.array([one.label in WORTH for one in rows])
    chance = left_out(rows, y)
    print(f"{len(rows)} sentences, {y.mean():.0%} worth keeping")
    report("words", chance, y)
    if asked.write:
        seen = [list(marks(one.text, words_of(one.text), one.situation)) for one in rows]
        columns = vocabulary(seen)
        bias, weights = fit(Shown.of(seen, columns), y, PENALTY)
        WEIGHTS.write_text(table(columns, bias, weights), "utf-8")
        print(f"{np.count_nonzero(np.abs(weights) >= 0.0005)} weights written")


def report(name: str, chance: NDArray[np.float64], worth: NDArray[np.bool_]) -> None:
    print(name)
    for least in (0.5, 0.6, 0.65, 0.7, 0.75, 0.8):
        kept = chance >= least
        right, found = worth[kept].mean(), worth[kept].sum() / worth.sum()
        print(f"  from {least}: {kept.mean():.0%} kept, {right:.1%} of them worth it, {found:.0%} found")


if __name__ == "__main__":
    main()
