"""What peers find, with the same embedder and the same texts, beside how long they take, cold and warm: LoCoMo's talks.

    python -m bench.found [--data PATH] [--peers chroma …] [--talks 3]

Every peer gets each turn as "speaker: text" with its vector, one talk a store, and is asked every question that has
evidence. What is found is counted as `bench.retrieval` does it. Warm: the p50 of all searches. Cold: a new process is
started, opens the store that another has left and answers its first question; ours is handed its vector as theirs are.
An add is one turn more, when all has been asked; p50.
"""

import argparse
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean, median
from typing import Any, NamedTuple

from bench import report
from bench.locomo import DEFAULT_DATA, Talk, load, tell
from bench.peers import OURS, PEERS, WAYS, Worker
from bench.retrieval import KS, found, turns_of
from bench.synthetic import Vectors
from reverie.awake.recall import embed_tail
from reverie.minds.embed import MiniLM
from reverie.model.base import HOUR
from reverie.reverie import Reverie
from reverie.space import Space

ASLEEP = "ours, after a night"
LOOKS = "vectors (exact) and words with the turns around them"
OWN_WAYS = {OURS: (LOOKS, "synced once"), ASLEEP: (f"{LOOKS}, and what the night has drawn from them", "synced once")}
ADDED = 20  # turns a talk
TIMED = ("warm", "cold", "add")


class Embedded(NamedTuple):
    """A talk with the vectors of its turns and its questions."""

    talk: Talk
    texts: list[str]
    turns: Vectors
    questions: Vectors


class Outcome(NamedTuple):
    shares: list[list[float]]  # of each question's evidence, at each of KS
    warm: list[float]  # seconds of each search
    cold: list[float]  # of a new process until its first answer
    added: list[float]  # of each add


def embedded(talk: Talk, embedder: MiniLM) -> Embedded:
    texts = [f"{turn.speaker}: {turn.text}" for turn in talk.turns]
    return Embedded(talk, texts, embedder.embed(texts), embedder.embed([asked.text for asked in talk.questions]))


def by_peer(name: str, talks: Sequence[Embedded]) -> Outcome:
    outcome = Outcome([], [], [], [])
    for one in talks:
        with tempfile.TemporaryDirectory() as folder:
            with Worker(name, Path(folder)) as peer:
                peer.fill([turn.id for turn in one.talk.turns], one.texts, one.turns)
                for question, vector in zip(one.talk.questions, one.questions, strict=True):
                    ids, seconds = peer.found(question.text, vector, max(KS))
                    outcome.shares.append(found(question, ids))
                    outcome.warm.append(seconds)
            _begin_again(name, Path(folder), one, outcome)
    return outcome


def by_ours(talks: Sequence[Embedded], *, asleep: bool = False) -> Outcome:
    """Recall over the same talks, each turn embedded; before any night, or after one."""
    outcome = Outcome([], [], [], [])
    for one in talks:
        now = max(turn.at for turn in one.talk.turns) + HOUR
        with tempfile.TemporaryDirectory() as folder:
            with Reverie.open(folder, clock=lambda now=now: now) as memory:  # type: ignore[misc]
                space = memory.space("user")
                names = tell(space, one.talk.turns)
                if asleep:
                    space.sleep()
                else:
                    embed_tail(memory.parts.db, memory.parts.embedder, space.id)
                _ask(space, one.talk, names, outcome)
            _begin_again(OURS, Path(folder), one, outcome)
    return outcome


def _ask(space: Space, talk: Talk, names: Mapping[str, str], outcome: Outcome) -> None:
    """Every question; its embedding is cached before."""
    for question in talk.questions:
        space.parts.embedder.embed_one(question.text)
        began = time.perf_counter()
        hits = space.recall(question.text, max(KS), quiet=True)
        outcome.warm.append(time.perf_counter() - began)
        outcome.shares.append(found(question, turns_of(hits, names)))


def _begin_again(name: str, folder: Path, one: Embedded, outcome: Outcome) -> None:
    """What a new process takes for its first answer, and then for adds."""
    with Worker(name, folder) as peer:
        _, seconds = peer.found(one.talk.questions[0].text, one.questions[0], max(KS))
        outcome.cold.append(peer.opened + seconds)
        texts = zip(one.texts[:ADDED], one.turns, strict=False)
        outcome.added.extend(peer.add(f"added-{n}", f"{text} again", vector) for n, (text, vector) in enumerate(texts))


def summary(outcome: Outcome) -> dict[str, Any]:
    return {
        "found": [round(100 * mean(column), 1) for column in zip(*outcome.shares, strict=True)],
        "warm_ms": round(1_000 * median(outcome.warm), 2),
        "cold_ms": round(1_000 * median(outcome.cold), 1),
        "add_ms": round(1_000 * median(outcome.added), 2),
    }


def rows(figures: Mapping[str, Any]) -> list[list[Any]]:
    ways = {**OWN_WAYS, **WAYS}
    return [
        [_named(name), *(f"{share:.1f}" for share in one["found"]), *(one[f"{what}_ms"] for what in TIMED), *ways[name]]
        for name, one in figures.items()
    ]


def _named(name: str) -> str:
    """
    >>> _named(ASLEEP), _named("chroma")
    ('reverie, after a night', 'chroma')
    """
    return name.replace(OURS, "reverie", 1) if name in OWN_WAYS else name


COLUMNS = ("", *(f"@{k}" for k in KS), *(f"{what} ms" for what in TIMED), "looks at", "an add returns")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--data", type=Path, default=DEFAULT_DATA)
    options.add_argument("--peers", nargs="*", choices=PEERS, default=list(PEERS))
    options.add_argument("--talks", type=int, help="only the first so many")
    chosen = options.parse_args()
    embedder = MiniLM()
    talks = [embedded(talk, embedder) for talk in load(chosen.data)[: chosen.talks]]
    figures = {OURS: summary(by_ours(talks)), ASLEEP: summary(by_ours(talks, asleep=True))}
    for name in chosen.peers:
        figures[name] = summary(by_peer(name, talks))
        print(name, figures[name], flush=True)
    print(report.table(COLUMNS, rows(figures)))
    print(f"\nwritten to {report.write('found', figures)}")


if __name__ == "__main__":
    main()
