"""Requests made from the routes themselves: every place in a path, a query or a body that can hold an id is a slot.

A name that stands in no table here fails the test: whoever adds a parameter says what it holds.
"""

import inspect
import json
import re
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Union, get_args, get_origin

from fastapi import FastAPI, UploadFile
from fastapi.routing import iter_route_contexts
from pydantic import BaseModel, RootModel

from reverie.server.mem0.surface import OWNED as MEM0
from tests.support.crossing_world import ASKED, Ids

# What a parameter of a path holds: a noun of `crossing_world.things`, or several to be tried.
PATH: dict[str, tuple[str, ...]] = {
    "space": ("space", "name"),
    "agent_id": ("space",),
    "turn": ("turn",),
    "session": ("session",),
    "answer": ("answer",),
    "intent": ("intent",),
    "label": ("block", "label"),
    "memory": ("memory", "turn"),
    "night": ("night",),
    "contradiction": ("contradiction",),
    "review": ("review",),
    "key": ("key",),
    "block_id": ("block",),
    "block_label": ("label",),
    "memory_id": ("passage",),
    "run_id": ("run",),
    "archive_id": ("archive", "own archive"),
    "passage_id": ("archived",),
    "group_id": ("group",),
    "tool_id": ("tool",),
    "message_id": ("message",),
    "conversation_id": ("conversation",),
    "step_id": ("step",),
    "folder_id": ("folder",),
    "file_id": ("file",),
    "tool_name": ("tool",),
    "token": ("token", "key"),
    "memory_store_id": ("store",),
    "version_id": ("stored version",),
    "dream_id": ("dream",),
    "rest": ("name",),
    "name": ("name",),
}
# Where a name means something else.
ELSEWHERE = {
    ("memory_stores", "memory_id"): ("stored",),
    ("mem0", "user_id"): ("name", "space"),
    ("mem0", "agent_id"): ("name", "space"),
    ("mem0", "app_id"): ("name", "space"),
    ("mem0", "run_id"): ("session",),
    ("mem0", "filters"): ("name",),
    ("mem0", "memories"): ("memory", "turn"),
}
# What is one's own wherever nobody else's is put: mem0 names whose memory is meant in a query or a body.
OWN = ("user_id", "filters", "memories")
# An id inside of something else, in mem0's bodies.
INSIDE: Mapping[str, Callable[[str], Any]] = {
    "filters": lambda id: {"user_id": id},
    "memories": lambda id: [{"memory_id": id, "text": "hello"}],
}
MEM0_VALUES: dict[str, Any] = {"messages": "hello", "text": "hello"}
MEM0_PLAIN = ("metadata",)  # a part of a body that is no text and holds no id
CHOSEN = {"kind": "user"}  # a part of a path that is one word of a few
# What a text in a query or a body holds, if it is an id, or a name that somebody else may have taken.
HELD: dict[str, tuple[str, ...]] = {
    "agent_id": ("space",),
    "agent_ids": ("space",),
    "archive_id": ("archive", "own archive"),
    "block": ("block",),
    "block_ids": ("block",),
    "ids": ("memory", "turn"),
    "run_ids": ("run",),
    "name": ("name",),
    "session": ("session",),
    "conversation_id": ("conversation", "session"),
    "memory_id": ("passage",),
    "memory_store_id": ("store",),
    "message_id": ("message",),
    "session_ids": ("session",),
    "key": ("once",),
    "orgId": ("org",),
}
# What a list's cursor names, by the list's own name.
CURSORS = ("after", "before")
LISTED = {
    "spaces": "space", "turns": "turn", "memories": "memory", "nights": "night", "answers": "answer", "keys": "key",
    "contradictions": "contradiction", "reviews": "review", "agents": "space", "blocks": "block", "runs": "run",
    "archives": "archive", "messages": "message", "steps": "step", "archival-memory": "passage", "tags": "name",
    "groups": "group", "tools": "tool", "studies": "name", "intents": "intent",
    "conversations": "conversation", "folders": "folder", "files": "file",
}  # fmt: skip
# Texts that are no id of anything, with one that is valid.
PLAIN: dict[str, Any] = {
    "name": "new", "query": ASKED, "text": "hello", "query_text": "", "label": "task", "label_search": "",
    "value": "hello", "value_search": "", "description": "", "description_search": "", "old": ASKED, "new": "plum",
    "search": ASKED, "subject": "", "tag": ["x"], "tags": ["x"], "identity_id": "", "statuses": [], "role": "user",
    "input": "hello", "content": "hello", "system": "", "timezone": "UTC", "model": "openai/gpt-4o-mini",
    "embedding": "", "person": "Ana", "speaker": "Ana", "include_return_message_types": [], "tools": [],
    "tool_ids": [], "override_system": "", "override_name": "", "handle": "", "manager_type": "sleeptime",
    "origin": "user", "created_at": None, "start_date": None, "end_date": None, "at": None,
    "start_datetime": None, "end_datetime": None, "channel": "", "source": "", "why": "", "study": "",
    "agent": "codex", "remind": "r", "scope": "", "when": "w",
    "prompt": "p", "transcript": "", "project": "", "seen": [],
    "summary": "", "summary_search": "", "path": "/a.md", "path_prefix": "/", "content_sha256": "", "page": None,
    "expected_content_sha256": None, "api_key_id": None, "instructions": "i", "hostname": "h", "system_prompt": "s",
    "override_model": None, "stop_reason": None, "names": [], "tool_types": [], "archive_status": "all",
    "data": "hello", "memory": "hello", "messages": "hello",
}  # fmt: skip
# Values of what must be given and is no text.
VALUES: dict[str, Any] = {
    "older": 1, "newer": 1, "version": 1, "holds": "both", "metadata": {"a": 1}, "paused": True, "kind": "nap",
    "verbs": ["read"], "moment": "prompt", "inputs": [], "policy": [], "file": "x",
    "manager_config": {"manager_type": "sleeptime", "sleeptime_agent_frequency": 3},
}  # fmt: skip
SETTINGS = {"cadence_turns": 7}
PARAMETER = re.compile(r"{(\w+)(?::path)?}")
OWN_TESTS = ("/console",)  # crossed in tests/contract/test_console_crossing.py, from its own routes
# Where a route takes what no model describes.
RAW = {"/v1/agents/import": "file", "/v1/spaces/import": "lines", "/v1/folders/{folder_id}/upload": "text"}


