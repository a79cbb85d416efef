"""A writer killed at random loses no acknowledged turn and doubles none; writers of one block lose no edit."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from reverie import Reverie
from reverie.store.files.repair import faults

ROOT = Path(__file__).parents[2]
APPEND = """
import sys
from reverie import Reverie
with Reverie.open(sys.argv[1], embedder="none", durable=False) as memory:
    block = memory.space("alice").blocks["human"]
    for n in range(int(sys.argv[3])):
        block.append(f"{sys.argv[2]}-{n}.")
"""


def kill_writers(home: Path, kills: int) -> None:
    Reverie.open(home, embedder="none").close()
    command = [sys.executable, "-m", "tests.support.writer_host", str(home), str(kills), "7"]
    said = subprocess.run(command, cwd=ROOT, env=_env(), capture_output=True, text=True, timeout=60 + kills, check=True)
    acknowledged = [int(line) for line in said.stdout.split()]
    with Reverie.open(home, embedder="none") as memory:
        keys = [turn.key for turn in memory.space("alice").turns(limit=1_000_000)]
    assert len(acknowledged) >= kills
    assert len(keys) == len(set(keys))
    assert {f"key-{n}" for n in acknowledged} <= set(keys)
    assert len(keys) - len(set(acknowledged)) <= kills  # at most one a kill was stored and not yet acknowledged
    assert faults(home) == []


def test_twenty_kills_lose_nothing(home: Path) -> None:
    kill_writers(home, 20)


@pytest.mark.torture
def test_two_hundred_kills_lose_nothing(home: Path) -> None:
    kill_writers(home, 200)


def test_two_processes_writing_one_block_lose_no_edit(home: Path) -> None:
    with Reverie.open(home, embedder="none", durable=False) as memory:
        memory.space("alice")
    writers = [
        subprocess.Popen([sys.executable, "-c", APPEND, str(home), name, "25"], env=_env()) for name in ("a", "b")
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    with Reverie.open(home, embedder="none") as memory:
        human = memory.space("alice").blocks["human"]
        assert sorted(human.value.splitlines()) == sorted(f"{name}-{n}." for name in "ab" for n in range(25))
        assert human.read().version == 51


def _env() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT)))}
