"""Every route and every id is tried from another org and from another space. A new route fails here until named."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from fastapi.routing import iter_route_contexts
from starlette.testclient import TestClient

from reverie import Reverie
from reverie.model.answers import Answer
from reverie.model.base import Trust, new_id
from reverie.model.blocks import Block, Review
from reverie.server.app import create_app
from reverie.server.settings import ServerSettings
from reverie.space import Space
from reverie.store.rows import answer_row
from reverie.store.tables import contradictions
from tests.support.letta_cases import LETTA_BODIES, LETTA_NAMES, letta_things
from tests.support.nights import put_review
from tests.support.serving import HERE, bearer

SECRET = "Marzipan"


# What a parameter of a path stands for: a place (whose it is follows from the key), a name, or a thing with an id.
PLACES = ("space", "agent_id")
NAMES = {"session": "s1", **LETTA_NAMES}
THINGS = {"label": "block"}
PARAMETER = re.compile(r"{(\w+)(?::path)?}")


@dataclass(frozen=True)
class Case:
    """A request that its owner may make. `id`: which thing its path names, where the parameter does not say."""

    body: Any = None
    id: str = ""
    query: str = ""
    steals: Callable[[dict[str, str]], Any] | None = None  # a body with an id in it


def filled(pattern: str, at: dict[str, str], ids: dict[str, str], case: Case) -> str:
    """The path in one's place `at`, naming the things `ids`."""

    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name in PLACES:
            return at["space"]
        return NAMES.get(name) or ids[case.id or THINGS.get(name, name)]

    return PARAMETER.sub(value, pattern)


def names_a_thing(route: str) -> bool:
    return any(name not in PLACES and name not in NAMES for name in PARAMETER.findall(route))


S = "/v1/spaces/{space}"
CASES: dict[str, Case] = {
    f"GET {S}": Case(),
    f"PATCH {S}": Case({"metadata": {"a": 1}}),
    f"DELETE {S}": Case(),
    f"GET {S}/settings": Case(),
    f"PATCH {S}/settings": Case({"cadence_turns": 7}),
    f"GET {S}/export": Case(),
    f"POST {S}/forget": Case({"query": SECRET}, steals=lambda ids: {"ids": [ids["memory"]]}),
    f"POST {S}/turns": Case({"role": "user", "text": "x"}),
    f"POST {S}/turns/batch": Case({"turns": [{"role": "user", "text": "x"}]}),
    f"GET {S}/turns": Case(),
    f"GET {S}/turns/{{turn}}": Case(),
    f"GET {S}/sessions": Case(),
    f"POST {S}/sessions/{{session:path}}/end": Case(),
    f"POST {S}/exclude": Case(body={"session": "scratch-*"}),
    f"POST {S}/admit": Case(body={"session": "scratch-*"}),
    f"GET {S}/admission": Case(),
    f"POST {S}/recall": Case({"query": SECRET}),
    f"POST {S}/context": Case({"query": SECRET}),
    f"GET {S}/blocks": Case(),
    f"POST {S}/blocks": Case({"label": "task"}),
    f"POST {S}/blocks/attach": Case(steals=lambda ids: {"block": ids["block"]}),
    f"POST {S}/blocks/detach": Case(steals=lambda ids: {"block": ids["block"]}),
    f"GET {S}/blocks/{{label}}": Case(),
    f"PATCH {S}/blocks/{{label}}": Case(body={"value": "x"}),
    f"DELETE {S}/blocks/{{label}}": Case(),
    f"POST {S}/blocks/{{label}}/append": Case(body={"text": "x"}),
    f"POST {S}/blocks/{{label}}/replace": Case(body={"old": SECRET, "new": "x"}),
    f"GET {S}/blocks/{{label}}/history": Case(),
    f"POST {S}/blocks/{{label}}/restore": Case(body={"version": 1}),
    f"GET {S}/blocks/{{label}}/diff": Case(query="?older=1&newer=1"),
    f"POST {S}/memories": Case({"text": "x"}),
    f"GET {S}/memories": Case(),
    f"GET {S}/memories/directives": Case(),
    f"GET {S}/memories/{{memory}}": Case(),
    f"PATCH {S}/memories/{{memory}}": Case(body={"metadata": {"a": 1}}),
    f"DELETE {S}/memories/{{memory}}": Case(),
    f"POST {S}/memories/{{memory}}/correct": Case(body={"text": "x"}),
    f"POST {S}/memories/{{memory}}/pin": Case(),
    f"DELETE {S}/memories/{{memory}}/pin": Case(),
    f"POST {S}/memories/{{memory}}/tags": Case(body={"tags": ["x"]}),
    f"DELETE {S}/memories/{{memory}}/tags": Case(query="?tag=x"),
    f"GET {S}/memories/{{memory}}/explain": Case(),
    f"GET {S}/memories/{{memory}}/links": Case(),
    f"GET {S}/memories/{{memory}}/derived": Case(),
    f"POST {S}/answer": Case({"query": SECRET}),
    f"GET {S}/answers": Case(),
    f"GET {S}/answers/report": Case(),
    f"GET {S}/answers/{{answer}}": Case(),
    f"DELETE {S}/answers/{{answer}}": Case(),
    f"GET {S}/contradictions": Case(),
    f"GET {S}/contradictions/{{contradiction}}": Case(),
    f"POST {S}/contradictions/{{contradiction}}/resolve": Case(body={"holds": "both"}),
    f"POST {S}/contradictions/{{contradiction}}/reopen": Case(),
    f"GET {S}/reviews": Case(),
    f"GET {S}/reviews/{{review}}": Case(),
    f"POST {S}/reviews/{{review}}/approve": Case(),
    f"POST {S}/reviews/{{review}}/reject": Case(),
    f"GET {S}/diary": Case(),
    f"GET {S}/sleep": Case(),
    f"POST {S}/sleep": Case({"kind": "nap"}),
    f"POST {S}/pause": Case({"paused": True}),
    f"GET {S}/nights": Case(),
    f"GET {S}/nights/{{night}}": Case(),
    f"GET {S}/nights/{{night}}/diff": Case(),
    f"GET {S}/nights/{{night}}/events": Case(),
    f"POST {S}/nights/{{night}}/cancel": Case(),
    f"POST {S}/nights/{{night}}/undo": Case(),
    f"POST {S}/nights/{{night}}/redo": Case(id="undone"),
    f"GET {S}/ledger": Case(),
    f"GET {S}/usage": Case(),
    f"POST {S}/keys": Case({"name": "x"}),
    "DELETE /v1/keys/{key}": Case(),
}
for line, body in LETTA_BODIES.items():
    path, mark, query = line.partition("?")
    CASES[path] = Case(body, query=mark + query)


