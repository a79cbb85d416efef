"""What the bundled embedder costs: one query alone, and a text of a batch as nights embed them; one thread.

python -m bench.embedding [--texts 200]
"""

import argparse
import time
from itertools import islice
from typing import Any

import numpy as np

from bench import report
from bench.nights import sentences
from reverie.minds.embed import MiniLM

BATCH = 64


def measure(texts: int) -> dict[str, Any]:
    model, said = MiniLM(), list(islice(sentences(5), texts))
    queries = [" ".join(text.split()[2:10]) + "?" for text in said]
    model.embed(["warm up"])
    took = []
    for query in queries:
        began = time.perf_counter()
        model.embed([query])
        took.append(1_000 * (time.perf_counter() - began))
    began, cpu = time.perf_counter(), time.process_time()
    for start in range(0, texts, BATCH):
        model.embed(said[start : start + BATCH])
    return {
        "texts": texts,
        "query_ms": {f"p{p}": round(float(np.percentile(took, p)), 2) for p in (50, 95)},
        "batched_ms_a_text": round(1_000 * (time.perf_counter() - began) / texts, 2),
        "batched_cpu_ms_a_text": round(1_000 * (time.process_time() - cpu) / texts, 2),
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--texts", type=int, default=200)
    found = measure(options.parse_args().texts)
    print(report.table(("of one text", "ms"), [(name, value) for name, value in found.items()]))
    print(f"written to {report.write('embedding', found)}")


if __name__ == "__main__":
    main()
