"""A dream over a coding agent's memory directory: its gates, its transcripts, its clock."""

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from reverie.importers.claude_code import messages, session_files
from reverie.importers.record import ImportedMessage
from reverie.mirror.dream_lock import NAME, DreamLock
from reverie.model.base import DAY, HOUR
from reverie.reverie import Reverie
from reverie.space import Space
from tests.support.nights import NOW


class Clock:
    now = NOW

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def space(location: str, opened: Callable[[Any], Any], clock: Clock) -> Space:
    memory = opened(Reverie.open(location, embedder="none", durable=False, clock=clock))
    return memory.space("agent")  # type: ignore[no-any-return]


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return tmp_path / "memory"


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    (tmp_path / "logs").mkdir()
    return tmp_path / "logs"


def line(type: str, content: Any, n: int = 0, **more: Any) -> str:
    stamp = datetime.fromtimestamp(NOW + n, UTC).isoformat().replace("+00:00", "Z")
    record = {"type": type, "uuid": f"u{n}", "sessionId": "s", "timestamp": stamp, "message": {"content": content}}
    return json.dumps({**record, **more}) + "\n"


def talk(logs: Path, count: int, at: float, start: int = 0) -> None:
    for n in range(start, start + count):
        path = logs / f"session-{n}.jsonl"
        path.write_text(line("user", f"Remember that server {n} runs Debian.", n, sessionId=f"session-{n}"))
        os.utime(path, (at, at))


def test_a_dream_reads_transcripts_sleeps_and_writes_the_files(
    space: Space, notes: Path, logs: Path, clock: Clock
) -> None:
    talk(logs, 5, clock.now)
    done = space.dream(notes, logs)
    assert [gate for gate, answer in done.gates if answer] == ["time", "throttle", "sessions", "lock"]
    assert done.night is not None
    assert (done.night.status, done.turns) == ("done", 5)
    assert done.synced is not None
    assert {"MEMORY.md", "DREAMS.md"} <= set(done.synced.files)
    assert (notes / NAME).stat().st_mtime == clock.now


def test_each_gate_says_why_it_is_closed(space: Space, notes: Path, logs: Path, clock: Clock) -> None:
    talk(logs, 3, clock.now)
    assert space.dream(notes, logs).gates[-1][1].why == "3 new sessions, needs 5"
    talk(logs, 5, clock.now)
    assert space.dream(notes, logs).gates[-1][1].why == "looked 0 min ago, again after 10"
    clock.now += HOUR
    assert space.dream(notes, logs).night is not None
    clock.now += HOUR
    assert space.dream(notes, logs).gates[-1][1].why == "1.0 h since the last dream, needs 24"
    assert space.dream(notes, logs, force=True).night is not None


def test_what_was_read_is_not_read_twice(space: Space, notes: Path, logs: Path, clock: Clock) -> None:
    talk(logs, 5, clock.now)
    space.dream(notes, logs)
    clock.now += 2 * DAY
    talk(logs, 6, clock.now)  # the old sessions were written to again
    assert space.dream(notes, logs).turns == 1


def test_a_second_dreamer_is_told_who_dreams(space: Space, notes: Path, logs: Path, clock: Clock) -> None:
    talk(logs, 5, clock.now)
    with DreamLock.of(notes) as lock:
        lock.begin(clock.now)
        for force in (False, True):
            ((gate, answer),) = space.dream(notes, logs, force=force).gates
            assert (gate, bool(answer), answer.why) == ("lock", False, f"process {os.getpid()} dreams")


def test_a_failed_dream_moves_no_clock(
    space: Space, notes: Path, logs: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk(logs, 5, clock.now)
    space.dream(notes, logs)
    first = (notes / NAME).stat().st_mtime
    clock.now += 2 * DAY
    talk(logs, 5, clock.now, start=10)

    def fail(*_: Any, **__: Any) -> None:
        raise OSError("disk full")

    with monkeypatch.context() as broken:
        broken.setattr("reverie.verbs.sleep.SleepVerbs.sleep", fail)
        with pytest.raises(OSError, match="disk full"):
            space.dream(notes, logs)
    assert (notes / NAME).stat().st_mtime == first
    clock.now += HOUR
    assert space.dream(notes, logs).night is not None


def test_a_killed_dream_is_put_right_by_the_next(notes: Path, clock: Clock) -> None:
    with DreamLock.of(notes) as lock:
        lock.begin(clock.now)
        lock.succeed(clock.now)
    clock.now += DAY
    with DreamLock.of(notes) as lock:
        lock.begin(clock.now)  # and dies: nobody calls fail
    with DreamLock.of(notes) as lock:
        assert lock.clock.dreamt_at == clock.now - DAY
        assert lock.holder is None


def test_a_lock_that_is_a_link_is_not_followed(space: Space, notes: Path, logs: Path, tmp_path: Path) -> None:
    notes.mkdir()
    (notes / NAME).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Exception, match="cannot dream"):
        space.dream(notes, logs)
    assert not (tmp_path / "elsewhere").exists()


def test_a_session_file_is_read_as_what_was_said(logs: Path) -> None:
    path = logs / "s.jsonl"
    result = [{"type": "tool_result", "content": [{"type": "text", "text": "3 files"}]}]
    said = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Done."}, {"type": "tool_use", "id": "x"}]
    path.write_text(
        line("user", "Fix it.<system-reminder>be nice</system-reminder>", 1)
        + line("assistant", said, 2)
        + line("user", result, 3)
        + line("user", "told again", 4, isCompactSummary=True)
        + line("user", "harness", 5, isMeta=True)
        + line("user", "look there", 6, isSidechain=True)
        + '{"type": "summary", "summary": "x"}\n{broken\n[]\n'
    )
    found = list(messages(path))
    assert [(m.role, m.text, m.origin) for m in found] == [
        ("user", "Fix it.", "user"),
        ("assistant", "Done.", "assistant"),
        ("tool", "3 files", "tool"),
        ("user", "look there", "assistant"),
    ]
    assert found[0] == ImportedMessage(
        "s", "user", "Fix it.", "user", NOW + 1, "claude-code:u1:0", source="claude-code"
    )


def test_links_among_transcripts_are_not_followed(logs: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.jsonl").write_text(line("user", "private"))
    (logs / "link.jsonl").symlink_to(tmp_path / "secret.jsonl")
    assert session_files(logs) == []
