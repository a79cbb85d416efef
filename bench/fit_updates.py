"""Fits what each mark of two statements weighs for an update, from labelled talk and from labelled pairs.

python -m bench.fit_updates            # each sixth of the histories and pairs judged by the others
python -m bench.fit_updates --write    # and write minds/rules/reading/updates.tsv

Labels: the `updates` of the keys, the dialogues of `updates.jsonl`, and the pairs of `update_pairs.tsv` (+ or -, the
older statement, its reply, the newer one, its reply).
"""

import argparse
import json
import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from bench.fitting import Floats, Shown, fit, vocabulary
from bench.updates import says
from reverie.language.speech import utterances
from reverie.minds.embed import MiniLM, Vectors
from reverie.minds.rules.reading.salience import is_question
from reverie.minds.rules.reading.update_marks import FEW, Said, Surroundings, marks, plausible
from reverie.minds.rules.reading.updates import barred, may_update
from reverie.minds.rules.reading.values import things
from reverie.minds.rules.reference.earlier import question_in

HISTORIES = Path(__file__).parent / "histories" / "dev"
WEIGHTS = Path(__file__).parent.parent / "src" / "reverie" / "minds" / "rules" / "reading" / "updates.tsv"
PENALTY = {"few": 1.0, "many": 1.5}
LEAST, PARTS, ROUNDS = 4, 6, 2_500
CANDIDATES = 12  # earlier turns that a new sentence is weighed against
RARE = 8


@dataclass(frozen=True)
class SaidSentence:
    """A sentence of a turn."""

    line: int
    said: Said
    speaker: str


@dataclass(frozen=True)
class LabelledPair:
    origin: str
    older: SaidSentence
    newer: SaidSentence
    around: Surroundings
    update: bool

    @property
    def marks(self) -> list[str]:
        return marks(self.older.said, self.newer.said, self.around)


@cache
def _model() -> MiniLM:
    return MiniLM()


@cache
def vector(text: str) -> Vectors:
    made: Vectors = _model().embed([text])[0]
    return made


def told(rows: Sequence[Mapping[str, Any]]) -> list[SaidSentence]:
    """The statements of a history, sentence by sentence, each with the talk around it."""
    found = []
    for i, row in enumerate(rows):
        if row["role"] != "user" or len(row["text"]) > 4_000:
            continue
        before = rows[i - 1]["text"][-400:] if i and rows[i - 1]["role"] == "assistant" else ""
        reply = rows[i + 1]["text"][:400] if i + 1 < len(rows) and rows[i + 1]["role"] == "assistant" else ""
        sentences = [one.text for one in utterances(row["text"])]
        whole = " ".join(sentences) if len(sentences) > 1 else ""
        at = datetime.fromisoformat(row["at"]).timestamp()
        asked = question_in(before)
        for place, text in enumerate(sentences):
            if not is_question(text):
                said = Said(text, whole, before, reply, at, "" if place else asked)
                found.append(SaidSentence(row.get("n", i), said, row.get("speaker") or "user"))
    return found


def talk(
    origin: str, rows: Sequence[Mapping[str, Any]], updates: Sequence[Mapping[str, Any]]
) -> Iterator[LabelledPair]:
    """Every statement of a history with the earlier ones that a search would find."""
    said = told(rows)
    seen = Counter(word for one in said for word in things(one.said.own))
    rarity = {word: 1.0 if n <= RARE else 1.0 / (1.0 + math.log(n / RARE)) for word, n in seen.items()}
    for i, newer in enumerate(said):
        if not may_update(newer.said):
            continue
        earlier = [one for one in said[:i] if one.line != newer.line and one.speaker == newer.speaker]
        for older in _candidates(newer, earlier, rarity, updates):
            label = _label(older, newer, updates)
            if label is not None:
                yield LabelledPair(origin, older, newer, _around(older, newer, i, rarity), label)


def _around(older: SaidSentence, newer: SaidSentence, statements: int, rarity: Mapping[str, float]) -> Surroundings:
    near = float(vector(older.said.own) @ vector(newer.said.own))
    turns = float(vector(older.said.turn or older.said.own) @ vector(newer.said.turn or newer.said.own))
    return Surroundings(max(1, statements), rarity, near, turns)


