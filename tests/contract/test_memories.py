"""Memories by hand: remembered, corrected, filtered, pinned, tagged."""

from collections.abc import Callable
from typing import Any

import pytest

from reverie import Filter, Reverie
from reverie.errors import AmbiguousId, BadInput, NotFound
from reverie.model.base import short_id
from reverie.model.memories import Memory
from reverie.space import Space
from reverie.store.tables import spaces
from tests.conftest import BACKENDS

pytestmark = pytest.mark.parametrize("location", BACKENDS, indirect=True)


def test_what_is_remembered_comes_back_whole(alice: Space) -> None:
    kept = alice.remember("The door code is on the fridge", tags=("home",), metadata={"room": "kitchen"}, at=1000.0)
    found = alice.memory(kept.id)
    assert found == kept
    assert (found.kind, found.sources, found.asked, found.said_at) == ("episode", (kept.id,), True, 1000.0)


def test_an_importers_id_stores_once(alice: Space) -> None:
    alice.remember("one", id="mem-x")
    alice.remember("one", id="mem-x")
    assert alice.count() == {"episode": 1}


def test_a_correction_wins_and_the_old_one_stays_superseded(alice: Space) -> None:
    wrong = alice.remember("I live in Lisbon")
    right = alice.correct(wrong.id, "I live in Porto")
    old = alice.memory(wrong.id)
    assert (right.correction, right.confidence, right.sources[1]) == (True, 1.0, wrong.id)
    assert old.valid_until is not None
    assert old.stale
    assert [(e.a, e.b, e.relation) for e in alice.links(wrong.id)] == [(right.id, wrong.id, "supersedes")]


@pytest.mark.parametrize("value", [float("nan"), [float("-inf")], {"deep": float("inf")}, object()])
def test_metadata_that_would_not_come_back_is_refused_wherever_it_is_given(
    alice: Space, memory: Reverie, value: Any
) -> None:
    kept = alice.remember("The heron nests at the mill", metadata={"x": 1.5})
    giving: list[Callable[[], object]] = [
        lambda: alice.remember("The mill is old", metadata={"x": value}),
        lambda: alice.set_metadata(kept.id, x=value),
        lambda: alice.append("user", "hello", metadata={"x": value}),
        lambda: alice.append("user", "hello", key="k", metadata={"x": value}),
        lambda: alice.blocks.create("task", "mend the mill", metadata={"x": value}),
        lambda: alice.blocks["human"].describe(metadata={"x": value}),
        lambda: memory.create_space("bob", metadata={"x": value}),
        lambda: spaces.update(memory.parts.db, alice.id, metadata={"x": value}),
    ]
    for give in giving:
        with pytest.raises(BadInput, match="metadata"):
            give()
    assert [memory.metadata for memory in alice.all()] == [{"x": 1.5}]
    assert (alice.turns(), memory.has_space("bob")) == ([], False)


TWO = "I have a dog named Rex. And I am allergic to peanuts."


def told(alice: Space) -> dict[str, Memory]:
    for text in ("I live in Lisbon.", "I work at Acme as a nurse.", TWO):
        alice.append("user", text)
    alice.sleep()
    return {memory.quote or memory.text: memory for memory in alice.all() if memory.kind != "episode"}


def episode(alice: Space, text: str) -> Memory:
    return next(memory for memory in alice.all() if memory.kind == "episode" and memory.text == text)


@pytest.mark.parametrize("named", ["fact", "episode"])
def test_what_rested_on_a_mistake_ends_with_it_at_once(alice: Space, named: str) -> None:
    known = told(alice)
    about = next(memory for memory in known.values() if memory.kind == "profile")
    assert "Lisbon" in about.text
    fact, said = known["I live in Lisbon."], episode(alice, "I live in Lisbon.")
    with alice._db.write("memory") as tx:
        human = alice.blocks["human"]
        human.set('- 9 November 2026: "I live in Lisbon."\nMine.')
        tx.run(
            "INSERT INTO block_sentences (block, sentence, source) VALUES (:block, :sentence, :source)",
            block=human.read().id,
            sentence='- 9 November 2026: "I live in Lisbon."',
            source=fact.id,
        )
    alice.correct({"fact": fact, "episode": said}[named].id, "I live in Porto.")
    assert alice.memory(about.id).stale
    assert alice.memory(said.id).valid_until is not None
    assert alice.memory(fact.id).valid_until is not None
    assert alice.blocks["human"].value == "I live in Porto.\nMine."
    shown = [(hit.text, hit.flags) for hit in alice.recall("Where does the user live?")]
    assert [flags for text, flags in shown if text == "I live in Lisbon."] in ([], [("superseded",)])
    assert ("I live in Porto.", ()) in shown


def test_a_sentence_that_says_more_than_the_mistake_stays(alice: Space) -> None:
    """The turn is one quote: what corrects a part of it leaves the rest standing, as a fact and in core."""
    alice.correct(told(alice)[TWO].id, "I have a dog named Max.")
    assert episode(alice, TWO).valid_until is None
    first = alice.recall("What am I allergic to?")[0]
    assert (first.quote, first.flags) == ("And I am allergic to peanuts.", ())
    alice.sleep()
    core = "\n".join(block.value for block in alice.blocks)
    assert "peanuts" in core
    assert "Max" in core
    assert "Rex" not in core


