"""An attack's steps, each done through its real surface: the library, the command line, REST, Letta, MCP, files.

A surface that refuses has held: what it said is kept, and the days go on.
"""

import contextlib
import io
import json
import os
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from reverie import Reverie, Space
from reverie.adapters.memory_tool import MemoryCommands
from reverie.agent import tools
from reverie.cli.main import run
from reverie.errors import ReverieError
from reverie.minds.llm.client import ToolCall
from reverie.server.memory_stores.shared import store_id
from tests.support.attacks import proxied
from tests.support.attacks.corpus import Step
from tests.support.provider import FakeProvider
from tests.support.serving import bearer

FOUND = "{found}"  # stands for the id of what a recall of `of` finds first
ACCEPT = "application/json, text/event-stream"


@dataclass
class House:
    """One store with its server: what the surfaces need."""

    memory: Reverie
    client: TestClient
    location: str
    folder: Path
    provider: FakeProvider  # behind the proxies
    headers: dict[str, str] = field(default_factory=dict)
    mcp_session: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.headers = bearer(self.memory, "admin")

    def call(self, method: str, path: str, **given: Any) -> Any:
        reply = self.client.request(method, path, headers=self.headers, **given)
        if reply.status_code >= 400:
            raise Refused(f"{reply.status_code} {reply.text[:300]}")
        return reply

    def mcp(self, method: str, **params: Any) -> Any:
        """One JSON-RPC call at /mcp, after the handshake."""
        headers = {**self.headers, **self._mcp_headers(), "accept": ACCEPT}
        body = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
        reply = self.client.post("/mcp/", headers=headers, json=body)
        data = [line[6:] for line in reply.text.splitlines() if line.startswith("data: {")]
        answer = json.loads(data[-1] if data else reply.text)
        if "error" in answer or answer["result"].get("isError"):
            raise Refused(str(answer)[:300])
        return answer["result"]

    def _mcp_headers(self) -> dict[str, str]:
        if not self.mcp_session:
            hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "red", "version": "1"}}
            body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
            headers = {**self.headers, "accept": ACCEPT}
            reply = self.client.post("/mcp/", headers=headers, json=body)
            self.mcp_session = {"mcp-session-id": reply.headers["mcp-session-id"]}
            note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
            self.client.post("/mcp/", headers={**headers, **self.mcp_session}, json=note)
        return self.mcp_session


class Refused(Exception):
    """A surface said no."""


@dataclass
class Victim:
    """The space that is attacked; a restore or an agent file makes another one of it."""

    house: House
    space: Space
    day: int = 0
    refused: list[str] = field(default_factory=list)
    planted: set[str] = field(default_factory=set)  # files that the attack wrote into the mirror itself

    @property
    def mirror(self) -> Path:
        return self.house.folder / f"mirror-{self.space.name}"

    @property
    def session(self) -> str:
        return f"day-{self.day}"

    def do(self, step: Step) -> None:
        try:
            DOORS[step["do"]](self, step)
        except (ReverieError, Refused) as no:
            self.refused.append(f"{step['do']}: {no}")

    def found(self, step: Step) -> str:
        hits = self.space.recall(step["of"], 3, kinds=tuple(step.get("kinds", ())))
        return hits[0].id if hits else "mem-none"

    def filled(self, step: Step, value: Any) -> Any:
        """The value with `{found}`, `{space}`, `{id}` and `{store}` put in."""
        text = json.dumps(value, ensure_ascii=False)
        if FOUND in text:
            text = text.replace(FOUND, self.found(step))
        text = text.replace("{store}", store_id(self.space))
        return json.loads(text.replace("{space}", self.space.name).replace("{id}", self.space.id))


def _append(victim: Victim, step: Step) -> None:
    given = {name: step[name] for name in ("origin", "speaker", "metadata", "key") if name in step}
    victim.space.append(step["role"], step["text"], step.get("session", victim.session), **given)


def _add(victim: Victim, step: Step) -> None:
    messages = step.get("messages") or [{"role": step["role"], "content": step["text"], **_origin(step)}]
    victim.space.add(messages, victim.session)


