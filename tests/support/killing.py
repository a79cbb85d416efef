"""A store with a night to come, a host to run and kill it in, and a way to compare two stores row by row."""

import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reverie.awake.append import append
from reverie.model.base import DAY
from reverie.model.blocks import Block
from reverie.model.rhythm import Sleeping, SleepRequest
from reverie.model.turns import Draft
from reverie.store.db import Database
from reverie.store.dialect.sqlite_dialect import SqliteDialect
from reverie.store.rows import by_name
from reverie.store.tables import blocks, nights, spaces
from reverie.store.tables.blocks import Writer
from reverie.triggers.admission import request
from tests.support.nights import make_space

SAID = (
    "I moved to Berlin in March and rented a small flat near the canal.",
    "My sister Clara lives in Lisbon with her two cats.",
    "I am allergic to peanuts, please remember that.",
    "I work at Siemens as an engineer.",
    "We decided to paint the kitchen green.",
    "Actually, I work at Bosch now.",
    "My sister Clara lives in Lisbon with her two cats!",
    "I love hiking in the Alps with my friend Tom.",
)
# What tells when and how often a night ran, not what it did.
VOLATILE = {
    "nights": {"began_at", "ended_at", "attempts", "token"},
    "night_steps": {"duration_ms"},
    "leases": {"token", "holder", "expires_at"},
    "rhythm": {"state", "updated_at"},
    "documents": {"row"},
    "memory_words": {"row"},
}
ROW_BY_ROW = (
    "spaces", "blocks", "block_versions", "block_sentences", "memories", "sources", "edges", "memory_words",
    "documents", "vectors", "contradictions", "reviews", "answers", "answer_rests", "predictors", "nights",
    "night_steps", "journal", "suppressed", "failures", "diary", "chores", "recall_days",
)  # fmt: skip


def store_before_a_night(home: Path, turns: int = 24) -> str:
    """Turns over some days, and a night that was asked for; answers its space."""
    db = SqliteDialect(home, durable=False).open()
    space = make_space(db)
    record, now = spaces.by_id(db, space), time.time()
    with db.write("memory") as tx:
        for label in ("human", "persona", "learned_context"):
            block = Block(f"block-{label}", record.org, label, "", protected=label == "persona", owner=space)
            blocks.create(tx, block, Writer("person", "a new space", now), attach_to=space)
    for n in range(turns):
        text = SAID[n % len(SAID)] if n % 3 else f"{SAID[n % len(SAID)]} That was number {n}."
        at = now - 9 * DAY + n * DAY / 5
        append(db, record, Draft("user" if n % 4 else "assistant", text, session=f"s{n // 8}", at=at))
    request(db, space, SleepRequest("night", "manual"), Sleeping(), now, claim=False)
    db.close()
    return space


def copied(home: Path, name: str) -> Path:
    other = home.parent / f"{home.name}-{name}"
    shutil.copytree(home, other)
    return other


@dataclass
class Host:
    """The process that runs nights; see `night_host`."""

    process: subprocess.Popen[str]

    @classmethod
    def start(cls) -> "Host":
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        command = [sys.executable, "-m", "tests.support.night_host"]
        root = Path(__file__).parents[2]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        return cls(subprocess.Popen(command, text=True, env=env, cwd=root, **pipes))  # type: ignore[call-overload]

    def run(self, home: Path, space: str, kind: str = "events", value: float = 0) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{home} {space} {kind} {value}\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def stop(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(10)
        assert self.process.stdout is not None
        self.process.stdout.close()


def everything(home: Path) -> dict[str, list[str]]:
    """Every row of every table that a night writes, as text."""
    db = SqliteDialect(home, durable=False).open()
    try:
        return {relation: _rows(db, relation) for relation in ROW_BY_ROW}
    finally:
        db.close()


def _rows(db: Database, relation: str) -> list[str]:
    hidden = VOLATILE.get(relation, set())
    found: list[dict[str, Any]] = [
        {name: _plain(value) for name, value in by_name(row).items() if name not in hidden}
        for row in db.rows(f"SELECT * FROM {relation}")
    ]
    return sorted(json.dumps(row, sort_keys=True) for row in found)


def _plain(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else value


def sound(home: Path, space: str) -> None:
    """What must hold after any kill: files intact, the watermark on its data, nothing twice."""
    db = SqliteDialect(home, durable=False).open()
    try:
        assert db.value("PRAGMA integrity_check") == "ok"
        watermark = spaces.by_id(db, space).watermark
        read = db.value("SELECT max(t.seq) AS seq FROM turns t JOIN sources s ON s.source = t.id")
        assert watermark == (read or 0)
        assert len(nights.listed(db, space)) == 1
    finally:
        db.close()
