"""The Anthropic SDK's own suites: for its memory tool, on ours; for its memory sync, on a real server."""

import shutil
from pathlib import Path

import pytest

from tests.judges import upstream
from tests.support.served import served

HERE = Path(__file__).parent
pytestmark = pytest.mark.timeout(1_500)


def test_the_memory_tool_passes_but_for_what_is_expected(tmp_path: Path) -> None:
    suite = upstream.sdist("anthropic", "2.8.0") / "tests/lib/tools/memory_tools/test_filesystem.py"
    shutil.copy(suite, tmp_path)  # away from the SDK's conftest, which wants its mock server
    verdict = upstream.run(tmp_path, ["test_filesystem.py"], "--noconftest", plugin=HERE / "memory_tool_swap.py")
    upstream.check(verdict, upstream.expected(HERE))


def test_the_memory_sync_passes_but_for_what_is_expected(tmp_path: Path) -> None:
    folder = upstream.sdist("anthropic", "2.8.0") / "tests/lib/tools/memory_sync"
    suite = tmp_path / "memory_sync"
    shutil.copytree(folder, suite)
    with served(tmp_path, embedder="none", durable=False) as server:
        verdict = upstream.run(
            tmp_path,
            ["memory_sync"],
            "--timeout",
            "60",
            plugin=HERE / "memory_sync_swap.py",
            REVERIE_ADDRESS=server.address,
            REVERIE_TOKEN=server.token,
        )
    upstream.check(verdict, upstream.expected(HERE))
