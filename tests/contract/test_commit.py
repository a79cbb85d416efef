"""A step's changes, its journal and its checkpoint are written together or not at all."""

from dataclasses import replace

import pytest

from reverie.errors import LeaseLost, NotFound
from reverie.model.answers import Answer
from reverie.model.base import Trust
from reverie.model.blocks import Block, Review
from reverie.model.changes import BlockChange, Changes, Failed, Revision, Vector
from reverie.model.memories import Contradiction, Document, Edge
from reverie.store.commit import journal
from reverie.store.commit.commit import Checkpoint, commit
from reverie.store.db import Database
from reverie.store.forget import forget
from reverie.store.reading import work
from reverie.store.search import documents
from reverie.store.tables import blocks, failures, leases, memories, nights, spaces
from reverie.store.tables.blocks import Writer
from reverie.store.terms import numbered
from tests.conftest import BACKENDS
from tests.support.nights import NOW, Sleeping, fall_asleep, make_space

pytestmark = pytest.mark.parametrize("location", BACKENDS, indirect=True)


@pytest.fixture
def asleep(db: Database) -> Sleeping:
    return fall_asleep(db, make_space(db))


def an_answer(space: str, memory: str) -> Answer:
    rests_on, until = {memory: 1}, NOW + 60
    return Answer(
        "a", space, "What do I drink?", "Tea.", "e", 0.9, 0.9, "facts", (memory,), rests_on, Trust.USER, NOW, until
    )


def count(db: Database, relation: str) -> int:
    return int(db.value(f"SELECT count(*) AS n FROM {relation}"))


def test_a_batch_is_written_with_its_cursor_and_its_counts(asleep: Sleeping) -> None:
    tea = asleep.memory("I like tea")
    applied = asleep.commit(Changes(memories=(tea,), watermark=3, counts={"applied": 1}, cursor="next"))
    assert (applied.written, applied.conflicts, applied.gone) == (2, 0, 0)
    assert memories.by_id(asleep.db, asleep.space, tea.id) == tea
    assert spaces.by_id(asleep.db, asleep.space).watermark == 3
    (step,) = nights.steps(asleep.db, asleep.night.id)
    assert (step.status, step.cursor, step.batches, step.counts) == ("running", "next", 1, {"applied": 1})


def test_memories_made_together_share_an_entry_and_are_told_one_by_one(asleep: Sleeping) -> None:
    made = [asleep.memory(f"I like {what}") for what in ("tea", "milk", "toast", "jam")]
    assert asleep.commit(Changes(memories=tuple(made[:3]), watermark=3)).written == 4
    asleep.commit(Changes(memories=(made[3],), cursor="x"))
    db, night = asleep.db, asleep.night.id
    assert (count(db, "journal"), journal.count(db, night)) == (3, 5)
    told = [(change.n, change.key) for change in journal.of_night(db, night)]
    assert told == [*enumerate(memory.id for memory in made[:3]), (3, asleep.space), (4, made[3].id)]
    for after in range(-1, 5):
        assert [c.n for c in journal.of_night(db, night, after=after, limit=2)] == [*range(after + 1, 5)][:2]
    assert [(change.n, change.before) for change in journal.of_memory(db, asleep.space, made[1].id, 9)] == [(1, None)]


def test_a_forgotten_memory_leaves_the_entry_of_those_made_with_it(asleep: Sleeping) -> None:
    tea, milk = asleep.memory("I like green tea"), asleep.memory("I like oat milk")
    asleep.commit(Changes(memories=(tea, milk)))
    before = journal.state(asleep.db, asleep.night.id)
    forget.forget(asleep.db, asleep.space, memories=[tea.id], now=NOW)
    assert [(change.n, change.key) for change in journal.of_night(asleep.db, asleep.night.id)] == [(1, milk.id)]
    assert journal.state(asleep.db, asleep.night.id) != before
    assert tea.id not in str([tuple(row) for row in asleep.db.rows("SELECT after FROM journal")])
    forget.forget(asleep.db, asleep.space, memories=[milk.id], now=NOW)
    assert count(asleep.db, "journal") == 0


def test_the_last_batch_ends_the_step_and_counts_add_up(asleep: Sleeping) -> None:
    asleep.commit(Changes(counts={"considered": 2}, cursor="more"))
    asleep.commit(Changes(counts={"considered": 3, "applied": 1}, notes=("nothing else",)))
    (step,) = nights.steps(asleep.db, asleep.night.id)
    assert (step.status, step.counts) == ("done", {"considered": 5, "applied": 1})
    told = nights.by_id(asleep.db, asleep.space, asleep.night.id).told
    assert told == {"think": ["nothing else"]}


