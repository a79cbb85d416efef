"""A library user's sleeper: its own process, supervised, gone when the store is closed."""

import os
import time
from pathlib import Path
from typing import Any

from reverie import Reverie
from reverie.store.tables import leases
from tests.support.fault_server import fault_server
from tests.support.waiting import alive, until


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


def test_a_sleeper_that_waits_for_a_slow_model_is_stopped_within_its_grace_and_leaves_nothing_held(home: Path) -> None:
    with fault_server() as server:
        thinking: dict[str, Any] = {"sleeper_model": "openai:timeout", "model_base_url": server.url}
        with Reverie.open(home, embedder="none", cadence_turns=1, durable=False, **thinking) as memory:
            alice = memory.space("alice")
            alice.append("user", "I live in Hamburg", at=time.time() - 600)  # a night lets an active user go first
            keeper = memory.start_sleeper()
            until(lambda: server.asked("timeout"))
            keeper.stop(4.5)  # shorter than the model takes
            assert keeper.exit_codes == [0]  # not killed at the end of its grace
            (night,) = alice.nights()
            (line,) = alice.costs()
            assert leases.held(memory.parts.db, alice.id, time.time()) is None
            assert not alice.sleeper_alive()
    assert night.status == "requested"  # to go on with; being stopped is no failure
    assert (line.calls, line.failed, line.tokens_out) == (1, 1, 0)
