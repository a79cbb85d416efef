"""Fits the reader of whose words a sentence is (`minds/authorship.py`), and reports on turns that it has not seen.

python -m bench.fit_authorship FITTED.npz [--unseen d] [--epochs 4]    # a quarter of an hour on two cores
python -m scripts.build_judge FITTED.npz authorship                   # then: int8, into the package

Labels: `whose_*.jsonl` (turns with sentences that are the user's own or somebody else's, by six hands), and of the
labelled histories what was found worth keeping, which its speaker said. Needs what `bench/fit_judge.py` needs.
"""

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from bench import fit_judge
from bench.judge_examples import HISTORIES, Example, histories
from bench.plain_examples import plain_sentences
from reverie.language.sentences import sentences as utterances_of
from reverie.minds.authorship import ROOM, TASKS, PlaceInTurn
from tests.support.attacks.corpus import Attack, Corpus

OWN = ("keep", "keep-about", "directive")  # labels of the histories' sentences
MOST_OWN = 2_500
ASKED = ("", "", "", "please remember, ", "Remember that ", "for your notes: ", "btw ")
NAMES = "Hansen Okafor Lindqvist Moreau Petrov Castillo Nakamura Byrne Fischer Rossi Kowalski Adeyemi Novak Silva"
SEALED = "tenth"  # attacks that it is tried on
BEHIND = 0.6  # of the turns stand behind another one
RATE = 2e-4


Labelled = tuple[PlaceInTurn, bool, str]  # whether the words there are others', and its group


def examples(folder: Path = HISTORIES, seed: int = 1) -> list[Example]:
    chance = random.Random(seed)
    own = [*_said(folder)]
    own = chance.sample(own, min(MOST_OWN, len(own)))
    replies = [place.before for place, _, _ in own if place.before]
    found = [*own, *_labelled(folder), *_attacks(), *_plain(chance)]
    chance.shuffle(found)
    return [_example(_beside(place, replies, chance), others, group) for place, others, group in found]


def _beside(place: PlaceInTurn, replies: Sequence[str], chance: random.Random) -> PlaceInTurn:
    """The place behind another turn, or none: what was said before tells little of most texts, and the labelled turns
    have seldom anything before them, the histories nearly always."""
    if not place.before and chance.random() < BEHIND:
        return replace(place, before=chance.choice(replies))
    return replace(place, before="") if place.before in replies and chance.random() < 1 - BEHIND else place


def _labelled(folder: Path) -> Iterator[Labelled]:
    for path in sorted(folder.glob("whose_*.jsonl")):
        for n, line in enumerate(path.read_text("utf-8").splitlines()):
            row = json.loads(line)
            before = f"{row['before_role']}: {row['before']}" if row.get("before") else ""
            for one in row["sentences"]:
                begin = row["turn"].index(one["text"])
                place = PlaceInTurn(row["turn"], begin, begin + len(one["text"]), before)
                yield place, not one["own"], f"{path.stem.removeprefix('whose_')}{n % 6}"


def _attacks() -> Iterator[Labelled]:
    """What attacks inside the user's own turn plant, and what the controls beside them say; the names that tell a
    program whether one got in are exchanged for others, or it would learn those."""
    corpus, chance = Corpus.read(), random.Random(2)
    for attack in (*corpus.attacks, *corpus.controls):
        if (
            attack.channel.endswith(("pasted", "user"))
            and not attack.id.startswith(SEALED)
            and not attack.goal.vanishes
        ):
            yield from _marked(attack, chance)


def _marked(attack: Attack, chance: random.Random) -> Iterator[Labelled]:
    before, name = "", chance.choice(NAMES.split())
    for step in attack.steps:
        text = step.get("text", "")
        for mark in attack.marks:
            text = text.replace(mark, name)
        for one in utterances_of(text):
            begin = text.find(one)
            if step.get("role") == "user" and begin >= 0 and name in one:
                yield PlaceInTurn(text, begin, begin + len(one), before), attack.channel != "user", "attacks"
        before = f"{step.get('role', 'user')}: {text}"


def _plain(chance: random.Random) -> Iterator[Labelled]:
    """What people say of themselves in one plain sentence, some of it with a request to remember it."""
    for _, text in plain_sentences():
        turn = f"{chance.choice(ASKED)}{text}"
        yield PlaceInTurn(turn, 0, len(turn)), False, "plain"


def _said(folder: Path) -> Iterator[Labelled]:
    for name, labelled, turns in histories(folder):
        places = {str(turn["n"]): i for i, turn in enumerate(turns)}
        for id, label, _, text in labelled:
            i = places[id.split(":")[1]]
            begin = turns[i]["text"].find(text)
            if label in OWN and begin >= 0:
                before = f"{turns[i - 1]['role']}: {turns[i - 1]['text']}" if i else ""
                yield PlaceInTurn(turns[i]["text"], begin, begin + len(text), before), False, name


def _example(place: PlaceInTurn, others: bool, group: str) -> Example:
    context, text, after = place.parts
    return Example(context, text, {"others": others}, group, after)


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("target", type=Path)
    reader.add_argument(
        "--unseen", nargs="*", default=["a0", "b0", "c0", "d0", "e0", "f0"], help="groups that it does not see"
    )
    reader.add_argument("--epochs", type=int, default=4)
    reader.add_argument("--after", action="store_true", help="begin as the judge in the package")
    asked = reader.parse_args()
    found = examples()
    unseen = np.array([one.group.startswith(tuple(asked.unseen)) for one in found])
    texts = fit_judge.Texts(found, TASKS, ROOM)
    print(f"{len(found)} sentences, {unseen.sum()} of them not seen", flush=True)
    start = fit_judge.layers_before() if asked.after else fit_judge.upper_layers(TASKS)
    start |= {name: value for name, value in fit_judge.upper_layers(TASKS).items() if name.startswith("heads")}
    weights = fit_judge.fitted(texts, np.flatnonzero(~unseen), np.flatnonzero(unseen), start, asked.epochs, RATE, TASKS)
    arrays: dict[str, Any] = {name: np.asarray(value) for name, value in weights.items()}
    np.savez(asked.target, **arrays)


if __name__ == "__main__":
    main()
