"""Undo restores what a night changed, byte for byte, and names what rests on it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from reverie.errors import Conflict, NotFound, RestsOn, StoreBroken
from reverie.model.answers import Answer
from reverie.model.base import Trust
from reverie.model.blocks import Block, Review
from reverie.model.changes import BlockChange, Changes, Revision, Vector
from reverie.model.memories import Contradiction, Document, Edge, Memory
from reverie.model.night import Change
from reverie.store.db import Database
from reverie.store.forget.forget import forget
from reverie.store.reading import work
from reverie.store.rows import by_name
from reverie.store.tables import blocks, leases, memories, nights, reviews, spaces
from reverie.store.tables.blocks import Writer
from reverie.store.undo import undo as undoing
from reverie.store.undo.rows import UndoTransaction, take_back
from reverie.store.undo.undo import redo, refusal, undo
from tests.conftest import BACKENDS
from tests.support.nights import NOW, Sleeping, fall_asleep, make_space

pytestmark = pytest.mark.parametrize("location", BACKENDS, indirect=True)

CONTENT = {
    "memories": "id", "sources": "memory, source", "edges": "a, b, relation", "contradictions": "id",
    "blocks": "id", "block_sentences": "block, sentence, source", "answers": "id", "answer_rests": "answer, ref",
    "documents": "ref", "name_postings": "name, memory", "reviews": "id",
}  # fmt: skip
MARKS = {"version", "changed", "updated_at", "row", "words"}  # grow with every write, whoever makes it


def content(db: Database) -> dict[str, list[dict[str, Any]]]:
    return {
        relation: [
            {name: _plain(value) for name, value in by_name(row).items() if name not in MARKS}
            for row in db.rows(f"SELECT * FROM {relation} ORDER BY {order}")
        ]
        for relation, order in CONTENT.items()
    }


def _plain(value: Any) -> Any:
    return bytes(value) if isinstance(value, memoryview) else value


def put_to_sleep(asleep: Sleeping) -> None:
    leases.release(asleep.db, asleep.lease)
    with asleep.db.write("memory") as tx:
        nights.update(tx, asleep.night.id, status="done")


@pytest.fixture
def space(db: Database) -> str:
    return make_space(db)


@pytest.fixture
def dream(db: Database, space: str) -> Callable[..., Sleeping]:
    """One whole night with the given changes; each is a day later than the one before."""
    days = iter(range(100))

    def sleep(*batches: Changes | Callable[[Sleeping], Changes]) -> Sleeping:
        asleep = fall_asleep(db, space, at=NOW + 86_400 * next(days))
        for i, batch in enumerate(batches):
            changes = batch if isinstance(batch, Changes) else batch(asleep)
            asleep.commit(replace(changes, cursor=None if i == len(batches) - 1 else str(i)))
        put_to_sleep(asleep)
        return asleep

    return sleep


def answer(space: str, tea: Memory, **fields: Any) -> Answer:
    made = Answer("answer-1", space, "What do I drink?", "Tea.", "e", 0.9, 0.9, "facts", (tea.id,), {tea.id: 1},
                  Trust.USER, NOW, NOW + 60, vec=b"\x01\x02")  # fmt: skip
    return replace(made, **fields)


class Killed(BaseException):
    """What a kill between two transactions looks like from inside."""


def undo_in_pieces(db: Database, space: str, night: str, now: float) -> dict[str, int]:
    """Killed after every single row, and taken up again by whoever comes next."""

    def killed(_: float) -> None:
        raise Killed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(undoing, "PART", 1)
        patch.setattr("reverie.store.undo.undo.time.sleep", killed)
        for _ in range(200):
            try:
                return undo(db, space, night, now)
            except Killed:
                assert nights.by_id(db, space, night).status == "undoing"
                assert [n.id for n in nights.unfinished(db, space)] == [night]
    raise AssertionError("it goes on and on")


@pytest.mark.parametrize("undone", [undo, undo_in_pieces])
def test_a_night_that_touched_everything_leaves_no_trace(
    db: Database, space: str, dream: Callable[..., Sleeping], undone: Callable[..., dict[str, int]]
) -> None:
    with db.write("memory") as tx:
        made = Block("block-1", "default", "human", "Anna.\nOld.")
        block = blocks.create(tx, made, Writer("person", "made", NOW), attach_to=space)
    first = dream(lambda asleep: Changes(memories=tuple(map(asleep.memory, ("tea", "Rome", "Oslo")))))
    tea, rome, oslo = map(first.memory, ("tea", "Rome", "Oslo"))
    dream(
        Changes(
            documents=(Document(tea.id, "tea", "monday"), Document(rome.id, "Rome")),
            vectors=(Vector(rome.id, "e", b"\0\0\0\0"),),
            edges=(Edge(space, tea.id, rome.id, "related", 0.5, NOW),),
            answers=(answer(space, tea),),
            blocks=(BlockChange(block.id, 1, "Anna.\nOld.\nTea.", "promoted", {"Tea.": (tea.id,), "Old.": (tea.id,)}),),
            mentions=(("Anna", tea.id),),
        )
    )
    before = content(db)
    vec = db.value("SELECT vec FROM vectors WHERE ref = :r", r=rome.id)
    night = dream(
        lambda asleep: Changes(
            memories=(asleep.memory("The user drinks tea", tea.id),),
            revisions=(Revision(rome.id, 1, {"valid_until": NOW, "stale": True, "tier": "warm"}),),
            sources={tea.id: (oslo.id,)},
            documents=(Document(tea.id, "", extra="drinks"),),
            gone_documents=(rome.id,),
            mentions=(("Tom", oslo.id),),
            contradictions=(
                Contradiction("c", space, rome.id, oslo.id, "update", "auto", oslo.id, "moved", None, NOW),
            ),
            watermark=5,
        ),
        Changes(
            edges=(
                Edge(space, tea.id, oslo.id, "related", 0.4, NOW),
                Edge(space, tea.id, rome.id, "related", 0.9, NOW),
            ),
            revisions=(Revision(rome.id, 2, {"valid_until": NOW + 1}),),
            packed={tea.id: b"\x00\xff"},
            blocks=(BlockChange(block.id, 2, "Anna.\nLikes tea.", "rethought", {"Likes tea.": (tea.id,)}),),
        ),
        Changes(
            gone_edges=((tea.id, rome.id, "related"),),
            answers=(answer(space, tea, answer="Green tea.", rests_on={oslo.id: 1}, vec=b"\x03"),),
            dropped_answers={"answer-1": "expired"},
        ),
    )
    assert content(db) != before
    told = nights.by_id(db, space, night.night.id).counts
    counts = undone(db, space, night.night.id, NOW)
    assert content(db) == before
    assert nights.by_id(db, space, night.night.id).counts == told
    assert counts["blocks"] == 1
    assert counts["memories"] == 3  # one taken out, two put right
    assert db.value("SELECT vec FROM vectors WHERE ref = :r", r=rome.id) == vec
    assert spaces.by_id(db, space).watermark == 0
    assert [v.reason for v in blocks.history(db, block.id)][-1] == f"undo of {night.night.id}"
    assert nights.by_id(db, space, night.night.id).status == "undone"


def test_an_answer_that_rested_on_what_was_put_right_holds_again(
    db: Database, space: str, dream: Callable[..., Sleeping]
) -> None:
    tea = dream(lambda asleep: Changes(memories=(asleep.memory("tea"),))).memory("tea")
    dream(Changes(answers=(answer(space, tea),)))
    wrong = dream(Changes(revisions=(Revision(tea.id, 1, {"stale": True}),)))
    assert memories.by_id(db, space, tea.id).version == 2
    undo(db, space, wrong.night.id, NOW)
    rests = db.value("SELECT version FROM answer_rests")
    assert memories.by_id(db, space, tea.id).version == rests == 3


def test_a_night_that_a_later_one_rests_on_is_named(db: Database, space: str, dream: Callable[..., Sleeping]) -> None:
    first = dream(lambda asleep: Changes(memories=(asleep.memory("tea"),)))
    tea = first.memory("tea")
    second = dream(lambda asleep: Changes(memories=(asleep.memory("drinks tea", tea.id),)))
    before = content(db)
    with pytest.raises(RestsOn) as refused:
        undo(db, space, first.night.id, NOW)
    assert refused.value.data["nights"] == [second.night.id]
    said = refusal(db, space, first.night.id)
    assert said is not None
    assert said.data["nights"] == [second.night.id]
    assert refusal(db, space, second.night.id) is None
    assert content(db) == before
    undo(db, space, second.night.id, NOW)
    undo(db, space, first.night.id, NOW)
    assert memories.count(db, space) == {}


def test_a_block_that_a_later_night_rewrote_stops_the_undo(
    db: Database, space: str, dream: Callable[..., Sleeping]
) -> None:
    with db.write("memory") as tx:
        made = Block("block-1", "default", "human", "Anna.")
        blocks.create(tx, made, Writer("person", "made", NOW), attach_to=space)
    first = dream(Changes(blocks=(BlockChange("block-1", 1, "Anna. One.", "one"),)))
    second = dream(Changes(blocks=(BlockChange("block-1", 2, "Anna. Two.", "two"),)))
    with pytest.raises(RestsOn, match=second.night.id):
        undo(db, space, first.night.id, NOW)
    with db.write("memory") as tx:
        blocks.write(tx, "block-1", lambda _: "Mine.", Writer("person", "edited", NOW))
    with pytest.raises(RestsOn, match="by a person"):
        undo(db, space, second.night.id, NOW)


def test_sentences_and_contradictions_of_later_nights_rest_on_it(
    db: Database, space: str, dream: Callable[..., Sleeping]
) -> None:
    with db.write("memory") as tx:
        blocks.create(tx, Block("block-1", "default", "human", ""), Writer("person", "made", NOW), attach_to=space)
    first = dream(lambda asleep: Changes(memories=tuple(map(asleep.memory, ("tea", "Rome")))))
    tea, rome = first.memory("tea"), first.memory("Rome")
    wrote = dream(Changes(blocks=(BlockChange("block-1", 1, "Tea.", "promoted", {"Tea.": (tea.id,)}),)))
    record = Contradiction("c", space, rome.id, rome.id, "conflict", "open", None, "", None, NOW)
    weighed = dream(lambda asleep: Changes(contradictions=(replace(record, night=asleep.night.id),)))
    with pytest.raises(RestsOn) as refused:
        undo(db, space, first.night.id, NOW)
    assert set(refused.value.data["nights"]) == {wrote.night.id, weighed.night.id}


def test_a_review_that_a_person_decided_is_kept(db: Database, space: str, dream: Callable[..., Sleeping]) -> None:
    made = Review("r1", space, "quarantine", "mem-x", "web", "text", "", "why", (), "open", 1, NOW)
    night = dream(Changes(reviews=(made, replace(made, id="r2"))))
    with db.write("memory") as tx:
        reviews.decide(tx, space, "r1", status="rejected", by="person", now=NOW)
    undo(db, space, night.night.id, NOW)
    assert [review.id for review in reviews.listed(db, space)] == ["r1"]


def test_an_answer_of_the_night_goes_and_a_later_one_is_dropped(
    db: Database, space: str, dream: Callable[..., Sleeping]
) -> None:
    first = dream(lambda asleep: Changes(memories=(asleep.memory("tea"),)))
    tea = first.memory("tea")
    second = dream(Changes(answers=(answer(space, tea),)))
    dream(Changes(answers=(answer(space, tea, id="answer-2"),)))
    undo(db, space, second.night.id, NOW)
    undo(db, space, first.night.id, NOW)
    rows = db.rows("SELECT id, dropped FROM answers")
    assert [(row["id"], row["dropped"]) for row in rows] == [("answer-2", "what it rests on was undone")]


def test_only_an_undone_night_can_be_redone(db: Database, space: str, dream: Callable[..., Sleeping]) -> None:
    night = dream(lambda asleep: Changes(memories=(asleep.memory("tea"),)))
    with pytest.raises(NotFound, match="undone night"):
        redo(db, space, night.night.id, NOW)


def test_scores_of_later_nights_stand_and_can_be_undone_after(
    db: Database, space: str, dream: Callable[..., Sleeping]
) -> None:
    tea = dream(lambda asleep: Changes(memories=(asleep.memory("tea"),))).memory("tea")
    first = dream(Changes(revisions=(Revision(tea.id, 1, {"priority": 0.4, "decay": 0.1}),)))
    second = dream(Changes(revisions=(Revision(tea.id, 1, {"priority": 0.3}),)))
    undo(db, space, first.night.id, NOW)
    kept = memories.by_id(db, space, tea.id)
    assert (kept.priority, kept.decay) == (0.3, 0.0)
    undo(db, space, second.night.id, NOW)
    assert memories.by_id(db, space, tea.id).priority == 0.5


def test_what_a_person_cares_for_is_not_taken_away(db: Database, space: str, dream: Callable[..., Sleeping]) -> None:
    night = dream(lambda asleep: Changes(memories=(asleep.memory("tea"),)))
    with db.write("memory") as tx:
        memories.edit(tx, night.memory("tea"), {"pinned": True})
    with pytest.raises(RestsOn, match="pinned"):
        undo(db, space, night.night.id, NOW)


def test_the_next_night_does_not_simply_do_it_again_until_a_redo(
    db: Database, space: str, dream: Callable[..., Sleeping]
) -> None:
    said = dream(lambda asleep: Changes(memories=(asleep.memory("I drink tea", kind="episode"),))).memory("I drink tea")

    def conclude(asleep: Sleeping) -> Changes:
        return Changes(memories=(asleep.memory("The user drinks tea", said.id),))

    wrong = dream(conclude)
    undo(db, space, wrong.night.id, NOW)
    dream(conclude)
    assert memories.count(db, space) == {"episode": 1}
    assert redo(db, space, wrong.night.id, NOW) == 2  # the episode, and the fact itself
    again = fall_asleep(db, space, at=NOW + 10**7)
    news, _ = work.news(again.reader, ("episode",), cursor=None, limit=9)
    assert [memory.id for memory in news] == [said.id]
    again.commit(conclude(again))
    assert memories.count(db, space) == {"episode": 1, "fact": 1}


def test_a_night_is_not_undone_twice_nor_while_another_runs(
    db: Database, space: str, dream: Callable[..., Sleeping]
) -> None:
    night = dream(lambda asleep: Changes(memories=(asleep.memory("tea"),)))
    running = fall_asleep(db, space, at=NOW + 10**7)
    with pytest.raises(Conflict, match="running"):
        undo(db, space, night.night.id, NOW)
    put_to_sleep(running)
    undo(db, space, night.night.id, NOW)
    with pytest.raises(Conflict, match="already been undone"):
        undo(db, space, night.night.id, NOW)


def test_a_night_whose_journal_is_no_longer_kept_is_refused(
    db: Database, space: str, dream: Callable[..., Sleeping]
) -> None:
    night = dream(lambda asleep: Changes(memories=(asleep.memory("tea"),)))
    with db.write("memory") as tx:
        tx.run("DELETE FROM journal")
    with pytest.raises(Conflict, match="too old"):
        undo(db, space, night.night.id, NOW)


def test_what_was_forgotten_since_stays_forgotten(db: Database, space: str, dream: Callable[..., Sleeping]) -> None:
    tea = dream(lambda asleep: Changes(memories=(asleep.memory("I like green tea a lot"),))).memory(
        "I like green tea a lot"
    )
    night = dream(Changes(revisions=(Revision(tea.id, 1, {"stale": True}),)))
    forget(db, space, memories=[tea.id], now=NOW)
    undo(db, space, night.night.id, NOW)
    assert memories.count(db, space) == {}


def test_what_is_forgotten_while_a_night_is_undone_does_not_come_back(
    db: Database, space: str, dream: Callable[..., Sleeping], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = ("I like green tea a lot", "I live in Oslo now")
    first = dream(lambda asleep: Changes(memories=tuple(map(asleep.memory, texts))))
    tea, oslo = map(first.memory, texts)
    link = Edge(space, tea.id, oslo.id, "related", 0.5, NOW)
    dream(Changes(edges=(link,)))
    night = dream(
        Changes(gone_edges=((tea.id, oslo.id, "related"),), revisions=(Revision(oslo.id, 1, {"stale": True}),))
    )
    pauses = iter([lambda: forget(db, space, memories=[tea.id], now=NOW)])
    monkeypatch.setattr(undoing, "PART", 1)
    monkeypatch.setattr("reverie.store.undo.undo.time.sleep", lambda _: next(pauses, dict)())
    undo(db, space, night.night.id, NOW)
    assert db.rows("SELECT a FROM edges") in ([], ())
    assert not memories.by_id(db, space, oslo.id).stale


def test_an_undo_holds_the_write_lock_only_for_moments(
    db: Database, space: str, dream: Callable[..., Sleeping], monkeypatch: pytest.MonkeyPatch
) -> None:
    parts: list[int] = []
    night = dream(lambda asleep: Changes(memories=tuple(asleep.memory(f"thing {n}") for n in range(200))))

    def noted(work: UndoTransaction, entry: Change) -> None:
        parts.append(work.changed)
        take_back(work, entry)

    monkeypatch.setattr(undoing, "take_back", noted)
    undo(db, space, night.night.id, NOW)
    assert memories.count(db, space) == {}
    assert max(parts.count(place) for place in set(parts)) <= undoing.PART


def test_a_journal_that_cannot_be_read_is_said_before_anything_is_undone(
    db: Database, space: str, dream: Callable[..., Sleeping]
) -> None:
    night = dream(
        lambda asleep: Changes(memories=(asleep.memory("tea"),)),
        lambda asleep: Changes(revisions=(Revision(asleep.memory("tea").id, 1, {"stale": True}),)),
    )
    with db.write("memory") as tx:
        tx.run("UPDATE journal SET before = '{\"stale\": ' WHERE before IS NOT NULL")
    with pytest.raises(StoreBroken, match="entry 1 of the journal"):
        undo(db, space, night.night.id, NOW)
    assert memories.count(db, space) == {"fact": 1}
    assert leases.held(db, space, NOW) is None
