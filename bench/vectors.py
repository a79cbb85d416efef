"""Evidence recall by vectors alone and by the whole retrieval, talk by talk: LoCoMo, or histories with their keys.

    python -m bench.vectors [--data FILE_OR_FOLDER] [--answers CHARACTERS] [--names NAME ...] [--location DIRECTORY]

A folder has `NAME.jsonl` and `NAME.key.json` (`bench/histories`): its questions' `lines` are the evidence. `--answers`
makes every turn of the assistant so long with code, as a coding agent's are: a user's turn must still be found.
"""

import argparse
import json
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from bench import report
from bench.locomo import DEFAULT_DATA, Question, Said, Talk, load, tell
from bench.retrieval import KS, Told, found, turns_of
from reverie.model.base import HOUR
from reverie.model.hits import Asking
from reverie.retrieve import Retriever
from reverie.reverie import Reverie
from reverie.space import Space
from reverie.store.search.index import Indexes
from reverie.store.tables import memories

DEPTH = 400
CODE = "def step_{n}(rows, limit={n}):\n    return [row.value * {n} for row in rows if row.key % {n} == 0][:limit]\n"
Shares = dict[str, list[float]]  # talk -> recall at each of KS, in percent


def histories(folder: Path, names: Sequence[str], answers: int) -> list[tuple[Talk, Mapping[str, Any]]]:
    """Talks with the role of each turn; only those whose key has questions."""
    keys = {path.name.removesuffix(".key.json"): json.loads(path.read_text()) for path in folder.glob("*.key.json")}
    chosen = {name: key for name, key in sorted(keys.items()) if key.get("questions") and (not names or name in names)}
    return [_history(folder / f"{name}.jsonl", key, answers) for name, key in chosen.items()]


def _history(path: Path, key: Mapping[str, Any], answers: int) -> tuple[Talk, Mapping[str, Any]]:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    turns = tuple(
        Said(str(row["n"]), row["session"], "", _longer(row, answers), datetime.fromisoformat(row["at"]).timestamp())
        for row in rows
    )
    asked = [*key["important"], *key["questions"]]
    questions = (Question(str(ask["ask"]), frozenset(map(str, ask["lines"])), 4) for ask in asked if ask["lines"])
    return Talk(path.stem, turns, tuple(questions)), {str(row["n"]): row["role"] for row in rows}


def _longer(row: Mapping[str, Any], answers: int) -> str:
    text = str(row["text"])
    if row["role"] != "assistant" or len(text) >= answers:
        return text
    lines = (CODE.format(n=n) for n in cycle(range(row["n"], row["n"] + 200)))
    return f"{text}\n\n```python\n{''.join(islice(lines, (answers - len(text)) // len(CODE) + 1))}```"


def tell_history(space: Space, talk: Talk, roles: Mapping[str, Any]) -> dict[str, str]:
    return {space.append(roles[said.id], said.text, said.session, at=said.at).id: said.id for said in talk.turns}


def by_vectors(retriever: Retriever, told: Told, question: Question) -> list[float]:
    """What the nearest vectors stand for: a turn, an episode's turn, the turn that a fact quotes."""
    space, embedder = told.space.id, retriever.embedder
    with retriever.indexes.searched(space, embedder.id, embedder.dim, lambda index: index) as index:
        near = [ref for ref, _ in index.nearest(embedder.embed_one(question.text), DEPTH, None)]
    known = memories.by_ids(retriever.db, space, near)
    sources = (turn for ref in near for turn in (known[ref].sources if ref in known else (ref,)))
    return found(question, list(dict.fromkeys(told.names[turn] for turn in sources if turn in told.names)))


def by_all(retriever: Retriever, told: Told, question: Question, now: float) -> list[float]:
    hits = retriever.retrieve(told.space.id, question.text, Asking(k=max(KS)), now)
    return found(question, turns_of(hits, told.names))


def measure(retriever: Retriever, told: Sequence[Told], now: float) -> dict[str, Shares]:
    vectors = {one.talk.name: mean(by_vectors(retriever, one, q) for q in one.talk.questions) for one in told}
    whole = {one.talk.name: mean(by_all(retriever, one, q, now) for q in one.talk.questions) for one in told}
    weights = {one.talk.name: len(one.talk.questions) for one in told}
    return {"vectors": with_all(vectors, weights), "whole": with_all(whole, weights)}


def mean(rows: Iterable[Sequence[float]]) -> list[float]:
    columns = list(zip(*rows, strict=True))
    return [100 * sum(column) / len(column) for column in columns]


def with_all(shares: Shares, weights: Mapping[str, int]) -> Shares:
    """Also over all questions of all talks."""
    total = sum(weights.values())
    whole = [sum(shares[name][i] * weights[name] for name in shares) / total for i in range(len(KS))]
    return {**shares, "all": whole}


def run(data: Path, location: str, names: Sequence[str] = (), answers: int = 0) -> dict[str, dict[str, Shares]]:
    talks = histories(data, names, answers) if data.is_dir() else [(talk, {}) for talk in load(data)]
    now = max(turn.at for talk, _ in talks for turn in talk.turns) + HOUR
    with Reverie.open(location, durable=False, clock=lambda: now) as memory:
        told = []
        for talk, roles in talks:
            space = memory.space(talk.name)
            told.append(Told(talk, space, tell_history(space, talk, roles) if roles else tell(space, talk.turns)))
            space.sleep()
        retriever = Retriever(memory.parts.db, Indexes(memory.parts.db), memory.parts.embedder)
        return {"after a night": measure(retriever, told, now)}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--data", type=Path, default=DEFAULT_DATA)
    options.add_argument("--names", nargs="*", default=[], help="only these histories")
    options.add_argument("--answers", type=int, default=0, help="characters that an assistant's turn has at least")
    options.add_argument("--location", help="a directory or postgresql:// URL; by default a fresh directory")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        stages = run(chosen.data, chosen.location or folder, chosen.names, chosen.answers)
    rows = [
        [f"{stage}, {kind}, {talk}", *(f"{share:.1f}" for share in shares)]
        for stage, kinds in stages.items()
        for kind, by_talk in kinds.items()
        for talk, shares in by_talk.items()
    ]
    print(report.table(["evidence recall, %", *(f"@{k}" for k in KS)], rows))


if __name__ == "__main__":
    main()
