"""LangGraph's own store suites on our store: its in-memory one, and SQLite's sync, async and TTL."""

from pathlib import Path

import pytest

from tests.judges import upstream

HERE = Path(__file__).parent
pytestmark = pytest.mark.timeout(1_500)
SUITES = {
    "langgraph-checkpoint 4.3.1": ["tests/test_store.py"],
    "langgraph-checkpoint-sqlite 3.1.2": ["tests/test_store.py", "tests/test_async_store.py", "tests/test_ttl.py"],
}


@pytest.mark.parametrize("package", SUITES)
def test_a_suite_passes_but_for_what_is_expected(package: str) -> None:
    folder = upstream.sdist(*package.split())
    verdict = upstream.run(folder, SUITES[package], "--timeout", "120", plugin=HERE / "langgraph_swap.py")
    upstream.check(verdict, upstream.expected(HERE))
