"""Nobody reaches what is another's: every route is tried with keys of every scope and with ids of elsewhere.

The requests are made from the routes themselves (`tests/support/crossing_requests.py`): a new route is tried too.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.testclient import TestClient

from reverie import Reverie
from reverie.model.spaces import VERBS
from reverie.server.app import create_app
from reverie.server.letta.access import METHODS, refusals
from reverie.server.mem0.routes import routes as mem0_routes
from reverie.server.settings import ServerSettings
from tests.conftest import BACKENDS
from tests.support.crossing_requests import Route, Slot, routes_of
from tests.support.crossing_world import UUID, Thief, World, of_nothing, rows_of, things, world_of
from tests.support.serving import HERE, bearer

ENDLESS = 10**9
TOGETHER = 12  # routes that are tried before what is stored is compared
PUBLIC = {"GET /livez", "GET /readyz", "GET /v1/health/"}
# What an owner is answered where the request alone can come to nothing.
OWNERS_TROUBLE = {
    "POST /v1/spaces/{space}/blocks/attach": 404,  # an example's id: nobody has such a block
    "POST /v1/spaces/{space}/blocks/detach": 404,
    "POST /v1/spaces/{space}/forget": 422,  # nothing is said
    "POST /v1/spaces/{space}/nights/{night}/redo": 404,  # the night is not undone
    "POST /v1/spaces/import": 422,  # a forged file
    "DELETE /v1/archives/{archive_id}/passages/{passage_id}": 204,
    "POST /v1/tools/": 422,
    "PUT /v1/tools/": 422,
    "DELETE /v1/tools/{tool_id}": 422,  # Reverie's own tools stay as they are
    "PATCH /v1/tools/{tool_id}": 422,
    "PATCH /v1/agents/{agent_id}/tools/approval/{tool_name}": 422,
    "POST /v1/agents/{agent_id}/tools/{tool_name}/run": 422,
    "POST /v1/conversations/": 404,  # an example's id: nobody has such an agent
    "POST /v1/conversations/{conversation_id}/stream": 400,  # nothing runs
    "POST /v1/runs/{run_id}/stream": 400,  # a night has events of its own
    "POST /v1/client-side-access-tokens": 422,  # for no agent: see the test of ids inside lists
    "POST /v1/memory_stores/{memory_store_id}/memory_versions/{version_id}/redact": 400,  # it stands
    "POST /v1/dreams": 422,  # of no store: the same
} | {
    f"{method} {route.path}": 422 for route in refusals.routes if isinstance(route, APIRoute) for method in METHODS
}  # what Reverie does not do


@contextmanager
def served(memory: Reverie) -> Iterator[TestClient]:
    serving = ServerSettings(require_key=True, requests_per_minute=ENDLESS)
    with TestClient(create_app(memory, serving), base_url=HERE, raise_server_exceptions=False) as client:
        yield client


def routes(client: TestClient) -> list[Route]:
    app = client.app
    assert isinstance(app, FastAPI)
    found = routes_of(app)
    assert len(found) > 140
    return found


def thieves(world: World, verbs: Sequence[str] = VERBS) -> Iterator[Thief]:
    """Bob has keys for one space beside Alice's, with each verb; Mallory is of another org, an admin or less."""
    for verb in verbs:
        bob = things(world.memory, f"bob {verb}", "Pumpernickel")
        yield Thief(f"bob who may {verb}", bearer(world.memory, verb, space=bob["space"]), bob)
    rivals = world.memory.in_org("rivals")
    mallorys = things(rivals, "mallory", "Liquorice")
    for verb in verbs:
        if verb != "admin":
            yield Thief(f"mallory who may {verb}", bearer(rivals, verb), mallorys, foreign=True)
    yield Thief("mallory", bearer(rivals, "admin"), mallorys, foreign=True)


def choices(route: Route, thief: Thief) -> Iterator[tuple[Slot, ...]]:
    """None (one's own lists hold nothing of others), each slot alone, and all of the path at once.

    Who may do less is asked less: all of the path at once.
    """
    path = tuple({slot.name: slot for slot in route.slots if slot.where == "path"}.values()) or route.own
    if route.method != "DELETE":
        yield ()
    if path:
        yield path
    if "admin" in thief.name or thief.name == "mallory":
        yield from ((slot,) for slot in route.slots if (slot,) != path and (slot.noun != "org" or thief.foreign))


