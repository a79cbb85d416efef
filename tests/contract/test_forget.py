"""A person's forget leaves no trace, and touches nothing else."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reverie import Reverie
from reverie.errors import BadInput, NotFound, StoreBroken
from reverie.model.memories import Memory
from reverie.model.turns import Turn
from reverie.space import Space
from reverie.store import parts
from reverie.store.db import Database, Side
from reverie.store.forget import forget
from reverie.store.search import documents
from reverie.store.tables import memories
from tests.conftest import BACKENDS
from tests.support.clock import Clock
from tests.support.searching import EMBEDDER

both = pytest.mark.parametrize("location", BACKENDS, indirect=True)
SECRET = "The heron nests behind Willowbrook mill"


def derive(space: Space, kind: Any, text: str, *sources: str) -> Memory:
    """What a night would make of them."""
    made = Memory(f"mem-{kind}-{len(text)}", space.id, kind, text, sources, 1000.0)
    with space.parts.db.write("memory") as tx:
        memories.insert(tx, made)
    return made


@both
def test_what_rests_on_it_alone_goes_with_it(alice: Space) -> None:
    turn = alice.append("user", SECRET)
    fact = derive(alice, "fact", "A heron nests there", turn.id)
    note = derive(alice, "note", "Birds of the mill", fact.id)
    alice.forget(turn.id)
    for verb, id in ((alice.turn, turn.id), (alice.memory, fact.id), (alice.memory, note.id)):
        with pytest.raises(NotFound):
            verb(id)


@both
def test_a_fact_that_others_say_too_stays_and_prose_is_made_anew(alice: Space) -> None:
    one, two = alice.append("user", SECRET), alice.append("user", "again: the heron")
    fact = derive(alice, "fact", "A heron nests there", one.id, two.id)
    note = derive(alice, "note", "Birds of the mill, a note", one.id, two.id)
    alice.forget(one.id)
    assert alice.memory(fact.id).sources == (two.id,)
    with pytest.raises(NotFound):
        alice.memory(note.id)


@both
def test_block_sentences_and_old_versions_lose_it(alice: Space) -> None:
    turn = alice.append("user", SECRET)
    human = alice.blocks["human"]
    human.set(f"Likes tea.\n{SECRET}.")
    alice.forget(turn.id)
    assert human.value == "Likes tea."
    assert all("heron" not in version.value for version in human.history())


@both
def test_forget_by_words_session_person_and_all(alice: Space) -> None:
    alice.append("user", "I like herons", session="a")
    alice.append("user", "I like tea", session="b")
    alice.append("user", "hello", session="c", speaker="Tom")
    alice.append("user", "bye", session="d")
    assert len(alice.forget(query="HERONS like", dry_run=True).turns) == 1
    alice.forget(query="herons")
    alice.forget(session="b")
    alice.forget(person="tom")
    assert [turn.text for turn in alice.turns()] == ["bye"]
    alice.forget(everything=True)
    assert alice.turns() == []


@both
def test_another_spaces_memory_is_never_touched(memory: Reverie, alice: Space) -> None:
    bobs = memory.space("bob").append("user", SECRET)
    alice.append("user", SECRET)
    with pytest.raises(NotFound):
        alice.forget(bobs.id)
    alice.forget(everything=True)
    assert memory.space("bob").turn(bobs.id).text == SECRET


@both
def test_forget_needs_to_know_exactly_what(alice: Space) -> None:
    with pytest.raises(BadInput):
        alice.forget()
    with pytest.raises(BadInput):
        alice.forget("turn-1", query="x")


def test_no_byte_of_it_is_left_in_the_files(location: str, memory: Reverie, alice: Space) -> None:
    turn = alice.append("user", SECRET)
    alice.remember(SECRET)
    alice.forget(query="heron")
    memory.close()
    for file in Path(location).glob("*.db"):
        with sqlite3.connect(file) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
    left = [path.name for path in Path(location).iterdir() if b"illowbrook" in path.read_bytes()]
    assert (left, turn.redacted) == ([], 0)


def test_a_forget_that_was_cut_off_is_finished_at_the_next_open(location: str, memory: Reverie, alice: Space) -> None:
    turn = alice.append("user", SECRET)
    with alice.parts.db.write("memory") as tx:
        tx.run("INSERT INTO tombstones (space, ref, what, at) VALUES (:s, :r, 'turn', 1)", s=alice.id, r=turn.id)
    with Reverie.open(location, embedder="none", durable=False) as again:
        found: list[Turn] = again.space("alice").turns()
    assert found == []


@both
def test_turns_leave_the_log_a_few_at_a_time_and_the_rest_at_the_next_open(
    alice: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(5):
        alice.append("user", f"{SECRET}, part {n}")
    db, write, writes = alice.parts.db, Database.write, iter(range(9))

    def cut_off(self: Database, side: Side, **more: Any) -> Any:
        if side == "log" and next(writes) == 1:
            raise StoreBroken("the disk is full")
        return write(self, side, **more)

    monkeypatch.setattr(parts, "MOST", 2)
    with monkeypatch.context() as broken:
        broken.setattr(Database, "write", cut_off)
        with pytest.raises(StoreBroken):
            alice.forget(everything=True)
    assert len(alice.turns()) == 3
    forget.finish(db, 0.0)
    assert alice.turns() == []


@both
def test_a_block_says_it_no_longer_however_it_was_capitalized(alice: Space) -> None:
    turn = alice.append("user", SECRET.lower())
    alice.blocks["human"].set(f"Likes tea.\n{SECRET}.")
    alice.forget(turn.id)
    assert alice.blocks["human"].value == "Likes tea."
    assert not any(SECRET in version.value for version in alice.blocks["human"].history())


@both
def test_a_turn_takes_its_vector_with_it(location: str, opened: Callable[[Any], Any]) -> None:
    space = opened(Reverie.open(location, embedder=EMBEDDER, durable=False)).space("alice")
    turn = space.append("user", SECRET)
    assert space.embed() == 1
    space.forget(turn.id)
    assert space.parts.db.value("SELECT count(*) AS n FROM vectors WHERE vec IS NOT NULL") == 0


@both
def test_a_long_text_goes_as_a_short_one_does(alice: Space) -> None:
    kept = alice.remember(f"{SECRET}. " + "All of it is written down here. " * 2_000)
    alice.forget(kept.id)
    with pytest.raises(NotFound):
        alice.memory(kept.id)


@both
@pytest.mark.parametrize("query", ["Müller", "muller", "MÜLLER isn't"])
def test_words_are_found_whatever_their_case_and_accents(alice: Space, query: str) -> None:
    turn = alice.append("user", "Frau MÜLLER isn't at home.")
    kept = alice.remember("I met Frau Müller, and it isn't a secret.")
    meant = alice.forget(query=query, dry_run=True)
    assert (meant.turns, meant.memories) == ((turn.id,), (kept.id,))


@both
def test_a_percent_sign_is_no_wildcard(alice: Space) -> None:
    human = alice.blocks["human"]
    human.set("Likes tea, and gives all of it.")
    alice.forget(alice.append("user", "%%%% gives % of it").id)
    assert human.value == "Likes tea, and gives all of it."


@both
def test_an_episode_is_the_turn_itself(alice: Space) -> None:
    """Its id is what `recall` shows: nobody means that the log should go on saying it."""
    turn = alice.append("user", "I live in Willowbrook.")
    alice.nap()
    episode = next(memory for memory in alice.all() if memory.kind == "episode")
    assert alice.forget(episode.id, dry_run=True).turns == (turn.id,)
    alice.forget(episode.id)
    assert (alice.all(), alice.turns()) == ([], [])


@both
def test_what_a_forgotten_memory_had_ended_holds_again(location: str, opened: Callable[[Any], Any]) -> None:
    clock = Clock()
    alice = opened(Reverie.open(location, embedder="none", durable=False, clock=clock)).space("alice")
    alice.append("user", "I live in Lisbon.")
    clock.now += 3 * 86_400
    alice.nap()
    moved = alice.append("user", "I moved to Oslo.")
    clock.now += 60
    last = alice.nap()
    ended = {memory.text for memory in alice.all() if memory.valid_until is not None}
    assert ended == {"I live in Lisbon.", 'The user, 9 November 2026: "I live in Lisbon."'}
    assert alice.forget(moved.id).counts["memories that hold again"] == 1
    assert [memory.text for memory in alice.all() if memory.valid_until is not None] == []
    alice.undo(last.id)  # what it ended is no longer its to take back
    assert {memory.text for memory in alice.all()} == ended


@both
def test_a_quote_in_a_text_hides_no_trace_of_it(alice: Space) -> None:
    turn = alice.append("user", 'They call it "the heron\nhouse" at Willowbrook.')
    with alice.parts.db.write("memory") as tx:
        tx.run(
            "INSERT INTO ledger (id, space, step, regime, role, model, prompt_hash, status, at, response)"
            " VALUES ('l', :space, 's', 'asleep', 'sleep', 'm', 'h', 'done', 0, :response)",
            space=alice.id,
            response=json.dumps({"read": alice.turn(turn.id).text}),
        )
    assert alice.forget(turn.id).counts["model responses"] == 1


def _talk(space: Space, *, secret: bool) -> str:
    """A talk with or without the secret in its middle; answers the secret's turn."""
    for text in ("Good morning", "How is the garden?"):
        space.append("user", text, "talk", speaker="Ann")
    said = space.append("user", f"Where is it? {SECRET}", "talk", speaker="Tom").id if secret else ""
    for text in ("Thanks for telling me", "Lunch at noon", "Soup again", "Good night"):
        space.append("user", text, "talk", speaker="Ann")
    return said


