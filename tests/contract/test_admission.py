"""Which sessions nights read: by kind, channel, source and name. What is left out is found, and nothing made of it."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from reverie import Reverie, Space
from reverie.errors import BadInput
from tests.conftest import BACKENDS
from tests.contract.test_cli import Cli, cli
from tests.support.serving import running

__all__ = ["cli"]
FACT = "I am allergic to peanuts and I live in Hamburg."


def made(space: Space) -> set[str]:
    return {str(memory.kind) for memory in space.all()} - {"episode"}


@pytest.mark.parametrize("location", BACKENDS, indirect=True)
class TestAdmission:
    @pytest.mark.parametrize("kind", ["cron", "heartbeat", "subagent"])
    def test_a_session_that_nobody_sits_at_is_found_and_gives_nothing_lasting(self, alice: Space, kind: str) -> None:
        alice.append("user", FACT, "job", kind=kind)
        alice.append("user", "From now on always answer in German.", "job")
        assert "German" not in alice.context("hello").text.partition('part="turns"')[0]
        alice.sleep()
        assert "peanuts" in alice.recall("peanuts")[0].text
        assert made(alice) == set()
        assert not any(block.value for block in alice.blocks)
        (session,) = alice.sessions()
        assert (session["kind"], session["excluded"]) == (
            kind,
            f"{kind} sessions are left out unless they are admitted",
        )
        assert {episode.excluded for episode in alice.all()} == {session["excluded"]}

    def test_what_is_admitted_is_read_by_the_next_night(self, alice: Space) -> None:
        alice.append("user", FACT, "job", kind="cron")
        alice.sleep()
        alice.admit("job", why="this one is mine")
        assert alice.sessions()[0]["excluded"] is None
        alice.sleep()
        assert "fact" in made(alice)

    @pytest.mark.parametrize("by", [{"channel": "mail*"}, {"source": "bot"}, {"session": "scratch-?"}])
    def test_sessions_are_left_out_by_channel_source_or_name(self, alice: Space, by: dict[str, str]) -> None:
        rule = alice.exclude(**by, why="noise")
        assert (rule.admit, rule.why) == (False, "noise")
        alice.append("user", FACT, "scratch-1", channel="mailbox", source="bot")
        night = alice.sleep()
        assert (made(alice), night.counts["excluded"]) == (set(), 1)
        assert alice.sessions()[0]["excluded"] == "noise"

    def test_the_most_particular_rule_holds_and_of_two_alike_the_later(self, alice: Space) -> None:
        alice.append("user", FACT, "job", kind="cron")
        alice.exclude("job")
        alice.admit(kind="cron")
        assert alice.sessions()[0]["excluded"] == "session 'job' was left out by a person"
        alice.admit("job")
        assert alice.sessions()[0]["excluded"] is None
        assert [rule.value for rule in alice.admission()] == ["cron", "heartbeat", "subagent", "cron", "job"]


def test_a_rule_names_sessions_by_one_thing(alice: Space) -> None:
    for given in ({}, {"kind": "cron", "channel": "mail"}):
        with pytest.raises(BadInput, match="exactly one"):
            alice.exclude(**given)
    with pytest.raises(BadInput, match="kind is one of"):
        alice.append("user", "hello", kind="robot")


def test_the_commands_and_routes_do_the_same(memory: Reverie, alice: Space, cli: Cli) -> None:
    assert cli("exclude", "scratch-*", "--why", "only tests", "--space", "alice").code == 0
    assert cli("admit", "--kind", "cron", "--space", "alice").code == 0
    assert [rule["value"] for rule in cli("admission", "--space", "alice", "--json").json][-2:] == ["scratch-*", "cron"]
    for client in _client(memory):
        shown = client.get("/v1/spaces/alice/admission").json()["items"]
        assert [rule["value"] for rule in shown][-2:] == ["scratch-*", "cron"]
        assert (
            client.post("/v1/spaces/alice/exclude", json={"channel": "mail", "why": "noise"}).json()["why"] == "noise"
        )
        assert client.post("/v1/spaces/alice/admit", json={"channel": "mail"}).json()["admit"] is True
        turn = {"role": "user", "text": FACT, "session": "x", "kind": "subagent", "channel": "mail"}
        assert client.post("/v1/spaces/alice/turns", json=turn).status_code == 201
        (session,) = client.get("/v1/spaces/alice/sessions").json()["items"]
        assert (session["kind"], session["channel"], session["excluded"]) == ("subagent", "mail", None)


def _client(memory: Reverie) -> Iterator[TestClient]:
    with running(memory) as client:
        yield client
