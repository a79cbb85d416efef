"""The Agents SDK's own session suites on our session, and a popped item that no night reads."""

import asyncio
from pathlib import Path

import pytest

from reverie import Reverie
from reverie.adapters.openai_agents import ReverieSession
from tests.judges import upstream
from tests.judges.guides import run_guide

HERE = Path(__file__).parent
pytestmark = pytest.mark.timeout(1_500)
MOST_SQLITE = 0.38  # of these suites test the connections, locks and files of SQLite itself
FILES = [
    "tests/memory/test_session.py",
    "tests/memory/test_session_limit.py",
    "tests/extensions/memory/test_async_sqlite_session.py",
]


def test_the_suites_pass_but_for_what_is_expected() -> None:
    folder = upstream.sdist("openai-agents", "0.24.0")
    verdict = upstream.run(folder, FILES, "--timeout", "120", plugin=HERE / "agents_swap.py")
    upstream.check(verdict, upstream.expected(HERE), most=MOST_SQLITE)


def test_a_popped_item_never_reaches_a_night(tmp_path: Path) -> None:
    async def talk(session: ReverieSession) -> None:
        await session.add_items([{"role": "user", "content": "I live in Hamburg."}])
        await session.add_items([{"role": "user", "content": "My sister Frieda lives in Lisbon."}])
        assert await session.pop_item() == {"role": "user", "content": "My sister Frieda lives in Lisbon."}
        assert await session.get_items() == [{"role": "user", "content": "I live in Hamburg."}]

    with Reverie.open(tmp_path, embedder="none", durable=False) as memory:
        space = memory.space("ada")
        asyncio.run(talk(ReverieSession("s1", space)))
        space.sleep()
        known = " ".join(memory.text for memory in space.all(limit=500)) + space.context("Frieda").text
        assert "Hamburg" in known
        assert "Lisbon" not in known


def test_the_lines_of_the_guide_hold(tmp_path: Path) -> None:
    with Reverie.open(tmp_path, embedder="none", durable=False) as memory:
        run_guide("agents-sdk.md", space=memory.space("guide"))