def sampled(world: World, client: TestClient, thief: Thief) -> list[Route]:
    """Admins try every route; who may do less takes turns at them where requests are dear, or with a foreign key."""
    every, here = routes(client), world.memory.parts.db.dialect.home is not None
    if thief.name.endswith(("mallory", "admin")) or (here and not thief.foreign):
        return every
    turn = next(n for n, verb in enumerate(VERBS) if thief.name.endswith(verb))
    return every[turn + len(VERBS) * thief.foreign :: 2 * len(VERBS)]


def leaks(world: World, client: TestClient, thief: Thief) -> list[str]:
    """What a thief sees or changes that is not theirs."""
    sample = sampled(world, client, thief)
    found, tried = [], list[str]()
    before = rows_of(world)
    for route in sorted(sample, key=lambda route: route.method != "GET"):  # before they have written anything
        for slots in choices(route, thief):
            found += crossed(world, client, thief, route, slots)
        tried.append(str(route))
        if len(tried) == TOGETHER:
            after = rows_of(world)
            found += [f"{thief.name} changed {table}: {tried}" for table in before if after[table] != before[table]]
            before, tried = after, []
    return found


def crossed(world: World, client: TestClient, thief: Thief, route: Route, slots: tuple[Slot, ...]) -> list[str]:
    theirs = client.request(**route.request(thief.own, world.victim, slots), headers=thief.headers)
    nobodys = theirs
    if slots:
        nobodys = client.request(**route.request(thief.own, world.missing, slots), headers=thief.headers)
    named = f"{thief.name}: {route} with {[f'{slot.name}={slot.noun}' for slot in slots]}"
    return [f"{named}: {trouble}" for trouble in troubles(world, thief, slots, theirs, nobodys)]


def troubles(world: World, thief: Thief, slots: tuple[Slot, ...], theirs: Any, nobodys: Any) -> Iterator[str]:
    sent = {world.victim[slot.noun] for slot in slots}
    ids = {found[0] for id in world.victim.values() if id not in sent and (found := UUID.search(id))}
    ids -= {found[0] for id in (*sent, *thief.own.values()) if (found := UUID.search(id))}
    if theirs.status_code >= 500:
        yield f"{theirs.status_code} {theirs.text[:200]}"
    if world.secret in _without(theirs.text, sent):
        yield f"{theirs.status_code} shows the secret: {theirs.text[:300]}"
    if shown := [id for id in ids if id in theirs.text]:
        yield f"{theirs.status_code} shows ids: {shown}"
    if slots and plain(theirs, world) != plain(nobodys, world):
        yield f"tells another's from nothing: {plain(theirs, world)} / {plain(nobodys, world)}"


def _without(text: str, sent: set[str]) -> str:
    for one in sent:
        text = text.replace(one, "")
    return text


def plain(reply: Any, world: World) -> tuple[int, str]:
    """The reply without ids, names and times, which differ from one request to the next."""
    if reply.status_code < 300 and reply.request.method != "GET":
        return reply.status_code, ""
    text = UUID.sub("<id>", reply.text)
    for noun in sorted(world.victim, key=lambda noun: -len(world.victim[noun])):  # a name may stand in another
        text = text.replace(world.victim[noun], "<id>").replace(world.missing[noun], "<id>")
    return reply.status_code, re.sub(r"\d+", "<n>", text)


@pytest.mark.parametrize("location", BACKENDS, indirect=True)
def test_nobody_sees_or_changes_what_is_anothers(memory: Reverie) -> None:
    world = world_of(memory)
    with served(memory) as client:
        found = [leak for thief in thieves(world) for leak in leaks(world, client, thief)]
    assert found == []


def test_what_the_thieves_send_is_what_the_owner_may_send(memory: Reverie) -> None:
    """So that a refusal is one of the crossing, not of a malformed request."""
    with served(memory) as client:
        own = things(memory, "alice", "Marzipan")
        for n, route in enumerate(sorted(routes(client), key=lambda route: route.method != "GET")):
            own = own if route.method == "GET" else things(memory, f"alice {n}", "Marzipan")
            wanted = {**own, "name": f"another {n}"}
            slots = tuple(slot for slot in route.slots if slot.where == "body" and slot.noun == "name")
            reply = client.request(**route.request(own, wanted, slots), headers=bearer(memory, "admin"))
            assert reply.status_code < 300 or OWNERS_TROUBLE.get(str(route)) == reply.status_code, (route, reply.text)