def _candidates(
    newer: SaidSentence,
    earlier: Sequence[SaidSentence],
    rarity: Mapping[str, float],
    updates: Sequence[Mapping[str, Any]],
) -> list[SaidSentence]:
    words = things(f"{newer.said.turn or newer.said.own} {newer.said.before} {newer.said.reply}")
    mine = vector(newer.said.turn or newer.said.own)

    def score(one: SaidSentence) -> float:
        shared = things(f"{one.said.turn or one.said.own} {one.said.reply}") & words
        near = float(vector(one.said.turn or one.said.own) @ mine)
        return sum(rarity.get(word, 1.0) for word in shared) + 3 * near

    best: dict[int, float] = {}
    for one in earlier:
        best.setdefault(one.line, score(one))
    lines = set(sorted(best, key=lambda line: -best[line])[:CANDIDATES])
    lines |= {u["old_line"] for u in updates if u["new_line"] == newer.line}
    return [one for one in earlier if one.line in lines and not barred(one.said, newer.said)]


def _label(older: SaidSentence, newer: SaidSentence, updates: Sequence[Mapping[str, Any]]) -> bool | None:
    """None: nobody has said which sentence it is, or it says again what has been labelled."""
    verdict: bool | None = False
    for u in updates:
        old, new = says(older.said.own, u["old_words"]), says(newer.said.own, u["new_words"])
        if older.line == u["old_line"] and newer.line == u["new_line"]:
            whole = says(older.said.turn or older.said.own, u["old_words"])
            if new and (old or not whole):
                return True
            verdict = None
        elif (old and newer.line >= u["new_line"]) or (older.line == u["old_line"] and new):
            verdict = None
    return verdict


def dialogues(path: Path) -> Iterator[LabelledPair]:
    for n, line in enumerate(path.read_text("utf-8").splitlines()):
        row = json.loads(line)
        said = told(row["turns"])
        for i, newer in enumerate(said):
            for older in (one for one in said[:i] if one.line != newer.line and may_update(newer.said)):
                new, old = says(newer.said.own, row["new_words"]), says(older.said.own, row["old_words"])
                label = bool(row["change"]) and new and old
                near = says(newer.said.turn, row["new_words"]) or says(older.said.turn, row["old_words"])
                if label or not (near and row["change"]):
                    yield LabelledPair(f"dialogue {n}", older, newer, _around(older, newer, len(said), {}), label)


def pairs(path: Path) -> Iterator[LabelledPair]:
    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines()]
    chance = random.Random(7)
    for n, (label, older, reply, newer, answer) in enumerate(rows):
        said = told(_turns(older, reply, newer, answer))
        _, elsewhere, its_reply, *_ = chance.choice(rows)
        other = told(_turns(elsewhere, its_reply, newer, answer))
        for found, right in ((said, label == "+"), (other, False)):
            olds, news = ([one for one in found if one.line == line] for line in (0, 2))
            best = max(((a, b) for a in olds for b in news), key=_likely, default=None)
            if best is not None and may_update(best[1].said):
                yield LabelledPair(f"pair {n}", *best, _around(*best, len(found) + chance.randrange(4), {}), right)


def _likely(pair: tuple[SaidSentence, SaidSentence]) -> float:
    """Which sentences of two turns are meant: those with values and words in common, and the later one."""
    a, b = pair
    return 2.0 * any(m.startswith("another") for m in marks(a.said, b.said)) + 0.1 * b.said.turn.find(b.said.own) / 100


def _turns(older: str, reply: str, newer: str, answer: str) -> list[dict[str, str]]:
    days = ("2026-03-02T10:00:00+00:00", "2026-03-02T10:01:00+00:00", "2026-03-14T09:00:00+00:00")
    said = ((days[0], "user", older), (days[1], "assistant", reply), (days[2], "user", newer))
    rows = [{"at": at, "role": role, "text": text} for at, role, text in said]
    return [*rows, {"at": "2026-03-14T09:01:00+00:00", "role": "assistant", "text": answer}] if answer else rows


