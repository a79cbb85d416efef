"""The files of large spaces on SQLite say what the tables say: the same hits, without what was forgotten or undone."""

import random
import tracemalloc
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reverie.files import make_directory
from reverie.store import upkeep
from reverie.store.db import Database
from reverie.store.files import mapped
from reverie.store.files.repair import examine
from reverie.store.forget import forget
from reverie.store.search import documents, large_spaces, lexicon_file, segments, space_files
from reverie.store.search.coarse import Rounded, candidates
from reverie.store.search.flat import Flat, FlatFile
from reverie.store.search.index import Indexes, IndexLimits, SpaceIndex
from reverie.store.search.lexicon import IndexEntry, Lexicon
from reverie.store.search.lexicon_file import LexiconFile
from reverie.store.search.matrix import Made, Matrix
from reverie.store.search.space_files import SpaceFiles
from reverie.store.tables import spaces, vectors
from tests.support.large import ASKED, LARGE, MADE, SIZE, large_space, near_of, nearest, put, tend
from tests.support.searching import DIM, EMBEDDER, NOW, Place

WORDS = ["harbour", "violin", "kayak", "pasta", "train", "museum", "winter", "sister", "garden", "budget"]


def text(n: int) -> str:
    return " ".join(WORDS[(n * step) % 10] for step in (1, 3, 7)) + f" number {n % 37}"


@pytest.fixture
def alice(db: Database) -> Place:
    place = Place(db)
    for n in range(60):
        place.know(
            f"mem-{n:02}", text(n), kind="episode" if n % 4 else "fact", said_at=NOW + n % 9, session=f"s{n % 3}"
        )
    return place


def with_files(place: Place) -> Indexes:
    upkeep.index_vectors(place.db, place.id, 10)
    assert large_spaces.WORDS in large_spaces.made_for(place.db, place.id)
    return Indexes(place.db)


def folder_of(place: Place) -> Path:
    index = place.db.dialect.index
    assert isinstance(index, SpaceFiles)
    return index.folder


def found(indexes: Indexes, place: Place) -> Iterator[list[str]]:
    """What words find, whatever is asked for, with and without filters."""

    def asked(index: SpaceIndex) -> list[list[str]]:
        masks = [None, index.lexicon.mask(kinds=("fact",)), index.lexicon.mask(session="s1", span=(NOW, NOW + 5))]
        queries = ["violin kayak", "number 7", "winter garden budget museum", "nothing of it", "Ann"]
        return [index.lexical(place.db, query, n, mask)[-1] for query in queries for n in (5, 50) for mask in masks]

    with indexes.searched(place.id, EMBEDDER.id, DIM, asked) as lists:
        yield from lists


def test_the_file_of_words_finds_what_the_tables_hold(alice: Place) -> None:
    before = list(found(Indexes(alice.db), alice))
    assert sum(map(len, before)) > 100
    assert list(found(with_files(alice), alice)) == before


def test_what_comes_after_the_file_counts_as_much_as_what_is_in_it(alice: Place) -> None:
    with_files(alice)
    alice.know("mem-07", "a kayak instead", kind="episode", said_at=NOW)
    alice.know("mem-new", "violin and kayak, number 7", kind="fact", said_at=NOW)
    alice.say("the museum has a violin", speaker="Ann")
    mixed, made = list(found(Indexes(alice.db), alice)), large_spaces.made_for(alice.db, alice.id)
    with alice.db.write("memory") as tx:
        large_spaces.unmark(tx, alice.id)
    assert made
    assert mixed == list(found(Indexes(alice.db), alice))


def test_the_files_are_written_again_without_what_was_forgotten(alice: Place) -> None:
    alice.know("mem-secret", "the trombone is mine", kind="episode", said_at=NOW, session="of mine")
    with_files(alice)
    before = {path.name for path in folder_of(alice).iterdir()}
    forget.forget(alice.db, alice.id, memories=["mem-secret"], now=NOW)
    made = large_spaces.made_for(alice.db, alice.id)
    assert set(made) == {large_spaces.WORDS, EMBEDDER.id}
    left = {path.name: path.read_bytes() for path in folder_of(alice).iterdir()}
    assert len(left) == 2
    assert not before & set(left)
    num = int(alice.db.value("SELECT num FROM spaces WHERE id = :id", id=alice.id))
    trombone = np.array([lexicon_file.key(f"{num}_trombon")], np.uint64).tobytes()
    assert not any(mark in bytes for bytes in left.values() for mark in (b"mem-secret", b"of mine", trombone))
    with_them = list(found(Indexes(alice.db), alice))
    with alice.db.write("memory") as tx:
        large_spaces.unmark(tx, alice.id)
    assert with_them == list(found(Indexes(alice.db), alice))


