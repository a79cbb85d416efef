"""Evidence recall on LoCoMo: the share of a question's evidence turns among the first k turns that recall returns.

A hit that is not a turn stands for its source turns, in their order, at its rank, cut at k turns.

    python -m bench.retrieval [--data PATH] [--location DIRECTORY_OR_URL] [--no-nights]
"""

import argparse
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from bench import report
from bench.locomo import CATEGORIES, DEFAULT_DATA, Question, Talk, load, tell
from reverie.awake.recall import embed_tail
from reverie.model.base import HOUR
from reverie.model.hits import Asking, Hit
from reverie.retrieve import Retriever
from reverie.reverie import Reverie
from reverie.space import Space
from reverie.store.search.index import Indexes

KS = (5, 10, 25, 50)
Recalls = dict[str, list[float]]  # "all" or a category -> recall at each of KS, in percent


@dataclass(frozen=True, slots=True)
class Told:
    """A talk in its space."""

    talk: Talk
    space: Space
    names: Mapping[str, str]  # a stored turn's id -> LoCoMo's


def turns_of(hits: Iterable[Hit], names: Mapping[str, str]) -> list[str]:
    """The distinct turns that hits stand for, in order."""
    return list(dict.fromkeys(names[turn] for hit in hits for turn in hit.turns if turn in names))


def found(question: Question, turns: Sequence[str]) -> list[float]:
    return [len(question.evidence & set(turns[:k])) / len(question.evidence) for k in KS]


def measure(retriever: Retriever, told: Sequence[Told], now: float) -> Recalls:
    shares: dict[str, list[list[float]]] = {"all": []}
    for one in told:
        for question in one.talk.questions:
            hits = retriever.retrieve(one.space.id, question.text, Asking(k=max(KS)), now)
            share = found(question, turns_of(hits, one.names))
            shares["all"].append(share)
            shares.setdefault(CATEGORIES[question.category], []).append(share)
    return {
        name: [100 * sum(column) / len(column) for column in zip(*rows, strict=True)] for name, rows in shares.items()
    }


def rows(stages: Mapping[str, Recalls]) -> list[list[str]]:
    return [
        [f"{stage}, {name}", *(f"{share:.1f}" for share in recalls[name])]
        for stage, recalls in stages.items()
        for name in sorted(recalls, key=lambda name: (name != "all", name))
    ]


def run(data: Path, location: str, *, nights: bool = True) -> dict[str, Recalls]:
    stages: dict[str, Recalls] = {}
    talks = load(data)
    now = max(turn.at for talk in talks for turn in talk.turns) + HOUR
    with Reverie.open(location, durable=False, clock=lambda: now) as memory:
        parts = memory.parts
        told = [Told(talk, space := memory.space(talk.name), tell(space, talk.turns)) for talk in talks]
        retriever = Retriever(parts.db, Indexes(parts.db), parts.embedder)
        stages["before any night"] = measure(retriever, told, now)
        for one in told:
            embed_tail(parts.db, parts.embedder, one.space.id)
        stages["tail embedded"] = measure(retriever, told, now)
        if nights:
            for one in told:
                one.space.sleep()
            stages["after a night"] = measure(retriever, told, now)
    return stages


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--data", type=Path, default=DEFAULT_DATA)
    options.add_argument("--location", help="a directory or postgresql:// URL; by default a fresh directory")
    options.add_argument("--no-nights", action="store_true", help="stop before any night")
    chosen = options.parse_args()
    with ExitStack() as stack:
        location = chosen.location or stack.enter_context(tempfile.TemporaryDirectory())
        stages = run(chosen.data, location, nights=not chosen.no_nights)
    print(report.table(["evidence recall, %", *(f"@{k}" for k in KS)], rows(stages)))
    print(f"written to {report.write('retrieval', stages)}")


if __name__ == "__main__":
    main()
