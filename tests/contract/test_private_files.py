"""Whatever the umask: what is written can be read by its owner alone."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from reverie import Reverie
from reverie.cli.main import run
from reverie.files import make_directory
from reverie.store.search.flat import Flat
from reverie.token import make_token


@pytest.fixture(autouse=True, params=[0o000, 0o022, 0o077], ids=oct)
def _umask(request: pytest.FixtureRequest) -> Iterator[None]:
    old = os.umask(request.param)
    yield
    os.umask(old)


def open_to_others(root: Path) -> list[str]:
    return [
        f"{path.relative_to(root)} {stat.S_IMODE(path.lstat().st_mode):o}"
        for path in (root, *root.rglob("*"))
        if stat.S_IMODE(path.lstat().st_mode) & 0o077
    ]


def modes(root: Path) -> set[tuple[bool, int]]:
    return {(path.is_dir(), stat.S_IMODE(path.stat().st_mode)) for path in (root, *root.rglob("*"))}


def test_store_backup_mirror_export_and_token_are_their_owners(tmp_path: Path) -> None:
    root = tmp_path / "everything"  # made by us, as what lies in it
    home = root / "home"
    with Reverie.open(home, embedder="none", durable=False) as memory:
        alice = memory.space("alice")
        alice.append("user", "I live in Hamburg and my sister is Ines.")
        make_token(memory.home)
        alice.sleep()
        alice.mirror(root / "notes")
        memory.backup(root / "backups" / "monday")
        assert {path.name for path in home.iterdir()} >= {"log.db", "memory.db", "memory.db-wal", "token"}
        assert modes(root) == {(True, 0o700), (False, 0o600)}
        with pytest.raises(SystemExit) as end:
            run(["--home", str(home), "--embedder", "none", "export", str(root / "alice.jsonl"), "--space", "alice"])
        assert end.value.code == 0
    assert (root / "alice.jsonl").stat().st_size > 100
    assert modes(root) == {(True, 0o700), (False, 0o600)}


def test_the_index_files_of_a_large_space_are_their_owners(tmp_path: Path) -> None:
    file = Flat(4)
    file.put([("mem-1", np.ones((1, 4), np.float32))])
    file.save(tmp_path / "store" / "indexes", "space.1")
    assert len(list((tmp_path / "store" / "indexes").iterdir())) == 1
    assert modes(tmp_path / "store") == {(True, 0o700), (False, 0o600)}


def test_a_store_that_was_open_to_others_is_closed_when_it_is_opened(tmp_path: Path) -> None:
    home = tmp_path / "home"
    Reverie.open(home, embedder="none", durable=False).close()
    home.chmod(0o755)
    for path in home.iterdir():
        path.chmod(0o644)
    with Reverie.open(home, embedder="none", durable=False):
        assert open_to_others(home) == []


def test_a_directory_with_other_things_in_it_keeps_its_mode(tmp_path: Path) -> None:
    """`home = "."` must not close a whole project to a team; the store's own files are closed all the same."""
    project = tmp_path / "project"
    project.mkdir()
    project.chmod(0o755)
    (project / "README.md").write_text("ours")
    (project / "README.md").chmod(0o644)
    with Reverie.open(project, embedder="none", durable=False) as memory:
        memory.space("alice").append("user", "hello")
        found = open_to_others(project)
    assert found == [". 755", "README.md 644"]


def test_directories_on_the_way_are_private_too_and_those_that_were_there_stay(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    make_directory(tmp_path / "a" / "b")
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755
    assert modes(tmp_path / "a") == {(True, 0o700)}
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError):
        make_directory(tmp_path / "file")