def test_ids_inside_lists_reach_nothing_of_others_either(memory: Reverie) -> None:
    world = world_of(memory)
    with served(memory) as client:
        for thief in thieves(world, ("admin",)):
            for ids in (world.victim, world.missing):
                policy = [{"id": ids["space"], "access": ["read_messages"]}]
                inputs = [{"type": "memory_store", "memory_store_id": ids["store"]}]
                token = client.post(
                    "/v1/client-side-access-tokens", json={"hostname": "h", "policy": policy}, headers=thief.headers
                )
                dream = client.post("/v1/dreams", json={"inputs": inputs}, headers=thief.headers)
                assert {token.status_code, dream.status_code} <= {403, 404}, (thief.name, token.text, dream.text)
        own = {"inputs": [{"type": "memory_store", "memory_store_id": world.victim["store"]}]}
        assert client.post("/v1/dreams", json=own, headers=bearer(memory, "admin")).status_code == 200


def test_without_a_key_every_door_is_closed(memory: Reverie) -> None:
    own = things(memory, "alice", "Marzipan")
    revoked = memory.keys.create("gone", "admin")
    memory.keys.revoke(revoked.key.id)
    strangers: list[dict[str, str]] = [
        {},
        {"authorization": "Bearer rv_unknown"},
        {"authorization": f"Bearer {revoked.secret}"},
        {"authorization": "Basic cnY6cnY="},
        {"x-reverie-key": ""},
    ]
    with served(memory) as client:
        for route in routes(client):
            for headers in strangers if str(route) not in PUBLIC else ():
                reply = client.request(**route.request(own, own), headers=headers)
                assert (reply.status_code, "Marzipan" in reply.text) == (401, False), route
        for path in ("/mcp", "/mcp/", "/nowhere", "/metrics"):
            assert client.post(path, json={}).status_code == 401


@pytest.mark.parametrize("space", [None, "alice"])
def test_a_key_that_may_only_read_changes_nothing(memory: Reverie, space: str | None) -> None:
    """Of its own either. What reading leaves behind (who asked what) is no change."""
    world = world_of(memory)
    with served(memory) as client:
        key = bearer(memory, "read", space=space)
        for route in routes(client):
            named = tuple(slot for slot in route.slots if slot.where == "body" and slot.noun == "session")
            for slots in dict.fromkeys(((), named)):
                before = rows_of(world, traces=False)
                client.request(**route.request(world.victim, world.victim, slots), headers=key)
                assert rows_of(world, traces=False) == before, (route, slots)


REVIEW = "/v1/spaces/alice/reviews/{}/{}"


@pytest.mark.parametrize("act", ["approve", "reject"])
@pytest.mark.parametrize(("verbs", "status"), [("write", 403), ("read", 403), ("review", 200), ("admin", 200)])
def test_deciding_on_a_review_needs_the_verb_review(memory: Reverie, act: str, verbs: str, status: int) -> None:
    own = things(memory, "alice", "Marzipan")
    with served(memory) as client:
        reply = client.post(REVIEW.format(own["review"], act), headers=bearer(memory, verbs, space="alice"))
        assert reply.status_code == status, reply.text
        unprotect = client.patch(
            "/v1/spaces/alice/blocks/persona", json={"protected": False}, headers=bearer(memory, verbs)
        )
        assert (unprotect.status_code == 200) == (verbs == "admin")


