"""The log: nothing acknowledged is lost, nothing is stored twice."""

import threading

import pytest

from reverie import Reverie
from reverie.errors import BadInput, KeyReused, NotFound
from tests.conftest import BACKENDS

pytestmark = pytest.mark.parametrize("location", BACKENDS, indirect=True)


def test_turns_come_back_as_they_were_said_in_their_order(memory: Reverie) -> None:
    alice = memory.space("alice")
    for n in range(3):
        alice.append("user", f"turn {n}", session="s1", metadata={"n": n}, at=1000.0 + n)
    assert [(t.text, t.seq, t.metadata["n"], t.at) for t in alice.turns()] == [
        ("turn 0", 1, 0, 1000.0),
        ("turn 1", 2, 1, 1001.0),
        ("turn 2", 3, 2, 1002.0),
    ]


def test_the_same_key_twice_stores_once(memory: Reverie) -> None:
    alice = memory.space("alice")
    first = alice.append("user", "hello", key="k")
    again = alice.append("user", "hello", key="k")
    assert (again.id, again.repeated, first.repeated) == (first.id, True, False)
    assert len(alice.turns()) == 1


def test_a_key_that_comes_back_with_another_text_is_refused(memory: Reverie) -> None:
    alice = memory.space("alice")
    alice.append("user", "hello", key="k")
    with pytest.raises(KeyReused):
        alice.append("user", "goodbye", key="k")


def test_many_writers_get_one_gapless_sequence(memory: Reverie) -> None:
    alice = memory.space("alice")
    threads = [
        threading.Thread(target=lambda n=n: [alice.append("user", f"{n}-{i}") for i in range(10)]) for n in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [turn.seq for turn in alice.turns(limit=100)] == list(range(1, 41))


def test_a_secret_is_taken_out_before_it_is_stored(memory: Reverie) -> None:
    alice = memory.space("alice")
    appended = alice.append("user", "my key is sk-proj-" + "a1B2c3D4" * 6)
    assert appended.redacted == 1
    assert "a1B2c3D4" not in alice.turn(appended.id).text


@pytest.mark.parametrize(
    ("role", "text", "session"), [("user", "   ", "s"), ("king", "hello", "s"), ("user", "hello", "")]
)
def test_bad_input_is_refused_and_stores_nothing(memory: Reverie, role: str, text: str, session: str) -> None:
    alice = memory.space("alice")
    with pytest.raises(BadInput):
        alice.append(role, text, session)
    assert alice.turns() == []


@pytest.mark.parametrize("at", [float("nan"), float("inf"), 1_800_000_000_000.0])
def test_a_moment_that_no_calendar_has_is_refused_and_recall_goes_on(memory: Reverie, at: float) -> None:
    alice = memory.space("alice")
    for verb in (lambda: alice.append("user", "a heron", at=at), lambda: alice.remember("a heron", at=at)):
        with pytest.raises(BadInput, match="not a moment"):
            verb()
    assert (alice.turns(), alice.recall("heron")) == ([], [])


def test_chat_messages_are_added_at_once(memory: Reverie) -> None:
    alice = memory.space("alice")
    parts = [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]
    alice.add([{"role": "user", "content": "hi"}, {"role": "assistant", "content": parts}], session="s")
    assert [(t.role, t.text, t.session) for t in alice.turns()] == [("user", "hi", "s"), ("assistant", "one\ntwo", "s")]


def test_pages_follow_each_other_to_the_end(memory: Reverie) -> None:
    alice = memory.space("alice")
    for n in range(5):
        alice.append("user", str(n))
    first = alice.turns(limit=2)
    second = alice.turns(limit=2, after=first[-1].id)
    last = alice.turns(limit=2, after=second[-1].id)
    assert [t.text for t in (*first, *second, *last)] == ["0", "1", "2", "3", "4"]
    assert [t.text for t in alice.turns(limit=2, newest_first=True)] == ["4", "3"]


def test_a_session_is_ended_once(memory: Reverie) -> None:
    alice = memory.space("alice")
    alice.append("user", "hello", session="s")
    assert (alice.end_session("s"), alice.end_session("s")) == (True, False)


def test_one_space_never_sees_anothers_turn(memory: Reverie) -> None:
    turn = memory.space("alice").append("user", "mine")
    with pytest.raises(NotFound):
        memory.space("bob").turn(turn.id)
    assert memory.space("bob").turns() == []