@dataclass
class World:
    """Alice in one org, with things of every kind; Bob beside her; Mallory in another org."""

    memory: Reverie
    client: TestClient
    things: dict[str, dict[str, str]]
    keys: dict[str, dict[str, str]]

    def call(self, route: str, who: str, at: dict[str, str], ids: dict[str, str], body: Any = None) -> Any:
        case = CASES[route]
        method, pattern = route.split(" ")
        path = filled(pattern, at, ids, case)
        given = body if body is not None else case.body
        if given is None and case.steals:
            given = case.steals(ids)
        return self.client.request(method, path + case.query, json=given, headers=self.keys[who])


def things(memory: Reverie, name: str) -> dict[str, str]:
    """A space with one thing of each kind; every text holds the secret."""
    space = memory.space(name)
    block = space.blocks.create("shared", f"{SECRET} in a block")
    turn = space.append("user", f"{SECRET} in a turn", "s1").id
    undone, night = space.nap().id, space.nap().id
    space.undo(undone)
    kept = space.remember(f"{SECRET} in a memory", tags=("x",)).id
    space.correct(space.remember(f"{SECRET} is blue").id, f"{SECRET} is red")  # leaves a contradiction
    found = {
        "space": space.id,
        "turn": turn,
        "undone": undone,
        "night": night,
        "memory": kept,
        "block": block.id,
        "contradiction": contradictions.listed(memory.parts.db, space.id)[0].id,
        "review": proposed(memory, space, block),
        "answer": put_answer(memory, space),
        "key": memory.keys.create(f"{SECRET} key").key.id,
    }
    return found | letta_things(memory, space, SECRET, found)


def proposed(memory: Reverie, space: Space, block: Block) -> str:
    review = Review(
        new_id("rev"), space.id, "block", block.id, block.label, SECRET, SECRET, "a test", (), "open", 1, 0.0
    )
    put_review(memory.parts.db, review)
    return review.id