def test_a_stale_token_writes_nothing(asleep: Sleeping) -> None:
    leases.release(asleep.db, asleep.lease)
    assert leases.acquire(asleep.db, asleep.space, "another", NOW) is not None
    with pytest.raises(LeaseLost):
        asleep.commit(Changes(memories=(asleep.memory("late"),), watermark=9))
    assert count(asleep.db, "memories") == count(asleep.db, "journal") == 0
    assert spaces.by_id(asleep.db, asleep.space).watermark == 0


def test_a_holder_that_woke_after_its_expiry_cannot_commit(asleep: Sleeping) -> None:
    late = NOW + leases.SECONDS + 1
    with pytest.raises(LeaseLost):
        commit(asleep.db, asleep.lease, asleep.night, Checkpoint("think"), Changes(watermark=9), clock=lambda: late)


def test_a_batch_written_twice_is_written_once(asleep: Sleeping) -> None:
    tea = asleep.memory("I like tea")
    batch = Changes(memories=(tea,), edges=(Edge(asleep.space, tea.id, tea.id, "related", 0.5, NOW),), cursor="x")
    asleep.commit(batch)
    entries = count(asleep.db, "journal")
    asleep.commit(batch)
    assert (count(asleep.db, "memories"), count(asleep.db, "edges"), count(asleep.db, "journal")) == (1, 1, entries)


def test_a_memory_changed_since_it_was_read_is_skipped_and_counted(asleep: Sleeping) -> None:
    tea = asleep.memory("I like tea")
    asleep.commit(Changes(memories=(tea,), cursor="x"))
    with asleep.db.write("memory") as tx:
        memories.edit(tx, tea, {"pinned": True})
    applied = asleep.commit(Changes(revisions=(Revision(tea.id, 1, {"stale": True}),)))
    assert applied.conflicts == 1
    assert not memories.by_id(asleep.db, asleep.space, tea.id).stale
    assert nights.steps(asleep.db, asleep.night.id)[0].counts == {"conflicts": 1}


def test_only_what_a_memory_says_moves_its_version(asleep: Sleeping) -> None:
    tea = asleep.memory("I like tea")
    asleep.commit(Changes(memories=(tea,), cursor="x"))
    asleep.commit(Changes(revisions=(Revision(tea.id, 1, {"priority": 0.1, "tier": "warm"}),), cursor="y"))
    kept = memories.by_id(asleep.db, asleep.space, tea.id)
    assert (kept.version, kept.priority, kept.tier) == (1, 0.1, "warm")
    asleep.commit(Changes(revisions=(Revision(tea.id, 1, {"valid_until": NOW, "auto_tags": ("tea",)}),)))
    ended = memories.by_id(asleep.db, asleep.space, tea.id)
    assert (ended.version, ended.valid_until, ended.auto_tags) == (2, NOW, ("tea",))


def test_a_draft_whose_source_was_forgotten_is_dropped_and_counted(asleep: Sleeping) -> None:
    kept, orphan = asleep.memory("I like tea"), asleep.memory("the user likes tea", "mem-forgotten")
    loose = Edge(asleep.space, kept.id, orphan.id, "supports", 0.5, NOW)
    applied = asleep.commit(Changes(memories=(kept, orphan), edges=(loose,), documents=(Document(orphan.id, "tea"),)))
    assert (applied.gone, count(asleep.db, "memories")) == (2, 1)
    assert count(asleep.db, "edges") == count(asleep.db, "documents") == 0


def test_what_a_person_has_forgotten_does_not_come_back(asleep: Sleeping) -> None:
    tea = asleep.memory("I like tea")
    with asleep.db.write("memory") as tx:
        tx.run("INSERT INTO tombstones (space, ref, what, at) VALUES (:s, :r, 'memory', 0)", s=asleep.space, r=tea.id)
    assert asleep.commit(Changes(memories=(tea,))).gone == 1


