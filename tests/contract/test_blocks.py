"""Core memory: limits hold, versions are kept, no writer reverts another."""

import threading

import pytest

from reverie import Reverie
from reverie.errors import BlockTooLong, Conflict, NoSingleMatch, NotAllowed, NotFound, StaleVersion
from reverie.space import Space
from tests.conftest import BACKENDS

pytestmark = pytest.mark.parametrize("location", BACKENDS, indirect=True)


def test_a_new_space_has_its_three_blocks_in_order(alice: Space) -> None:
    assert [block.label for block in alice.blocks] == ["human", "persona", "learned_context"]


def test_an_append_adds_a_line(alice: Space) -> None:
    human = alice.blocks["human"]
    human.append("Lives in Lisbon.")
    written = human.append("Likes tea.")
    assert (written.status, written.version, human.value) == ("written", 3, "Lives in Lisbon.\nLikes tea.")


@pytest.mark.parametrize(("old", "matches"), [("coffee", 0), ("tea", 2)])
def test_a_replace_needs_exactly_one_match(alice: Space, old: str, matches: int) -> None:
    human = alice.blocks["human"]
    human.set("tea and tea")
    with pytest.raises(NoSingleMatch) as caught:
        human.replace(old, "milk")
    assert caught.value.data["matches"] == matches
    assert human.value == "tea and tea"


def test_an_append_past_the_limit_is_kept_for_the_night(alice: Space) -> None:
    alice.blocks.create("task", "12345678", limit=10)
    written = alice.blocks["task"].append("more than fits")
    assert written.status == "deferred"
    assert written.turn is not None
    turn = alice.turn(written.turn)
    assert (turn.text, turn.block, turn.metadata) == ("more than fits", "task", {})
    assert alice.blocks["task"].value == "12345678"


def test_a_replace_past_the_limit_is_refused_with_size_and_limit(alice: Space) -> None:
    alice.blocks.create("task", "short", limit=10)
    with pytest.raises(BlockTooLong) as caught:
        alice.blocks["task"].replace("short", "much too long for it")
    assert (caught.value.data["size"], caught.value.data["limit"]) == (20, 10)


def test_near_limit_is_true_from_four_fifths(alice: Space) -> None:
    alice.blocks.create("task", "1234567", limit=10)
    assert not alice.blocks["task"].near_limit
    alice.blocks["task"].set("12345678")
    assert alice.blocks["task"].near_limit


def test_a_stale_writer_gets_the_current_value_and_the_diff(alice: Space) -> None:
    human = alice.blocks["human"]
    read = human.set("tea").version
    human.set("coffee")
    with pytest.raises(StaleVersion) as caught:
        human.set("milk", expected=read)
    assert caught.value.data["value"] == "coffee"
    assert "-tea" in caught.value.data["diff"]


def test_writers_at_once_lose_no_line(memory: Reverie, alice: Space) -> None:
    threads = [
        threading.Thread(target=lambda n=n: [alice.blocks["human"].append(f"{n}-{i}.") for i in range(5)])
        for n in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(alice.blocks["human"].value.splitlines()) == sorted(f"{n}-{i}." for n in range(4) for i in range(5))


def test_history_shows_every_version_with_its_diff_and_restore_makes_a_new_one(alice: Space) -> None:
    human = alice.blocks["human"]
    human.set("tea", reason="first")
    human.set("coffee")
    human.restore(2)
    versions = human.history()
    assert [(v.version, v.value) for v in versions] == [(1, ""), (2, "tea"), (3, "coffee"), (4, "tea")]
    assert "+coffee" in versions[2].diff
    assert (versions[1].actor, versions[1].reason) == ("person", "first")
    assert human.diff(2, 3).endswith("-tea\n+coffee")


def test_an_agent_cannot_touch_what_is_read_only_or_protected(alice: Space) -> None:
    alice.blocks.create("rules", "be kind", read_only=True)
    with pytest.raises(NotAllowed):
        alice.blocks["rules"].append("or not")
    with pytest.raises(NotAllowed):
        alice.blocks.as_agent()["persona"].append("I am the king")
    alice.blocks["persona"].append("I am kind")
    assert alice.blocks["persona"].value == "I am kind"


def test_a_block_is_shared_between_spaces_of_one_org(memory: Reverie, alice: Space) -> None:
    bob = memory.space("bob")
    shared = alice.blocks.create("team", "we ship on fridays")
    bob.blocks.attach(shared.id)
    bob.blocks["team"].append("and test on thursdays")
    assert alice.blocks["team"].value.endswith("thursdays")
    bob.blocks.detach(shared.id)
    assert "team" not in bob.blocks


def test_another_orgs_block_cannot_be_attached(memory: Reverie, alice: Space) -> None:
    shared = alice.blocks.create("team", "ours")
    other = memory.in_org("rivals").space("mallory")
    with pytest.raises(NotFound):
        other.blocks.attach(shared.id)


def test_a_label_is_taken_once(alice: Space) -> None:
    with pytest.raises(Conflict):
        alice.blocks.create("human", "again")


def test_a_block_bound_to_a_session_is_seen_only_there(alice: Space) -> None:
    alice.blocks.create("task", "general")
    alice.blocks.create("task", "the report", session="s1")
    assert alice.blocks["task"].value == "general"
    assert alice.blocks.as_agent("s1")["task"].value == "the report"
