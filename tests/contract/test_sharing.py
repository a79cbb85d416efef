"""One opened store in threads, in a forked child, in another process: what works, and what says that it does not."""

import inspect
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from reverie import Reverie, Space, aio
from reverie.errors import UsageError
from reverie.verbs.blocks import BlockHandle, Blocks
from reverie.verbs.org import Keys, Replies, SharedBlocks

FORK = """
import os, sys
from reverie import Reverie
with Reverie.open(sys.argv[1], embedder="none", durable=False) as memory:
    alice = memory.space("alice")
    alice.append("user", "I like tea")
    alice.recall("tea")
    before = {id(handle) for handle in memory.parts.db._handles}
    child = os.fork()
    if child == 0:
        alice.append("user", "I like milk")
        alice.recall("milk")
        own = {id(handle) for handle in memory.parts.db._handles}
        memory.close()
        os._exit(0 if own and not own & before else 1)
    assert os.waitpid(child, 0)[1] == 0, "the child used its parent's connections"
    print(*sorted(turn.text for turn in alice.turns()), sep="|")
"""


def test_many_threads_share_one_store(location: str) -> None:
    with Reverie.open(location, embedder="none", durable=False) as memory:
        alice = memory.space("alice")
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda n: alice.append("user", f"I like tea number {n}"), range(20)))
        assert [turn.seq for turn in alice.turns(limit=50)] == list(range(1, 21))


def test_a_forked_child_opens_connections_of_its_own(tmp_path: Path) -> None:
    ran = subprocess.run([sys.executable, "-c", FORK, str(tmp_path)], capture_output=True, text=True, timeout=60)
    assert (ran.stdout, ran.returncode) == ("I like milk|I like tea\n", 0), ran.stderr


def test_what_is_opened_cannot_be_pickled_but_what_it_answers_can(location: str) -> None:
    with Reverie.open(location, embedder="none", durable=False) as memory:
        alice = memory.space("alice")
        alice.append("user", "I like tea")
        hits = alice.recall("tea")
        assert pickle.loads(pickle.dumps(hits)) == hits
        for thing in (memory, alice):
            with pytest.raises(UsageError, match="pickled"):
                pickle.dumps(thing)


@pytest.mark.parametrize("kind", [Reverie, Space, Blocks, BlockHandle, Keys, SharedBlocks, Replies])
def test_every_public_verb_says_what_it_does(kind: type) -> None:
    silent = [name for name in public(kind) if not inspect.getdoc(getattr(kind, name))]
    assert silent == []


def test_every_verb_can_be_awaited() -> None:
    others = {"blocks", "agent", "settings", "sleeping", "home"}  # not awaited: `space.sync` has them
    assert public(Space) - public(aio.Space) - others == set()
    others = {
        "config",
        "in_org",
        "of_org",
        "start_sleeper",
        "keys",
        "blocks",
        "replies",
        "embedder",
        "org_name",
        "now",
        "sharing",
    }
    assert public(Reverie) - public(aio.Reverie) - others - {"end_model_calls", "home"} == set()


def public(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}
