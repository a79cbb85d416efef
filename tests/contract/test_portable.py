"""A space leaves and comes back whole, in any store."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reverie import Reverie
from reverie.errors import BadInput, Conflict, NotFound
from reverie.store.backup import check
from tests.conftest import BACKENDS

Keep = Callable[[Any], Any]
both = pytest.mark.parametrize("location", BACKENDS, indirect=True)


def filled(memory: Reverie) -> list[str]:
    alice = memory.space("alice")
    alice.configure(idle_seconds=600.0)
    turn = alice.append("user", "I moved to Hamburg", session="s1", metadata={"a": [1, None]}, at=1000.5)
    kept = alice.remember("The heron nests at the mill", tags=("birds",), metadata={"x": 1})
    alice.correct(kept.id, "The heron nests at the lake")
    alice.blocks["human"].set(f"Lives in Hamburg ({turn.id}).")
    return list(alice.export())


@both
def test_an_export_comes_back_without_loss_in_another_store(memory: Reverie, home: Path, opened: Keep) -> None:
    lines = filled(memory)
    other = opened(Reverie.open(home / "other", embedder="none", durable=False))
    copy = other.import_space("alice", lines)
    again = list(copy.export())
    old, new = memory.space("alice"), copy
    assert [line.replace(new.id, old.id) for line in again[1:] if '"org"' not in line] == [
        line for line in lines[1:] if '"org"' not in line
    ]
    assert copy.blocks["human"].value == old.blocks["human"].value
    assert copy.settings == {"idle_seconds": 600.0}


@both
def test_a_copy_in_the_same_store_gets_ids_of_its_own(memory: Reverie) -> None:
    copy = memory.import_space("alice too", filled(memory))
    old = memory.space("alice")
    assert [t.text for t in copy.turns()] == [t.text for t in old.turns()]
    assert copy.turns()[0].id != old.turns()[0].id
    assert copy.turns()[0].id in copy.blocks["human"].value
    assert {m.text for m in copy.all()} == {m.text for m in old.all()}
    memory.delete_space("alice")
    assert len(copy.turns()) == 1


@both
def test_a_deleted_space_is_gone_and_its_shared_blocks_stay(memory: Reverie) -> None:
    filled(memory)
    alice, bob = memory.space("alice"), memory.space("bob")
    shared = alice.blocks.create("team", "ours")
    bob.blocks.attach(shared.id)
    memory.delete_space("alice")
    assert bob.blocks["team"].value == "ours"
    assert memory.space("alice").turns() == []
    with pytest.raises(NotFound):
        memory.delete_space("nobody")


def test_a_file_that_is_no_export_is_refused_and_makes_nothing(memory: Reverie) -> None:
    with pytest.raises(BadInput):
        memory.import_space("x", ["hello"])
    memory.space("alice")
    with pytest.raises(Conflict):
        memory.import_space("alice", filled(memory))


def test_a_live_store_is_backed_up_and_the_copy_opens(memory: Reverie, location: str, home: Path) -> None:
    filled(memory)
    target = home / "copy"
    memory.backup(target)
    assert check(target) == []
    with Reverie.open(target, embedder="none") as copy:
        assert [t.text for t in copy.space("alice").turns()] == ["I moved to Hamburg"]
    with pytest.raises(Conflict):
        memory.backup(target)
    shutil.rmtree(target)


def test_a_broken_file_is_told(memory: Reverie, home: Path) -> None:
    filled(memory)
    target = home / "copy"
    memory.backup(target)
    file = target / "memory.db"
    broken = bytearray(file.read_bytes())
    broken[8192:16384] = b"\x00" * 8192
    file.write_bytes(broken)
    assert check(target) != []
