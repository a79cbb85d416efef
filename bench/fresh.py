"""Fresh turns embedded behind appends: what an append costs beside it, and how soon meaning finds a turn.

    python -m bench.fresh [--seconds 5] [--rates 2 20 0]

A rate of 0 is as fast as appends go. The lag is from an append's answer to its vector; a turn that is not embedded
within the run is left to words.
"""

import argparse
import tempfile
import time

import numpy as np

from bench import report
from bench.nights import sentences
from reverie.reverie import Reverie
from reverie.space import Space

COLUMNS = ("turns a second", "turns", "append p50 ms", "p99", "embedded", "lag p50 ms", "p99")


def run(space: Space, rate: float, seconds: float) -> tuple[list[float], dict[str, float]]:
    """Seconds of each append, and when each turn was answered."""
    said, took, answered = sentences(7), list[float](), dict[str, float]()
    until, n = time.perf_counter() + seconds, 0
    began = time.perf_counter()
    while time.perf_counter() < until:
        before = time.perf_counter()
        turn = space.append("user", next(said), f"s{n // 20}")
        answered[turn.id] = time.perf_counter()
        took.append(answered[turn.id] - before)
        n += 1
        if rate:
            time.sleep(max(0.0, began + n / rate - time.perf_counter()))
    return took, answered


def measure(rate: float, seconds: float, embedder: str) -> list[str]:
    with tempfile.TemporaryDirectory(dir=".") as home, Reverie.open(home, embedder=embedder) as memory:
        space, embedded = memory.space("bench"), dict[str, float]()
        held = memory.parts.fresh
        put = held.put

        def noted(where: str, id: str, made: list, cleared: int = 0) -> None:  # type: ignore[type-arg]
            put(where, id, made, cleared)
            embedded.update({turn.ref: time.perf_counter() for turn in made})

        held.put = noted  # type: ignore[method-assign, assignment]
        space.append("user", "The model is loaded before the clock starts.")
        if memory.parts.tail is not None:
            memory.parts.tail.settle(30)
        took, answered = run(space, rate, seconds)
        lags = [1_000 * (embedded[ref] - at) for ref, at in answered.items() if ref in embedded]
        p50, p99 = 1_000 * np.percentile(took, (50, 99))
        near, far = np.percentile(lags, (50, 99)) if lags else (0.0, 0.0)
        name = f"{rate or 'all that go'}, {embedder}"
        return [name, str(len(took)), f"{p50:.2f}", f"{p99:.2f}", str(len(lags)), f"{near:.0f}", f"{far:.0f}"]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=5.0)
    options.add_argument("--rates", type=float, nargs="*", default=[2, 20, 0])
    chosen = options.parse_args()
    rows = [measure(rate, chosen.seconds, name) for rate in chosen.rates for name in ("none", "minilm")]
    print(report.table(COLUMNS, rows))


if __name__ == "__main__":
    main()
