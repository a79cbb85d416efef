"""Fits what each mark of a sentence weighs for a directive, from labelled talk and from labelled single sentences.

python -m bench.fit_directives            # each sixth of the histories and each file of sentences judged by the others
python -m bench.fit_directives --write    # and write minds/rules/directives/directives.tsv
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.fitting import Floats, Shown, fit, table, vocabulary
from reverie.language.speech import utterances
from reverie.minds.rules.directives.directives import LASTS
from reverie.minds.rules.directives.order_cues import SentencePlace, features
from reverie.minds.rules.reference.earlier import last_words

HISTORIES = Path(__file__).parent / "histories" / "dev"
WEIGHTS = Path(__file__).parent.parent / "src" / "reverie" / "minds" / "rules" / "directives" / "directives.tsv"
PENALTY = 1.2
LEAST = 4  # examples that must show a mark
PARTS = 6


@dataclass(frozen=True)
class LabelledTurn:
    """The sentences of one turn, and which of them are directives (None: the turn holds one, nobody said which)."""

    history: str  # or the file of a single text
    label: str  # of a single text; "talk" in a history
    sentences: tuple[str, ...]
    lasting: tuple[bool | None, ...]
    answers: bool = False  # somebody had just asked something

    def places(self, after: Sequence[bool | None]) -> Iterator[SentencePlace]:
        """Where each sentence stands, by which of them are directives."""
        for i in range(len(self.sentences)):
            yield SentencePlace(self.sentences[i - 1], bool(after[i - 1])) if i else SentencePlace(answers=self.answers)


def talk(folder: Path) -> Iterator[LabelledTurn]:
    """The turns of people with their assistant; friends give each other no rules."""
    for path in sorted(folder.glob("*.sentences.tsv")):
        name = path.name.split(".")[0]
        if name.count("_") == 1 and not name.startswith("moments"):
            continue
        turns: dict[str, list[tuple[str, bool]]] = {}
        spoken = _speech(folder / f"{name}.jsonl")
        for line in path.read_text("utf-8").splitlines():
            id, label, _, text = line.split("\t", 3)
            if text in spoken.get(id.split(":")[1], ()):
                turns.setdefault(id.rpartition(":")[0], []).append((text, label == "directive"))
        asked = _after_a_question(folder / f"{name}.jsonl")
        for id, said in turns.items():
            texts, lasting = zip(*said, strict=True)
            yield LabelledTurn(name, "talk", texts, lasting, id.split(":")[1] in asked)


def _speech(path: Path) -> dict[str, set[str]]:
    """The sentences of each turn that are read as speech; what was pasted is not."""
    turns = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return {str(turn["n"]): {" ".join(one.text.split()) for one in utterances(turn["text"])} for turn in turns}


def _after_a_question(path: Path) -> set[str]:
    """The numbers of the turns that follow a question of the other side."""
    turns = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return {
        str(turn["n"])
        for before, turn in pairwise(turns)
        if before["role"] != turn["role"] and last_words(before["text"]).endswith("?")
    }


def singles(folder: Path) -> Iterator[LabelledTurn]:
    """Texts that are a directive, a request or a statement; of a longer one, `span` is the part that lasts."""
    for path in sorted(folder.glob("directives*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            said = tuple(one.text for one in utterances(row["text"])) or (row["text"],)
            yield LabelledTurn(path.stem, row["label"], said, _lasting(row, said))


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

    def score(self, sentence: str, where: SentencePlace) -> float:
        seen = (self.columns.get(mark) for mark in features(sentence, where))
        return self.bias + float(sum(self.weights[i] for i in seen if i is not None))

    def scores(self, turn: LabelledTurn) -> list[float]:
        """Of each sentence, in order: what the one before it was found to be counts."""
        found: list[float] = []
        for i, sentence in enumerate(turn.sentences):
            where = (
                SentencePlace(turn.sentences[i - 1], found[-1] > LASTS) if i else SentencePlace(answers=turn.answers)
            )
            found.append(self.score(sentence, where))
        return found


def fitted(turns: Sequence[LabelledTurn], penalty: float) -> Fitted:
    examples, y = [], []
    for turn in turns:
        for sentence, where, lasting in zip(turn.sentences, turn.places(turn.lasting), turn.lasting, strict=True):
            if lasting is not None:
                examples.append(sorted(features(sentence, where)))
                y.append(lasting)
    columns = vocabulary(examples, LEAST)
    bias, weights = fit(Shown.of(examples, columns), np.array(y), penalty)
    return Fitted(columns, bias, weights)


def parts_of(turns: Sequence[LabelledTurn]) -> dict[str, int]:
    """The part of each history and of each file of single texts: what one hand wrote is never on both sides."""
    return {name: i % PARTS for i, name in enumerate(sorted({turn.history for turn in turns}))}


def left_out(turns: Sequence[LabelledTurn], penalty: float) -> list[list[float]]:
    """The scores of each turn by weights that were fitted without its history."""
    part = parts_of(turns)
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
            of_file = held.setdefault(turn.history, {})
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
    scores = left_out(turns, asked.penalty)
    if asked.write:
        model = fitted(turns, asked.penalty)
        WEIGHTS.write_text(table(model.columns, model.bias, model.weights), "utf-8")
        print(f"{np.count_nonzero(np.abs(model.weights) >= 0.0005)} weights written")
    for least in (LASTS - 1.0, LASTS - 0.5, LASTS, LASTS + 0.5, LASTS + 1.0):
        print("\n".join(report(turns, scores, least)))


if __name__ == "__main__":
    main()
