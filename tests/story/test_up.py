"""`reverie up` in an empty directory: the server answers, the sleeper sleeps, Ctrl-C ends both."""

import os
import signal
import time
from pathlib import Path

from tests.story.served import Served, served


def test_one_command_serves_and_sleeps_and_ends_within_five_seconds(tmp_path: Path) -> None:
    with served(tmp_path, embedder="none", cadence_turns=3, idle_seconds=0) as up:
        up.call("POST", "/v1/spaces", {"name": "alice"})
        for n in range(3):
            up.call("POST", "/v1/spaces/alice/turns", {"role": "user", "text": f"I live in Hamburg, {n}."})
        night = wait_for_a_night(up)
        assert night["trigger"] == "cadence"
        assert up.call("GET", "/metrics/scheduler")["running"] is True
        sleeper = int(up.call("GET", "/metrics/scheduler")["worker"].removeprefix("sleeper-"))
        assert is_alive(sleeper)
        assert up.stop(signal.SIGINT) < 5.0
        assert up.process.returncode == 0
        assert not is_alive(sleeper)
    assert (tmp_path / ".reverie" / "memory.db").exists()


def wait_for_a_night(up: Served) -> dict[str, str]:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        done: list[dict[str, str]] = up.call("GET", "/v1/spaces/alice/nights?status=done")["items"]
        if done:
            return done[0]
        time.sleep(0.1)
    raise AssertionError("nobody slept")


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