@dataclass(frozen=True)
class Slot:
    """One place that can hold an id, and the noun that is put there."""

    where: str  # path, query or body
    name: str
    noun: str
    many: bool = False


@dataclass(frozen=True)
class Route:
    method: str
    path: str
    slots: tuple[Slot, ...]
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    own: tuple[Slot, ...] = ()  # outside of the path; they hold what is one's own unless somebody else's is put there

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    def request(self, own: Ids, theirs: Ids, slots: tuple[Slot, ...] = ()) -> dict[str, Any]:
        """The request in one's own place, with what is theirs in these slots."""
        taken = {(slot.where, slot.name): slot for slot in slots}
        path = PARAMETER.sub(lambda found: self._in_path(found[1], own, theirs, taken), self.path)
        query = dict(self.query)
        body = {**self.body} if isinstance(self.body, dict) else self.body
        named = {name for where, name in taken if where != "path"} - {"run_id"}  # a run is one of somebody's
        held = {} if named else {(slot.where, slot.name): (slot, own) for slot in self.own}
        held |= {key: (slot, theirs) for key, slot in taken.items()}
        for (where, name), (slot, ids) in held.items():
            value: Any = [ids[slot.noun]] if slot.many else ids[slot.noun]
            value = INSIDE[name](value) if name in INSIDE and self.path.startswith(MEM0) else value
            if where == "query":
                query[name] = value
            elif where == "body":
                alone = () if self.path.startswith(MEM0) else ALONE
                body = {**{key: value for key, value in (body or {}).items() if key not in alone}, name: value}
        asked: dict[str, Any] = {"method": self.method, "url": path, "params": query}
        return asked | self._carried(body, theirs if slots else own)

    def _in_path(self, name: str, own: Ids, theirs: Ids, taken: Mapping[tuple[str, str], Slot]) -> str:
        slot = taken.get(("path", name))
        return theirs[slot.noun] if slot else own[_nouns(PATH, name, self.path)[0]]

    def _carried(self, body: Any, ids: Ids) -> dict[str, Any]:
        if RAW.get(self.path) == "file":
            agent = {"name": "copied", "block_ids": [ids["block"]], "core_memory": []}
            file = {"agents": [agent], "blocks": [{"id": ids["block"], "label": "human", "value": ""}]}
            return {"files": {"file": ("a.af", json.dumps(file))}}
        if RAW.get(self.path) == "text":
            return {"files": {"file": ("a.md", "hello")}}
        if RAW.get(self.path) == "lines":
            return {"content": json.dumps({"space": ids["space"]})}
        return {} if body is None else {"json": body}


# Of a forget: beside ids they are one too many.
ALONE = {"query", "session", "person", "everything"}


def routes_of(app: FastAPI) -> list[Route]:
    """Every route of every surface; those that no function of ours answers (documents, mounts) have no slots."""
    found = []
    for context in iter_route_contexts(app.routes):
        dependant = getattr(context.original_route, "dependant", None)
        if (context.path or "").startswith(OWN_TESTS) or context.path == "/":
            continue
        for method in sorted(context.methods or ()):
            if method != "HEAD" and dependant is not None:
                found.append(_route(method, context.path or "", dependant))
    return found


