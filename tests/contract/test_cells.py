"""The files of large spaces: whole or not there, made again by the next night, and without what was forgotten."""

from pathlib import Path

import numpy as np
import pytest

from reverie.config import load
from reverie.doctor.doctor import examine
from reverie.store.db import Database
from reverie.store.search import flat, large_spaces, space_files
from reverie.store.search.flat import FlatFile
from reverie.store.search.index import Indexes
from reverie.store.search.matrix import Made, Matrix
from reverie.store.search.space_files import SpaceFiles
from reverie.store.transfer.delete_space import delete_space
from tests.support.large import ASKED, LARGE, MADE, SIZE, drop, large_space, near_of, nearest, put, tend
from tests.support.searching import NOW, Place


@pytest.fixture
def alice(db: Database) -> Place:
    """Her space counts as too large for a scan of bytes, so that it has cells."""
    assert isinstance(db.dialect.index, SpaceFiles)
    db.dialect.index.scanned = 0
    return large_space(db)


def files(place: Place) -> list[Path]:
    index = place.db.dialect.index
    assert isinstance(index, SpaceFiles)
    return sorted(index.folder.iterdir()) if index.folder.exists() else []


def test_a_search_makes_and_changes_no_file(alice: Place) -> None:
    large = Indexes(alice.db, LARGE)
    assert nearest(large, alice, MADE[3])[0][0] == "mem-3"
    assert files(alice) == []
    tend(alice)
    made = {path: path.stat().st_mtime_ns for path in files(alice)}
    put(alice, ["mem-new"], ASKED[:1])
    assert nearest(Indexes(alice.db, LARGE), alice, ASKED[0])[0][0] == "mem-new"
    assert {path: path.stat().st_mtime_ns for path in files(alice)} == made


@pytest.mark.parametrize("loss", ["gone", "torn"])
def test_a_lost_file_is_scanned_for_and_made_again(alice: Place, loss: str) -> None:
    tend(alice)
    for path in files(alice):
        path.unlink() if loss == "gone" else path.write_bytes(b"torn")
    reader = Indexes(alice.db, LARGE)
    assert nearest(reader, alice, MADE[3])[0][0] == "mem-3"
    put(alice, ["mem-new"], ASKED[:1])
    held = near_of(reader, alice)
    assert isinstance(held, Matrix)
    put(alice, ["mem-newer"], ASKED[1:2])
    assert near_of(reader, alice) is held  # it is not read anew at every change
    assert tend(alice) == SIZE + 2
    assert isinstance(near_of(Indexes(alice.db, LARGE), alice), FlatFile)


def test_a_search_by_cells_finds_nearly_all_that_a_scan_finds(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    topics = random.standard_normal((60, 32), np.float32)
    rows = topics[random.integers(60, size=6_000)] + 0.5 * random.standard_normal((6_000, 32), np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    made = flat.Flat(32, scanned=1_000)
    made.put([(f"mem-{n}", rows[n : n + 1]) for n in range(6_000)])
    made.save(tmp_path, "large")
    file = FlatFile.open(tmp_path, Made("large", 32, 0))
    assert file is not None
    shares = []
    for query in rows[:50]:
        exact = {f"mem-{n}" for n in np.argsort(-(rows @ query))[:10]}
        found = [ref for ref, _ in file.search(query, 50)]
        assert len(found) == len(set(found)) == 50
        shares.append(len(exact & set(found[:10])) / 10)
    assert np.mean(shares) > 0.95


def test_an_older_file_goes_when_a_new_one_is_there(alice: Place) -> None:
    tend(alice)
    before = files(alice)
    put(alice, [f"mem-{n}" for n in range(150)], -MADE[:150])
    tend(alice)
    assert len(files(alice)) == len(before) == 1
    assert not set(files(alice)) & set(before)


def test_a_file_that_is_mostly_gone_is_made_from_nothing(alice: Place) -> None:
    tend(alice)
    drop(alice, [f"mem-{n}" for n in range(SIZE // 2)])
    tend(alice)
    reader = Indexes(alice.db, LARGE)
    assert len(nearest(reader, alice, ASKED[0], SIZE)) == SIZE // 2
    held = near_of(reader, alice)
    assert isinstance(held, FlatFile)
    assert len(held) == SIZE // 2


def test_what_is_forgotten_while_a_file_is_made_does_not_come_back(
    alice: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = flat.Flat.save

    def forgotten_meanwhile(file: flat.Flat, folder: Path, relation: str) -> None:
        drop(alice, ["mem-3"])
        saved(file, folder, relation)

    monkeypatch.setattr(flat.Flat, "save", forgotten_meanwhile)
    tend(alice)
    assert files(alice) == []
    assert large_spaces.made_for(alice.db, alice.id) == {}
    monkeypatch.undo()
    put(alice, ["mem-new"], ASKED[:1])
    assert tend(alice)
    assert len(files(alice)) == 1


def test_a_space_that_is_deleted_while_its_file_is_made_leaves_none(
    alice: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = flat.Flat.save

    def deleted_meanwhile(file: flat.Flat, folder: Path, relation: str) -> None:
        delete_space(alice.db, alice.id, 0.0)
        saved(file, folder, relation)

    monkeypatch.setattr(flat.Flat, "save", deleted_meanwhile)
    tend(alice)
    assert files(alice) == []
    assert large_spaces.made_for(alice.db, alice.id) == {}


def test_without_the_package_the_scan_goes_on_and_the_doctor_says_so(
    alice: Place, location: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(space_files, "int8_products", lambda: None)
    assert tend(alice) == 0
    assert nearest(Indexes(alice.db, LARGE), alice, MADE[3])[0][0] == "mem-3"
    monkeypatch.setattr(large_spaces, "unserved", lambda _: 1)
    found = examine(load(env={}).with_values(store=location, embedder="none"), NOW)
    said = next(finding for finding in found if finding.check == "vectors")
    assert (said.status, ".[index]" in said.next_move) == ("warning", True)
