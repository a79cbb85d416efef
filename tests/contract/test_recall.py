"""Recall over store and fresh tail: each option of the spec, on both backends."""

import pytest

from reverie.awake.events import Events
from reverie.awake.recall import Recaller
from reverie.errors import BadInput, NotFound
from reverie.minds.embed import NoEmbedder
from reverie.model.base import DAY
from reverie.model.hits import Asking
from reverie.model.memories import Contradiction, Edge
from reverie.retrieve import Retriever
from reverie.store.db import Database
from reverie.store.search.index import Indexes
from reverie.store.tables import contradictions, memories
from tests.conftest import BACKENDS
from tests.support.searching import NOW, Place

pytestmark = pytest.mark.parametrize("location", BACKENDS, indirect=True)


@pytest.fixture
def alice(db: Database) -> Place:
    return Place(db)


def test_memories_and_fresh_turns_come_in_one_order(alice: Place) -> None:
    alice.know("mem-tea", "Alice likes green tea")
    turn = alice.say("I had green tea again")
    assert set(alice.ids("green tea")) == {"mem-tea", turn}


def test_a_turn_that_a_night_has_read_is_found_by_its_episode_only(alice: Place) -> None:
    turn = alice.say("I had green tea")
    alice.know("mem-e", "I had green tea", kind="episode", sources=(turn,))
    assert len(alice.ids("green tea")) == 1
    alice.night_reads(upto=1)
    assert alice.ids("green tea") == ["mem-e"]


def test_an_undone_night_gives_the_tail_back(alice: Place) -> None:
    turn = alice.say("I had green tea")
    alice.night_reads(upto=1)
    assert alice.ids("green tea") == []
    alice.night_reads(upto=0)
    assert alice.ids("green tea") == [turn]


def test_kinds_and_raw_mode(alice: Place) -> None:
    turn = alice.say("tea at four")
    alice.know("mem-f", "likes tea")
    alice.know("mem-e", "tea, please", kind="episode")
    assert alice.ids("tea", kinds=("fact",)) == ["mem-f"]
    assert set(alice.ids("tea", mode="raw")) == {turn, "mem-e"}
    assert alice.ids("tea", mode="raw", kinds=("episode",)) == ["mem-e"]
    assert alice.ids("tea", mode="raw", kinds=("fact",)) == []


def test_session_and_time_bounds(alice: Place) -> None:
    old = alice.say("tea", "one", at=NOW - 10 * DAY)
    new = alice.say("tea", "two", at=NOW - DAY)
    assert alice.ids("tea", session="one") == [old]
    assert alice.ids("tea", session="nowhere") == []
    assert alice.ids("tea", after=NOW - 2 * DAY) == [new]
    assert alice.ids("tea", before=NOW - 2 * DAY) == [old]


def test_tags_metadata_and_confidence(alice: Place) -> None:
    alice.know("mem-a", "tea", manual_tags=("drink", "hot"), metadata={"source": "diary"}, confidence=0.9)
    alice.know("mem-b", "tea", auto_tags=("drink",), confidence=0.4)
    assert alice.ids("tea", tags=("drink", "hot")) == ["mem-a"]
    assert alice.ids("tea", metadata={"source": "diary"}) == ["mem-a"]
    assert alice.ids("tea", min_confidence=0.5) == ["mem-a"]


def test_a_filter_finds_what_lies_behind_many_better_candidates(alice: Place) -> None:
    for n in range(130):
        alice.know(f"mem-{n:03}", "tea tea tea", vector=False)
    alice.know("mem-x", "some tea among many other words of a longer text", manual_tags=("rare",))
    assert alice.ids("tea", k=3, tags=("rare",)) == ["mem-x"]


def test_the_archive_is_searched_when_asked_or_when_there_is_too_little(alice: Place) -> None:
    alice.know("mem-hot", "tea", said_at=NOW)
    alice.know("mem-old", "tea", tier="archive")
    assert alice.ids("tea", k=1) == ["mem-hot"]
    assert alice.ids("tea", k=5) == ["mem-hot", "mem-old"]
    assert alice.ids("tea", tiers=("archive",)) == ["mem-old"]


def test_stale_memories_come_only_when_asked_for(alice: Place) -> None:
    alice.know("mem-a", "tea")
    alice.know("mem-s", "tea tea", stale=True)
    assert alice.ids("tea") == ["mem-a"]
    both = alice.hits("tea", include_stale=True)
    assert [(hit.id, hit.flags) for hit in both] == [("mem-a", ()), ("mem-s", ("stale",))]