@both
def test_what_stood_around_it_no_longer_holds_its_words(location: str, opened: Callable[[Any], Any]) -> None:
    space = opened(Reverie.open(location, embedder="none", durable=False)).space("alice")
    said = _talk(space, secret=True)
    night = space.sleep()
    assert space.recall("heron Willowbrook")
    space.forget(said)
    assert space.recall("heron Willowbrook") == []
    columns = {"documents": "body || context || extra", "journal": "coalesce(before, '') || coalesce(after, '')"}
    for relation, held in columns.items():
        assert space.parts.db.value(f"SELECT count(*) AS n FROM {relation} WHERE {held} LIKE '%willowbrook%'") == 0
    space.undo(night.id)
    assert space.recall("heron Willowbrook") == []


@both
def test_vectors_around_it_are_made_anew_without_it(location: str, opened: Callable[[Any], Any]) -> None:
    memory = opened(Reverie.open(location, embedder=EMBEDDER, durable=False))
    alice, never = memory.space("alice"), memory.space("never")
    said = _talk(alice, secret=True)
    _talk(never, secret=False)
    for space in (alice, never):
        space.sleep()
    alice.forget(said)
    alice.sleep()
    texts = "SELECT m.text AS text, v.vec AS vec FROM memories m JOIN vectors v ON v.ref = m.id WHERE m.space = :space"
    held = [
        {row["text"]: bytes(row["vec"]) for row in memory.parts.db.rows(texts, space=space.id) if row["vec"]}
        for space in (alice, never)
    ]
    assert held[0] == held[1]
    assert len(held[0]) == 6


