"""A night with the bundled embedder reads one hostile turn of 100 kB; no step of it takes over a second of CPU."""

import time
from collections.abc import Iterator

import pytest

from reverie import Reverie
from reverie.model.night import Progress

MOST = 1.0  # seconds of this process' own processor time, the better of two nights
PIECES = ("a. ", "B1a-", "\n")


@pytest.fixture
def bundled(location: str) -> Iterator[Reverie]:
    with Reverie.open(location, embedder="minilm", durable=False) as memory:
        yield memory


def slowest(memory: Reverie, name: str, text: str) -> tuple[float, str]:
    """How long the slowest step of a night over a text took, and which that was."""
    space, steps = memory.space(name), list[tuple[float, str]]()
    space.append("user", "I like tea, and my dog is called Rex.")
    space.append("user", text)
    began = time.thread_time()

    def told(progress: Progress) -> None:
        nonlocal began
        now = time.thread_time()
        if progress.what == "step" and progress.status != "running":
            steps.append((now - began, progress.step))
        began = now

    assert space.sleep(progress=told).status == "done"
    assert len(steps) > 5
    return max(steps)


@pytest.mark.parametrize("piece", PIECES)
def test_no_step_of_a_night_is_kept_busy_by_one_hostile_turn(bundled: Reverie, piece: str) -> None:
    slowest(bundled, "warm", "I live in Hamburg.")  # patterns are compiled and models loaded once
    text = f"Result: {piece * (100_000 // len(piece))} end"
    took = min(slowest(bundled, f"space {n}", text) for n in range(2))
    assert took[0] < MOST, took
