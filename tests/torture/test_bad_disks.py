"""A full disk, and migrations that are killed: a clear error or a whole store, and nothing acknowledged is lost."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from reverie import Reverie
from reverie.config import load
from reverie.doctor.doctor import examine
from reverie.errors import ReverieError
from reverie.store.files.repair import faults
from tests.contract.test_stored import STORED, Stored
from tests.support.roles import text_of

ROOT = Path(__file__).parents[2]
SIZE = 3 * 2**20


@pytest.fixture
def small_disk(home: Path) -> Iterator[Path]:
    """A real file system of three megabytes."""
    disk = home / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(disk)]
    if os.geteuid() or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("mounting a small file system takes root")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def test_a_full_disk_is_said_and_everything_acknowledged_is_there(small_disk: Path, home: Path) -> None:
    acknowledged: list[str] = []
    refused: list[ReverieError] = []
    chance, began = random.Random(5), time.monotonic()
    with Reverie.open(small_disk / "store", embedder="none") as memory:
        alice = memory.space("alice")
        while len(refused) < 5 and time.monotonic() - began < 60:
            try:
                acknowledged.append(alice.append("user", f"{text_of(chance)} {'And so on. ' * 200}").id)
                if len(acknowledged) % 40 == 0:
                    refused.extend(ReverieError(night.error) for night in [alice.sleep()] if night.error)
            except ReverieError as error:
                refused.append(error)
        for act in (lambda: memory.backup(small_disk / "copy"), lambda: alice.export_to(small_disk / "alice.jsonl")):
            with pytest.raises(ReverieError):
                act()
    assert len(refused) == 5, "the disk was never full"
    assert any("full" in str(error) or "space" in str(error) for error in refused)
    assert sorted(path.name for path in small_disk.iterdir()) == ["store"]  # no half of a copy stays
    assert faults(small_disk / "store") == []
    doctor = examine(load({"home": str(small_disk / "store"), "embedder": "none"}), time.time())
    assert [one.status for one in doctor if one.check == "disk"] == ["wrong"]
    shutil.copytree(small_disk / "store", home / "roomy")  # as on a larger disk
    with Reverie.open(home / "roomy", embedder="none") as memory:
        assert set(acknowledged) <= {turn.id for turn in memory.space("alice").turns(limit=10_000)}
        assert memory.space("alice").sleep().status == "done"


OPEN = "import sys; from reverie import Reverie; Reverie.open(sys.argv[1], embedder='none').close(); print('done')"


@pytest.mark.parametrize(("version", "kills"), [(1, 3), pytest.param(2, 40, marks=pytest.mark.torture)])
def test_a_migration_that_is_killed_is_done_by_the_next_open(home: Path, version: int, kills: int) -> None:
    chance = random.Random(version)
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    assert (STORED / f"schema-{version}.log.sql.gz").exists()
    for n in range(kills):
        store = home / f"store-{n}"
        store.mkdir()
        Stored(str(store), version)
        child = subprocess.Popen([sys.executable, "-c", OPEN, str(store)], env=env, stdout=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.15, 0.6))
        child.send_signal(signal.SIGKILL)
        child.wait()
        assert faults(store) == []
        with closing(Reverie.open(store, embedder="none")) as memory:
            assert sum(len(space.turns(limit=1_000)) for space in memory.spaces()) == 14
        shutil.rmtree(store)
