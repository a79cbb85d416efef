"""Is a lookup among ten thousand prepared answers cheaper than one recall in the same store?

    python -m bench.lookup [--answers 10000] [--queries 300]

Half of the questions are prepared word for word, so that the lookup goes all the way: nearest, guards, freshness
against the store and the unread turns. The others have nothing close. Embedding is done before the clock starts.
"""

import argparse
import tempfile
import time
import zlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bench import report
from bench.hotpath import Timings, fill, timed
from bench.synthetic import DIM, Corpus, Vectors, corpus, unit
from reverie.asleep.steps.anticipate.lessons import learn
from reverie.minds.embed import FromFunction
from reverie.model.answers import Answer
from reverie.model.base import DAY, Trust
from reverie.model.night import Night
from reverie.policy.answers.guards.reading import pack, read
from reverie.reverie import Reverie
from reverie.space import Space
from reverie.store.db import batches
from reverie.store.reader import Reader
from reverie.store.rows import answer_row
from reverie.store.tables import spaces

NOW = 1_790_000_000.0
TAIL = 100  # turns that no night has read


def prepare(space: Space, questions: Sequence[str]) -> None:
    """Answers as nights leave them, each resting on two memories."""
    for part in batches(list(enumerate(questions)), 1_000):
        with space.parts.db.write("memory") as tx:
            changed = spaces.next_change(tx, space.id)
            rows = [{**answer_row(_answer(space, n, question)), "changed": changed} for n, question in part]
            names = ", ".join(rows[0])
            tx.many(f"INSERT INTO answers ({names}) VALUES ({', '.join(':' + name for name in rows[0])})", rows)
            rests = [
                {"answer": f"ans-{n}", "ref": f"mem-{space.record.num}-{ref}", "version": 1, "space": space.id}
                for n, _ in part
                for ref in _refs(n, len(questions))
            ]
            tx.many(
                "INSERT INTO answer_rests (answer, ref, version, space) VALUES (:answer, :ref, :version, :space)", rests
            )


def _refs(n: int, many: int) -> tuple[int, int]:
    return n, (n + 1) % many


def _answer(space: Space, n: int, question: str) -> Answer:
    made = space.parts.embedder
    return Answer(
        id=f"ans-{n}",
        space=space.id,
        question=question,
        answer=f"It is number {n}.",
        embedder=made.id,
        confidence=0.9,
        threshold=0.99,
        predictor="recurring",
        sources=(f"mem-{space.record.num}-{n}",),
        rests_on={},
        trust=Trust.USER,
        created_at=NOW,
        expires_at=NOW + DAY,
        parsed=pack(read(question)),
        vec=made.embed_one(question).tobytes(),
    )


def unit_embedder() -> FromFunction:
    """A direction of its own for every text; `synthetic.embedder` gives texts that begin alike the same one."""

    def embed(texts: Sequence[str]) -> Vectors:
        rows = [np.random.default_rng(zlib.crc32(text.encode())).standard_normal(DIM, np.float32) for text in texts]
        return unit(np.stack(rows))

    return FromFunction(embed, "synthetic", DIM)


def measure(answers: int, queries: int) -> tuple[Timings, dict[str, float]]:
    made, timings = corpus(answers, answers + queries), Timings()
    with (
        tempfile.TemporaryDirectory() as folder,
        Reverie.open(folder, embedder=unit_embedder(), durable=False, clock=lambda: NOW + 60) as memory,
    ):
        space = memory.space("user")
        fill(space, made)
        prepare(space, made.questions[:answers])
        for text in made.texts[:TAIL]:
            space.append("user", text, at=NOW + 1)
        once = {
            "first lookup, ms": _ms(lambda: space.answer("warm up")),
            "first recall, ms": _ms(lambda: space.recall("warm up")),
        }
        ask(timings, space, made, answers, queries)
        night = Night("night-bench", space.id, "nap", "manual", NOW + 60, NOW + 60)
        once["a night's look at all of them, ms"] = _ms(
            lambda: learn(night, Reader.of(memory.parts.db, night), memory.parts.minds)
        )
    return timings, once


def ask(timings: Timings, space: Space, made: Corpus, answers: int, queries: int) -> None:
    embed = space.parts.embedder.embed_one
    for n in range(queries):
        known, other = made.questions[n * (answers // queries)], made.questions[answers + n]
        for question in (known, other):
            embed(question)
        with timed(timings, "lookup, prepared"):
            space.answer(known)
        with timed(timings, "recall, prepared"):
            space.recall(known)
        with timed(timings, "lookup, nothing close"):
            space.answer(other)
        with timed(timings, "recall, nothing close"):
            space.recall(other)


def _ms(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return (time.perf_counter() - began) * 1000


def run(answers: int, queries: int) -> dict[str, Any]:
    timings, once = measure(answers, queries)
    figures = {what: [float(np.percentile(t, p) * 1000) for p in (50, 95, 99)] for what, t in timings.items()}
    print(report.table(("ms", "p50", "p95", "p99"), [(w, *(f"{ms:.2f}" for ms in f)) for w, f in figures.items()]))
    for what, ms in once.items():
        print(f"{what}: {ms:.0f}")
    return {"answers": answers, "queries": queries, "percentiles_ms": figures, "once": once}


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--answers", type=int, default=10_000)
    parser.add_argument("--queries", type=int, default=300)
    options = parser.parse_args(argv)
    print(f"written to {report.write('lookup', run(options.answers, options.queries))}")


if __name__ == "__main__":
    main()