def test_a_key_for_one_space_does_not_see_what_that_space_was_given(memory: Reverie) -> None:
    """An archive is a space of its own; a shared block may be read as it is, not changed, and its past is not shown."""
    own = things(memory, "alice", "Marzipan")
    memory.space("carol").blocks.attach(own["block"])
    key, whole = bearer(memory, "admin", space="alice"), bearer(memory, "admin")
    agent, block = f"/v1/agents/{own['space']}", f"/v1/blocks/{own['block']}"
    with served(memory) as client:

        def shown(path: str, headers: dict[str, str]) -> str:
            return client.get(path, headers=headers).text

        for path in (f"{agent}/archival-memory", f"{agent}/archival-memory/search?query=quince"):
            assert ("in an archive" in shown(path, key), "in an archive" in shown(path, whole)) == (False, True)
        searched = client.post("/v1/passages/search", json={"agent_id": own["space"], "query": "quince"}, headers=key)
        assert "in an archive" not in searched.text
        assert own["archive"] not in shown(f"/v1/archives/?agent_id={own['space']}", key)
        assert "in a block" in shown(block, key)
        for method, path, body in (
            ("PATCH", block, {"value": "stolen"}),
            ("GET", f"{block}/versions", None),
            ("POST", f"{block}/restore", {"version": 1}),
            ("PATCH", f"{agent}/core-memory/blocks/notes of alice", {"value": "stolen"}),
            ("PATCH", "/v1/spaces/alice/blocks/notes of alice", {"value": "stolen"}),
            ("POST", "/v1/spaces/alice/blocks/notes of alice/append", {"text": "stolen"}),
            ("GET", "/v1/spaces/alice/blocks/notes of alice/history", None),
            ("DELETE", "/v1/spaces/alice/blocks/notes of alice", None),
            ("PATCH", "/v1/spaces/alice", {"name": "carol"}),
        ):
            assert client.request(method, path, json=body, headers=key).status_code == 403, path
    assert memory.space("carol").blocks["notes of alice"].value.startswith("Marzipan")


def test_a_metadata_that_names_an_archive_opens_nothing(memory: Reverie) -> None:
    """Whatever a space's metadata says, a key for it sees that space alone."""
    own, bob = things(memory, "alice", "Marzipan"), things(memory, "bob", "Pumpernickel")
    key = bearer(memory, "admin", space="bob")
    with served(memory) as client:
        client.patch("/v1/spaces/bob", json={"metadata": {"letta": {"archives": [own["space"]]}}}, headers=key)
        found = client.get(f"/v1/agents/{bob['space']}/archival-memory", headers=key)
    assert (found.status_code, "Marzipan" in found.text) == (200, False)


def test_figures_of_the_whole_store_are_for_the_operators_org(memory: Reverie) -> None:
    memory.space("alice")
    with served(memory) as client:
        keys: list[tuple[dict[str, str], int]] = [
            (bearer(memory, "read"), 200),
            (bearer(memory, "admin", space="alice"), 403),
            (bearer(memory.in_org("rivals"), "admin"), 403),
        ]
        assert [client.get("/metrics", headers=key).status_code for key, _ in keys] == [status for _, status in keys]


def test_a_reply_kept_for_one_caller_is_not_given_to_another(memory: Reverie) -> None:
    path, body, once = "/v1/spaces/alice/memories", {"text": "Marzipan"}, {"idempotency-key": "k"}
    memory.space("alice")
    memory.space("bob")
    with served(memory) as client:
        assert client.post(path, json=body, headers={**bearer(memory, "admin"), **once}).status_code == 201
        for key in (bearer(memory.in_org("rivals"), "admin"), bearer(memory, "admin", space="bob")):
            assert client.post(path, json=body, headers={**key, **once}).status_code == 404


def test_the_routes_of_every_surface_are_tried(memory: Reverie) -> None:
    with served(memory) as client:
        tried = {str(route) for route in routes(client)}
    mem0 = {
        f"{method} {route.path}"
        for route in mem0_routes.routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }
    assert len(mem0) > 20
    assert {name.replace("{kind}", "user") for name in mem0} - tried == set()


def test_a_route_with_a_parameter_that_nobody_has_named_fails() -> None:
    app = FastAPI()

    def made(path: str) -> Callable[..., list[Route]]:
        @app.get(path)
        def route(gadget: str) -> str:
            return gadget

        return lambda: routes_of(app)

    with pytest.raises(AssertionError, match="what does 'gadget' hold"):
        made("/v1/gadgets/{gadget}")()


def test_ids_of_nothing_look_like_those_of_something(memory: Reverie) -> None:
    own = things(memory, "alice", "Marzipan")
    nothing = of_nothing(own)
    assert {noun for noun in own if own[noun] == nothing[noun]} == {"tool"}
    assert all(len(own[noun]) == len(nothing[noun]) for noun in own if UUID.search(own[noun]))