def test_as_of_returns_what_held_then(alice: Place) -> None:
    alice.know("mem-lis", "lives in Lisbon", said_at=NOW - 90 * DAY, valid_from=NOW - 90 * DAY, valid_until=NOW - DAY)
    alice.know("mem-por", "lives in Porto", said_at=NOW - DAY, valid_from=NOW - DAY)
    now = alice.hits("where does she live: lives in?")
    assert [(hit.id, hit.flags) for hit in now] == [("mem-por", ()), ("mem-lis", ("superseded",))]
    then = alice.hits("lives in", as_of=NOW - 30 * DAY)
    assert [(hit.id, hit.flags) for hit in then] == [("mem-lis", ())]


def test_open_conflicts_are_marked(alice: Place) -> None:
    alice.know("mem-a", "tea is her favourite")
    alice.know("mem-b", "coffee is her favourite")
    alice.know("mem-c", "water is his favourite")
    record = Contradiction("con-1", alice.id, "mem-a", "mem-b", "conflict", "open", None, "both", None, NOW)
    with alice.db.write("memory") as tx:
        contradictions.put(tx, record)
    flags = {hit.id: hit.flags for hit in alice.hits("favourite")}
    assert flags == {"mem-a": ("conflict",), "mem-b": ("conflict",), "mem-c": ()}


def test_quarantined_memories_are_not_recalled(alice: Place) -> None:
    alice.know("mem-q", "tea", quarantined=True)
    assert alice.ids("tea") == []


def test_a_score_explains_itself(alice: Place) -> None:
    alice.know("mem-a", "green tea", importance=0.9)
    alice.know("mem-b", "green paint", importance=0.9, relationship_score=1.0)
    with alice.db.write("memory") as tx:
        memories.put_edge(tx, Edge(alice.id, "mem-a", "mem-b", "related", 1.0, NOW))
    best, other = alice.hits("green tea", explain=True)
    assert best.id == "mem-a"
    assert {"words", "meaning", "importance", "recency"} <= set(best.parts)
    assert best.parts["words"] + best.parts["meaning"] == pytest.approx(best.relevance)
    assert "links" in other.parts
    assert alice.hits("green tea")[0].parts == {}


def test_a_named_speaker_counts_for_what_they_said(alice: Place) -> None:
    alice.say("The marathon was hard", speaker="Tom", session="one")
    hers = alice.say("The marathon was hard", speaker="Ann", session="two")
    assert alice.ids("How was Ann's marathon?")[0] == hers


def test_without_an_embedder_words_alone_are_searched(alice: Place) -> None:
    alice.know("mem-a", "green tea")
    plain = Retriever(alice.db, Indexes(alice.db), NoEmbedder())
    assert [hit.id for hit in plain.retrieve(alice.id, "tea", Asking(), NOW)] == ["mem-a"]


def test_an_unknown_space_is_an_error(alice: Place) -> None:
    with pytest.raises(NotFound):
        alice.retriever.retrieve("agent-nobody", "tea", Asking(), NOW)


def test_a_recall_leaves_its_evidence_in_the_log(alice: Place) -> None:
    alice.know("mem-a", "green tea")
    events = Events(alice.db)
    recaller = Recaller(alice.retriever, events)
    for query in ("Green tea?", "green tea"):
        recaller.recall(alice.id, query, Asking(), NOW)
    assert events.flush()
    asked = alice.db.rows("SELECT text, times, day, hash FROM asked WHERE space = :space", space=alice.id)
    assert [(row["text"], row["times"], row["day"]) for row in asked] == [
        ("Green tea?", 1, "2026-09-21"),
        ("green tea", 1, "2026-09-21"),
    ]
    left = alice.db.rows("SELECT ref, query, score FROM recall_events WHERE space = :space", space=alice.id)
    assert {(row["ref"], row["query"]) for row in left} == {("mem-a", row["hash"]) for row in asked}
    assert all(0 < row["score"] <= 1 for row in left)
    events.close()
    events.put(lambda _: pytest.fail("written after close"))


def test_queries_that_cannot_be_asked_are_refused(alice: Place) -> None:
    turn = alice.say("green tea")
    recaller = Recaller(alice.retriever, Events(alice.db))
    for query, asking in (
        ("", Asking()),
        (" \n", Asking()),
        ("tea", Asking(k=0)),
        ("tea", Asking(k=10**7)),
        ("tea", Asking(min_confidence=2)),
        ("tea", Asking(after=2.0, before=1.0)),
        ("tea", Asking(kinds=("facts",))),  # type: ignore[arg-type]
        ("tea", Asking(tiers=("cold",))),  # type: ignore[arg-type]
        ("tea", Asking(mode="words")),  # type: ignore[arg-type]
    ):
        with pytest.raises(BadInput):
            recaller.recall(alice.id, query, asking, NOW)
    assert [hit.id for hit in recaller.recall(alice.id, "tea\x00", Asking(k=10**6), NOW)] == [turn]
    recaller.events.close()
