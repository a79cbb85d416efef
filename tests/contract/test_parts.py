"""A deletion goes in parts: nobody waits for it for long, and killed in the middle it goes on at the next open."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from reverie import Reverie, Space
from reverie.doctor.doctor import examine
from reverie.errors import NotFound
from reverie.model.memories import Document, Memory
from reverie.store import parts
from reverie.store.catalog import TABLES
from reverie.store.db import Database, Side, Transaction
from reverie.store.search import documents
from reverie.store.tables import memories
from tests.conftest import BACKENDS

Keep = Callable[[Any], Any]
both = pytest.mark.parametrize("location", BACKENDS, indirect=True)
MANY = 20_000


def rows_of(db: Database, space: str, side: Side) -> int:
    tables = [table for table in TABLES if table.side == side and table.name != "tombstones"]
    return sum(len(db.rows(f"SELECT 1 AS n FROM {one.name} WHERE {one.where}", space=space)) for one in tables)


def killed(act: Callable[[], object], after: int) -> None:
    """Does it in another process, which ends as if it were killed when it begins its next write but so many."""
    child = os.fork()
    if not child:
        with suppress(BaseException):
            write, writes = Database.write, iter(range(after))

            def cut_off(self: Database, side: Side, **more: Any) -> Transaction:
                if next(writes, None) is None:
                    os._exit(9)
                return write(self, side, **more)

            Database.write = cut_off  # type: ignore[method-assign]
            act()
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


@both
@pytest.mark.parametrize("after", [1, 9, 40])
def test_a_killed_deletion_shows_nobody_the_rest_and_goes_on_at_the_next_open(
    memory: Reverie, location: str, opened: Keep, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    monkeypatch.setattr(parts, "MOST", 1)
    alice, bob = memory.space("alice"), memory.space("bob")
    alice.blocks["human"].set("Keeps a heron.")
    for n in range(9):
        alice.append("user", f"the heron, part {n}", session=f"s{n}")
        alice.remember(f"The heron has {n} eggs")
    shared = alice.blocks.create("team", "ours")
    bob.blocks.attach(shared.id)
    bob.append("user", "mine")
    db = memory.parts.db
    killed(lambda: memory.delete_space("alice"), after)
    assert rows_of(db, alice.id, "memory") + rows_of(db, alice.id, "log")
    assert not memory.has_space("alice")
    assert {block.id for block in memory.blocks} == {block.id for block in bob.blocks}
    with pytest.raises(NotFound):
        alice.remember("Nobody is here")
    again = memory.create_space("alice")
    again.append("user", "The bakery opens at six")
    assert [turn.text for turn in again.turns()] == ["The bakery opens at six"]
    assert not again.recall("heron")
    assert again.blocks["human"].value == ""
    assert any("the deletion of 1 space was cut off" in one.said for one in examine(memory.config, memory.now()))
    later = opened(Reverie.open(location, embedder="none", durable=False))
    assert rows_of(db, alice.id, "memory") == rows_of(db, alice.id, "log") == 0
    assert db.rows("SELECT * FROM tombstones") == []
    assert [turn.text for turn in later.space("alice").turns()] == ["The bakery opens at six"]
    assert later.space("bob").blocks["team"].value == "ours"
    assert [turn.text for turn in later.space("bob").turns()] == ["mine"]


@pytest.mark.parametrize("after", range(1, 24, 2))
def test_of_a_killed_forget_each_memory_is_whole_or_without_a_byte_at_the_next_open(
    memory: Reverie, location: str, opened: Keep, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    monkeypatch.setattr(parts, "MOST", 1)
    alice = memory.space("alice")
    words = [f"heron{n}field" for n in range(4)]
    for word in words:
        alice.append("user", f"The mill is at {word}")
    alice.sleep()
    killed(lambda: alice.forget(query="mill"), after)
    later = opened(Reverie.open(location, embedder="none", durable=False))
    held = {memory.text.rsplit(" ", 1)[1] for memory in later.space("alice").all() if memory.kind == "episode"}
    later.close()
    memory.close()
    data = b"".join(path.read_bytes() for path in Path(location).iterdir() if path.is_file())
    assert [word for word in words if word not in held and word.encode() in data] == []


@pytest.fixture
def holds(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What each write computed while it held the lock, in seconds: a busy machine changes nothing in it."""
    enter, end, found = Transaction.__enter__, Transaction._end, list[float]()
    began: dict[Transaction, float] = {}

    def entered(self: Transaction) -> Transaction:
        enter(self)
        began[self] = time.thread_time()
        return self

    def ended(self: Transaction, *, failed: bool) -> None:
        end(self, failed=failed)
        found.append(time.thread_time() - began[self])

    monkeypatch.setattr(Transaction, "__enter__", entered)
    monkeypatch.setattr(Transaction, "_end", ended)
    return found


def fill(space: Space, many: int) -> list[str]:
    ids = [f"mem-{n:032x}" for n in range(many)]
    db = space.parts.db
    num = int(db.value("SELECT num FROM spaces WHERE id = :space", space=space.id))
    with db.write("memory") as tx:
        for n, id in enumerate(ids):
            memories.insert(tx, Memory(id, space.id, "fact", f"heron {n} of {n % 97}", (id,), 0.0))
        documents.put_documents(tx, num, space.id, [Document(id, f"heron {n} {n % 97}") for n, id in enumerate(ids)], 1)
    return ids


def test_no_writer_waits_for_long_while_many_memories_are_deleted(memory: Reverie, holds: list[float]) -> None:
    fill(memory.space("alice"), MANY)
    holds.clear()
    memory.delete_space("alice")
    assert len(holds) > 50
    assert max(holds) < 0.3, f"{max(holds):.3f} s"  # in one transaction it is two seconds


def test_no_writer_waits_for_long_while_much_is_forgotten(memory: Reverie, holds: list[float]) -> None:
    alice = memory.space("alice")
    ids = fill(alice, 2_000)
    holds.clear()
    receipt = alice.forget(*ids)
    assert receipt.counts["memories"] == len(receipt.memories) == 2_000
    assert len(holds) > 20
    assert max(holds) < 0.3, f"{max(holds):.3f} s"