def test_what_rests_on_an_undone_night_is_held_back_but_turns_are_kept(asleep: Sleeping) -> None:
    said = asleep.memory("I moved to Berlin", kind="episode")
    fact = asleep.memory("The user lives in Berlin", said.id)
    with asleep.db.write("memory") as tx:
        tx.run("INSERT INTO suppressed (space, ref, night) VALUES (:s, :r, 'n')", s=asleep.space, r=said.id)
    asleep.commit(Changes(memories=(said, fact)))
    assert [row["id"] for row in asleep.db.rows("SELECT id FROM memories")] == [said.id]
    assert nights.steps(asleep.db, asleep.night.id)[0].counts == {"suppressed": 1}


def test_a_key_can_be_enriched_without_its_other_fields(asleep: Sleeping) -> None:
    tea = asleep.memory("I like tea")
    asleep.commit(Changes(memories=(tea,), documents=(Document(tea.id, "Anna: I like tea", "monday"),), cursor="x"))
    asleep.commit(Changes(documents=(Document(tea.id, "", extra="drinks"),)))
    row = asleep.db.row("SELECT body, context, extra FROM documents")
    num = spaces.by_id(asleep.db, asleep.space).num
    assert row is not None
    assert numbered(row["body"], num) == [f"{num}_anna", f"{num}_like", f"{num}_tea"]
    assert documents.shown(row) == {"body": "anna like tea", "context": "monday", "extra": "drink"}


def test_caches_learn_of_every_batch_by_the_change_sequence(asleep: Sleeping) -> None:
    tea = asleep.memory("I like tea")
    asleep.commit(Changes(memories=(tea,), vectors=(Vector(tea.id, "e", b"\0" * 8),), cursor="x"))
    asleep.commit(Changes(counts={"considered": 1}, cursor="y"))
    asleep.commit(Changes(gone_documents=(tea.id,)))
    row = asleep.db.row("SELECT vec, changed FROM vectors")
    assert row is not None
    assert (row["vec"], row["changed"], spaces.by_id(asleep.db, asleep.space).changes) == (None, 2, 2)


def test_an_item_that_fails_three_times_is_set_aside(db: Database) -> None:
    space = make_space(db)
    for day in range(3):
        asleep = fall_asleep(db, space, at=NOW + day)
        assert work.set_aside(asleep.reader, "think") == frozenset()
        asleep.commit(Changes(failed=(Failed("mem-bad", "no sense"),)))
    assert work.set_aside(fall_asleep(db, space, at=NOW + 9).reader, "think") == {"mem-bad"}
    assert failures.listed(db, space, aside=True)[0]["error"] == "no sense"


def test_an_item_that_succeeds_at_last_is_no_longer_counted(db: Database) -> None:
    space = make_space(db)
    fall_asleep(db, space).commit(Changes(failed=(Failed("mem-bad", "no sense"),)))
    later = fall_asleep(db, space, at=NOW + 1)
    assert work.failed_before(later.reader, "think") == ["mem-bad"]
    later.commit(Changes(tried=("mem-good",)))
    assert [row["item"] for row in failures.listed(db, space)] == ["mem-bad"], (
        "a step that ends without it says nothing"
    )
    fall_asleep(db, space, at=NOW + 2).commit(Changes(tried=("mem-bad",)))
    assert failures.listed(db, space) == []


@pytest.fixture
def block(asleep: Sleeping) -> Block:
    with asleep.db.write("memory") as tx:
        made = Block("block-1", "default", "human", "Anna.", limit=40)
        return blocks.create(tx, made, Writer("person", "made", NOW), attach_to=asleep.space)


def test_a_block_gets_a_version_and_its_sentences_their_sources(asleep: Sleeping, block: Block) -> None:
    tea = asleep.memory("I like tea")
    waiting = asleep.memory("deferred", block="human")
    change = BlockChange(block.id, 1, "Anna.\nLikes tea.", "promoted", {"Likes tea.": (tea.id,)}, (waiting.id,))
    asleep.commit(Changes(memories=(tea, waiting), blocks=(change,)))
    assert [v.actor for v in blocks.history(asleep.db, block.id)] == ["person", "night"]
    assert blocks.sentence_sources(asleep.db, block.id) == {"Likes tea.": (tea.id,)}
    assert memories.by_id(asleep.db, asleep.space, waiting.id).block is None


@pytest.mark.parametrize(
    ("columns", "value"),
    [({"protected": True}, "Short."), ({"read_only": True}, "Short."), ({}, "x" * 41)],
    ids=["protected", "read_only", "too_long"],
)
def test_a_night_cannot_write_past_a_blocks_guards(
    asleep: Sleeping, block: Block, columns: dict[str, bool], value: str
) -> None:
    with asleep.db.write("memory") as tx:
        blocks.describe(tx, block.id, now=NOW, **columns)
    asleep.commit(Changes(blocks=(BlockChange(block.id, 1, value, "rethought"),)))
    assert blocks.by_id(asleep.db, "default", block.id).value == "Anna."
    assert nights.steps(asleep.db, asleep.night.id)[0].counts == {"refused": 1}


