"""A dream over somebody else's directory leaves it theirs: Claude Code's memory, an OpenClaw workspace, their locks."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reverie.mirror import consolidate_lock
from reverie.model.base import DAY, HOUR
from reverie.space import Space
from tests.story.test_dream import Clock, clock, logs, notes, space, talk

__all__ = ["clock", "logs", "notes", "space"]
yaml = pytest.importorskip("yaml")
LOCK = consolidate_lock.NAME
INDEX = (
    "# Memory\n\n- [Testing](feedback_testing.md) — pytest, never unittest\n"
    "- Odd   spacing,  kept <!-- project: x -->  \n"
)
TOPIC = (
    '---\nname: testing\ndescription: "How: the user tests"\ntype: feedback\n---\n\nUse pytest.\n\n'
    "**Why:** it is shorter.\n"
)
OPENCLAW = (
    "# Long-term\r\n- Prefers green tea <!-- trigger: tea, drink --> <!-- importance: 7 --> <!-- project: home -->\r\n"
    "- Key is sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-AbCdEfGh <!-- trigger: key -->\r\n"
)


def dreamt(space: Space, notes: Path, logs: Path, at: float) -> str:
    talk(logs, 5, at)
    done = space.dream(notes, logs, force=True)
    assert done.night is not None
    assert done.night.status == "done"
    return done.night.id


def test_claude_codes_directory_stays_valid_for_it(space: Space, notes: Path, logs: Path, clock: Clock) -> None:
    notes.mkdir()
    (notes / "MEMORY.md").write_text(INDEX)
    (notes / "feedback_testing.md").write_text(TOPIC)
    for _ in range(2):
        dreamt(space, notes, logs, clock.now)
        clock.now += DAY
    assert (notes / "feedback_testing.md").read_text() == TOPIC
    index = (notes / "MEMORY.md").read_text()
    assert index.startswith(INDEX.rstrip("\n"))
    linked = re.findall(r"\]\(([^)]+)\)", index)
    assert sorted(linked) == sorted(set(linked))  # no second line for a file
    assert "human.md" in linked
    for path in notes.glob("*.md"):
        text = path.read_text()
        if text.startswith("---\n"):
            head = yaml.safe_load(text.split("---\n")[1])
            assert {"name", "description", "type"} <= set(head), path
            assert all(isinstance(value, str) for value in head.values()), path


def test_an_openclaw_workspace_keeps_its_marks_byte_for_byte(
    space: Space, notes: Path, logs: Path, clock: Clock
) -> None:
    notes.mkdir()
    (notes / "MEMORY.md").write_bytes(OPENCLAW.encode())
    (notes / "USER.md").write_bytes(OPENCLAW.encode())
    dreamt(space, notes, logs, clock.now)
    assert (notes / "MEMORY.md").read_bytes().startswith(OPENCLAW.encode())
    assert (notes / "USER.md").read_bytes() == OPENCLAW.encode()
    said = [turn.text for turn in space.turns("mirror", limit=50)]
    assert "Prefers green tea" in said  # without the marks
    assert not any("sk-ant-api03-AbC" in text for text in said)


def test_undo_takes_the_files_back(space: Space, notes: Path, logs: Path, clock: Clock) -> None:
    notes.mkdir()
    (notes / "MEMORY.md").write_text(INDEX)
    night = dreamt(space, notes, logs, clock.now)
    assert "Debian" in "".join(path.read_text() for path in notes.glob("*.md"))
    space.undo(night)
    left = {path.name: path.read_text() for path in notes.glob("*.md") if path.name != "DREAMS.md"}
    assert set(left) == {"MEMORY.md"}  # the diary stays: that night was
    assert "Debian" not in left["MEMORY.md"]
    assert left["MEMORY.md"] == INDEX


def test_an_index_without_a_heading_gets_none_names_itself_nowhere_and_keeps_who_may_read_it(
    space: Space, notes: Path, logs: Path, clock: Clock
) -> None:
    notes.mkdir()
    mine = "- [Build](build.md) — how we build\n"
    (notes / "MEMORY.md").write_text(mine)
    (notes / "MEMORY.md").chmod(0o644)
    night = dreamt(space, notes, logs, clock.now)
    index = (notes / "MEMORY.md").read_text()
    assert index.startswith(mine)
    assert "# Memory" not in index
    assert "(MEMORY.md)" not in index
    assert oct((notes / "MEMORY.md").stat().st_mode)[-3:] == "644"
    space.undo(night)
    assert (notes / "MEMORY.md").read_text() == mine


@pytest.fixture
def somebody() -> Iterator[int]:
    """Another process that lives."""
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    yield process.pid
    process.kill()
    process.wait()


def test_a_living_consolidation_of_claude_codes_is_waited_for(
    space: Space, notes: Path, logs: Path, clock: Clock, somebody: int
) -> None:
    notes.mkdir()
    talk(logs, 5, clock.now)
    (notes / LOCK).write_text(str(somebody))
    os.utime(notes / LOCK, (clock.now - 60, clock.now - 60))
    closed = space.dream(notes, logs, force=True)
    assert closed.night is None
    assert closed.gates[-1] == ("lock", closed.gates[-1][1])
    assert closed.gates[-1][1].why == f"process {somebody} dreams"
    os.utime(notes / LOCK, (clock.now - 2 * HOUR, clock.now - 2 * HOUR))  # left behind
    assert space.dream(notes, logs, force=True).night is not None


def test_its_last_time_counts_and_ours_is_told_to_it(space: Space, notes: Path, logs: Path, clock: Clock) -> None:
    notes.mkdir()
    talk(logs, 5, clock.now)
    (notes / LOCK).write_text("1")
    os.utime(notes / LOCK, (clock.now - 3 * HOUR, clock.now - 3 * HOUR))
    assert space.dream(notes, logs).gates[-1][0] == "time"
    clock.now += DAY
    talk(logs, 5, clock.now)
    assert space.dream(notes, logs).night is not None
    assert ((notes / LOCK).read_text(), (notes / LOCK).stat().st_mtime) == ("", clock.now)


def test_a_failed_dream_puts_its_time_back(
    space: Space, notes: Path, logs: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes.mkdir()
    talk(logs, 5, clock.now)

    def fails(*_: Any) -> None:
        assert (notes / LOCK).read_text() == str(os.getpid())  # Claude Code would wait
        raise RuntimeError("no night")

    monkeypatch.setattr(Space, "sleep", fails)
    for before in (None, clock.now - 5 * HOUR):
        if before is not None:
            (notes / LOCK).write_text("")
            os.utime(notes / LOCK, (before, before))
        with pytest.raises(RuntimeError):
            space.dream(notes, logs, force=True)
        assert (notes / LOCK).exists() == (before is not None)
        assert before is None or (notes / LOCK).stat().st_mtime == before


def test_a_link_in_place_of_the_lock_is_not_followed(
    space: Space, notes: Path, logs: Path, clock: Clock, tmp_path: Path
) -> None:
    notes.mkdir()
    (tmp_path / "precious").write_text("mine")
    (notes / LOCK).symlink_to(tmp_path / "precious")
    dreamt(space, notes, logs, clock.now)
    assert (tmp_path / "precious").read_text() == "mine"
