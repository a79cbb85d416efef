"""One JSON for every part of the report: the last run of each kind, so that a loaded one never hides a quiet one."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

RECORD = Path("bench/results/measured.json")
LOADED = 1.5  # processes that were running or waiting before a part began, on average of a minute
OTHERS = 0.5  # cores that other processes took while it ran
KINDS = ("full, quiet", "full, loaded", "quick, quiet", "quick, loaded")  # the first that is there is shown


@dataclass(frozen=True)
class Run:
    """One part, measured once."""

    part: str
    at: str  # ISO, to the second
    quick: bool
    command: str
    embedder: str
    seconds: float | None
    load_before: float | None  # None: from before it was noted
    load_after: float
    others: float | None  # cores' worth that other processes took meanwhile
    machine: dict[str, Any]
    figures: Any

    @property
    def loaded(self) -> bool:
        before = self.load_after if self.load_before is None else self.load_before
        return before > LOADED or (self.others or 0.0) > OTHERS

    @property
    def kind(self) -> str:
        return f"{'quick' if self.quick else 'full'}, {'loaded' if self.loaded else 'quiet'}"

    @property
    def day(self) -> str:
        return self.at[:10]


class Record:
    """The runs by part and kind."""

    def __init__(self, parts: Mapping[str, Mapping[str, Run]]) -> None:
        self.parts = {name: dict(runs) for name, runs in parts.items()}

    def shown(self, part: str) -> Run | None:
        """The run that the page shows: full before quick, quiet before loaded."""
        runs = self.parts.get(part, {})
        return next((runs[kind] for kind in KINDS if kind in runs), None)

    def add(self, run: Run) -> None:
        self.parts.setdefault(run.part, {})[run.kind] = run

    def runs(self) -> list[Run]:
        return [self.parts[name][kind] for name in sorted(self.parts) for kind in KINDS if kind in self.parts[name]]


def read(path: Path = RECORD) -> Record:
    """The stored record; an empty one where there is no file."""
    if not path.exists():
        return Record({})
    parts = json.loads(path.read_text("utf-8"))["parts"]
    return Record({name: {kind: _run(run) for kind, run in runs.items()} for name, runs in parts.items()})


def _run(stored: dict[str, Any]) -> Run:
    return Run(**{name: value for name, value in stored.items() if name != "loaded"})


def write(record: Record, path: Path = RECORD) -> None:
    parts: dict[str, dict[str, Any]] = {}
    for run in record.runs():
        parts.setdefault(run.part, {})[run.kind] = {**asdict(run), "loaded": run.loaded}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"parts": parts}, indent=1, ensure_ascii=False) + "\n", "utf-8")
