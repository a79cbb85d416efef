"""`reverie up` in an empty directory: the server answers, the sleeper sleeps, Ctrl-C ends both."""

import signal
from pathlib import Path

from tests.support.served import Served, served
from tests.support.waiting import alive, until


def test_one_command_serves_and_sleeps_and_ends_within_five_seconds(tmp_path: Path) -> None:
    with served(tmp_path, embedder="none", cadence_turns=3, idle_seconds=0) as up:
        up.call("POST", "/v1/spaces", {"name": "alice"})
        for n in range(3):
            up.call("POST", "/v1/spaces/alice/turns", {"role": "user", "text": f"I live in Hamburg, {n}."})
        night = until(lambda: a_night(up))
        assert night is not None
        assert night["trigger"] == "cadence"
        assert up.call("GET", "/metrics/scheduler")["running"] is True
        sleeper = int(up.call("GET", "/metrics/scheduler")["worker"].rpartition("-")[2])
        assert alive(sleeper)
        assert up.stop(signal.SIGINT) < 5.0
        assert up.process.returncode == 0
        assert not alive(sleeper)
    assert (tmp_path / ".reverie" / "memory.db").exists()


def a_night(up: Served) -> dict[str, str] | None:
    done: list[dict[str, str]] = up.call("GET", "/v1/spaces/alice/nights?status=done")["items"]
    return done[0] if done else None