def _route(method: str, path: str, dependant: Any) -> Route:
    path = PARAMETER.sub(lambda found: CHOSEN.get(found[1], found[0]), path)
    slots = [Slot("path", name, noun) for name in PARAMETER.findall(path) for noun in _nouns(PATH, name, path)]
    query: dict[str, Any] = {}
    for parameter in _flat(dependant, "query_params"):
        slots += _slots("query", parameter.alias, parameter.field_info.annotation, path)
        if parameter.field_info.is_required():
            query[parameter.alias] = _value(parameter.alias, parameter.field_info, path)
    models = [p for p in _flat(dependant, "body_params") if not _is(p.field_info.annotation, UploadFile)]
    body = None
    if models and path not in RAW:
        model = _model(models[0].field_info.annotation)
        slots += _slots_of(model, path)
        body = _body(model, path)
    named = [slot for name in OWN for slot in slots if path.startswith(MEM0) and slot.name == name]
    return Route(method, path, tuple(dict.fromkeys(slots)), query, body, tuple(named[:1]))


def _flat(dependant: Any, kind: str) -> list[Any]:
    return [*getattr(dependant, kind), *(one for inner in dependant.dependencies for one in _flat(inner, kind))]


def _nouns(table: Mapping[str, tuple[str, ...]], name: str, path: str) -> tuple[str, ...]:
    if (_surface(path), name) in ELSEWHERE:
        return ELSEWHERE[_surface(path), name]
    assert name in table, f"{path}: what does {name!r} hold? Name it in tests/support/crossing_requests.py"
    return table[name]


def _surface(path: str) -> str:
    return "mem0" if path.startswith(MEM0) else path.split("/")[2] if path.count("/") > 1 else ""


def _slots(where: str, name: str, annotation: Any, path: str) -> Iterator[Slot]:
    if path.startswith(MEM0) and name in INSIDE:
        yield from (Slot(where, name, noun) for noun in _nouns(HELD, name, path))
        return
    if path.startswith(MEM0) and name not in MEM0_PLAIN:  # of a part of any other kind nothing would be tried
        scalar = any(_is(annotation, kind) for kind in (str, int, float))
        assert scalar, f"{path}: what does {name!r} hold? Name it in tests/support/crossing_requests.py"
    if not _is(annotation, str) or (name not in HELD and name in PLAIN and (_surface(path), name) not in ELSEWHERE):
        return
    many = any(get_origin(part) in (list, tuple) for part in _parts(annotation))
    if name in CURSORS:
        last = path.rstrip("/").rpartition("/")[2]
        assert last in LISTED, f"{path}: what does its cursor name? Say it in tests/support/crossing_requests.py"
        yield Slot(where, name, LISTED[last])
        return
    for noun in _nouns(HELD, name, path):
        yield Slot(where, name, noun, many)


def _slots_of(model: Any, path: str) -> Iterator[Slot]:
    if _is_model(model) and not issubclass(model, RootModel):
        for name, about in model.model_fields.items():
            yield from _slots("body", name, about.annotation, path)


def _body(model: Any, path: str) -> Any:
    """What must be given, and what is known to be valid."""
    if not _is_model(model):
        return None
    if issubclass(model, RootModel):
        return SETTINGS
    wanted = {
        name: about
        for name, about in model.model_fields.items()
        if about.is_required()
        or about.examples
        or name in ("input", "value", "holds")
        or (path.startswith(MEM0) and name in MEM0_VALUES)
    }
    return {name: _value(name, about, path) for name, about in wanted.items()}


def _value(name: str, about: Any, path: str) -> Any:
    inner = next((part for part in _parts(about.annotation) if _is_model(part)), None)
    if path.startswith(MEM0) and name in MEM0_VALUES:
        return MEM0_VALUES[name]
    if name in VALUES:
        return VALUES[name]
    if inner is not None:
        one = _body(inner, path)
        return [one] if any(get_origin(part) is list for part in _parts(about.annotation)) else one
    if name in PLAIN:
        return PLAIN[name]
    if about.examples:
        return about.examples[0]
    assert name in HELD, f"{path}: what is a good {name!r}? Name it in tests/support/crossing_requests.py"
    return "nothing"


def _parts(annotation: Any) -> Iterator[Any]:
    """A type, and what it is made of."""
    yield annotation
    if get_origin(annotation) in (Union, types.UnionType, Annotated, list, tuple):
        for part in get_args(annotation):
            yield from _parts(part)


def _is(annotation: Any, kind: type) -> bool:
    return any(inspect.isclass(part) and issubclass(part, kind) for part in _parts(annotation))


def _is_model(part: Any) -> bool:
    return inspect.isclass(part) and issubclass(part, BaseModel)


def _model(annotation: Any) -> Any:
    return next((part for part in _parts(annotation) if _is_model(part)), None)
