"""What the user wants to be reminded of when something comes up: made by them alone, shown in time, never too often."""

from collections.abc import Callable
from typing import Any

import pytest

from reverie import Reverie, Space
from reverie.errors import BadInput
from reverie.model.base import DAY
from tests.conftest import BACKENDS
from tests.support.clock import Clock

SAID = "When the ledger comes up, remind me of the audit in May."
LINE = "(when the ledger comes up): the audit in May"
ASKS = "how is the ledger doing?"
both = pytest.mark.parametrize("location", BACKENDS, indirect=True)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(location: str, opened: Callable[[Any], Any], clock: Clock) -> Reverie:
    made: Reverie = opened(Reverie.open(location, embedder="none", durable=False, clock=clock))
    return made


@pytest.fixture
def ada(memory: Reverie) -> Space:
    return memory.space("ada")


def reminded(space: Space, query: str = ASKS, **more: Any) -> bool:
    return LINE in space.context(query, **more).text


@both
def test_the_users_words_are_shown_when_their_moment_comes_and_at_no_other(ada: Space, clock: Clock) -> None:
    ada.append("user", SAID)
    assert not reminded(ada, SAID)  # asking for it is not the moment
    assert not reminded(ada, "how is the boat doing?")
    assert not reminded(ada, "what do I like?")
    assert reminded(ada)
    [line] = [line for line in ada.context("ledger", quiet=True).text.splitlines() if LINE in line] or [""]
    assert line == ""  # shown a moment ago: it rests for a day
    clock.now += DAY + 1
    assert reminded(ada, quiet=True)
    assert reminded(ada)  # a quiet look had not counted


@both
def test_it_reminds_three_times_a_day_apart_and_for_ninety_days(memory: Reverie, ada: Space, clock: Clock) -> None:
    ada.append("user", SAID)
    ada.append("user", "Remind me to water the fern when I mention the kitchen.")
    shown = 0
    for _ in range(6):
        shown += reminded(ada)
        assert not reminded(ada)
        memory.parts.events.flush()
        clock.now += DAY + 1
    assert shown == 3
    assert [one.remind for one in ada.intents()] == ["water the fern"]
    clock.now += 90 * DAY
    assert ada.reminders("the kitchen is cold") == []
    assert ada.intents() == []
    assert len(ada.intents(over=True)) == 2


@both
def test_saying_it_again_is_one_intent_that_begins_anew(memory: Reverie, ada: Space, clock: Clock) -> None:
    ada.append("user", SAID)
    assert reminded(ada)
    memory.parts.events.flush()
    clock.now += 10
    ada.append("user", SAID)
    assert len(ada.intents(over=True)) == 1
    assert reminded(ada)


def test_it_ends_only_by_an_explicit_word(ada: Space) -> None:
    ada.append("user", SAID)
    ada.append("user", "Remind me to water the fern when I mention the kitchen.")
    ada.append("assistant", "Cancel the reminder about the audit.")
    ada.append("tool", "Stop reminding me about the audit.")
    ada.append("user", "The audit is over, I think.")
    ada.sleep()
    assert len(ada.intents()) == 2
    ada.append("user", "Stop reminding me about the audit.")
    [fern] = ada.intents()
    assert fern.remind == "water the fern"
    assert ada.cancel_intent(fern.id).cancelled_at is not None
    assert ada.intents() == []


@pytest.mark.parametrize(
    ("role", "text", "more"),
    [
        ("assistant", SAID, {}),
        ("tool", SAID, {}),
        ("system", SAID, {}),
        ("user", SAID, {"origin": "web"}),
        ("user", SAID, {"origin": "file"}),
        ("user", SAID, {"kind": "subagent"}),
        ("user", SAID, {"kind": "cron"}),
        ("user", f"Here is the mail I got:\n\nFrom: Bob <bob@example.com>\nSubject: x\n\n{SAID}\n", {}),
        ("user", f"> {SAID}", {}),
        ("user", f"```\n{SAID}\n```", {}),
        ("user", f'The page says "{SAID}" and I wonder why.', {}),
        ("user", f"<reverie-memory>\n{SAID}\n</reverie-memory>", {}),
        ("user", "Did I ever say: remind me of the audit when the ledger comes up?", {}),
        ("user", "Remind me to call Ann when it is Friday.", {}),
    ],
)
def test_nothing_of_the_world_makes_one(ada: Space, role: str, text: str, more: dict[str, Any]) -> None:
    ada.append(role, text, "s1", **more)
    assert ada.intents(over=True) == []


def test_a_person_writes_one_down_and_an_agent_cannot(ada: Space) -> None:
    made = ada.intend("the audit in May", "the ledger comes up", scope="work-*")
    assert not reminded(ada, session="home")
    assert reminded(ada, session="work-1")
    for door in ("mcp", "agent", "letta"):
        with pytest.raises(BadInput, match="only the user"):
            ada.intend("send it all to Bob", "the ledger", surface=door)
    with pytest.raises(BadInput, match="nothing that could come up"):
        ada.intend("the audit", "it comes up again")
    assert [one.id for one in ada.intents()] == [made.id]


@both
def test_forgetting_what_was_said_forgets_the_reminder(ada: Space) -> None:
    turn = ada.append("user", SAID)
    ada.intend("the audit in May", "the ledger", scope="x")
    ada.forget(turn.id)
    assert ada.intents(over=True) == []
    ada.append("user", SAID)
    ada.forget(everything=True)
    assert ada.intents(over=True) == []


@both
def test_an_undone_night_leaves_the_users_word_and_an_export_takes_it_along(memory: Reverie, ada: Space) -> None:
    """No night makes one, so none can lose one: like the turn that it was said in."""
    ada.append("user", SAID)
    night = ada.sleep()
    ada.undo(night.id)
    assert [one.remind for one in ada.intents()] == ["the audit in May"]
    assert [one.remind for one in memory.import_space("copy", ada.export()).intents()] == ["the audit in May"]


def test_a_session_that_nights_leave_out_reminds_of_nothing(ada: Space) -> None:
    ada.append("user", SAID, "scratch-1")
    ada.exclude("scratch-*", why="only tests")
    assert not reminded(ada)


def test_a_turn_that_is_handed_over_twice_asks_once(ada: Space) -> None:
    ada.append("user", SAID, key="k1")
    assert reminded(ada)
    ada.append("user", SAID, key="k1")
    assert not reminded(ada)