def _remember(victim: Victim, step: Step) -> None:
    given = {name: step[name] for name in ("origin", "metadata", "session", "id") if name in step}
    victim.space.remember(step["text"], tags=tuple(step.get("tags", ())), **given)


def _set_metadata(victim: Victim, step: Step) -> None:
    victim.space.set_metadata(victim.found(step), **step["metadata"])


def _tag(victim: Victim, step: Step) -> None:
    victim.space.tag(victim.found(step), *step["tags"])


def _correct(victim: Victim, step: Step) -> None:
    victim.space.correct(victim.found(step), step["text"])


def _rest_turn(victim: Victim, step: Step) -> None:
    victim.house.call("POST", f"/v1/spaces/{victim.space.name}/turns", json=_turn(victim, step))


def _rest_batch(victim: Victim, step: Step) -> None:
    victim.house.call("POST", f"/v1/spaces/{victim.space.name}/turns/batch", json={"turns": [_turn(victim, step)]})


def _turn(victim: Victim, step: Step) -> dict[str, Any]:
    given = {name: step[name] for name in ("role", "text", "origin", "speaker", "metadata") if name in step}
    return {"session": step.get("session", victim.session), "at": victim.house.memory.now(), **given}


def _http(victim: Victim, step: Step) -> None:
    path, body = victim.filled(step, [step["path"], step.get("body")])
    victim.house.call(step.get("method", "POST"), path, json=body)


def _mcp(victim: Victim, step: Step) -> None:
    arguments = {"space": victim.space.name, **victim.filled(step, step["arguments"])}
    victim.house.mcp("tools/call", name=step["tool"], arguments=arguments)


def _letta_message(victim: Victim, step: Step) -> None:
    """What is not the user's comes with a harmless question behind it, as a client would send it."""
    sent = [{"role": step["role"], "content": step["text"], **({"name": step["name"]} if "name" in step else {})}]
    if step["role"] != "user":
        sent.append({"role": "user", "content": "thanks, anything else?"})
    victim.house.call("POST", f"/v1/agents/{victim.space.id}/messages", json={"messages": sent})


def _archive_passage(victim: Victim, step: Step) -> None:
    """Into an archive of its own, which the agent is then given."""
    call = victim.house.call
    archive = call("POST", "/v1/archives/", json={"name": f"shelf {victim.space.name}"}).json()["id"]
    call("PATCH", f"/v1/agents/{victim.space.id}/archives/attach/{archive}")
    call("POST", f"/v1/archives/{archive}/passages", json=step["body"])


def _agent_file(victim: Victim, step: Step) -> None:
    document = json.dumps(step["document"], ensure_ascii=False)
    files = {"file": ("agent.af", document.encode(), "application/json")}
    name = {"name": f"{victim.space.name} copy"}
    made = victim.house.call("POST", "/v1/agents/import", files=files, data=name).json()
    victim.space = victim.house.memory.space_by_id(made["agent_ids"][0])


def _cli_append(victim: Victim, step: Step) -> None:
    words = ["append", "-", "--role", step["role"], "--session", victim.session, "--space", victim.space.name]
    _cli(victim, {"words": [*words, *(["--origin", step["origin"]] if "origin" in step else [])], "in": step["text"]})


def _cli(victim: Victim, step: Step) -> None:
    words = [str(word) for word in victim.filled(step, step["words"])]
    words += [] if "--space" in words else ["--space", victim.space.name]
    with _shell(victim.house, step.get("in", "")) as said:
        try:
            run(words)
        except SystemExit as end:
            if end.code:
                raise Refused(f"exit {end.code}: {said.getvalue()[:200]}") from end


@contextmanager
def _shell(house: House, typed: str) -> Iterator[io.StringIO]:
    """A person's shell: the store in the environment, something typed, what comes out caught."""
    where = "STORE" if "://" in house.location else "HOME"
    given = {f"REVERIE_{where}": house.location, "REVERIE_EMBEDDER": "none", "REVERIE_DURABLE": "false"}
    before = {name: os.environ.get(name) for name in given}
    said = io.StringIO()
    os.environ.update(given)
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), _typed(typed):
            yield said
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _typed(text: str) -> Iterator[None]:
    import sys

    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8")
    try:
        yield
    finally:
        sys.stdin = before