def test_a_correction_is_a_fact_like_any_other(alice: Space) -> None:
    right = alice.correct(told(alice)["I live in Lisbon."].id, "I live in Porto.")
    assert (right.subject, right.predicate, right.value) == ("user", "lives_in", "Porto")
    alice.sleep()
    assert [
        memory.text
        for memory in alice.all()
        if memory.kind == "profile" and not memory.stale and "Porto" in memory.text
    ]


def test_filters_on_metadata_tags_kind_and_time(alice: Space) -> None:
    a = alice.remember("a", tags=("x", "y"), metadata={"p": 1}, at=100.0)
    b = alice.remember("b", tags=("x",), metadata={"p": 2}, at=200.0)

    def ids(**filter: Any) -> list[str]:
        return [memory.id for memory in alice.all(Filter(**filter))]

    assert ids() == [a.id, b.id]
    assert ids(tags=("x", "y")) == [a.id]
    assert ids(metadata={"p": 2}) == [b.id]
    assert ids(kinds=("fact",)) == []
    assert ids(after=150.0) == [b.id]
    assert ids(before=150.0) == [a.id]


def test_lists_are_paged_to_the_end(alice: Space) -> None:
    made = [alice.remember(str(n)).id for n in range(5)]
    first = alice.all(limit=2)
    rest = alice.all(limit=10, after=first[-1].id)
    assert [m.id for m in (*first, *rest)] == made


def test_pin_and_tags_are_set_and_taken_back(alice: Space) -> None:
    kept = alice.remember("a")
    alice.pin(kept.id)
    alice.tag(kept.id, "Home", "tea")
    alice.untag(kept.id, "tea")
    found = alice.memory(kept.id)
    assert (found.pinned, found.manual_tags) == (True, ("home",))
    assert not alice.unpin(kept.id).pinned


def test_an_empty_text_is_refused(alice: Space) -> None:
    with pytest.raises(BadInput):
        alice.remember("  ")


def test_one_space_never_sees_anothers_memory(memory: Reverie, alice: Space) -> None:
    kept = alice.remember("mine")
    bob = memory.space("bob")
    for verb in (bob.memory, bob.pin, bob.links):
        with pytest.raises(NotFound):
            verb(kept.id)
    with pytest.raises(NotFound):
        bob.correct(kept.id, "stolen")
    assert bob.all() == []


def test_the_six_characters_that_a_context_shows_name_a_memory_in_every_verb(alice: Space) -> None:
    tea = alice.remember("I like green tea", id="mem-abc123ff")
    alice.remember("I like cake", id="mem-abd123ff")
    turn = alice.append("user", "I moved to Kiel", "one").id
    short = short_id(tea.id)
    assert f"[{short}]" in alice.context("green tea").text
    assert (alice.memory(short).id, alice.explain(short).memory.id, alice.pin(short).id) == (tea.id, tea.id, tea.id)
    assert (alice.named(short_id(turn)).id, alice.turn(short_id(turn)).id) == (turn, turn)
    assert alice.correct(short, "I like black tea").sources[1] == tea.id
    assert tea.id in alice.forget(short).memories


def test_a_short_id_of_two_memories_is_an_error_that_names_both(alice: Space) -> None:
    for end in ("1", "2"):
        alice.remember(f"tea {end}", id=f"mem-abc123{end}")
    with pytest.raises(AmbiguousId, match="mem-abc1231, mem-abc1232") as raised:
        alice.explain("abc123")
    assert raised.value.data["ids"] == ["mem-abc1231", "mem-abc1232"]


def test_an_id_of_six_characters_is_itself_before_it_is_short_for_another(alice: Space) -> None:
    alice.remember("tea", id="abc123")
    alice.remember("cake", id="mem-abc123ff")
    assert alice.memory("abc123").text == "tea"


def test_a_turn_is_explained_by_its_episode_once_a_night_has_read_it(alice: Space) -> None:
    turn = alice.append("user", "I moved to Kiel in May", "one").id
    with pytest.raises(NotFound):
        alice.explain(turn)
    alice.sleep()
    assert alice.explain(short_id(turn)).memory.text == "I moved to Kiel in May"


def test_of_what_one_night_has_made_the_newest_was_said_last_and_pages_go_on_where_one_ended(alice: Space) -> None:
    towns = ("Porto", "Lisbon", "Faro", "Braga", "Evora")
    for day, town in enumerate(towns):
        alice.append("user", f"My office is now in {town}.", f"s{day}", at=1_000_000.0 + 86_400 * day)
    alice.sleep()
    kinds = Filter(kinds=("episode",), include_stale=True)
    whole = alice.all(kinds, newest_first=True)
    assert [memory.text for memory in whole] == [f"My office is now in {town}." for town in reversed(towns)]
    pages = [alice.all(kinds, newest_first=True, limit=2)]
    while pages[-1]:
        pages.append(alice.all(kinds, newest_first=True, limit=2, after=pages[-1][-1].id))
    assert [memory.id for page in pages for memory in page] == [memory.id for memory in whole]
    assert {memory.id for memory in alice.all(kinds)} == {memory.id for memory in whole}
