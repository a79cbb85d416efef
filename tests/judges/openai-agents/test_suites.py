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
VERSION = "0.24.0"
# All suites of the SDK that a session of another maker can be put into: as the session, or below an encrypting or
# compacting one. Not those of other stores (SQLAlchemy, Redis, Dapr, MongoDB, OpenAI's conversations, the advanced one
# with its SQL tables), nor `test_compaction_suffix.py`, all of it about a private transaction of SQLite's sessions.
SUITES = {
    "tests/memory/test_session.py": 0.2,
    "tests/memory/test_session_limit.py": 0.0,
    "tests/memory/test_openai_responses_compaction_session.py": 0.2,
    "tests/memory/test_compaction_model_visibility.py": 0.2,
    "tests/extensions/memory/test_encrypt_session.py": 0.2,
    "tests/extensions/memory/test_async_sqlite_session.py": 0.42,  # the rest of it tests aiosqlite's connections
}
ALL = upstream.Verdict()


@pytest.mark.parametrize("file", SUITES)
def test_a_suite_passes_but_for_what_is_expected(file: str) -> None:
    folder = upstream.sdist("openai-agents", VERSION)
    verdict = upstream.run(folder, [file], "--timeout", "20", plugin=HERE / "agents_swap.py")
    ALL.passed.update(verdict.passed)
    ALL.failed.update(verdict.failed)
    upstream.check(verdict, upstream.expected(HERE), most=SUITES[file])


def test_of_all_suites_together_four_fifths_pass() -> None:
    assert ALL.passed, "runs behind the suites"
    upstream.check(ALL, upstream.expected(HERE))


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


def test_the_lines_of_the_guide_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_guide("agents-sdk.md", "OpenAI Agents SDK")