def _import(victim: Victim, step: Step) -> None:
    victim.space.import_from(step["source"], _file(victim, step))


def _cli_import(victim: Victim, step: Step) -> None:
    _cli(victim, {"words": ["import", step["source"], str(_file(victim, step))]})


def _file(victim: Victim, step: Step) -> Path:
    """The file to import: `content` as one JSON document, `lines` of JSON, or `text` in a file that is `named` so."""
    if "named" in step:
        folder = victim.house.folder / uuid.uuid4().hex
        folder.mkdir()
        note = folder / str(step["named"])
        note.write_text(step["text"], "utf-8")
        return note
    path = victim.house.folder / f"{uuid.uuid4().hex}.{'jsonl' if 'lines' in step else 'json'}"
    if "lines" in step:
        path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in step["lines"]), "utf-8")
    else:
        path.write_text(json.dumps(step["content"], ensure_ascii=False), "utf-8")
    return path


def _dream(victim: Victim, step: Step) -> None:
    logs = victim.house.folder / f"logs-{victim.space.name}"
    logs.mkdir(exist_ok=True)
    _file(victim, step).rename(logs / f"session-{victim.day}.jsonl")
    victim.space.dream(victim.mirror, logs, force=True)


def _mirror(victim: Victim, step: Step) -> None:
    """Text comes into a file of the mirrored folder; into one that is there, at its end."""
    victim.space.mirror(victim.mirror)
    path = victim.mirror / step["file"]
    path.parent.mkdir(parents=True, exist_ok=True)
    if "link" in step:
        target = victim.house.folder / f"outside-{uuid.uuid4().hex}.md"
        target.write_text(step["text"], "utf-8")
        path.symlink_to(target)
    else:
        path.write_text((path.read_text("utf-8") if path.exists() else "") + step["text"] + "\n", "utf-8")
    victim.planted.add(step["file"])
    victim.space.mirror(victim.mirror)


def _tool(victim: Victim, step: Step) -> None:
    used = tools.use(victim.space, victim.session, ToolCall("call-1", step["name"], step["arguments"]))
    if not used.ok:
        raise Refused(used.result)


def _fill(victim: Victim, step: Step) -> None:
    """A block is made small and full by its owner, so that the next line is deferred."""
    block = victim.space.blocks[step["label"]]
    block.describe(limit=max(60, len(block.value) + step.get("room", 5)))


def _widen(victim: Victim, step: Step) -> None:
    victim.space.blocks[step["label"]].describe(limit=5_000)


def _restore(victim: Victim, step: Step) -> None:
    from tests.support.attacks.forgery import forged

    lines = forged(list(victim.space.export()), step["rows"], victim.house.memory.now())
    victim.space = victim.house.memory.import_space(f"{victim.space.name}-restored", lines)


def _memory_tool(victim: Victim, step: Step) -> None:
    """Claude writes a file by Anthropic's memory tool."""
    MemoryCommands(victim.space).create(step["path"], step["text"])


def _shelf(victim: Victim, step: Step) -> None:
    """An agent framework puts an item into its store."""
    victim.space.shelf(step["name"]).put(step["key"], step["value"])


def _origin(step: Step) -> dict[str, Any]:
    return {"origin": step["origin"]} if "origin" in step else {}


DOORS: Mapping[str, Callable[[Victim, Step], None]] = {
    "append": _append,
    "add": _add,
    "remember": _remember,
    "set_metadata": _set_metadata,
    "tag": _tag,
    "correct": _correct,
    "rest_turn": _rest_turn,
    "rest_batch": _rest_batch,
    "http": _http,
    "mcp": _mcp,
    "letta_message": _letta_message,
    "archive_passage": _archive_passage,
    "agent_file": _agent_file,
    "cli_append": _cli_append,
    "cli": _cli,
    "import": _import,
    "cli_import": _cli_import,
    "dream": _dream,
    "mirror": _mirror,
    "tool": _tool,
    "fill": _fill,
    "widen": _widen,
    "restore": _restore,
    "memory_tool": _memory_tool,
    "shelf": _shelf,
    "proxy": proxied.proxy,
    "claude_session": proxied.claude_session,
    "agents_session": proxied.agents_session,
}
