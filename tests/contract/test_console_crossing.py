"""The console's actions with ids of another space and of another org: they change nothing and tell nothing.

The requests are made from the console's own routes: a new action is tried too, and a part of a path that is not
named here fails until it is.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from reverie import Reverie
from tests.conftest import BACKENDS
from tests.contract.test_console import ACTIONS, _mark
from tests.support.crossing_world import Ids, World, rows_of, things, world_of
from tests.support.serving import bearer, running

PARAMETER = re.compile(r"{(\w+)}")
# What a part of a path holds: a noun of `crossing_world.things`, or several to be tried.
HELD = {
    "space": ("space", "name"),
    "memory": ("memory", "turn"),
    "night": ("night", "undone"),
    "matter": ("review", "contradiction"),
    "label": ("label", "block"),
    "answer": ("answer",),
    "key": ("key",),
    "id": ("intent",),
}
CHOICES = ("approve", "edit", "older", "reopen")  # of the inbox
FORM = {
    "text": "hello", "tags": "x", "pinned": "1", "paused": "1", "kind": "nap", "version": "1", "label": "mine",
    "name": "cadence_turns", "value": "7", "why": "w",
}  # fmt: skip
OWNERS = ("/import", "/backup")  # paths of the server's machine are for its token alone


def presses(path: str, ids: Ids, own: Ids, crossed: bool) -> Iterator[tuple[str, dict[str, str]]]:
    """The address and the form: all ids of one's own but, of what is crossed, those of somebody else's things.

    `crossed` leaves the space one's own, so that the thing alone is another's.
    """
    names = PARAMETER.findall(path)
    for name in names:
        assert name in HELD, f"{path}: what does {name!r} hold? Name it in {__file__}"
    wide = [name for name in names if name != "space"]
    for noun in HELD[wide[0]] if wide else ("space",):
        for space in (own["space"],) if crossed else (ids["space"], ids["name"]):
            held = {"space": space, **dict.fromkeys(wide, ids[noun])}
            address = PARAMETER.sub(lambda found: held[found[1]], path)  # noqa: B023  used at once
            for choice in CHOICES if "matter" in names else ("",):
                yield address, {**FORM, "choice": choice}


def pressed(client: TestClient, address: str, form: dict[str, str], key: dict[str, str]) -> Any:
    return client.post(address, data=form, headers=key, follow_redirects=False)


def signed_in(client: TestClient, key: dict[str, str], space: str) -> str:
    client.cookies.clear()
    return _mark(client.get(f"/console/{space}", headers=key).text)


def crossings(world: World, client: TestClient, name: str, key: dict[str, str], own: Ids) -> Iterator[str]:
    """What goes wrong: an answer that tells somebody's from nobody's, or shows the secret."""
    mark = signed_in(client, key, own["space"])
    for path in ACTIONS:
        wide = len(PARAMETER.findall(path)) > 1
        for crossed in (False, True) if wide else (False,):
            theirs = presses(path, world.victim, own, crossed)
            nobodys = presses(path, world.missing, own, crossed)
            for (address, form), (nowhere, _) in zip(theirs, nobodys, strict=True):
                said = pressed(client, address, {**form, "csrf": mark}, key)
                missing = pressed(client, nowhere, {**form, "csrf": mark}, key)
                named = f"{name}: {address} {form['choice']} {said.status_code}/{missing.status_code}"
                if said.status_code != missing.status_code:
                    yield f"{named} tells another's from nothing"
                if said.status_code not in (403, 404) and not path.endswith("/undo"):
                    yield f"{named} is not refused"
                if world.secret in said.text:
                    yield f"{named} shows the secret"


@pytest.mark.parametrize("location", BACKENDS, indirect=True)
def test_no_action_of_the_console_reaches_what_is_anothers(memory: Reverie) -> None:
    world = world_of(memory)
    bob = things(memory, "bob", "Pumpernickel")
    rivals = memory.in_org("rivals")
    mallory = things(rivals, "mallory", "Liquorice")
    thieves = [(f"bob who may {verb}", bearer(memory, verb, space="bob"), bob) for verb in ("write", "review", "admin")]
    thieves += [("mallory", bearer(rivals, "admin"), mallory)]
    before = rows_of(world)
    with running(memory, require_key=True) as client:
        found = [wrong for thief in thieves for wrong in crossings(world, client, *thief)]
    assert found == []
    after = rows_of(world)
    assert [table for table in before if after[table] != before[table]] == []


def test_an_admin_of_the_org_reaches_no_thing_of_one_space_through_another(memory: Reverie) -> None:
    """Ids of another space under one's own, with a key that may do everything in both; keys are of the org."""
    world = world_of(memory)
    bob = things(memory, "bob", "Pumpernickel")
    admin, before = bearer(memory, "admin"), rows_of(world)
    with running(memory, require_key=True) as client:
        mark = signed_in(client, admin, bob["space"])
        for path in (path for path in ACTIONS if len(PARAMETER.findall(path)) > 1 and "{key}" not in path):
            for address, form in presses(path, world.victim, bob, crossed=True):
                reply = pressed(client, address, {**form, "csrf": mark}, admin)
                assert reply.status_code == 404 or path.endswith("/undo"), (address, form["choice"], reply.status_code)
                assert world.secret not in reply.text
    assert rows_of(world) == before


def test_what_the_thieves_press_is_what_the_owner_may_press(memory: Reverie) -> None:
    """So that a refusal is one of the crossing, not of a form that nobody could send."""
    admin = bearer(memory, "admin")
    with running(memory, require_key=True) as client:
        for n, path in enumerate(ACTIONS):
            own = things(memory, f"alice {n}", "Marzipan")
            mark = signed_in(client, admin, own["space"])
            replies = [
                pressed(client, address, {**form, "csrf": mark}, admin).status_code
                for address, form in presses(path, own, own, crossed=False)
            ]
            assert 303 in replies or path.endswith(OWNERS), (path, replies)
