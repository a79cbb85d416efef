"""How many bytes a memory's text takes while it is used, and how many in the archive. Its vector stays as it is.

python -m bench.archive [--lengths 200 600 2000]
"""

import argparse
from itertools import islice
from typing import Any

from bench import report
from bench.nights import sentences
from reverie.store.rows import pack


def measure(lengths: list[int]) -> list[dict[str, Any]]:
    """A row for each length of text, in characters."""
    said = ". ".join(islice(sentences(6), 2 + max(lengths) // 40))
    return [row(said[:length]) for length in lengths]


def row(text: str) -> dict[str, Any]:
    whole = len(text.encode())
    archived = min(whole, len(pack(text)))
    return {"characters": len(text), "whole": whole, "archived": archived, "fewer": round(1 - archived / whole, 3)}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--lengths", type=int, nargs="+", default=[200, 600, 2_000])
    found = measure(options.parse_args().lengths)
    print(report.table(list(found[0]), [list(one.values()) for one in found]))
    print(f"written to {report.write('archive', found)}")


if __name__ == "__main__":
    main()