def test_a_stale_block_change_is_a_conflict(asleep: Sleeping, block: Block) -> None:
    assert asleep.commit(Changes(blocks=(BlockChange(block.id, 7, "New.", "rethought"),))).conflicts == 1


def test_a_persons_resolution_stands(asleep: Sleeping) -> None:
    a, b = asleep.memory("lives in Rome"), asleep.memory("lives in Oslo")
    record = Contradiction("c", asleep.space, a.id, b.id, "conflict", "open", None, "both said", None, NOW)
    asleep.commit(Changes(memories=(a, b), contradictions=(record,), cursor="x"))
    with asleep.db.write("memory") as tx:
        tx.run("UPDATE contradictions SET status = 'resolved', winner = :w", w=a.id)
    assert asleep.commit(Changes(contradictions=(replace(record, status="auto", winner=b.id),))).conflicts == 1


def test_an_answer_carries_what_it_rests_on(asleep: Sleeping) -> None:
    tea = asleep.memory("I like tea")
    answer = an_answer(asleep.space, tea.id)
    asleep.commit(Changes(memories=(tea,), answers=(answer,), cursor="x"))
    asleep.commit(Changes(answers=(replace(answer, answer="Green tea.", rests_on={tea.id: 2}),), cursor="y"))
    row = asleep.db.row("SELECT a.answer, r.version FROM answers a JOIN answer_rests r ON r.answer = a.id")
    assert row is not None
    assert (row["answer"], row["version"]) == ("Green tea.", 2)
    asleep.commit(Changes(dropped_answers={"a": "expired"}))
    assert asleep.db.value("SELECT dropped FROM answers") == "expired"


def test_the_journal_holds_only_the_columns_that_moved(asleep: Sleeping) -> None:
    tea, milk = replace(asleep.memory("I like tea"), night=None), asleep.memory("I like milk")
    with asleep.db.write("memory") as tx:
        memories.insert(tx, tea)
    asleep.commit(Changes(memories=(milk,), cursor="x"))
    asleep.commit(Changes(revisions=(Revision(tea.id, 1, {"tier": "warm", "stale": False}),), cursor="y"))
    asleep.commit(Changes(packed={tea.id: b"\x00\xff"}))
    made, tiered, packed = journal.of_night(asleep.db, asleep.night.id)
    assert (made.before, made.after) == (None, {})
    assert (tiered.before, tiered.after) == ({"tier": "hot"}, {"tier": "warm"})
    assert packed.after == {"text": "", "packed": b"\x00\xff"}


def test_what_a_night_keeps_of_its_own_memories_needs_no_journal_but_their_end_does(asleep: Sleeping) -> None:
    tea, milk = asleep.memory("I like tea"), asleep.memory("I like milk")
    edge = Edge(asleep.space, tea.id, milk.id, "related", 1.0, NOW, asleep.night.id, "both are drunk")
    asleep.commit(Changes(memories=(tea, milk), edges=(edge,), cursor="x"))
    moved = {"tier": "warm", "auto_tags": ("tea",)}
    asleep.commit(Changes(revisions=(Revision(tea.id, 1, moved), Revision(milk.id, 1, {"valid_until": 7.0}))))
    assert memories.by_id(asleep.db, asleep.space, tea.id).tier == "warm"
    told = [(change.key, sorted(change.after or ())) for change in journal.of_night(asleep.db, asleep.night.id)]
    assert told == [(tea.id, []), (milk.id, []), (milk.id, ["valid_until", "version"])]


def test_a_memory_that_could_not_be_retired_stays_in_the_index(asleep: Sleeping) -> None:
    tea = asleep.memory("I like tea")
    asleep.commit(Changes(memories=(tea,), documents=(Document(tea.id, "I like tea"),), cursor="x"))
    with asleep.db.write("memory") as tx:
        memories.edit(tx, tea, {"pinned": True})
    asleep.commit(Changes(revisions=(Revision(tea.id, 1, {"stale": True}),), gone_documents=(tea.id,)))
    assert count(asleep.db, "documents") == 1


