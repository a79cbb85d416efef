"""How many bytes a memory's text and vector take while it is used, and how many in the archive.

python -m bench.archive [--lengths 60 200 600]
"""

import argparse
import tempfile
from itertools import islice
from typing import Any

import numpy as np

from bench import report
from bench.nights import sentences
from reverie.policy.care.tiering import quantize
from reverie.reverie import Reverie
from reverie.space import Space
from reverie.store.rows import pack

STORED = "SELECT length(vec) AS n FROM vectors WHERE ref = :ref"


def measure(lengths: list[int]) -> list[dict[str, Any]]:
    """A row for each length of text, in characters."""
    said = ". ".join(islice(sentences(6), 2 + max(lengths) // 40))
    with tempfile.TemporaryDirectory() as folder, Reverie.open(folder, durable=False) as memory:
        return [row(memory.space(), said[:length]) for length in lengths]


def row(space: Space, text: str) -> dict[str, Any]:
    kept = space.remember(text)
    whole = len(text.encode()) + int(space.parts.db.value(STORED, ref=kept.id))
    vector = np.asarray(space.parts.embedder.embed_one(text), np.float32)
    archived = len(pack(text)) + len(quantize(vector))
    return {"characters": len(text), "whole": whole, "archived": archived, "fewer": round(1 - archived / whole, 3)}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--lengths", type=int, nargs="+", default=[60, 200, 600])
    found = measure(options.parse_args().lengths)
    print(report.table(list(found[0]), [list(one.values()) for one in found]))
    print(f"written to {report.write('archive', found)}")


if __name__ == "__main__":
    main()
