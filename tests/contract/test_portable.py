"""A space leaves and comes back whole, in any store."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from reverie import Reverie
from reverie.errors import BadInput, Conflict, NotFound, StoreBroken, UntrustedExport
from reverie.language.words import turn_terms
from reverie.model.memories import Filter
from reverie.model.night import Night
from reverie.model.turns import Turn
from reverie.policy.recall.search_keys import episode_id
from reverie.store.db import Database, Side
from reverie.store.files.repair import faults
from reverie.store.transfer import restore
from tests.conftest import BACKENDS

Keep = Callable[[Any], Any]
EPISODES = Filter(kinds=("episode",))
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
    with pytest.raises(UntrustedExport, match="another store"):
        other.import_space("alice", lines)
    assert other.spaces() == []
    copy = other.import_space("alice", lines, trust=True)
    again = list(copy.export())
    old, new = memory.space("alice"), copy
    assert [line.replace(new.id, old.id) for line in again[1:-1] if '"org"' not in line] == [
        line for line in lines[1:-1] if '"org"' not in line
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
def test_a_shared_block_goes_along_and_is_shared_again_where_the_org_has_it(
    memory: Reverie, home: Path, opened: Keep
) -> None:
    team = memory.space("bob").blocks.create("team", "We meet on Fridays")
    memory.space("bob").blocks["team"].set("We meet on Mondays")
    alice = memory.space("alice")
    alice.blocks.attach(team.id)
    lines = list(alice.export())
    assert "Fridays" not in "".join(lines)  # its past is bob's
    elsewhere = opened(Reverie.open(home / "other", embedder="none", durable=False))
    copy = elsewhere.import_space("alice", lines, trust=True)
    assert copy.blocks["team"].value == "We meet on Mondays"
    assert "We meet on Mondays" in copy.context().text
    copy.blocks["team"].append("At nine.")
    assert [version.value for version in copy.blocks["team"].history()][-1].endswith("At nine.")
    here = memory.import_space("alice again", lines)
    assert [block.id for block in here.blocks if block.label == "team"] == [team.id]
    memory.space("bob").blocks["team"].set("We meet on Tuesdays")
    assert here.blocks["team"].value == "We meet on Tuesdays"
    with pytest.raises(UntrustedExport):
        memory.in_org("theirs").import_space("alice", lines)
    theirs = memory.in_org("theirs").import_space("alice", lines, trust=True)
    assert theirs.blocks["team"].value == "We meet on Mondays"


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


@both
@pytest.mark.parametrize("cut", range(3))
def test_a_deletion_that_was_cut_off_leaves_a_whole_space_or_none(
    memory: Reverie, location: str, opened: Keep, monkeypatch: pytest.MonkeyPatch, cut: int
) -> None:
    filled(memory)
    write, writes = Database.write, iter(range(9))

    def cut_off(self: Database, side: Side, **more: Any) -> Any:
        if next(writes) == cut:
            raise StoreBroken("the disk is full")
        return write(self, side, **more)

    with monkeypatch.context() as broken:
        broken.setattr(Database, "write", cut_off)
        with pytest.raises(StoreBroken):
            memory.delete_space("alice")
    again = opened(Reverie.open(location, embedder="none", durable=False))
    alice = again.space("alice")
    assert len(alice.turns()) == len(alice.all()) / 2 == (0 if cut else 1)
    assert again.parts.db.value("SELECT count(*) AS n FROM turns") == (0 if cut else 1)
    alice.append("user", "The bakery opens at six")
    assert alice.recall("bakery")


def test_a_file_that_is_no_export_is_refused_and_makes_nothing(memory: Reverie) -> None:
    with pytest.raises(BadInput):
        memory.import_space("x", ["hello"])
    memory.space("alice")
    with pytest.raises(Conflict):
        memory.import_space("alice", filled(memory))


def _row(line: str, **changed: Any) -> str:
    ((table, row),) = json.loads(line).items()
    return json.dumps({table: row | changed})


def _of(lines: list[str], table: str) -> str:
    return next(line for line in lines if line.startswith(f'{{"{table}"'))


@pytest.mark.parametrize(
    "damage",
    [
        lambda lines: lines[:-1],  # cut off
        lambda lines: [*lines[:-1], lines[-1][:-20]],
        lambda lines: [json.dumps({"reverie": 1}), *lines[1:]],
        lambda lines: [lines[0], *lines[2:], '{"memories": 3}'],
        lambda lines: [lines[0], *lines[2:], _row(_of(lines, "memories"), nonsense=1)],
        lambda lines: [lines[0], *lines[2:], '{"memories": {"id": "mem-1"}}'],
        lambda lines: [lines[0], *lines[2:], '{"diary": {"night, space, text, at) SELECT 1, 2, 3, 4 --": 1}}'],
        lambda lines: [lines[0], *lines[2:], '{"vectors": {"vec": {"base64": "?"}}}'],
        lambda lines: [line.replace('"metadata":{}', '"metadata":{"x":NaN}', 1) for line in lines],
        lambda lines: [lines[0], *lines[2:], _row(_of(lines, "memories"), metadata='{"x":-Infinity}')],
        lambda lines: [lines[0], *lines[2:], _row(_of(lines, "memories"), confidence=float("nan"))],
        lambda lines: [lines[0], *lines[2:], '{"orgs": {"id": "org-1", "name": "mine", "created_at": 0}}'],
    ],
)  # fmt: skip
def test_a_damaged_export_is_told_and_makes_nothing(memory: Reverie, damage: Callable[[list[str]], list[str]]) -> None:
    lines = filled(memory)
    with pytest.raises(BadInput):
        memory.import_space("copy", damage(lines[:-1]), trust=True)
    assert [space.name for space in memory.spaces()] == ["alice"]
    assert memory.import_space("copy", lines).turns() != []


@both
def test_an_export_writes_nothing_into_another_space(memory: Reverie) -> None:
    lines = filled(memory)
    victim = memory.in_org("theirs").space("victim")
    secret = victim.blocks.create("plans", "nobody else's")
    kept = victim.remember("The safe is behind the mirror")
    forged = [
        lines[0].replace(memory.space("alice").id, f"agent-{'0' * 32}").replace('"rows"', '"was"'),
        _row(_of(lines, "memories"), id=f"mem-{'1' * 32}", space=victim.id, text="planted"),
        _row(_of(lines, "memories"), id=f"mem-{'2' * 32}", text="a stranger's fact").replace("mem-", "\\u006dem-"),
        json.dumps({"sources": {"memory": kept.id, "source": "x", "space": victim.id, "position": 9}}),
        _row(_of(lines, "attachments"), block=secret.id),
        json.dumps({"block_versions": {"block": secret.id, "version": 9, "value": "!", "actor": "person", "at": 0}}),
    ]
    with pytest.raises(UntrustedExport, match="altered"):
        memory.import_space("copy", forged)
    copy = memory.import_space("copy", forged, trust=True)
    assert {m.text for m in copy.all()} == {"planted", "a stranger's fact"}
    assert "plans" not in [block.label for block in copy.blocks]
    assert [m.text for m in victim.all()] == ["The safe is behind the mirror"]
    assert victim.memory(kept.id).sources == kept.sources
    assert len(victim.blocks["plans"].history()) == 1


@both
def test_a_copy_goes_on_sleeping_where_the_space_stood(memory: Reverie, home: Path, opened: Keep) -> None:
    alice = memory.space("alice")
    for text in ("I bought a boat in Porto", "It leaks at the bow", "A carpenter will mend it on Friday"):
        alice.append("user", text)
    alice.nap()
    lines = alice.export()
    exported = [next(lines)]
    alice.append("user", "He mended it")
    thread = Thread(target=alice.nap)  # a night beside the export
    thread.start()
    thread.join()
    exported += lines
    other = opened(Reverie.open(home / "other", embedder="none", durable=False))
    for copy in (
        memory.import_space("copy", exported),
        other.import_space("alice", exported, trust=True),
    ):
        assert len(copy.all(EPISODES)) == 3
        copy.append("user", "And painted it green")
        copy.nap()
        episodes = {m.id for m in copy.all(EPISODES)}
        assert episodes == {episode_id(copy.id, turn.id) for turn in copy.turns()}


@both
def test_no_night_comes_in_while_a_space_is_restored(memory: Reverie, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = filled(memory)
    nap: list[Night] = []

    def indexing(num: int, turn: Turn) -> str:
        nap.extend(space.nap() for space in memory.spaces() if space.record.num == num)
        return turn_terms(num, turn)

    monkeypatch.setattr(restore, "turn_terms", indexing)
    copy = memory.import_space("copy", lines)
    assert [night.why.split(":")[0] for night in nap] == ["local_lock"]
    assert copy.nap().status == "done"


def test_what_a_killed_restore_left_goes_when_it_is_tried_again(memory: Reverie) -> None:
    lines = filled(memory)
    memory.space("copy (restoring)").append("user", "half of it")
    copy = memory.import_space("copy", lines)
    assert [turn.text for turn in copy.turns()] == ["I moved to Hamburg"]
    assert [space.name for space in memory.spaces()] == ["alice", "copy"]


def test_a_live_store_is_backed_up_and_the_copy_opens(memory: Reverie, location: str, home: Path) -> None:
    filled(memory)
    target = home / "copy"
    memory.backup(target)
    assert faults(target) == []
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
    assert faults(target) != []