def labelled(folder: Path) -> list[LabelledPair]:
    found = [*dialogues(folder / "updates.jsonl"), *pairs(folder / "update_pairs.tsv")]
    for path in sorted(folder.glob("*.key.json")):
        updates = json.loads(path.read_text("utf-8")).get("updates", [])
        if updates:
            lines = (path.parent / path.name.replace(".key.json", ".jsonl")).read_text("utf-8").splitlines()
            found += talk(path.name.split(".")[0], [json.loads(line) for line in lines], updates)
    return found


@dataclass(frozen=True)
class Weighed:
    """Weights for one size of store."""

    columns: dict[str, int]
    bias: float
    weights: Floats

    @classmethod
    def of(cls, found: Sequence[LabelledPair], penalty: float) -> "Weighed":
        """Fitted to these, each with its vectors and once more without, as the awake side sees it."""
        bare = [replace(pair, around=replace(pair.around, closeness=None, of_turns=None)) for pair in found]
        examples = [pair.marks for pair in (*found, *bare)]
        columns = vocabulary(examples, 2 * LEAST)
        labels = np.array([pair.update for pair in (*found, *bare)])
        return cls(columns, *fit(Shown.of(examples, columns), labels, 2 * penalty, ROUNDS))

    def scores(self, found: Sequence[LabelledPair]) -> Floats:
        return Shown.of([pair.marks for pair in found], self.columns).times(self.weights) + self.bias

    def rows(self) -> dict[str, float]:
        kept = {mark: round(float(self.weights[i]), 3) for mark, i in self.columns.items()}
        return {"bias": round(self.bias, 3), **{mark: weight for mark, weight in kept.items() if abs(weight) >= 0.01}}


def parted(found: Sequence[LabelledPair]) -> dict[str, list[LabelledPair]]:
    """Single dialogues, and histories of which only what is plausible has to be told apart."""
    few = [pair for pair in found if " " in pair.origin]
    many = [pair for pair in found if " " not in pair.origin and pair.around.statements > FEW and plausible(pair.marks)]
    return {"few": few, "many": many}


def judged(found: Sequence[LabelledPair], penalty: float) -> Floats:
    """The score of each by the weights that the other parts give."""
    origins = sorted({pair.origin for pair in found})
    random.Random(3).shuffle(origins)
    part = {origin: i % PARTS for i, origin in enumerate(origins)}
    result = np.zeros(len(found))
    for k in range(PARTS):
        here = [i for i, pair in enumerate(found) if part[pair.origin] == k]
        weighed = Weighed.of([pair for pair in found if part[pair.origin] != k], penalty)
        result[here] = weighed.scores([found[i] for i in here])
    return result


def report(size: str, found: Sequence[LabelledPair], result: Floats) -> None:
    for bar in (-1.5, -1.0, -0.5, 0.0, 0.5):
        right = sum(pair.update for pair, score in zip(found, result, strict=True) if score >= bar)
        wrong = sum(not pair.update for pair, score in zip(found, result, strict=True) if score >= bar)
        print(f"{size}: bar {bar}: {right} of {sum(pair.update for pair in found)}, wrongly {wrong} of {len(found)}")


def show(found: Sequence[LabelledPair], result: Floats) -> None:
    for i in np.argsort(-result):
        pair = found[i]
        if pair.update != (result[i] >= 0):
            print(f"{result[i]:.1f} {pair.update} {pair.origin} {pair.older.line}->{pair.newer.line}")
            print(f"      {pair.older.said.own!r}\n      {pair.newer.said.own!r}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--show", action="store_true", help="the pairs that are judged wrongly")
    args = parser.parse_args()
    sizes = parted([pair for pair in labelled(HISTORIES) if not barred(pair.older.said, pair.newer.said)])
    if args.write:
        few, many = (Weighed.of(sizes[size], PENALTY[size]).rows() for size in ("few", "many"))
        lines = (f"{mark}\t{few.get(mark, '')}\t{many.get(mark, '')}\n" for mark in sorted({*few, *many}))
        WEIGHTS.write_text("".join(lines), "utf-8")
        return
    for size, found in sizes.items():
        result = judged(found, PENALTY[size])
        report(size, found, result)
        if args.show:
            show(found, result)


if __name__ == "__main__":
    main()
