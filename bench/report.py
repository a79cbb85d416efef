"""What every benchmark says about itself: the machine, the versions, the load; a table, and JSON beside it.

reverie bench report [--readme]: docs/measured.md and its charts, made again from bench/results/measured.json.
"""

import json
import os
import platform
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

RESULTS = Path(os.environ.get("REVERIE_BENCH_RESULTS", "bench/results"))  # `bench all` gives a folder of its own


def machine() -> dict[str, Any]:
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "reverie": version("reverie"),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "numpy": version("numpy"),
        "onnxruntime": version("onnxruntime"),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "load": [round(load, 2) for load in os.getloadavg()],
    }


def table(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    lines = [[str(cell) for cell in row] for row in (header, *rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if not column else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in lines
    )


def write(name: str, figures: Any, folder: Path = RESULTS) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    path.write_text(json.dumps({"machine": machine(), "figures": figures}, indent=2) + "\n", "utf-8")
    return path


if __name__ == "__main__":
    from bench.measured.page import main

    main()