def put_answer(memory: Reverie, space: Space) -> str:
    answer = Answer(
        id=new_id("ans"),
        space=space.id,
        question=f"What is {SECRET}?",
        answer=SECRET,
        embedder="none",
        confidence=0.9,
        threshold=0.9,
        predictor="test",
        sources=(),
        rests_on={},
        trust=Trust.USER,
        created_at=0.0,
        expires_at=1e12,
    )
    row = {**answer_row(answer), "changed": 1}
    with memory.parts.db.write("memory") as tx:
        tx.run(f"INSERT INTO answers ({', '.join(row)}) VALUES ({', '.join(':' + name for name in row)})", **row)
    return answer.id


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """One for all: what is refused changes nothing, and the owner gets a new space for each try."""
    with Reverie.open(tmp_path_factory.mktemp("store"), embedder="none", durable=False) as memory:
        other = memory.in_org("other")
        owned = {"alice": memory, "bob": memory, "mallory": other}
        with TestClient(create_app(memory, ServerSettings(require_key=True)), base_url=HERE) as client:
            found = {name: things(org, name) for name, org in owned.items()}
            keys = {
                "alice": bearer(memory, "admin"),
                "bob": bearer(memory, "admin", space="bob"),
                "mallory": bearer(other, "admin"),
            }
            yield World(memory, client, found, keys)


def test_every_route_that_names_a_space_or_an_id_is_tried(world: World) -> None:
    routes = {
        f"{method} {route.path}"
        for route in iter_route_contexts(world.client.app.routes)  # type: ignore[attr-defined]
        if "{" in (route.path or "")
        for method in (route.methods or ())
        if method != "HEAD"
    }
    assert routes == set(CASES)


@pytest.mark.parametrize("route", CASES)
def test_the_owner_may(world: World, route: str) -> None:
    """So that a refusal below is a refusal of the crossing, not of a malformed request."""
    own = things(world.memory, f"own {route}"[:100])
    reply = world.call(route, "alice", own, own)
    assert reply.status_code < 300, reply.text


@pytest.mark.parametrize("who", ["mallory", "bob"])
@pytest.mark.parametrize("route", CASES)
def test_another_org_and_another_spaces_key_find_nothing(world: World, route: str, who: str) -> None:
    alice = world.things["alice"]
    reply = world.call(route, who, alice, alice)
    assert reply.status_code == 404 or (
        reply.status_code == 403 and not any(f"{{{place}}}" in route for place in PLACES)
    ), reply.text
    assert SECRET not in reply.text


@pytest.mark.parametrize("who", ["mallory", "bob"])
@pytest.mark.parametrize("route", [route for route, case in CASES.items() if names_a_thing(route) or case.steals])
def test_an_id_of_elsewhere_is_not_found_in_ones_own_space(world: World, route: str, who: str) -> None:
    alice, case = world.things["alice"], CASES[route]
    reply = world.call(route, who, world.things[who], alice, case.steals(alice) if case.steals else None)
    refused = (403, 404) if "attach" in route or "keys" in route else (404,)  # a key for one space may not at all
    assert reply.status_code in refused, reply.text
    assert SECRET not in reply.text


def test_lists_hold_what_the_key_may_see(world: World) -> None:
    def names(path: str, who: str) -> list[str]:
        found = [item["name"] for item in world.client.get(path, headers=world.keys[who]).json()["items"]]
        return [name for name in found if "archive" not in name]

    assert names("/v1/spaces", "alice")[:2] == ["alice", "bob"]
    assert names("/v1/spaces", "bob") == ["bob"]
    assert names("/v1/spaces", "mallory") == ["mallory"]
    assert world.client.get("/v1/keys", headers=world.keys["bob"]).status_code == 403
    assert world.things["alice"]["key"] not in world.client.get("/v1/keys", headers=world.keys["mallory"]).text


def test_a_reply_kept_for_one_caller_is_not_given_to_another(world: World) -> None:
    path, body, once = "/v1/spaces/alice/memories", {"text": SECRET}, {"idempotency-key": "k"}
    assert world.client.post(path, json=body, headers={**world.keys["alice"], **once}).status_code == 201
    for who in ("mallory", "bob"):
        assert world.client.post(path, json=body, headers={**world.keys[who], **once}).status_code == 404