def test_a_very_long_turn_leaves_its_neighbours_keys(location: str, memory: Reverie, alice: Space) -> None:
    alice.append("user", "Before it", "talk")
    said = alice.append("user", f"{SECRET}. " + "Chapter of a long book about boats. " * 2_000, "talk")
    alice.append("user", "Swans swim there", "talk")
    alice.sleep()
    alice.forget(said.id)
    held = [documents.shown(row) for row in memory.parts.db.rows("SELECT body, context, extra FROM documents")]
    assert len(held) == 2
    assert "boat" not in str(held)
    assert [hit.text for hit in alice.recall("swans")] == ["Swans swim there"]


@both
def test_what_a_later_fact_shows_of_it_goes_too(alice: Space) -> None:
    said = alice.append("user", "My mother Zelda is in the clinic since Monday.", "talk")
    alice.append("assistant", "I'm sorry. Anything new?", "talk")
    alice.append("user", "She is allergic to penicillin, they nearly gave it to her in 2019.", "talk")
    alice.sleep()
    shown = [memory.text for memory in alice.all(limit=50) if memory.kind == "fact"]
    assert any("Zelda" in text and "penicillin" in text for text in shown)
    assert any("penicillin" in text for text in alice.forget(said.id, dry_run=True).texts.values())
    alice.forget(said.id)
    left = [memory.text for memory in alice.all(limit=50)] + [block.value for block in alice.blocks]
    assert not [text for text in left if "Zelda" in text]
    assert any("penicillin" in text for text in left)  # its own turn stays, and is found


def test_no_byte_is_left_after_nights_have_read_it(location: str, memory: Reverie, alice: Space) -> None:
    said = _talk(alice, secret=True)
    alice.sleep()
    alice.forget(said)
    left = [path.name for path in Path(location).iterdir() if path.is_file() and b"illowbrook" in path.read_bytes()]
    assert left == []
    terms = [documents.shown(row) for row in memory.parts.db.rows("SELECT body, context, extra FROM documents")]
    assert "illowbrook" not in str(terms)  # they are packed in the file


@both
def test_a_fact_that_shows_how_somebody_was_first_named_goes_with_those_words(alice: Space) -> None:
    first = alice.append("user", "The physio is a young man, Kasimir", session="one")
    later = alice.append("user", "kasimir changed to Fridays", session="two")
    marks = {"quote": "kasimir changed to Fridays", "introduced": '5 May 2026: "The physio is a young man, Kasimir"'}
    text = 'The user: "kasimir changed to Fridays" (earlier, 5 May 2026: "The physio is a young man, Kasimir")'
    made = Memory("mem-introduced", alice.id, "fact", text, (later.id,), 1000.0, marks=marks, session="two")
    with alice.parts.db.write("memory") as tx:
        memories.insert(tx, made)
    alice.forget(first.id)
    with pytest.raises(NotFound):
        alice.memory(made.id)
    assert alice.turn(later.id).text == "kasimir changed to Fridays"
