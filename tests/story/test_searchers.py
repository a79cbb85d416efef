"""Processes that answer a busy server's recalls find what it would find, at once, for whom it would, and may die."""

import json
import os
import signal
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest

from reverie import Reverie
from reverie.server.app import create_app
from reverie.server.searchers import searchers
from reverie.server.settings import ServerSettings
from reverie.server.state import Server
from tests.support.live import listening
from tests.support.searching import EMBEDDER
from tests.support.serving import TOKEN
from tests.support.waiting import alive, until

pytestmark = pytest.mark.skipif(os.name != "posix", reason="elsewhere a server answers alone")
FACTS = ("The harbour is frozen", "Petra sold her violin", "Anna lives in Hamburg", "The ledger is due on Friday")


@dataclass
class Busy:
    """A server whose recalls are answered by searchers."""

    memory: Reverie
    address: str
    server: Server

    def call(self, path: str, body: Any, key: str = TOKEN) -> tuple[int, Any]:
        headers = {"content-type": "application/json", "x-reverie-key": key}
        request = urllib.request.Request(self.address + path, json.dumps(body).encode(), headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=30) as reply:
                return reply.status, json.loads(reply.read())
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())

    def recalled(self, query: str, space: str = "alice", **more: Any) -> list[Any]:
        status, reply = self.call(f"/v1/spaces/{space}/recall", {"query": query, **more})
        assert status == 200, reply
        found: list[Any] = reply["hits"]
        return found

    def by_searchers(self, query: str, **more: Any) -> list[Any]:
        """The same, which no other process answered."""
        before = self.server.searchers.answered
        found = self.recalled(query, **more)
        assert self.server.searchers.answered == before + 1
        return found


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Busy]:
    """Its searchers end with it."""
    place = tmp_path_factory.mktemp("searchers") / "store"
    with Reverie.open(place, embedder=EMBEDDER, durable=False) as memory:
        for text in FACTS:
            memory.space("alice").append("user", text)
        app = create_app(memory, ServerSettings(token=TOKEN, searchers=2))
        with listening(app) as address:
            made = Busy(memory, address, app.state.server)
            with ThreadPoolExecutor(6) as crowd:
                until(lambda: list(crowd.map(made.recalled, FACTS * 2)) and len(made.server.searchers.pids) == 2, 60)
            yield made
            pids = made.server.searchers.pids
        assert pids
        assert not any(map(alive, pids))


def test_a_searcher_answers_what_the_server_itself_would(busy: Busy) -> None:
    here = busy.memory.space("alice").recall("who lives in Hamburg?", explain=True, quiet=True)
    found = busy.by_searchers("who lives in Hamburg?", explain=True)
    assert [(hit["id"], hit["text"], hit["flags"]) for hit in found] == [(h.id, h.text, list(h.flags)) for h in here]
    assert [hit["matched"] for hit in found] == pytest.approx([hit.matched for hit in here])


def test_what_was_just_appended_is_found_by_every_searcher(busy: Busy) -> None:
    for n in range(12):
        busy.call("/v1/spaces/alice/turns", {"role": "user", "text": f"Parcel number{n} came today"})
        assert busy.by_searchers(f"number{n}")[0]["text"] == f"Parcel number{n} came today"


def test_a_key_of_another_space_or_org_finds_nothing_by_a_searcher(busy: Busy) -> None:
    bob = busy.memory.space("bob")
    bob.append("user", "Bob keeps bees")
    of_bob = busy.memory.keys.create("bob", "read", space=bob.id).secret
    other = busy.memory.in_org("other").keys.create("other", "read").secret
    for key in (of_bob, other):
        assert busy.call("/v1/spaces/alice/recall", {"query": "harbour"}, key)[0] == 404
    assert busy.call("/v1/spaces/bob/recall", {"query": "bees"}, of_bob)[1]["hits"][0]["text"] == "Bob keeps bees"
    assert busy.call("/v1/spaces/alice/recall", {"query": "harbour"}, "rv_" + "x" * 43)[0] == 401


def test_what_cannot_be_asked_is_refused_as_without_searchers(busy: Busy) -> None:
    assert busy.call("/v1/spaces/alice/recall", {"query": "  "})[1]["error"]["code"] == "bad_input"
    assert busy.call("/v1/spaces/alice/recall", {"query": "a", "k": 0})[0] == 422
    assert busy.call("/v1/spaces/nobody/recall", {"query": "a"})[0] == 404


def test_fresh_turns_are_found_by_meaning_and_a_forgotten_one_is_not(busy: Busy) -> None:
    alice = busy.memory.space("alice")
    turn = alice.append("user", "My pin is under the piano").id
    tail = busy.memory.parts.tail
    assert tail is not None
    assert tail.settle(60)

    def by_meaning() -> list[str]:
        return [hit["id"] for hit in busy.by_searchers("piano", explain=True) if "meaning" in hit["parts"]]

    until(lambda: turn in by_meaning())
    alice.forget(turn)
    assert turn not in [hit["id"] for hit in busy.by_searchers("piano")]


def test_a_question_leaves_its_evidence_once(busy: Busy) -> None:
    busy.by_searchers("is the unmistakable ledger due?")
    busy.memory.parts.events.flush()
    rows = busy.memory.parts.db.rows("SELECT times FROM asked WHERE text LIKE '%unmistakable%'")
    assert [row["times"] for row in rows] == [1]


def test_killed_searchers_cost_no_answer_and_come_back(busy: Busy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searchers, "AGAIN", 0.0)
    first = busy.server.searchers.pids
    with ThreadPoolExecutor(8) as crowd:
        asked = [crowd.submit(busy.recalled, FACTS[n % 4]) for n in range(40)]
        for pid in first:
            os.kill(pid, signal.SIGKILL)
        asked += [crowd.submit(busy.recalled, FACTS[n % 4]) for n in range(40)]
        assert all(one.result(60)[0]["text"] == FACTS[n % 4] for n, one in enumerate(asked))
        until(lambda: list(crowd.map(busy.recalled, FACTS * 2)) and len(busy.server.searchers.pids) == 2, 60)
    assert not set(first) & set(busy.server.searchers.pids)
    assert busy.by_searchers("harbour")[0]["text"] == FACTS[0]