def test_nothing_is_retired_because_of_an_undone_night(asleep: Sleeping) -> None:
    tea = asleep.memory("I like tea")
    asleep.commit(Changes(memories=(tea,), cursor="x"))
    with asleep.db.write("memory") as tx:
        tx.run("INSERT INTO suppressed (space, ref, night) VALUES (:s, :r, 'n')", s=asleep.space, r=tea.id)
    asleep.commit(Changes(revisions=(Revision(tea.id, 1, {"stale": True}),), sources={tea.id: (tea.id,)}))
    assert not memories.by_id(asleep.db, asleep.space, tea.id).stale
    assert nights.steps(asleep.db, asleep.night.id)[0].counts == {"suppressed": 2}


def test_what_is_gone_is_counted_wherever_it_was_named(asleep: Sleeping) -> None:
    lost = Contradiction("c", asleep.space, "mem-a", "mem-b", "update", "auto", None, "", None, NOW)
    applied = asleep.commit(
        Changes(
            revisions=(Revision("mem-a", 1, {"tier": "warm"}),),
            packed={"mem-a": b"x"},
            unpacked={"mem-b": "text"},
            contradictions=(lost,),
            answers=(an_answer(asleep.space, "mem-a"),),
            dropped_answers={"answer-x": "expired"},
            blocks=(BlockChange("block-x", 1, "New.", "rethought"),),
            mentions=(("Anna", "mem-a"),),
            bands=((11, "mem-a"),),
            keywords={"mem-a": ("tea",)},
            chores=(("mem-a", "read", 0.5),),
            gone_documents=("mem-a",),
        )
    )
    assert (applied.gone, applied.written) == (5, 0)


def test_an_open_contradiction_can_be_resolved_by_a_later_batch(asleep: Sleeping) -> None:
    a, b = asleep.memory("lives in Rome"), asleep.memory("lives in Oslo")
    record = Contradiction("c", asleep.space, a.id, b.id, "conflict", "open", None, "both said", None, NOW)
    asleep.commit(Changes(memories=(a, b), contradictions=(record,), cursor="x"))
    asleep.commit(Changes(contradictions=(replace(record, status="auto", winner=b.id),)))
    assert asleep.db.value("SELECT winner FROM contradictions") == b.id


def test_the_diary_and_chores_are_written_and_done(asleep: Sleeping) -> None:
    tea = asleep.memory("I like tea")
    asleep.commit(Changes(memories=(tea,), chores=((tea.id, "archive", 0.9),), diary="A quiet night.", cursor="x"))
    assert work.chores(asleep.reader, "archive", 9) == [tea.id]
    asleep.commit(Changes(done_chores=((tea.id, "archive"),), diary="A quiet night, told anew."))
    assert work.chores(asleep.reader, "archive", 9) == []
    assert asleep.db.value("SELECT text FROM diary") == "A quiet night, told anew."


def test_a_newer_proposal_for_a_block_takes_the_place_of_the_older(asleep: Sleeping, block: Block) -> None:
    first = Review("r1", asleep.space, "block", block.id, "human", "New.", "", "why", (), "open", 1, NOW)
    asleep.commit(Changes(reviews=(first,), cursor="x"))
    asleep.commit(Changes(reviews=(replace(first, id="r2"),)))
    rows = asleep.db.rows("SELECT id, status FROM reviews ORDER BY id")
    assert [(row["id"], row["status"]) for row in rows] == [("r1", "superseded"), ("r2", "open")]


def test_a_step_that_is_not_planned_cannot_write(asleep: Sleeping) -> None:
    with pytest.raises(NotFound, match="no step"):
        asleep.commit(Changes(memories=(asleep.memory("tea"),)), step="unknown")
    assert count(asleep.db, "memories") == 0


def test_a_space_that_is_gone_takes_nothing(asleep: Sleeping) -> None:
    nowhere = replace(asleep.night, space="space-gone")
    with pytest.raises(NotFound, match="space-gone"):
        commit(asleep.db, asleep.lease, nowhere, Checkpoint("think"), Changes(documents=(Document("mem-a", "tea"),)))


def test_faults_of_models_are_counted_with_the_step(asleep: Sleeping) -> None:
    at = Checkpoint("think", 12.5, {"timeout": 2})
    commit(asleep.db, asleep.lease, asleep.night, at, Changes(), clock=lambda: NOW)
    (step,) = nights.steps(asleep.db, asleep.night.id)
    assert (step.counts, step.duration_ms) == ({"fault_timeout": 2}, 12.5)
