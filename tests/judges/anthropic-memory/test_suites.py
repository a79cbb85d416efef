"""The Anthropic SDK's own suite for its memory tool, on ours."""

import shutil
from pathlib import Path

import pytest

from tests.judges import upstream

HERE = Path(__file__).parent
pytestmark = pytest.mark.timeout(1_500)


def test_the_memory_tool_passes_but_for_what_is_expected(tmp_path: Path) -> None:
    suite = upstream.sdist("anthropic", "2.8.0") / "tests/lib/tools/memory_tools/test_filesystem.py"
    shutil.copy(suite, tmp_path)  # away from the SDK's conftest, which wants its mock server
    verdict = upstream.run(tmp_path, ["test_filesystem.py"], "--noconftest", plugin=HERE / "memory_tool_swap.py")
    upstream.check(verdict, upstream.expected(HERE))
