"""What an org can do from Python: spaces with their blocks at once, shared blocks, keys, turns stored together."""

import pytest

from reverie import Reverie
from reverie.errors import BadInput, Conflict, NotFound
from reverie.model.blocks import NewBlock
from reverie.model.spaces import NewSpace, secret_hash
from reverie.model.turns import Draft
from tests.conftest import BACKENDS

pytestmark = pytest.mark.parametrize("location", BACKENDS, indirect=True)


def names(memory: Reverie) -> list[str]:
    return [space.name for space in memory.spaces()]


def test_spaces_are_made_all_or_none(memory: Reverie) -> None:
    with pytest.raises(NotFound):
        memory.create_spaces(NewSpace("alice"), NewSpace("bob", shared=("block-nobody",)))
    with pytest.raises(BadInput):
        memory.create_spaces(NewSpace("alice"), NewSpace("bob", settings={"idle_seconds": "soon"}))
    assert names(memory) == []
    memory.create_spaces(NewSpace("alice"), NewSpace("bob", default_blocks=False))
    assert [len(list(space.blocks)) for space in memory.spaces()] == [3, 0]


def test_a_name_that_is_taken_is_a_conflict_unless_there_is_another(memory: Reverie) -> None:
    alice = memory.space("alice")
    with pytest.raises(Conflict) as refused:
        memory.create_spaces(NewSpace("alice"))
    assert refused.value.data["id"] == alice.id
    (second,) = memory.create_spaces(NewSpace("alice", otherwise="alice 2"))
    assert (second.name, names(memory)) == ("alice 2", ["alice", "alice 2"])


def test_new_spaces_share_a_block_that_both_name(memory: Reverie) -> None:
    team = NewBlock("team", "Ana and Ben", ref="b1")
    alice, bob = memory.create_spaces(*(NewSpace(name, default_blocks=False, blocks=(team,)) for name in ("a", "b")))
    (block,) = memory.blocks
    assert memory.blocks.spaces_of(block.id) == sorted([alice.id, bob.id])
    memory.blocks.change(block.id, value="Ana and Cy", expected=1)
    assert bob.blocks["team"].value == "Ana and Cy"
    assert memory.blocks.restore(block.id, 1).value == "Ana and Ben"
    assert [version.actor for version in memory.blocks.history(block.id)] == ["operator"] * 3


def test_a_change_that_is_refused_changes_nothing(memory: Reverie) -> None:
    alice = memory.space("alice")
    with pytest.raises(NotFound):
        alice.change(name="renamed", metadata={"team": "red"}, block_ids=["block-nobody"])
    assert (names(memory), alice.record.metadata, len(list(alice.blocks))) == (["alice"], {}, 3)
    keep = alice.blocks["human"].read().id
    alice.change(
        name="ada",
        metadata={"was": "alice"},
        private=lambda now: {"was": now.name},
        settings={"idle_seconds": 9.0},
        block_ids=[keep],
    )
    assert alice.record.private == {"was": "alice"}
    assert (alice.name, alice.record.metadata, alice.settings) == ("ada", {"was": "alice"}, {"idle_seconds": 9.0})
    assert [block.label for block in alice.blocks] == ["human"]


def test_turns_of_many_spaces_are_stored_together_or_not_at_all(memory: Reverie) -> None:
    alice, bob = memory.space("alice"), memory.space("bob")
    with pytest.raises(BadInput):
        memory.append_all([(alice, Draft("user", "I like tea")), (bob, Draft("user", " "))])
    assert alice.turns() == []
    stored = memory.append_all([(alice, Draft("user", "I like tea")), (bob, Draft("user", "I like milk", at=7.0))])
    assert [turn.seq for turn in stored] == [1, 1]
    assert bob.turns()[0].at == 7.0
    assert alice.turns()[0].at == pytest.approx(memory.now(), abs=60)


def test_a_key_is_known_by_its_secret_until_it_is_revoked(memory: Reverie) -> None:
    made = memory.keys.create("laptop", "read", space=memory.space("alice").name, days=1)
    found = memory.keys.by_hash(secret_hash(made.secret))
    assert found == made.key
    assert found.space == memory.space("alice").id
    assert (found.live(memory.now()), found.live(memory.now() + 90_000)) == (True, False)
    assert not memory.keys.revoke(found.id).live(memory.now())
    assert not memory.keys.any_live()


def test_the_same_request_is_claimed_once_and_answered_alike(memory: Reverie) -> None:
    replies = memory.replies
    assert replies.claim("k", "POST /x", "digest", give_up=60) is None
    running = replies.claim("k", "POST /x", "digest", give_up=60)
    assert running is not None
    assert running.running
    replies.settle("k", "POST /x", 200, "done")
    again = replies.claim("k", "POST /x", "digest", give_up=60)
    assert again is not None
    assert (again.running, again.status, again.body, again.org) == (False, 200, "done", memory.org)
    assert memory.in_org("rivals").replies.get("k", "POST /x") is None


def test_the_scheduler_says_what_waits(memory: Reverie) -> None:
    alice = memory.space("alice")
    alice.append("user", "I live in Hamburg")
    waiting = memory.scheduler(alice)
    assert (waiting.alive, waiting.spaces, waiting.backlog, dict(waiting.ended)) == (False, 1, 1, {})
    night = alice.sleep()
    slept = memory.scheduler(alice)
    assert (slept.backlog, dict(slept.ended)) == (0, {"done": 1})
    assert memory.find_night(night.id)[0].id == alice.id
    assert alice.changed_rows(night.id) == len(alice.night_diff(night.id))
