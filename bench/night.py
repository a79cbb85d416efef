"""What does a night over 1,000 new turns cost, and does that grow with what is stored?

python -m bench.night [--turns 1000] [--sizes 10000 100000] [--embedder minilm] [--traffic agent]
"""

import argparse
import resource
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

from bench import report
from bench.nights import DIM, make_store, quick, say
from reverie import Reverie
from reverie.minds.embed import FromFunction, MiniLM
from reverie.model.night import Progress


@dataclass
class Figures:
    memories: int
    turns: int
    seconds: float = 0.0
    cpu: float = 0.0
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

    def quantile(self, share: float) -> float:
        return self.held[min(len(self.held) - 1, int(len(self.held) * share))]


def measure(size: int, turns: int, embedder: str, traffic: str = "chat") -> Figures:
    figures, now = Figures(size, turns), time.time()
    with tempfile.TemporaryDirectory(prefix="reverie-bench-") as folder:
        model = MiniLM() if embedder == "minilm" else FromFunction(quick, "bench", DIM)
        db, space = make_store(Path(folder), size, now, model.id, model.embed if embedder == "minilm" else None)
        say(db, space, turns, now, traffic=traffic)
        db.close()
        with Reverie.open(folder, embedder=model) as memory:  # as it is wired: with the judge, and with updates
            began, cpu = time.perf_counter(), time.process_time()
            night = memory.space_by_id(space).sleep(progress=figures.heard)
            figures.seconds, figures.cpu = time.perf_counter() - began, time.process_time() - cpu
            figures.status = f"{night.status} {night.error or ''}".strip()
    figures.peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return figures


def show(found: list[Figures]) -> None:
    first = found[0]
    rows = [
        (f"{f.memories:,}", f.status, f"{f.seconds:.2f}", f"{f.cpu:.2f}", f"{f.cpu / max(first.cpu, 1e-9):.2f}x",
         len(f.held), *(f"{f.quantile(share):.1f}" for share in (0.5, 0.99, 1.0)), f"{f.peak_mb:.0f}")
        for f in found
    ]  # fmt: skip
    head = ("memories", "status", "s", "CPU s", "growth", "batches", "held p50 ms", "p99", "max", "peak MB")
    print(report.table(head, rows))
    steps = []
    for step, ms in first.steps_ms.items():
        growth = found[-1].steps_ms.get(step, 0.0) / max(ms, 1e-9)
        longest = max(held for f in found for held in f.held_ms.get(step, [0.0]))
        cells = (f"{f.steps_ms.get(step, 0.0):,.0f}" for f in found)
        steps.append((step, *cells, f"{growth:.2f}x", f"{longest:.1f}"))
    print()
    print(report.table(("step, ms", *(f"{f.memories:,}" for f in found), "growth", "held max ms"), steps))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=1_000)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--embedder", choices=("quick", "minilm"), default="quick")
    parser.add_argument("--traffic", choices=("chat", "agent"), default="chat")
    chosen = parser.parse_args()
    found = [measure(size, chosen.turns, chosen.embedder, chosen.traffic) for size in chosen.sizes]
    show(found)
    report.write("night", [asdict(figures) for figures in found])


if __name__ == "__main__":
    main()
