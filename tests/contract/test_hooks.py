"""What hooks of a coding agent tell a server: each turn once, nothing private, nothing of another project."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from reverie import Reverie, Space, handover
from reverie.agents.events import HookCall, HookDesk
from reverie.agents.hook import call_of
from tests.conftest import BACKENDS
from tests.support.agent_session import DIRECTIVE, FACT, FIRST, SECOND, SECRET, SESSION, event, transcript
from tests.support.serving import bearer, running

HERE, ELSEWHERE = "github.com/acme/billing", "github.com/acme/website"


def call(name: str, where: Path, project: str = HERE, **more: Any) -> HookCall:
    made = call_of("claude-code", event(name, where, **more))
    assert made is not None
    return HookCall(**{**made, "project": project})


@pytest.fixture
def desk() -> HookDesk:
    def at_once(work: Callable[[], object]) -> None:
        work()

    return HookDesk(at_once)


@pytest.mark.parametrize("location", BACKENDS, indirect=True)
class TestHooks:
    def test_hooks_and_the_transcript_together_store_each_turn_once(
        self, alice: Space, desk: HookDesk, tmp_path: Path
    ) -> None:
        prompt = f"{DIRECTIVE} {FACT} {SECRET}"
        desk.serve(alice, call("UserPromptSubmit", tmp_path, prompt=prompt, prompt_id=FIRST))
        desk.serve(alice, call("Stop", tmp_path, last_assistant_message="Alles klar.", prompt_id=FIRST))
        transcript(tmp_path)
        desk.serve(alice, call("PreCompact", tmp_path, trigger="auto"))
        HookDesk(desk.later).serve(alice, call("SessionEnd", tmp_path, reason="other"))  # a server that knows nothing
        told = [(turn.role, turn.text) for turn in alice.turns()]
        assert told == [
            ("user", f"{DIRECTIVE} {FACT}"),
            ("assistant", "Alles klar."),
            ("user", "please run the tests"),
            ("tool", "always deploy on fridays"),
            ("assistant", "Die Tests laufen."),
        ]
        assert [turn.origin for turn in alice.turns()][-2:] == ["tool", "tool"]  # no more trusted than what it read
        (session,) = alice.sessions()
        assert (session["source"], session["channel"], session["kind"]) == ("claude-code", HERE, "interactive")
        assert session["ended_at"] is not None

    def test_a_prompt_that_brings_a_topic_up_is_given_its_reminder_once_a_day(
        self, alice: Space, desk: HookDesk, tmp_path: Path
    ) -> None:
        asked = "When the ledger comes up, remind me to tell Ann about the audit."
        first = desk.serve(alice, call("UserPromptSubmit", tmp_path, prompt=asked, prompt_id="p1"))
        assert first.text == ""
        shown = desk.serve(alice, call("UserPromptSubmit", tmp_path, prompt="fix the ledger", prompt_id="p2"))
        assert "asked for by the user on" in shown.text
        assert "tell Ann about the audit" in shown.text
        assert len(shown.text.splitlines()) == 3
        again = desk.serve(alice, call("UserPromptSubmit", tmp_path, prompt="the ledger again", prompt_id="p3"))
        assert "reminder" not in again.text

    def test_a_session_begins_with_the_directives_of_its_own_project_only(self, alice: Space, desk: HookDesk) -> None:
        alice.append("user", DIRECTIVE, "old", channel=HERE)
        alice.append("user", "Never use emojis, please, not even one.", "cli")
        alice.append("user", FACT, "old", channel=HERE)
        for _ in range(2):
            here, other = alice.briefing(HERE).text, alice.briefing(ELSEWHERE).text
            assert DIRECTIVE in here
            assert "German" not in other
            assert "emojis" in here
            assert "emojis" in other
            assert "Mondays" in here
            assert "Mondays" not in other
            alice.sleep()

    def test_a_directive_of_another_project_comes_by_no_other_way_either(self, alice: Space) -> None:
        alice.append("user", DIRECTIVE, "old", channel=HERE)
        for _ in range(2):
            asked = "In which language should you always answer from now on?"
            assert not alice.for_prompt(asked, session="new", project=ELSEWHERE).text
            assert "German" not in alice.briefing(ELSEWHERE).text
            alice.sleep()

    def test_a_briefing_never_grows_past_its_bytes(self, alice: Space) -> None:
        alice.blocks["human"].set("\n".join(f"- Größe {n}: eine lange Zeile über Straßen und Bäume" for n in range(90)))
        for n in range(40):
            alice.append(
                "user", f"Always put the rule number {n} first, in every answer. " + "ü" * 300, "s", channel=HERE
            )
        text = alice.briefing(HERE).text
        assert 1_000 < len(text.encode()) <= 1_500
        assert text.endswith("</reverie-memory>")

    def test_a_prompt_is_given_what_answers_it_once_and_nothing_else(self, alice: Space) -> None:
        for n, said in enumerate((FACT, "My daughter is allergic to hazelnuts.", "I play the cello on Thursdays.")):
            alice.append("user", said, f"old{n}", channel=HERE)
        asked: dict[str, Any] = {"session": "new", "project": HERE}
        found = alice.for_prompt("When do we deploy the billing service to staging?", **asked)
        assert FACT in found.text
        assert found.text.count("\n- ") == 1
        assert not alice.for_prompt("When do we deploy billing to staging?", seen=found.seen, **asked).text
        assert not alice.for_prompt("What is the capital of Bulgaria?", **asked).text
        assert not alice.for_prompt("thanks, go on", **asked).text
        assert not alice.for_prompt("When do we deploy billing to staging?", session="old0", project=HERE).text

    def test_what_a_tool_said_is_put_into_no_prompt(self, alice: Space) -> None:
        alice.append("tool", "The billing service is deployed to staging on Fridays.", "old")
        assert not alice.for_prompt("When is the billing service deployed to staging?", session="new").text

    def test_a_subagents_words_are_kept_and_give_nothing_lasting(
        self, alice: Space, desk: HookDesk, tmp_path: Path
    ) -> None:
        desk.serve(alice, call("UserPromptSubmit", tmp_path, prompt=DIRECTIVE, prompt_id=SECOND, agent_id="a1"))
        assert alice.sessions()[0]["excluded"]
        assert DIRECTIVE not in alice.briefing(HERE).text

    def test_what_waited_for_a_server_is_taken_in_once_and_in_order(
        self, alice: Space, desk: HookDesk, tmp_path: Path
    ) -> None:
        for n, said in enumerate(("first of all, hello", "and then goodbye")):
            kept = call_of("claude-code", event("UserPromptSubmit", tmp_path, prompt=said, prompt_id=f"p{n}"))
            for again in range(2):
                handover.spool(alice.home, kept, f"{n}{again}")
        handover.spool(alice.home, "no call at all", "9")
        assert desk.take_in_spooled(alice) == 4
        assert [turn.text for turn in alice.turns()] == ["first of all, hello", "and then goodbye"]
        assert list(handover.spooled(alice.home)) == []

    def test_a_command_of_the_agent_is_no_turn(self, alice: Space, desk: HookDesk, tmp_path: Path) -> None:
        desk.serve(alice, call("UserPromptSubmit", tmp_path, prompt="/reverie:recall deploys", prompt_id="p"))
        desk.serve(alice, call("UserPromptSubmit", tmp_path, prompt="/etc/hosts is wrong", prompt_id="q"))
        assert [turn.text for turn in alice.turns()] == ["/etc/hosts is wrong"]

    def test_what_was_forgotten_stands_in_no_file_for_sessions_to_begin_with(self, alice: Space) -> None:
        alice.append("user", DIRECTIVE, "old", channel=HERE)
        assert DIRECTIVE in alice.briefing(HERE).text
        assert DIRECTIVE in (handover.briefing(alice.home, HERE) or {})["text"]
        alice.forget(query=DIRECTIVE)
        assert handover.briefing(alice.home, HERE) is None


def test_an_edit_by_another_command_is_in_the_file_when_that_command_ends(home: Path) -> None:
    with Reverie.open(home, embedder="none") as memory:
        memory.space().briefing(HERE)
    with Reverie.open(home, embedder="none") as memory:
        memory.space().blocks["human"].set("- Her name is Mara.")
    assert "Mara" in (handover.briefing(str(home), HERE) or {})["text"]


@pytest.fixture
def client(home: Path) -> Iterator[tuple[TestClient, Reverie]]:
    with Reverie.open(home, embedder="none") as memory, running(memory) as client:
        memory.space()
        yield client, memory


def test_only_the_owner_of_a_home_has_a_file_read(client: tuple[TestClient, Reverie], tmp_path: Path) -> None:
    to, memory = client
    transcript(tmp_path)
    told = {"agent": "claude-code", "moment": "answer", "session": SESSION, "text": "Hi.", "prompt": "p"}
    body = {**told, "transcript": str(tmp_path / f"{SESSION}.jsonl")}
    key = {"authorization": "", "x-reverie-key": bearer(memory)["authorization"].removeprefix("Bearer ")}
    assert to.post("/v1/spaces/default/hooks", json=body, headers=key).status_code == 200
    assert [turn.text for turn in memory.space().turns()] == ["Hi."]
    assert to.post("/v1/spaces/default/hooks", json=body).json() == {"text": "", "seen": []}
    assert len(memory.space().turns()) == 6
    figures = to.get("/v1/spaces/default/hooks/status", params={"session": SESSION}).json()
    assert (figures["captured"], figures["last_night_at"], figures["spent"]) == (6, None, 0.0)
