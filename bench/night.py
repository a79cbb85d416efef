"""What does a night over 1,000 new turns cost, and does that grow with what is stored?

python -m bench.night [--turns 1000] [--sizes 10000 100000] [--json out.json]
"""

import argparse
import json
import resource
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from bench.nights import DIM, make_store, say
from reverie.asleep.runner import Runner
from reverie.asleep.step import Minds
from reverie.minds.embed import FromFunction, MiniLM, Vectors
from reverie.minds.rules import RulesReasoner
from reverie.model.night import Progress
from reverie.model.rhythm import Sleeping, SleepRequest
from reverie.triggers.inline import sleep


@dataclass
class Figures:
    memories: int
    seconds: float = 0.0
    steps_ms: dict[str, float] = field(default_factory=dict)
    held_ms: dict[str, list[float]] = field(default_factory=dict)
    status: str = ""
    peak_mb: float = 0.0

    def heard(self, told: Progress) -> None:
        if told.what == "step" and told.status == "done":
            self.steps_ms[told.step] = told.duration_ms
        if told.what == "batch":
            self.held_ms.setdefault(told.step, []).append(told.held_ms)

    @property
    def held(self) -> list[float]:
        return sorted(ms for its in self.held_ms.values() for ms in its)


def quick(texts: Sequence[str]) -> Vectors:
    """Hashed words: as wide as the real embedder and nearly free, so that growth is not hidden behind it."""
    rows = np.zeros((len(texts), DIM), np.float32)
    for row, text in zip(rows, texts, strict=True):
        for word in text.lower().split():
            row[hash(word) % DIM] += 1.0
    return rows + 1e-3


def measure(size: int, turns: int, embedder: str) -> Figures:
    figures, now = Figures(size), time.time()
    with tempfile.TemporaryDirectory(prefix="reverie-bench-") as folder:
        db, space = make_store(Path(folder), size, now)
        say(db, space, turns, now)
        minds = Minds(RulesReasoner(), MiniLM() if embedder == "minilm" else FromFunction(quick, "bench", DIM))
        began = time.perf_counter()
        asked = sleep(
            Runner(db, minds, tell=figures.heard), space, SleepRequest("night", "manual", "bench"), Sleeping()
        )
        figures.seconds = time.perf_counter() - began
        figures.status = f"{asked.night.status} {asked.night.error or ''}".strip()
        db.close()
    figures.peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return figures


def show(found: list[Figures]) -> None:
    first = found[0]
    for figures in found:
        held = figures.held
        p50, p99 = (held[int(len(held) * share)] for share in (0.5, 0.99))
        print(
            f"{figures.memories:>9,} memories: {figures.seconds:6.2f} s ({figures.status}), "
            f"{figures.seconds / first.seconds:.2f}x; write lock held p50 {p50:.1f} ms, p99 {p99:.1f} ms, "
            f"max {held[-1]:.1f} ms over {len(held)} batches; peak {figures.peak_mb:.0f} MB"
        )
    print(f"\n{'step':<14}" + "".join(f"{f.memories:>12,}" for f in found) + "   growth   held max ms")
    for step in first.steps_ms:
        row = [f.steps_ms.get(step, 0.0) for f in found]
        held_max = max(ms for f in found for ms in f.held_ms.get(step, [0.0]))
        growth = row[-1] / row[0] if row[0] else 0.0
        print(f"{step:<14}" + "".join(f"{ms:>9,.0f} ms" for ms in row) + f"   {growth:5.2f}x   {held_max:8.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=1_000)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--embedder", choices=("quick", "minilm"), default="quick")
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    found = [measure(size, chosen.turns, chosen.embedder) for size in chosen.sizes]
    show(found)
    if chosen.json:
        chosen.json.write_text(json.dumps([asdict(figures) for figures in found], indent=1), "utf-8")


if __name__ == "__main__":
    main()
