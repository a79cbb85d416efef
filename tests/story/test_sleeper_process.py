"""A library user's sleeper: its own process, supervised, gone when the store is closed."""

import os
from pathlib import Path

from reverie import Reverie
from tests.waiting import alive, until


def test_a_sleeper_naps_beside_the_agent_and_goes_with_it(home: Path) -> None:
    with Reverie.open(home, embedder="none", cadence_turns=2, durable=False) as memory:
        alice = memory.space("alice")
        keeper = memory.start_sleeper()
        alice.append("user", "I live in Hamburg")
        alice.append("user", "I have a dog called Rex")
        assert until(lambda: any(night.status == "done" for night in alice.nights()))
        pid = keeper.pid
        assert pid is not None
        assert os.getpriority(os.PRIO_PROCESS, pid) > 0
    assert until(lambda: not alive(pid))
