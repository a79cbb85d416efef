"""A store is whole or refused: what becomes of files that are lost, older, swapped, emptied or damaged."""

import hashlib
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from reverie import Reverie
from reverie.config import load
from reverie.doctor.doctor import examine
from reverie.doctor.recovery import keep_memory, rebuild, salvage
from reverie.errors import Conflict, StoreDamaged, StoreUnpaired
from reverie.store.dialect.sqlite_dialect import SqliteDialect
from reverie.store.files import backup, pair
from tests.support.nights import NOW

TALK = (
    "I moved to Hamburg last week.",
    "My sister Clara lives in Lisbon.",
    "I am allergic to peanuts, please remember that.",
    "We decided to paint the kitchen green.",
)


def open_at(home: Path) -> Reverie:
    return Reverie.open(home, embedder="none", durable=False)


def findings(home: Path) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for one in examine(load({"home": str(home), "embedder": "none"}), NOW):
        found.setdefault(one.check, []).append((one.status, one.said + one.next_move))
    return found


def bytes_of(home: Path) -> dict[str, str]:
    return {
        str(path.relative_to(home)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(home.rglob("*"))
        if path.is_file()
    }


class Life:
    """A store, and copies of its directory from three moments."""

    def __init__(self, root: Path) -> None:
        self.root, self.home = root, root / "store"
        self._live(TALK[:2], "old")
        self._live(TALK[2:3], "middle")
        self._live(TALK[3:], "now")
        with open_at(root / "other") as memory:
            memory.space("bob").append("user", "I am somebody else")
            memory.space("bob").sleep()

    def _live(self, said: tuple[str, ...], name: str) -> None:
        with open_at(self.home) as memory:
            for text in said:
                memory.space("alice").append("user", text)
            memory.space("alice").sleep()
        shutil.copytree(self.home, self.root / name)

    def put(self, file: str, moment: str) -> None:
        shutil.copy(self.root / moment / file, self.home / file)


@pytest.fixture
def life(home: Path) -> Life:
    return Life(home)


FAULTS: dict[str, tuple[Callable[[Life], object], str, str]] = {
    "an older log": (lambda life: life.put("log.db", "old"), "log.db is an older copy", "--keep-memory"),
    "an older memory": (lambda life: life.put("memory.db", "old"), "memory.db is an older copy", "reverie rebuild"),
    "a lost log": (lambda life: (life.home / "log.db").unlink(), "log.db is missing", "--keep-memory"),
    "a lost memory": (lambda life: (life.home / "memory.db").unlink(), "memory.db is missing", "reverie rebuild"),
    "an emptied log": (lambda life: (life.home / "log.db").write_bytes(b""), "log.db is missing or empty", "--keep"),
    "an emptied memory": (
        lambda life: (life.home / "memory.db").write_bytes(b""), "memory.db is missing or empty", "reverie rebuild"
    ),
    "another's log": (lambda life: life.put("log.db", "other"), "two different stores", "one backup"),
    "another's memory": (lambda life: life.put("memory.db", "other"), "two different stores", "one backup"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_two_files_that_do_not_belong_together_are_refused_with_the_next_move(life: Life, fault: str) -> None:
    act, said, move = FAULTS[fault]
    act(life)
    before = bytes_of(life.home)
    with pytest.raises(StoreUnpaired, match=said) as refused:
        open_at(life.home)
    assert move in refused.value.next_move
    assert any(status == "wrong" and said in text for status, text in findings(life.home)["pair"])
    assert bytes_of(life.home) == before


def test_both_files_of_one_moment_are_a_store(life: Life) -> None:
    life.put("log.db", "old")
    life.put("memory.db", "old")
    with open_at(life.home) as memory:
        assert len(memory.space("alice").turns()) == 2


def test_a_log_that_ends_before_what_was_read_is_refused_even_if_no_night_has_ended_since(life: Life) -> None:
    with closing(sqlite3.connect(life.home / "memory.db")) as memory, memory:
        memory.execute("UPDATE spaces SET watermark = watermark + 3")
    with pytest.raises(StoreUnpaired, match="3 turns of 1 space missing"):
        open_at(life.home)


def test_a_sequence_never_starts_below_the_watermark(memory: Reverie) -> None:
    alice = memory.space("alice")
    for text in TALK:
        alice.append("user", text)
    alice.sleep()
    with memory.parts.db.write("log") as tx:
        tx.run("DELETE FROM activity WHERE space = :space", space=alice.id)
    assert alice.append("user", "I am back").seq == len(TALK) + 1
    assert alice.unread() == 1


def test_a_store_whose_making_was_cut_off_is_made(home: Path) -> None:
    (home / "memory.db").touch()
    open_at(home).close()
    dialect = SqliteDialect(home / "second")
    (home / "second").mkdir()
    dialect.make_tables()  # killed before both files were joined
    pair.stamp(home / "second", "log", pair.FileFacts("an-id", 0))  # or between them
    open_at(home / "second").close()
    assert pair.facts(home / "second", "memory") == pair.FileFacts("an-id", 0, False)


def test_a_lost_memory_is_made_anew_from_the_log(life: Life) -> None:
    with open_at(life.home) as memory:
        turns = [(turn.id, turn.seq, turn.text) for turn in memory.space("alice").turns()]
    (life.home / "memory.db").unlink()
    log = bytes_of(life.home)["log.db"]
    told: list[str] = []
    made = rebuild(
        load({"home": str(life.home), "embedder": "none", "space": "alice"}), NOW, lambda p: told.append(p.step)
    )
    assert (made.turns, made.spaces, made.salvaged, made.nameless) == (4, 1, {}, 1)
    assert "extract" in told
    assert bytes_of(life.home)["log.db"] == log
    with open_at(life.home) as memory:
        alice = memory.find_space("alice")
        assert [(turn.id, turn.seq, turn.text) for turn in alice.turns()] == turns
        assert "Hamburg" in alice.recall("Where did I move?")[0].text
        assert alice.unread() == 0
        assert alice.append("user", "Hello again").seq == 5
    assert all(status != "wrong" for found in findings(life.home).values() for status, _ in found)


def test_a_rebuild_takes_over_what_only_memory_held(life: Life) -> None:
    with open_at(life.home) as memory:
        alice = memory.space("alice")
        alice.blocks["human"].append("Prefers tea.")
        given = alice.remember("The wifi is called Nordlicht")
        pinned = next(one.id for one in alice.all(limit=500) if one.kind == "fact")
        alice.pin(pinned)
        alice.tag(pinned, "home")
        key = memory.keys.create("laptop").key.id
    damage(life.home / "memory.db", share=0.02, spare=(given.id, pinned, key, "Prefers tea."))
    made = rebuild(load({"home": str(life.home), "embedder": "none"}), NOW)
    assert made.salvaged["memories given by hand"] >= 1
    assert Path(made.old_file).exists()
    with open_at(life.home) as memory:
        alice = memory.find_space("alice")
        assert "Prefers tea." in alice.blocks["human"].value
        assert alice.memory(given.id).text == "The wifi is called Nordlicht"
        assert "Nordlicht" in alice.recall("Nordlicht")[0].text
        assert (alice.memory(pinned).pinned, alice.memory(pinned).manual_tags) == (True, ("home",))
        assert [one.id for one in memory.keys.list()] == [key]


def test_a_store_that_is_open_is_not_rebuilt(life: Life) -> None:
    with open_at(life.home) as memory, pytest.raises(Conflict, match="another process"):
        memory.space("alice").turns()
        in_another_process(f"from reverie.config import load; from reverie.doctor.recovery import rebuild; import sys\n"
            f"try: rebuild(load({{'home': {str(life.home)!r}, 'embedder': 'none'}}), 1e9)\n"
            "except Exception as error: sys.exit(str(error))")  # fmt: skip


def in_another_process(code: str) -> None:
    import subprocess
    import sys

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Conflict(done.stderr)


def test_memory_goes_on_beside_a_log_that_lost_turns(life: Life) -> None:
    life.put("log.db", "old")
    made = keep_memory(load({"home": str(life.home)}))
    assert made.missing == {"alice": 2}
    with open_at(life.home) as memory:
        alice = memory.space("alice")
        assert "green" in alice.recall("What colour is the kitchen?")[0].text
        assert alice.append("user", "I am back").seq == 5
        assert alice.unread() == 1
        assert alice.sleep().status == "done"
    assert findings(life.home)["pair"][0][0] == "ok"


PAGE = 4096
LEAVES = (0x0D, 0x0A)  # how a page with rows of a table, or with entries of an index, begins


def damage(path: Path, share: float = 0.05, spare: Sequence[str] = ()) -> None:
    """Overwrites a share of the pages that hold nothing but rows, evenly spread; none that holds one of these texts.

    A table that fits into one page is left alone, and so is what leads to the rows of others.
    """
    with closing(sqlite3.connect(path)) as db:
        roots = {row[0] for row in db.execute("SELECT rootpage FROM sqlite_master")}
    whole = path.read_bytes()
    pages = {n: whole[(n - 1) * PAGE : n * PAGE] for n in range(2, len(whole) // PAGE + 1) if n not in roots}
    kept = [text.encode() for text in ("CREATE ", *spare)]  # the tables' own names among them
    leaves = [n for n, page in pages.items() if page[0] in LEAVES and not any(text in page for text in kept)]
    hit = leaves[:: int(1 / share)]
    assert hit
    overwrite(path, hit)


def overwrite(path: Path, pages: Iterable[int]) -> None:
    with path.open("r+b") as file:
        for page in pages:
            file.seek((page - 1) * PAGE)
            file.write(b"\xfe" * PAGE)


@pytest.mark.parametrize("file", ["log.db", "memory.db"])
def test_damaged_pages_are_named_and_every_readable_row_is_copied(home: Path, file: str) -> None:
    store, count = home / "store", 120
    with open_at(store) as memory:
        for n in range(count):
            memory.space("alice").append("user", f"{TALK[n % 4]} That was number {n}. " + "And so on. " * 30)
        memory.space("alice").sleep()
    damage(store / file)
    found = findings(store)["files"]
    assert [status for status, _ in found] == ["wrong"]
    assert file in found[0][1]
    assert "reverie salvage" in found[0][1]
    made = salvage(load({"home": str(store)}), home / "rescued", NOW)
    assert made.lost
    with open_at(home / "rescued") as memory:
        alice = memory.spaces()[0]
        kept = alice.turns(limit=1_000)
        assert count * 0.7 < len(kept) <= count
        assert file == "log.db" or len(kept) == count
        assert file == "log.db" or alice.name == "alice"
        assert alice.append("user", "I go on here").seq == count + 1
        assert alice.sleep().status == "done"
    assert all(status != "wrong" for each in findings(home / "rescued").values() for status, _ in each)
    with closing(sqlite3.connect(home / "rescued" / "memory.db")) as db:
        words = [row[0].split() for row in db.execute("SELECT words FROM memory_words")]
        assert sum(map(len, words)) == db.execute("SELECT count(*) FROM word_postings").fetchone()[0] > count


def test_a_memory_of_which_nothing_can_be_read_leaves_the_turns(life: Life, home: Path) -> None:
    path = life.home / "memory.db"
    overwrite(path, range(2, path.stat().st_size // PAGE + 1))
    made = salvage(load({"home": str(life.home)}), home / "rescued", NOW)
    assert made.lost == {"memory.db": 1}
    with open_at(home / "rescued") as memory:
        (alice,) = memory.spaces()
        assert [turn.text for turn in alice.turns()] == list(TALK)
        assert alice.sleep().status == "done"


def states() -> Iterator[tuple[str, Callable[[Path], object]]]:
    def older_schema(home: Path) -> None:
        open_at(home).close()
        for side in ("log", "memory"):
            with closing(sqlite3.connect(home / f"{side}.db")) as file, file:
                file.execute("UPDATE schema_version SET version = 4")

    def half(home: Path) -> None:
        home.mkdir()
        (home / "memory.db").touch()

    yield "missing", lambda _home: None
    yield "empty", lambda home: home.mkdir()
    yield "closed", lambda home: open_at(home).close()
    yield "older schema", older_schema
    yield "half", half


@pytest.mark.parametrize(("state", "make"), list(states()))
def test_the_doctor_changes_no_byte(home: Path, state: str, make: Callable[[Path], object]) -> None:
    make(home / "store")
    before = (bytes_of(home), sorted(str(path) for path in home.rglob("*")))
    findings(home / "store")
    assert (bytes_of(home), sorted(str(path) for path in home.rglob("*"))) == before


def test_the_doctor_names_rights_clock_room_and_failed_nights(life: Life) -> None:
    assert findings(life.home)["disk"][0][0] == "ok"
    life.home.chmod(0o755)
    (life.home / "memory.db").chmod(0o644)
    with closing(sqlite3.connect(life.home / "memory.db")) as memory, memory:
        memory.execute("UPDATE nights SET ended_at = ?", (NOW + 9_000,))
        memory.execute("UPDATE nights SET status = 'failed', requested_at = ?", (NOW,))
    found = findings(life.home)
    assert "chmod 700" in found["rights"][0][1]
    assert "the clock was set back" in found["clock"][0][1]
    assert "3 runs failed in the last week" in found["space"][0][1]


def test_a_half_restored_space_is_named_and_gone_with_the_next_open(
    memory: Reverie, location: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reverie.store.transfer import restore

    alice = memory.space("alice")
    alice.append("user", TALK[0])
    lines = list(alice.export())

    class Killed(BaseException):
        pass

    def die(*_: object) -> None:
        raise Killed

    monkeypatch.setattr(restore, "_verify", die)
    monkeypatch.setattr(restore, "delete_space", lambda *_: None)  # nobody was there any more to clean up
    with pytest.raises(Killed):
        memory.import_space("copy", lines)
    with memory.parts.db.write("memory") as tx:
        tx.run("UPDATE leases SET expires_at = 0")  # as that of a process that died
    assert any("a restore was cut off" in text for _, text in findings(Path(location))["space"])
    with Reverie.open(location, embedder="none") as again:
        assert [space.name for space in again.spaces()] == ["alice"]


def test_what_a_killed_backup_left_is_never_taken_for_a_store(life: Life, home: Path) -> None:
    half = home / f"copy{backup.PARTIAL}999999"  # of a process that is gone
    half.mkdir()
    shutil.copy(life.home / "memory.db", half / "memory.db")
    with pytest.raises(StoreDamaged, match="half of a backup"):
        backup.verify(half)
    with pytest.raises(StoreUnpaired, match=r"log\.db is missing"):
        open_at(half)
    with open_at(life.home) as memory:
        made = memory.backup(home / "copy")
    assert backup.verify(made).turns == len(TALK)
    assert not half.exists()


def test_the_backup_that_was_just_made_stays_whatever_the_clock_says(life: Life, home: Path) -> None:
    """Set back by a year, and standing still: ten of one second are told apart and in order."""
    folder = home / "nightly"
    for now in (NOW, NOW + 1, NOW - 365 * 86_400, *(NOW + 2 for _ in range(12))):
        made = backup.backup(life.home, folder, now, keep=3)
        assert backup.verify(made).turns == len(TALK)
    kept = sorted(path.name for path in folder.iterdir())
    assert [name.rpartition("-")[2] for name in kept] == ["10", "11", "9"]
    assert backup.backup(life.home, folder, NOW + 9, keep=9) in folder.iterdir()
    assert len(list(folder.iterdir())) == 4