def test_what_a_forget_has_changed_beside_is_read_from_the_tables(alice: Place) -> None:
    with_files(alice)
    held = alice.db.dialect.index.held(alice.db, alice.id)
    alice.know("mem-07", "a trombone instead", kind="episode", said_at=NOW)
    alice.know("mem-08", "a trombone too", kind="episode", said_at=NOW)
    forget.forget(alice.db, alice.id, memories=["mem-08"], now=NOW)
    made = large_spaces.made_for(alice.db, alice.id)[large_spaces.WORDS]
    file = alice.db.dialect.index.words(made)
    assert file is not None
    assert made.seen == {one.key: one.made for one in held}[large_spaces.WORDS].seen
    assert (file.size, file.slot_of("mem-07"), file.slot_of("mem-08")) == (58, None, None)


def test_a_file_that_has_lost_most_of_its_content_is_not_written_again(alice: Place) -> None:
    with_files(alice)
    forget.forget(alice.db, alice.id, memories=[f"mem-{n:02}" for n in range(40)], now=NOW)
    assert not list(folder_of(alice).iterdir())
    assert not large_spaces.made_for(alice.db, alice.id)


def test_a_memory_that_is_forgotten_while_its_file_is_written_again_is_in_none(
    alice: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_files(alice)
    held = alice.db.dialect.index.held(alice.db, alice.id)
    forget.forget(alice.db, alice.id, memories=["mem-01"], now=NOW)
    with alice.db.write("memory") as tx:
        alice.db.dialect.index.drop(alice.db, tx, alice.id)
    save = mapped.save

    def interrupted(path: Path, *content: Any) -> None:
        save(path, *content)
        monkeypatch.setattr(mapped, "save", save)
        forget.forget(alice.db, alice.id, memories=["mem-02"], now=NOW)

    monkeypatch.setattr(mapped, "save", interrupted)
    alice.db.dialect.index.renew(alice.db, alice.id, [file for file in held if file.key == large_spaces.WORDS])
    assert not large_spaces.made_for(alice.db, alice.id)
    assert not list(folder_of(alice).iterdir())


def test_whoever_searches_a_large_space_first_makes_the_files_that_are_missing(
    alice: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = list(found(Indexes(alice.db), alice))
    assert not large_spaces.made_for(alice.db, alice.id)
    make_directory(folder_of(alice))
    (folder_of(alice) / f"{alice.id}.words.1.words.part").write_bytes(b"what a killed process has left")
    monkeypatch.setattr(space_files, "FROM", 10)
    assert list(found(Indexes(alice.db), alice)) == before
    made = large_spaces.made_for(alice.db, alice.id)
    assert set(made) == {large_spaces.WORDS, EMBEDDER.id}
    assert len(list(folder_of(alice).iterdir())) == 2
    assert list(found(Indexes(alice.db), alice)) == before
    assert large_spaces.made_for(alice.db, alice.id) == made
    for path in folder_of(alice).iterdir():
        path.write_bytes(b"torn")
    assert list(found(Indexes(alice.db), alice)) == before
    assert large_spaces.made_for(alice.db, alice.id) != made
    assert len(list(folder_of(alice).iterdir())) == 2


def test_a_space_whose_files_cannot_be_written_is_read_from_its_tables(
    alice: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = list(found(Indexes(alice.db), alice))
    monkeypatch.setattr(space_files, "FROM", 10)
    folder_of(alice).write_text("no directory")
    assert list(found(Indexes(alice.db), alice)) == before
    assert not large_spaces.made_for(alice.db, alice.id)


def test_a_file_that_is_taken_away_while_it_is_written_is_not_named(
    alice: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    replaced = Path.replace

    def too_late(path: Path, target: Path) -> Path:
        path.unlink()
        return replaced(path, target)

    monkeypatch.setattr(Path, "replace", too_late)
    upkeep.index_vectors(alice.db, alice.id, 10)
    assert not large_spaces.made_for(alice.db, alice.id)


def test_an_undo_writes_the_file_of_words_again_without_what_it_takes_back(alice: Place) -> None:
    with_files(alice)
    index = alice.db.dialect.index
    held = index.held(alice.db, alice.id)
    with alice.db.write("memory") as tx:  # as an undo does it: without a mark
        large_spaces.unmark_words(tx, alice.id)
        documents.drop_documents(tx, alice.id, ["mem-05"])
    index.renew(alice.db, alice.id, held)
    file = index.words(large_spaces.made_for(alice.db, alice.id)[large_spaces.WORDS])
    assert file is not None
    assert (file.size, file.slot_of("mem-05")) == (59, None)


def test_vectors_by_cells_are_written_again_without_what_was_forgotten(db: Database) -> None:
    place = large_space(db)
    index = db.dialect.index
    assert isinstance(index, SpaceFiles)
    index.scanned = SIZE // 2
    assert tend(place) == SIZE
    gone = [f"mem-{n}" for n in range(0, SIZE, 5)]
    held = index.held(db, place.id)
    with db.write("memory") as tx:
        vectors.drop_vectors(tx, place.id, gone, spaces.next_change(tx, place.id))
        index.forget(db, tx, place.id, gone)
    index.renew(db, place.id, held)
    large = Indexes(db, LARGE)
    file = near_of(large, place)
    assert isinstance(file, FlatFile)
    assert len(file) == SIZE - len(gone)
    for n in range(1, SIZE, 25):
        assert nearest(large, place, MADE[n])[0][0] == f"mem-{n}"


@pytest.mark.parametrize("loss", ["gone", "torn"])
def test_a_lost_file_of_words_is_read_from_the_tables(alice: Place, loss: str) -> None:
    before = list(found(with_files(alice), alice))
    folder: Path = alice.db.dialect.index.folder  # type: ignore[attr-defined]
    for path in folder.glob("*.words"):
        path.unlink() if loss == "gone" else path.write_bytes(b"torn")
    assert list(found(Indexes(alice.db), alice)) == before


@pytest.mark.parametrize("filed", [False, True])
def test_words_that_are_weighed_one_by_one_find_the_same(
    alice: Place, filed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexes = with_files(alice) if filed else Indexes(alice.db)
    alice.know("mem-07", "a kayak instead", kind="episode", said_at=NOW)
    alice.say("the museum has a violin", speaker="Ann")
    before = list(found(indexes, alice))
    monkeypatch.setattr(segments, "TOGETHER", 0)
    monkeypatch.setattr(segments, "LONG", 2)
    assert list(found(indexes, alice)) == before


def lexicon_of(indexes: Indexes, place: Place) -> Lexicon:
    """The one that a search has brought up to date."""
    with indexes.searched(place.id, EMBEDDER.id, DIM, lambda index: index.lexicon) as lexicon:
        return lexicon


def test_an_index_that_is_open_goes_on_from_a_file_that_was_written_since(alice: Place) -> None:
    indexes = Indexes(alice.db)
    assert lexicon_of(indexes, alice).new == 60
    with_files(alice)
    alice.say("the museum has a violin", speaker="Ann")
    alice.know("mem-new", "violin and kayak, number 7", kind="fact", said_at=NOW)
    assert list(found(indexes, alice)) == list(found(Indexes(alice.db), alice))
    assert lexicon_of(indexes, alice).new == 2


def test_a_torn_file_is_tried_once_by_an_index_that_is_open(alice: Place) -> None:
    indexes = Indexes(alice.db)
    list(found(indexes, alice))
    with_files(alice)
    for path in alice.db.dialect.index.folder.glob("*.words"):  # type: ignore[attr-defined]
        path.write_bytes(b"torn")
    alice.know("mem-new", "violin and kayak, number 7", kind="fact", said_at=NOW)
    read_anew = lexicon_of(indexes, alice)
    assert read_anew.new == 61
    alice.know("mem-newer", "a kayak and a violin", kind="fact", said_at=NOW)
    assert lexicon_of(indexes, alice) is read_anew
    assert read_anew.new == 62


def test_a_damaged_page_of_a_file_changes_no_hit_and_the_doctor_names_it(alice: Place, location: str) -> None:
    """Wherever it lies: a wrong name would end a recall with an error, a wrong place would hide a memory."""

    def hits() -> tuple[list[list[str]], list[float]]:
        indexes = Indexes(alice.db, IndexLimits(scan=10))
        near = [cosine for query in ASKED for _, cosine in nearest(indexes, alice, query, 5)]
        return list(found(indexes, alice)), near  # equally near ones may change places

    def named(path: Path) -> list[str]:
        return [one.status for one in examine(Path(location), repair=False) if path.name in one.said]

    with_files(alice)
    lists, near = hits()
    folder: Path = alice.db.dialect.index.folder  # type: ignore[attr-defined]
    files = sorted(folder.iterdir())
    assert [path.suffix for path in files] == [".flat", ".words"]
    for path in files:
        whole = path.read_bytes()
        for at in range(0, len(whole), -(-len(whole) // 12)):
            path.write_bytes(whole[:at] + b"\xfe" * 16 + whole[at + 16 :])
            again = hits()
            assert again[0] == lists, (path.suffix, at)
            assert again[1] == pytest.approx(near, abs=2e-3), (path.suffix, at)
            assert named(path) == ["warning"]
        path.write_bytes(whole)
        assert named(path) == []


def test_a_file_of_vectors_finds_all_that_the_scan_finds(db: Database) -> None:
    place = large_space(db)
    exact = [nearest(Indexes(db), place, query, 50) for query in ASKED]
    assert tend(place) == SIZE
    large = Indexes(db, LARGE)
    assert isinstance(near_of(large, place), FlatFile)
    for query, wanted in zip(ASKED, exact, strict=True):
        near = dict(nearest(large, place, query, 50))
        assert len(near.keys() & dict(wanted).keys()) >= 49  # equally near ones may change places in half precision
        assert all(near.get(ref, cosine) == pytest.approx(cosine, abs=2e-3) for ref, cosine in wanted)
    put(place, ["mem-3"], -MADE[3:4])
    assert nearest(large, place, MADE[3])[0][0] != "mem-3"


def test_a_filter_is_asked_of_no_more_neighbours_than_are_wanted(db: Database) -> None:
    place = large_space(db)
    tend(place)
    near, asked = near_of(Indexes(db, LARGE), place), list[str]()

    def even(refs: Sequence[str]) -> list[bool]:
        asked.extend(refs)
        return [int(ref.removeprefix("mem-")) % 2 == 0 for ref in refs]

    found = near.search(ASKED[0], 20, even)
    assert len(found) == 20
    assert len(asked) == len(set(asked)) < 80


def test_neighbours_that_are_out_of_date_hide_none_of_those_behind_them(tmp_path: Path) -> None:
    rows = np.random.default_rng(8).standard_normal((3_000, 32)).astype(np.float32)
    flat = Flat(32)
    flat.put([(f"mem-{n:04}", row[None, :]) for n, row in enumerate(rows)])
    flat.save(tmp_path, "some")
    for gone in (
        0,
        5,
        60,
        400,
    ):  # none, a few, more than are compared beside, more than twice what is asked for
        file = FlatFile.open(tmp_path, Made("some", 32, 0))
        assert file is not None
        order = np.argsort(-(rows @ rows[7])).tolist()
        for n in order[:gone]:
            file.remove(f"mem-{n:04}")
        file.put("turn-new", rows[7])
        found = [ref for ref, _ in file.search(rows[7], 50)]
        assert len(set(found) & {"turn-new", *(f"mem-{n:04}" for n in order[gone : gone + 49])}) >= 49
        assert not {f"mem-{n:04}" for n in order[:gone]} & set(found)


def test_a_turn_is_looked_for_in_a_large_file_without_a_copy_of_it(tmp_path: Path) -> None:
    lexicon_file.written(tmp_path, "some", (IndexEntry(f"mem-{n}", ["word"], kind="fact") for n in range(20_000)))
    file = LexiconFile.open(tmp_path, "some")
    assert file is not None
    assert file.slot_of("mem-77") is not None
    tracemalloc.start()
    try:
        assert file.slot_of("turn-that-was-said-just-now") is None
        assert file.drawn_from([["mem-5", "turn-that-was-said-just-now"]]) == {"mem-5": []}
        assert tracemalloc.get_traced_memory()[1] < 50_000  # all names are 180,000 bytes
    finally:
        tracemalloc.stop()


def test_what_was_looked_up_is_dropped_between_questions_never_within_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = (IndexEntry(f"mem-{n}", ["word"], kind="fact", drawn_from=(f"said-{n}",)) for n in range(9))
    lexicon_file.written(tmp_path, "some", facts)
    file = LexiconFile.open(tmp_path, "some")
    assert file is not None
    monkeypatch.setattr(lexicon_file, "REMEMBERED", 2)
    file.names_of(np.array([0, 1, 2]))
    assert file.drawn_from([["mem-0", "mem-1", "mem-2", "mem-8"]]) == {f"mem-{n}": [f"said-{n}"] for n in (0, 1, 2, 8)}


def test_the_first_look_by_bytes_names_all_of_the_nearest() -> None:
    rows = np.random.default_rng(5).standard_normal((6_000, 64), np.float32)
    rows[::3] *= 4
    rounded = Rounded(rows)
    for query in rows[:40] + rows[40:80]:
        places = candidates(rounded.rows, rounded.steps, (rounded.error, rounded.longest), query, 100)
        nearest_places = np.argsort(-(rows @ query))[:100]
        assert places is None or set(nearest_places.tolist()) <= set(places.tolist())


def test_a_matrix_that_changes_stays_exact() -> None:
    chance, matrix = np.random.default_rng(6), Matrix(32)
    rows = chance.standard_normal((3_000, 32)).astype(np.float32)
    for n, row in enumerate(rows):
        matrix.put(f"{n:04}", row)
    for n in range(0, 3_000, 7):
        matrix.remove(f"{n:04}")
    for n in range(1, 3_000, 11):
        rows[n] = -rows[n]
        matrix.put(f"{n:04}", rows[n]) if n % 7 else None
    kept = [n for n in range(3_000) if n % 7]
    for query in rows[:20]:
        order = sorted(kept, key=lambda n: -float(rows[n] @ query))[:40]
        assert [ref for ref, _ in matrix.search(query, 40)] == [f"{n:04}" for n in order]


def test_a_file_of_an_older_version_is_made_anew_and_never_held(alice: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    before = list(found(with_files(alice), alice))
    [path] = folder_of(alice).glob("*.words")
    arrays, noted = mapped.opened(path)
    mapped.save(path, {name: values for name, values in arrays.items() if name != "marks"}, noted)
    assert [file.key for file in alice.db.dialect.index.held(alice.db, alice.id)] == [EMBEDDER.id]
    monkeypatch.setattr(space_files, "FROM", 10)
    assert list(found(Indexes(alice.db), alice)) == before
    assert not path.exists()


def test_a_filtered_search_that_stops_early_finds_what_a_whole_one_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    chance, lexicon = random.Random(5), Lexicon()
    words = [f"w{n}" for n in range(40)]
    for n in range(2_000):
        said = chance.choices(words, [1 / (place + 1) for place in range(40)], k=9)
        lexicon.put(IndexEntry(f"mem-{n:04}", said, kind=("fact", "episode", "note")[n % 3], said_at=float(n)))
    masks = [lexicon.mask(kinds=kinds, span=(0.0, 1_500.0)) for kinds in (("fact",), ("fact", "episode"), ("gone",))]
    monkeypatch.setattr(segments, "TOGETHER", 0)
    asked = [([f"w{n}", f"w{n // 2}", "w1", "w0"], mask) for n in range(10, 40) for mask in masks]
    whole = [lexicon.search(terms, 8, mask) for terms, mask in asked]
    stopped: list[int] = []
    contenders = segments._contenders

    def counted(*given: Any) -> Any:
        found = contenders(*given)
        stopped.append(found is not None)
        return found

    monkeypatch.setattr(segments, "LONG", 10)
    monkeypatch.setattr(segments, "_contenders", counted)
    assert [lexicon.search(terms, 8, mask) for terms, mask in asked] == whole
    assert any(stopped)
