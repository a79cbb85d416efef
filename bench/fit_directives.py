"""Fits what each mark of a sentence weighs for a directive, from labelled talk and from labelled single sentences.

python -m bench.fit_directives            # each sixth of the histories and of the sentences judged by the others
python -m bench.fit_directives --write    # and write minds/rules/reading/directives.tsv
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.fitting import Floats, Shown, fit, table, vocabulary
from reverie.language.speech import utterances
from reverie.minds.rules.reading.directives import LASTS, features

HISTORIES = Path(__file__).parent / "histories" / "dev"
WEIGHTS = Path(__file__).parent.parent / "src" / "reverie" / "minds" / "rules" / "reading" / "directives.tsv"
PENALTY = 0.6
LEAST = 3  # examples that must show a mark
PARTS = 6


@dataclass(frozen=True)
class LabelledTurn:
    """The sentences of one turn, and which of them are directives (None: the turn holds one, nobody said which)."""

    history: str  # or the number of a single text
    label: str  # of a single text; "talk" in a history
    sentences: tuple[str, ...]
    lasting: tuple[bool | None, ...]


def talk(folder: Path) -> Iterator[LabelledTurn]:
    for path in sorted(folder.glob("*.sentences.tsv")):
        turns: dict[str, list[tuple[str, bool]]] = {}
        for line in path.read_text("utf-8").splitlines():
            id, label, _, text = line.split("\t", 3)
            turns.setdefault(id.rpartition(":")[0], []).append((text, label == "directive"))
        for said in turns.values():
            texts, lasting = zip(*said, strict=True)
            yield LabelledTurn(path.name.split(".")[0], "talk", texts, lasting)


def singles(folder: Path) -> Iterator[LabelledTurn]:
    """Texts that are a directive, a request or a statement; of a longer one, `span` is the part that lasts."""
    for path in sorted(folder.glob("directives*.jsonl")):
        for n, line in enumerate(path.read_text("utf-8").splitlines()):
            row = json.loads(line)
            said = tuple(one.text for one in utterances(row["text"])) or (row["text"],)
            yield LabelledTurn(f"{path.stem} {n}", row["label"], said, _lasting(row, said))


def _lasting(row: dict[str, str], said: Sequence[str]) -> tuple[bool | None, ...]:
    if row["label"] != "directive":
        return (False,) * len(said)
    if "span" in row:
        return tuple(one in row["span"] or row["span"] in one for one in said)
    return (True,) if len(said) == 1 else (None,) * len(said)


@dataclass(frozen=True)
class Fitted:
    columns: dict[str, int]
    bias: float
    weights: Floats

    def score(self, sentence: str, before: str, after_one: bool) -> float:
        seen = (self.columns.get(mark) for mark in features(sentence, before, after_one))
        return self.bias + float(sum(self.weights[i] for i in seen if i is not None))

    def scores(self, turn: LabelledTurn) -> list[float]:
        """Of each sentence, in order: what the one before it was found to be counts."""
        found: list[float] = []
        for i, sentence in enumerate(turn.sentences):
            before = turn.sentences[i - 1] if i else ""
            found.append(self.score(sentence, before, bool(found) and found[-1] > LASTS))
        return found


def fitted(turns: Sequence[LabelledTurn], penalty: float) -> Fitted:
    examples, y = [], []
    for turn in turns:
        for i, (sentence, lasting) in enumerate(zip(turn.sentences, turn.lasting, strict=True)):
            if lasting is not None:
                before = turn.sentences[i - 1] if i else ""
                examples.append(sorted(features(sentence, before, i > 0 and bool(turn.lasting[i - 1]))))
                y.append(lasting)
    columns = vocabulary(examples, LEAST)
    bias, weights = fit(Shown.of(examples, columns), np.array(y), penalty)
    return Fitted(columns, bias, weights)


def left_out(turns: Sequence[LabelledTurn], penalty: float) -> list[list[float]]:
    """The scores of each turn by weights that were fitted without its history."""
    names = sorted({turn.history for turn in turns})
    part = {name: i % PARTS for i, name in enumerate(names)}
    found: list[list[float]] = [[] for _ in turns]
    for k in range(PARTS):
        model = fitted([turn for turn in turns if part[turn.history] != k], penalty)
        for i, turn in enumerate(turns):
            if part[turn.history] == k:
                found[i] = model.scores(turn)
    return found


def report(turns: Sequence[LabelledTurn], scores: Sequence[Sequence[float]], least: float) -> Iterator[str]:
    """How many directives are found, and how many others are taken for one, from a score on; each file on its own."""
    held: dict[str, dict[str, list[bool]]] = {}
    lasting: list[bool] = []
    taken: list[bool] = []
    for turn, found in zip(turns, scores, strict=True):
        if turn.label == "talk":
            lasting += [bool(one) for one in turn.lasting]
            taken += [score > least for score in found]
        else:
            of_file = held.setdefault(turn.history.split(" ")[0], {})
            of_file.setdefault(turn.label, []).append(max(found) > least)
    y, kept = np.array(lasting), np.array(taken)
    yield (
        f"from {least:5.2f}: talk: {_share(kept, y):.1%} found, {_share(y, kept):.1%} of those taken right, "
        f"{1000 * kept[~y].mean():.1f} false of 1,000 sentences"
    )
    for name, labels in held.items():
        shares = {label: float(np.mean(those)) for label, those in labels.items()}
        yield (
            f"             {name}: {shares['directive']:.1%} found, {shares['request']:.1%} of requests and "
            f"{shares['statement']:.1%} of statements taken for one"
        )


def _share(of: NDArray[np.bool_], among: NDArray[np.bool_]) -> float:
    return float(of[among].mean()) if among.any() else 0.0


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--histories", type=Path, default=HISTORIES)
    reader.add_argument("--penalty", type=float, default=PENALTY)
    reader.add_argument("--write", action="store_true")
    asked = reader.parse_args()
    turns = [*talk(asked.histories), *singles(asked.histories)]
    if asked.write:
        model = fitted(turns, asked.penalty)
        WEIGHTS.write_text(table(model.columns, model.bias, model.weights), "utf-8")
        print(f"{np.count_nonzero(np.abs(model.weights) >= 0.0005)} weights written")
        return
    scores = left_out(turns, asked.penalty)
    for least in (-1.0, 0.0, 1.0, LASTS, 2.0, 3.0):
        print("\n".join(report(turns, scores, least)))


if __name__ == "__main__":
    main()
