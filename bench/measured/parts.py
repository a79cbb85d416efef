"""The parts of the report, in the order of the page: which benchmark, how far, what is kept of its figures."""

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from bench.interference import SHARES, WAYS, quantile

TOY = "hashed words (a toy: embedding is nearly free)"
GIVEN = "none: vectors are given, embedding is measured apart"
MINILM = "minilm-l6-v2-int8-1, bundled"
COUNTED = (
    "retrieval",
    "found",
    "sleepgain",
    "anticipation",
    "archive",
    "backlog",
    "ponder",
)  # shares and bytes: load is the same
Data = Literal["locomo", "pairs"]


@dataclass(frozen=True)
class Part:
    """One benchmark of `bench/`."""

    name: str  # of its module, if that is not given
    title: str
    full: tuple[str, ...]
    quick: tuple[str, ...] | None  # None: only in full
    embedder: str
    data: Data | None = None  # a file that is not in the repository
    kept: Callable[[Any], Any] = lambda figures: figures
    module: str = ""

    @property
    def bench(self) -> str:
        return self.module or self.name

    def args(self, *, quick: bool) -> tuple[str, ...]:
        return self.quick if quick and self.quick is not None else self.full


def interference(figures: dict[str, Any]) -> dict[str, Any]:
    """Medians over the rounds: milliseconds, and how many times those of an idle store, at p50, p95 and p99."""
    rounds = figures["rounds"]
    ways: dict[str, dict[str, Any]] = {}
    for way in WAYS:
        for verb in ("append", "recall"):
            at = [[quantile(found[one][verb], share) for found in rounds] for one in (way, "idle") for share in SHARES]
            mine, idle = at[: len(SHARES)], at[len(SHARES) :]
            ways.setdefault(way, {})[verb] = {
                "ms": [round(statistics.median(ms), 3) for ms in mine],
                "over_idle": [
                    round(statistics.median(a / b for a, b in zip(ms, still, strict=True)), 3)
                    for ms, still in zip(mine, idle, strict=True)
                ],
            }
        ways[way]["batches"] = statistics.median(found[way]["batches"][0] for found in rounds)
    bare = figures["bare loop"]
    loop = [round(quantile(bare["beside"], share) / quantile(bare["alone"], share), 3) for share in SHARES]
    return {"rounds": len(rounds), "ways": ways, "bare_loop_beside_a_busy_process": loop}


def night(figures: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without the raw times of every batch."""
    return [_night(one) for one in figures]


def _night(one: dict[str, Any]) -> dict[str, Any]:
    held = [ms for batches in one["held_ms"].values() for ms in batches]
    return {
        **{name: value for name, value in one.items() if name != "held_ms"},
        "turns": one.get("turns", 1_000),  # so many were the rule when it was not noted
        "seconds": round(one["seconds"], 2),
        "cpu": round(one["cpu"], 2) if "cpu" in one else None,
        "peak_mb": round(one["peak_mb"]),
        "steps_ms": {step: round(ms, 1) for step, ms in one["steps_ms"].items()},
        "held_ms": {name: round(quantile(held, share), 2) for name, share in (("p50", 0.5), ("p99", 0.99), ("max", 1))},
    }


def rounded(figures: dict[str, dict[str, list[float]]]) -> dict[str, dict[str, list[float]]]:
    return {stage: {name: [round(x, 2) for x in row] for name, row in by.items()} for stage, by in figures.items()}


PARTS = (
    Part(
        "hotpath",
        "What a user waits for",
        ("--sizes", "1000", "14000", "100000", "--spaces"),
        ("--sizes", "1000", "4000", "14000", "--queries", "30", "--peers"),
        GIVEN,
        kept=lambda figures: {name: found for name, found in figures.items() if name != "large"},
    ),
    Part(
        "large",
        "A million vectors",
        ("--sizes", "--peers", "--large"),
        None,
        GIVEN,
        kept=lambda figures: figures["large"],
        module="hotpath",
    ),
    Part("embedding", "Embedding", (), (), MINILM),
    Part(
        "rest",
        "The server under load, forty questions asked again and again",
        (),
        ("--size", "2000", "--clients", "1", "8", "--seconds", "1"),
        f"{MINILM}, queries cached",
    ),
    Part(
        "console",
        "The console's pages",
        (),
        ("--sizes", "1000", "14000", "--rounds", "5"),
        GIVEN,
    ),
    Part(
        "night",
        "What a night costs",
        ("--embedder", "minilm"),
        ("--embedder", "minilm", "--turns", "100", "--sizes", "1000", "4000"),
        MINILM,
        kept=night,
    ),
    Part(
        "interference",
        "What a user feels of a night",
        (),
        ("--memories", "2000", "--turns", "100", "--rounds", "2", "--seconds", "1.5"),
        TOY,
        kept=interference,
    ),
    Part(
        "load",
        "The seed's load table",
        (),
        ("--turns", "100", "--rounds", "1", "--seconds", "2"),
        TOY,
    ),
    Part(
        "scale",
        "Workers over one Postgres",
        ("--seconds", "60"),
        ("--workers", "1", "2", "--seconds", "8"),
        "none: a model that takes 300 ms an answer",
    ),
    Part("waiting", "Who waits for a sleeper", (), ("--requests", "3", "--seconds", "10"), "none"),
    Part("retrieval", "What is found, before nights and after", (), None, MINILM, "locomo", rounded),
    Part("found", "What peers find, with the same embedder", (), None, MINILM, "locomo"),
    Part("sleepgain", "What fits into a budget of tokens", (), None, MINILM, "locomo", rounded),
    Part("anticipation", "Answers before the question", (), None, MINILM, "pairs"),
    Part("backlog", "Bytes", ("--turns", "3000"), ("--turns", "150"), MINILM),
    Part("archive", "Bytes in the archive", (), (), MINILM),
    Part("ponder", "Thinking ahead without a model", (), None, "none"),
)
