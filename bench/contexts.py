"""What a context holds: the share of LoCoMo's questions whose evidence is in the text that would be pasted.

An evidence turn is there if its words are, or the words of a fact that was drawn from it. Beside it stands the share of
questions whose answer's words are all in the text: a quote that leaves the answer out does not count there.

    python -m bench.contexts [--data PATH] [--location DIRECTORY] [--budgets 500 1000 2000 4000] [--show 3]

A location that holds the talks already is not built again.
"""

import argparse
import json
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from bench import report
from bench.locomo import DEFAULT_DATA, Question, Talk, load, tell
from reverie.language.words import terms
from reverie.model.base import HOUR
from reverie.model.memories import Filter
from reverie.reverie import Reverie
from reverie.space import Space

BUDGETS = (500, 1_000, 2_000, 4_000)
ANSWERABLE = (1, 2, 4)  # categories whose answer was said
EVERYTHING = 1_000_000
Shares = dict[str, list[float]]  # what -> its share at each budget, in percent


@dataclass(frozen=True, slots=True)
class Asked:
    """One question and what must be in the text."""

    question: Question
    said: tuple[frozenset[str], ...]  # for each evidence turn, the words that would show it

    def found(self, text: str) -> list[bool]:
        return [any(words in text for words in turn) for turn in self.said]

    def answered(self, text: str) -> bool:
        wanted = set(terms(self.question.answer))
        return bool(wanted) and wanted <= set(terms(text))


def plain(text: str) -> str:
    return " ".join(text.split())


def asked_of(talk: Talk, space: Space) -> list[Asked]:
    """Its questions, each with the texts of its evidence turns and of the facts drawn from them."""
    stored = space.turns(limit=EVERYTHING)
    names = {turn.id: said.id for turn, said in zip(stored, talk.turns, strict=True)}
    shows = {said.id: {plain(said.text)} for said in talk.turns}
    for fact in space.all(Filter(kinds=("fact",)), limit=EVERYTHING):
        for source in set(fact.sources) & names.keys():
            shows[names[source]].add(plain(fact.quote or fact.text))
    return [Asked(q, tuple(frozenset(shows[turn]) for turn in sorted(q.evidence))) for q in talk.questions]


def measure(space: Space, asked: Iterable[Asked], budgets: Sequence[int]) -> list[dict[str, list[float]]]:
    """For each question and name of a share, 0 or 1 at each budget; and the tokens that were used."""
    rows: list[dict[str, list[float]]] = []
    for one in asked:
        row: dict[str, list[float]] = {}
        for budget in budgets:
            made = space.context(one.question.text, budget)
            text = plain(made.text)
            found = one.found(text)
            told = {"any": any(found), "all": all(found), "answer": one.answered(text), "tokens": made.tokens / 100}
            for name, value in told.items():
                row.setdefault(f"{name}, every category", []).append(float(value))
                if one.question.category in ANSWERABLE:
                    row.setdefault(f"{name}, categories 1 2 4", []).append(float(value))
        rows.append(row)
    return rows


def averaged(rows: Sequence[dict[str, list[float]]]) -> Shares:
    names = sorted({name for row in rows for name in row})
    columns = {name: [row[name] for row in rows if name in row] for name in names}
    return {
        name: [round(100 * sum(column) / len(column), 1) for column in zip(*found, strict=True)]
        for name, found in columns.items()
    }


def run(data: Path, location: str, budgets: Sequence[int], show: int = 0) -> dict[str, Shares]:
    talks = load(data)
    now = max(turn.at for talk in talks for turn in talk.turns) + HOUR
    every: list[dict[str, list[float]]] = []
    shares: dict[str, Shares] = {}
    with Reverie.open(location, durable=False, clock=lambda: now) as memory:
        for talk in talks:
            space = memory.space(talk.name)
            if not space.turns(limit=1):
                tell(space, talk.turns)
                space.sleep()
            asked = asked_of(talk, space)
            for one in asked[:show]:
                print(f"--- {one.question.text}\n{space.context(one.question.text, budgets[0]).text}\n")
            rows = measure(space, asked, budgets)
            every += rows
            shares[talk.name] = averaged(rows)
    return {"every talk": averaged(every)} | shares


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--data", type=Path, default=DEFAULT_DATA)
    options.add_argument("--location", help="a directory; by default a fresh one")
    options.add_argument("--budgets", type=int, nargs="*", default=list(BUDGETS))
    options.add_argument("--show", type=int, default=0, help="print so many contexts of each talk")
    options.add_argument("--write", type=Path, help="the figures as JSON")
    chosen = options.parse_args()
    with ExitStack() as stack:
        location = chosen.location or stack.enter_context(tempfile.TemporaryDirectory())
        shares = run(chosen.data, location, chosen.budgets, chosen.show)
    table = [[f"{talk}: {name}", *row] for talk, its in shares.items() for name, row in its.items()]
    print(report.table(["evidence in the context, %", *map(str, chosen.budgets)], table))
    if chosen.write:
        chosen.write.write_text(json.dumps(shares, indent=2), "utf-8")
    print(f"written to {report.write('contexts', shares)}")


if __name__ == "__main__":
    main()
