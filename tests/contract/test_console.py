"""The console's pages on both backends: whose they are, what a key may do there, forms that are not ours, weight."""

import gzip
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute
from starlette.testclient import TestClient

from reverie import Reverie
from reverie.console import assets, surface
from reverie.model.blocks import Review
from reverie.space import Space
from tests.conftest import BACKENDS
from tests.support.nights import put_review
from tests.support.serving import bearer, running

ROUTES = [route for screen in surface.SCREENS for route in screen.routes.routes if isinstance(route, APIRoute)]
PAGES = sorted(
    {route.path for route in ROUTES if "GET" in (route.methods or ()) and not route.path.endswith("/events")}
)
ACTIONS = sorted({route.path for route in ROUTES if "POST" in (route.methods or ())})
BUTTON = re.compile(r'<form method="post"(?! action="/console/sign-out")')


@pytest.fixture
def alice(memory: Reverie) -> Space:
    space = memory.space("alice")
    for n in range(3):
        space.append("user", f"I keep {n} quails in Hamburg.", "s1")
    space.sleep()
    space.remember("The spare key is with Ana.")
    return space


@pytest.fixture
def client(memory: Reverie, alice: Space) -> Iterator[TestClient]:
    with running(memory, require_key=True) as client:
        yield client


def filled(path: str, space: Space) -> str:
    """The path of a page that is there, in this space."""
    kept, night = space.all(limit=1)[0].id, space.nights(limit=1)[0].id
    names = {"space": space.id, "memory": kept, "night": night, "label": "human"}
    return re.sub(r"{(\w+)}", lambda found: names.get(found[1], kept), path)


@pytest.mark.parametrize("location", BACKENDS, indirect=True)
class TestPages:
    def test_a_key_of_one_space_sees_its_pages_and_no_other(
        self, memory: Reverie, alice: Space, client: TestClient
    ) -> None:
        bob = memory.space("bob")
        bob.append("user", "I keep alpacas.")
        bob.sleep()
        own, all_of_it = bearer(memory, "admin", space="alice"), bearer(memory, "admin")
        for path in PAGES:
            assert client.get(filled(path, alice), headers=own).status_code == 200, path
            stranger = client.get(filled(path, bob), headers=own)
            missing = client.get(filled(path, bob).replace(bob.id, "agent-none"), headers=own)
            assert stranger.status_code == missing.status_code == 404, path
            assert stranger.text.replace(bob.id, "") == missing.text.replace("agent-none", ""), path
            assert "alpaca" not in client.get(filled(path, alice), headers=all_of_it).text, path

    def test_ids_of_another_space_lead_nowhere(self, memory: Reverie, alice: Space, client: TestClient) -> None:
        bob = memory.space("bob")
        bob.append("user", "I keep alpacas.")
        bob.sleep()
        admin = bearer(memory, "admin")
        for path in (p for p in PAGES if "{memory}" in p or "{night}" in p):
            crossed = filled(path, bob).replace(bob.id, alice.id)
            assert client.get(crossed, headers=admin).status_code == 404, path

    def test_a_form_of_another_page_does_nothing_whoever_sends_it(
        self, memory: Reverie, alice: Space, client: TestClient
    ) -> None:
        admin = bearer(memory, "admin")
        client.get(f"/console/{alice.id}", headers=admin)  # a session of one's own
        before = list(alice.export())
        for path in ACTIONS:
            for form in ({}, {"csrf": "x" * 32}):
                reply = client.post(filled(path, alice), data={**form, "text": "x", "choice": "approve"}, headers=admin)
                assert reply.status_code == 403, path
        client.cookies.clear()
        for path in ACTIONS:
            assert client.post(filled(path, alice), data={"csrf": ""}, headers=admin).status_code == 403, path
        assert list(alice.export()) == before

    def test_who_may_only_read_sees_no_buttons_and_can_press_none(
        self, memory: Reverie, alice: Space, client: TestClient
    ) -> None:
        read = bearer(memory, "read")
        for path in PAGES:
            reply = client.get(filled(path, alice), headers=read)
            if reply.status_code == 200:
                assert not BUTTON.search(reply.text), path
            else:
                assert reply.status_code == 403, path
                assert "this needs" in reply.text
        mark = _mark(client.get(f"/console/{alice.id}", headers=bearer(memory, "admin")).text)
        for path in ACTIONS:
            assert client.post(filled(path, alice), data={"csrf": mark}, headers=read).status_code == 403, path

    def test_a_decision_is_taken_back_with_the_text_that_it_wrote(self, memory: Reverie, alice: Space) -> None:
        before = alice.blocks["persona"].set("Is kind.").version
        put_review(
            memory.parts.db,
            Review(
                "r1", alice.id, "block", alice.blocks["persona"].read().id, "persona", "Is plain.", "", "said", (),
                "open", before, 1.0,
            ),
        )  # fmt: skip
        assert alice.approve("r1").status == "approved"
        assert alice.reopen_review("r1").status == "open"
        assert alice.blocks["persona"].value == "Is kind."
        alice.reject("r1")
        alice.reopen_review("r1")
        alice.approve("r1")
        assert alice.blocks["persona"].value == "Is plain."

    def test_memories_are_counted_as_they_come_and_go(self, alice: Space) -> None:
        before = alice.count().get("episode", 0)
        kept = alice.remember("The bicycle is in the cellar.")
        assert alice.count()["episode"] == before + 1
        alice.forget(kept.id)
        assert alice.count()["episode"] == before

    def test_every_page_can_be_had_as_json(self, memory: Reverie, alice: Space, client: TestClient) -> None:
        admin = bearer(memory, "admin")
        for path in (p for p in PAGES if p.endswith(".json")):
            reply = client.get(filled(path, alice), headers=admin)
            assert reply.headers["content-type"] == "application/json", path
            assert isinstance(reply.json(), dict), path


