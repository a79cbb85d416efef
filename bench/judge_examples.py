"""Labelled examples for the judge, from `bench/histories/dev`: sentences in their talk, and texts by themselves.

An example is a context, a text, and what is known of it: some of the five questions that the judge answers. The labels:
`NAME.sentences.tsv` (worth keeping, directive), `judged.tsv` (three letters: place, alone, meant), `directives*.jsonl`,
`meant_*.jsonl` and `talks_*.jsonl` (the same three letters), and plain sentences of `plain_examples.py`.
"""

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bench.plain_examples import plain_sentences
from reverie.minds.judge import BEFORE, LEAD, Judged, SentenceInTalk

HISTORIES = Path(__file__).parent / "histories" / "dev"
PARTS = 6
TASKS = Judged._fields
WITHOUT = 0.35  # of the examples are shown without their context: a plain sentence says what it is without one
MOST_ALONE = 7_000  # examples of texts by themselves: each label gives up to three


@dataclass(frozen=True)
class Example:
    context: str
    text: str
    known: Mapping[str, bool]  # question -> its answer
    group: str  # the history or file; what one hand wrote on one matter is never on both sides
    after: str = ""  # what follows the text, for a reader that is shown it

    @property
    def part(self) -> int:
        return int(self.group[-1]) if self.group[-1].isdigit() else sum(self.group.encode()) % PARTS


def examples(folder: Path = HISTORIES, seed: int = 1) -> list[Example]:
    found = [
        *_talk(folder),
        *_single_directives(folder),
        *_meant(folder),
        *_short_talks(folder),
        *_plain(),
    ]
    chance = random.Random(seed)
    chance.shuffle(found)
    alone = 0
    kept = []
    for one in found:
        alone += set(one.known) == {"leans"}
        if set(one.known) != {"leans"} or alone <= MOST_ALONE:
            kept.append(replace(one, context="") if one.context and chance.random() < WITHOUT else one)
    return kept


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def histories(folder: Path) -> Iterator[tuple[str, list[list[str]], list[dict[str, Any]]]]:
    """The name of each labelled history, its labelled sentences (id, label, reason, text) and its turns."""
    for path in sorted(folder.glob("*.sentences.tsv")):
        name = path.name.split(".")[0]
        labelled = [line.split("\t", 3) for line in path.read_text("utf-8").splitlines()]
        yield name, [row for row in labelled if row[1] != "material"], _rows(folder / f"{name}.jsonl")


def _talk(folder: Path) -> Iterator[Example]:
    letters = dict(line.split("\t") for line in (folder / "judged.tsv").read_text("utf-8").splitlines())
    for name, labelled, turns in histories(folder):
        places = {str(turn["n"]): i for i, turn in enumerate(turns)}
        between_friends = name.count("_") == 1 and not name.startswith("moments")
        for id, label, _, text in labelled:
            place = places[id.split(":")[1]]
            said = " ".join(turns[place]["text"].split())
            where = SentenceInTalk(text, said[: max(0, said.find(text))], turns[place - 1]["text"] if place else "")
            known = _known(label, letters.get(id, ""))
            if between_friends:
                known.pop("directive", None)
            yield Example(where.context, text, known, name)
            if id in letters:
                yield from _by_itself(letters[id][1], where, name)


def _known(label: str, letters: str) -> dict[str, bool]:
    known = {"directive": label == "directive", "worth": label in ("keep", "keep-about")}
    if label == "directive":
        known.pop("worth")
    elif letters:
        known |= {"core": letters[0] == "C", "meant": letters[2] == "L", "worth": letters[0] != "J"}
    else:
        known["core"] = False
    return known


def _by_itself(letter: str, where: SentenceInTalk, group: str) -> Iterator[Example]:
    """Whether a text is understood by itself: alone, with what its speaker said before it, with the turn before."""
    lead, before = " ".join(where.lead.split())[-LEAD:], " ".join(where.before.split())[-BEFORE:]
    yield Example("", where.text, {"leans": letter != "A"}, group)
    if letter in "TB" and lead:
        yield Example("", f"{lead} {where.text}", {"leans": letter == "B"}, group)
    if letter in "BX" and before:
        yield Example("", f"{before} / {lead} {where.text}".replace("/  ", "/ "), {"leans": letter == "X"}, group)


def _single_directives(folder: Path) -> Iterator[Example]:
    for path in sorted(folder.glob("directives*.jsonl")):
        for row in _rows(path):
            text = row.get("span", row["text"])
            where = SentenceInTalk(text, row["text"][: max(0, row["text"].find(text))])
            yield Example(where.context, text, {"directive": row["label"] == "directive"}, path.stem)


def _meant(folder: Path) -> Iterator[Example]:
    for path in sorted(folder.glob("meant_*.jsonl")):
        for n, row in enumerate(_rows(path)):
            lead = row["turn"][: max(0, row["turn"].find(row["sentence"]))]
            yield from _lettered(
                SentenceInTalk(row["sentence"], lead, row["before"]), row["label"], f"meant{n % PARTS}"
            )


def _lettered(where: SentenceInTalk, letters: str, group: str) -> Iterator[Example]:
    place, alone, meant = tuple(letters)
    known = {"meant": meant == "L", "directive": place == "D" and meant == "L"}
    if place != "D" or meant == "N":
        known |= {"worth": place in "CF" and meant == "L", "core": place == "C" and meant == "L"}
    yield Example(where.context, where.text, known, group)
    yield from _by_itself(alone, where, group)


def _plain() -> Iterator[Example]:
    for n, (letters, text) in enumerate(plain_sentences()):
        yield from _lettered(SentenceInTalk(text), letters, f"plain{n % PARTS}")


def _short_talks(folder: Path) -> Iterator[Example]:
    for path in sorted(folder.glob("talks_*.jsonl")):
        for n, row in enumerate(_rows(path)):
            group, turns = f"talks{n % PARTS}", [" ".join(turn["text"].split()) for turn in row["turns"]]
            for one in row["sentences"]:
                text, turn = " ".join(one["text"].split()), turns[one["turn"]]
                before = turns[one["turn"] - 1] if one["turn"] else ""
                yield from _lettered(SentenceInTalk(text, turn[: max(0, turn.find(text))], before), one["label"], group)