def _mark(page: str) -> str:
    found = re.search(r'name="csrf" value="([^"]+)"', page)
    assert found is not None
    return found.group(1)


def test_without_a_key_every_page_asks_for_one_and_shows_nothing(alice: Space, client: TestClient) -> None:
    for path in PAGES:
        reply = client.get(filled(path, alice))
        assert reply.status_code == 401, path
        assert "quail" not in reply.text
        assert "A key" in reply.text


def test_a_cookie_counts_for_pages_alone_and_a_revoked_key_ends_it(memory: Reverie, client: TestClient) -> None:
    made = memory.keys.create("laptop", "admin")
    reply = client.post("/console/sign-in", data={"key": made.secret}, follow_redirects=False)
    cookie = reply.headers["set-cookie"]
    assert {"HttpOnly", "Path=/console", "SameSite=strict"} <= {part.strip() for part in cookie.split(";")}
    assert client.get("/console", follow_redirects=True).status_code == 200
    session = client.cookies["reverie_console"]
    assert client.get("/v1/spaces", headers={"cookie": f"reverie_console={session}"}).status_code == 401
    memory.keys.revoke(made.key.id)
    app: Any = client.app
    app.state.server.auth.forget()  # for two seconds it would be believed
    assert client.get("/console").status_code == 401


def test_pages_say_that_nothing_foreign_may_run(memory: Reverie, alice: Space, client: TestClient) -> None:
    reply = client.get(f"/console/{alice.id}", headers=bearer(memory, "admin"))
    policy = reply.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert reply.headers["x-frame-options"] == "DENY"
    assert not re.search(r"<script(?! src=\"/console/static/)|style=|\son\w+=|https?://", reply.text)


def test_looking_at_memory_and_context_leaves_no_trace(memory: Reverie, alice: Space, client: TestClient) -> None:
    admin = bearer(memory, "admin")
    asked = alice.questions_asked()
    for path in ("memory?q=quails", "context?q=quails&session=s1"):
        assert client.get(f"/console/{alice.id}/{path}", headers=admin).status_code == 200
    memory.parts.events.flush()
    assert alice.questions_asked() == asked
    alice.recall("quails")
    memory.parts.events.flush()
    assert alice.questions_asked() == asked + 1


def test_all_files_of_a_page_together_are_light() -> None:
    packed = sum(len(gzip.compress(assets.asset(name).body, 9)) for name in assets.NAMES)
    assert packed < 60_000


def test_vendored_files_are_those_that_the_notice_names() -> None:
    static = Path(assets.__file__).parent / "static"
    notice = (static / "NOTICE").read_text("utf-8")
    named = dict(re.findall(r"^(\S+)\s+sha256:([0-9a-f]{64})$", notice, re.MULTILINE))
    vendored = {path.name for path in static.iterdir()} - {"console.css", "console.js", "icon.svg", "NOTICE"}
    assert set(named) == vendored
    for name, digest in named.items():
        assert hashlib.sha256((static / name).read_bytes()).hexdigest() == digest, name


def test_a_path_on_the_servers_machine_is_for_the_token_of_its_home(
    memory: Reverie, alice: Space, tmp_path: Path
) -> None:
    (tmp_path / "said.jsonl").write_text('{"role": "user", "content": "I bought a zither."}\n', "utf-8")
    form = {"source": "jsonl", "path": str(tmp_path / "said.jsonl")}
    root = f"/console/{alice.id}/settings"
    with running(memory) as owner:
        form["csrf"] = _mark(owner.get(root).text)
        assert "Took in 1 turns" in owner.post(f"{root}/import", data=form).text
        assert "checks are well" in owner.get(f"/console/{alice.id}/doctor").text
    with running(memory, require_key=True) as keyed:
        admin = bearer(memory, "admin")
        form["csrf"] = _mark(keyed.get(root, headers=admin).text)
        for action in ("import", "backup"):
            assert keyed.post(f"{root}/{action}", data=form, headers=admin).status_code == 403, action
        assert "for the token of its home" in keyed.get(f"/console/{alice.id}/doctor", headers=admin).text
    assert [hit.text for hit in alice.recall("zither", 1)] == ["I bought a zither."]


def test_what_was_done_is_said_by_the_page_it_leads_to_not_by_a_part_read_beside_it(
    memory: Reverie, alice: Space
) -> None:
    kept = alice.remember("The bicycle is in the cellar.")
    root = f"/console/{alice.id}"
    with running(memory) as client:
        form = {"csrf": _mark(client.get(root).text), "pinned": "1"}
        led = client.post(f"{root}/memory/{kept.id}/pin", data=form, follow_redirects=False)
        for beside in ({"hx-request": "true"}, {"sec-fetch-dest": "empty"}):
            assert "stays hot" not in client.get(f"{root}/memory?q=bicycle", headers=beside).text
        page = led.headers["location"]
        assert "stays hot" in client.get(page, headers={"sec-fetch-dest": "document"}).text
        assert "stays hot" not in client.get(page).text
