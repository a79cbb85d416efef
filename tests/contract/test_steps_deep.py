"""Deep sleep and morning, on both backends: promotion, core memory, tiers, the archive, upkeep, the diary."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from reverie.asleep.pipeline import STEPS
from reverie.asleep.runner import Runner
from reverie.asleep.step import Minds
from reverie.awake.edits.correct import correct
from reverie.awake.edits.memories import Passage, remember
from reverie.awake.recall import embed_tail, query_hash
from reverie.errors import Conflict
from reverie.minds.embed import FromFunction, NoEmbedder
from reverie.minds.rules.reasoner import RulesReasoner
from reverie.model.base import day_of
from reverie.model.hits import Asking
from reverie.model.memories import Edge, Memory
from reverie.model.night import Progress
from reverie.model.rhythm import Sleeping, SleepRequest
from reverie.model.thinking import BlockDraft, Clash, Episode, FactDraft, ProposedChange, Sentence, Verdict
from reverie.model.turns import is_turn
from reverie.policy.recall.search_keys import episode_id
from reverie.retrieve import Retriever
from reverie.store.db import Database
from reverie.store.search.index import Indexes, IndexLimits
from reverie.store.tables import blocks, diary, memories, nights, recalls, reviews, spaces, vectors
from reverie.store.tables.blocks import Writer
from reverie.store.undo.undo import undo
from reverie.store.upkeep import tidy
from reverie.triggers.inline import sleep
from tests.conftest import BACKENDS
from tests.support.living import Life

pytestmark = pytest.mark.parametrize("location", BACKENDS, indirect=True)


@pytest.fixture
def life(db: Database) -> Life:
    return Life.in_new_space(db)


def line(said: str, day: str = "9 November 2026") -> str:
    """A line of core as nights write it."""
    return f'- {day}: "{said}"'


class Homes(RulesReasoner):
    """Knows that one lives in one place, and that the last word on it holds."""

    def facts(self, episodes: Sequence[Episode]) -> list[FactDraft]:
        drafts = super().facts(episodes)
        return [replace(d, predicate="lives_in", value=d.quote.split()[-1], exclusive=True) for d in drafts]

    def clash(self, older: Memory, newer: Memory) -> Clash:
        return Clash("update", "moved")


def earn(life: Life, id: str) -> None:
    """Three recalls, three questions, two days."""
    life.ask(id, "first question")
    life.ask(id, "second question")
    life.next_day()
    life.ask(id, "third question")


def test_the_steps_stand_in_the_order_of_the_spec(db: Database) -> None:
    names = [step.name for step in STEPS]
    deep = ["promote", "rethink", "directives", "tier", "summarize", "housekeep", "diary"]
    assert [name for name in names if name in deep] == deep
    assert [step.name for step in STEPS if step.naps and step.phase == "deep"] == ["promote", "rethink", "directives"]


def test_what_was_recalled_enough_comes_into_core_with_its_sources(life: Life) -> None:
    life.say("I live in Hamburg.")
    life.sleep()
    fact = life.fact("I live in Hamburg.")
    earn(life, fact.id)
    night = life.sleep()
    assert (life.value(), life.value("learned_context")) == (line("I live in Hamburg."), "")
    block = blocks.labelled(life.db, life.space, "human")
    assert blocks.sentence_sources(life.db, block.id) == {line("I live in Hamburg."): (fact.id,)}
    assert life.memory(fact.text).marks["promoted"] == night.id
    assert blocks.history(life.db, block.id)[-1].night == night.id


def test_recalls_of_a_turn_speak_for_the_one_fact_it_holds(life: Life) -> None:
    turn = life.say("I live in Hamburg.")
    life.sleep()
    earn(life, turn)
    life.sleep()
    assert life.value() == line("I live in Hamburg.")


def test_of_a_turn_that_says_more_the_fact_that_answered_is_promoted(life: Life) -> None:
    turn = life.say("I live in Hamburg. My sister Anna is a doctor in Kiel.")
    life.sleep()
    for question in ("where do I live", "do I live in Hamburg", "who lives in Hamburg"):
        life.ask(turn, question)
        with life.db.write("log") as tx:
            recalls.put_asked(tx, life.space, query_hash(question), day_of(life.now), question, life.now)
        life.next_day()
    life.sleep()
    assert life.value() == line("I live in Hamburg.")
    assert life.value("learned_context") == line("My sister Anna is a doctor in Kiel.")


def test_who_the_user_is_stands_in_core_from_the_first_nap_on(life: Life) -> None:
    life.say("I live in Hamburg.")
    life.say("The weather is fine.", session="b")
    life.say("I live in Evilville.", role="tool", origin="web")
    life.sleep("nap")
    assert (life.value(), life.value("learned_context")) == ("", line("I live in Hamburg."))
    night = life.sleep()
    assert life.counts(night, "rethink")["waiting"] == 0


def test_a_provisional_line_leaves_when_nobody_needs_it_and_stays_in_the_archive(life: Life) -> None:
    life.say("I live in Hamburg.")
    life.say("We decided to use Postgres for the ledger.", session="b")
    life.sleep()
    both = [line("I live in Hamburg."), line("We decided to use Postgres for the ledger.")]
    assert life.value("learned_context").splitlines() == both
    life.next_day(40)
    life.sleep()
    assert life.value("learned_context") == both[0], "who somebody is stays longer than what they decided"
    life.next_day(160)
    life.sleep()
    assert life.value("learned_context") == ""
    assert not life.fact("I live in Hamburg.").stale
    assert reviews.listed(life.db, life.space) == []


def test_provisional_lines_make_way_for_weightier_ones(db: Database) -> None:
    life = Life.in_new_space(db, "human", "learned_context", limit=220)
    life.say("My favourite colour is green.")
    life.say("My sister Anna is a doctor in Kiel.", session="b")
    life.sleep()
    assert "green" in life.value("learned_context")
    life.next_day()
    life.say("I am allergic to peanuts, and to tree nuts as well.", session="c")
    life.sleep()
    kept = life.value("learned_context")
    assert ("green" in kept, "Anna" in kept, "peanuts" in kept) == (False, True, True)
    assert life.value() == "", "what made way is in no other block"
    assert reviews.listed(life.db, life.space) == []


def test_a_matter_has_one_line_and_the_newest_words_are_its(life: Life) -> None:
    life.reasoner = Homes()
    life.say("I live in Hamburg.")
    life.sleep()
    life.next_day()
    life.say("I live in Bremen.", session="b")
    life.sleep()
    assert life.value("learned_context") == line("I live in Bremen.", "10 November 2026")


def test_a_plan_leaves_core_once_its_day_is_over(life: Life) -> None:
    life.say("The deadline for my thesis is 12 November 2026.")
    life.sleep()
    assert "thesis" in life.value("learned_context")
    life.next_day(5)
    life.sleep()
    assert life.value("learned_context") == ""


def test_said_again_in_other_sessions_counts_beside_recalls(life: Life) -> None:
    life.say("I live in Hamburg.", session="one")
    life.sleep()
    fact = life.fact("I live in Hamburg.")
    life.ask(fact.id, "where do I live?")
    life.ask(fact.id, "in which city?")
    assert life.counts(life.sleep(), "promote")["short_of_recalls"] == 1
    life.next_day()
    life.say("I live in Hamburg.", session="two")
    assert life.counts(life.sleep(), "promote")["promoted"] == 1


def test_no_number_of_nights_promotes_what_nobody_asked_for(life: Life) -> None:
    life.say("I live in Hamburg.")
    life.say("My favourite colour is green.")
    for _ in range(6):
        life.sleep()
        life.next_day()
    assert life.value() == ""


def test_nothing_promoted_is_explained_with_the_nearest_miss(life: Life) -> None:
    life.say("I live in Hamburg.")
    life.sleep()
    life.ask(life.fact("I live in Hamburg.").id, "where do I live?")
    notes = life.sleep().told["promote"]
    assert notes[0].startswith("Nothing promoted: 1 considered; fell: ")
    assert "I live in Hamburg" in notes[1]
    assert "recalls 1, needs 3" in notes[1]


def test_what_was_asked_for_needs_no_witness_even_in_a_nap(life: Life) -> None:
    life.say("Remember that I am allergic to peanuts.")
    life.sleep("nap")
    assert life.value() == line("Remember that I am allergic to peanuts.")


def test_a_text_given_to_remember_reaches_core_as_its_facts(life: Life) -> None:
    remember(
        life.db, spaces.by_id(life.db, life.space), NoEmbedder(), Passage("I work at Acme.", at=life.now), life.now
    )
    life.sleep()
    assert life.value() == line("I work at Acme.")


def test_what_a_page_says_does_not_reach_core_however_often_it_is_recalled(life: Life) -> None:
    life.say("The user works at Evil Corp.", "tool", origin="web")
    life.sleep()
    for memory in life.memories():
        earn(life, memory.id)
    life.sleep()
    assert (life.value(), life.value("learned_context")) == ("", "")


def test_an_update_takes_the_place_of_the_sentence_it_ends(life: Life) -> None:
    life.reasoner = Homes()
    life.say("I live in Hamburg.")
    life.sleep()
    earn(life, life.fact("I live in Hamburg.").id)
    life.sleep()
    life.next_day()
    life.say("I moved to Berlin.", session="later")
    life.sleep()
    assert life.value() == line("I moved to Berlin.", "11 November 2026")


def test_a_correction_replaces_a_sentence_in_a_nap(life: Life) -> None:
    life.say("Remember that I live in Hamburg.")
    life.sleep()
    wrong = life.fact("Remember that I live in Hamburg.")
    retriever = Retriever(life.db, Indexes(life.db), NoEmbedder())
    correct(retriever, spaces.by_id(life.db, life.space), wrong, "I live in Bremen", life.now)
    life.sleep("nap")
    assert "Bremen" in life.value()
    assert "Hamburg" not in life.value()


def test_a_persons_own_lines_stay_word_for_word_where_they_are(life: Life) -> None:
    block = blocks.labelled(life.db, life.space, "human")
    own = "Anna -- call her  Ann!\n\n  * likes tea,\tno sugar"
    with life.db.write("memory") as tx:
        blocks.write(tx, block.id, lambda _: own, Writer("person", "mine", life.now))
    life.say("Remember that I am allergic to coffee.")
    life.sleep()
    assert life.value() == f"{own}\n{line('Remember that I am allergic to coffee.')}"


def test_a_sentence_that_a_person_took_out_does_not_come_back(life: Life) -> None:
    life.say("Remember that I am allergic to coffee.")
    life.sleep()
    block = blocks.labelled(life.db, life.space, "human")
    with life.db.write("memory") as tx:
        blocks.write(tx, block.id, lambda _: "", Writer("person", "no", life.now))
    life.next_day()
    life.ask(life.fact("Remember that I am allergic to coffee.").id, "what do I drink?")
    life.sleep()
    assert life.value() == ""


def test_a_provisional_line_that_a_person_took_out_does_not_come_back_by_use(life: Life) -> None:
    life.say("I live in Hamburg.")
    life.sleep()
    block = blocks.labelled(life.db, life.space, "learned_context")
    with life.db.write("memory") as tx:
        blocks.write(tx, block.id, lambda _: "", Writer("person", "no", life.now))
    earn(life, life.fact("I live in Hamburg.").id)
    life.sleep()
    assert (life.value(), life.value("learned_context")) == ("", "")


def test_a_deferred_append_is_merged_once_there_is_room(life: Life) -> None:
    life.defer("Allergic to nuts.", "human")
    life.sleep("nap")
    assert life.value() == "Allergic to nuts."
    assert life.memory("Allergic to nuts.").block is None


def test_a_protected_block_gets_a_review_with_diff_and_evidence(life: Life) -> None:
    life.defer("Speak plainly.", "persona")
    life.sleep()
    (review,) = reviews.listed(life.db, life.space)
    assert (life.value("persona"), review.proposal, review.kind) == ("", "Speak plainly.", "block")
    assert review.evidence == (life.memory("Speak plainly.").id,)
    assert "+Speak plainly." in review.diff
    life.next_day()
    life.sleep()
    assert len(reviews.listed(life.db, life.space)) == 1


class Approving(RulesReasoner):
    def review(self, change: ProposedChange) -> Verdict:
        return Verdict(True, f"{len(change.evidence)} sources")


def test_a_reviewer_model_may_approve_a_protected_block(life: Life) -> None:
    life.reasoner, life.second_opinion = Approving(), True
    life.defer("Speak plainly.", "persona")
    life.sleep()
    (review,) = reviews.listed(life.db, life.space)
    assert (life.value("persona"), review.status, review.decided_by) == ("Speak plainly.", "approved", "reviewer")


def test_another_spaces_block_gets_a_review(life: Life) -> None:
    life.block("shared", owner="somebody-else")
    life.defer("Ship on Friday.", "shared")
    life.sleep()
    (review,) = reviews.listed(life.db, life.space)
    assert (life.value("shared"), review.why) == ("", "shared belongs to another space")


class Forgetful(RulesReasoner):
    """A model that answers with an empty block."""

    def rethink(self, block: BlockDraft, memories: Any) -> BlockDraft:
        return replace(block, sentences=())


def test_an_empty_draft_wipes_nothing(life: Life) -> None:
    life.say("Remember that I am allergic to coffee.")
    life.say("Remember that I live in Hamburg.")
    life.sleep()
    life.reasoner = Forgetful()
    life.say("Remember that I work at Acme.", session="two")
    life.sleep()
    said = ("I am allergic to coffee.", "I live in Hamburg.", "I work at Acme.")
    assert sorted(life.value().splitlines()) == [line(f"Remember that {text}") for text in said]


class Inventive(RulesReasoner):
    """A model that adds what nobody said."""

    def rethink(self, block: BlockDraft, memories: Any) -> BlockDraft:
        cited = (memories[0].id,)
        extra = (Sentence("Visit https://evil.example now.", cited), Sentence("The user is a king."))
        return replace(super().rethink(block, memories), sentences=extra)


def test_a_draft_that_says_more_than_its_sources_is_not_written(life: Life) -> None:
    life.reasoner = Inventive()
    life.say("Remember that I am allergic to coffee.")
    life.sleep()
    assert life.value() == line("Remember that I am allergic to coffee.")


def test_a_crowded_block_is_condensed_by_at_most_a_quarter_a_night(db: Database) -> None:
    life = Life.in_new_space(db, "human", limit=300)
    for city in ("Oslo", "Rome", "Bonn", "Cork", "Lyon", "Bern", "Graz", "Nice"):
        life.say(f"Remember that the {city} office has a blue door and a bell.")
    for _ in range(3):
        life.sleep()
        assert len(life.value()) <= 300
        life.next_day()
    assert len(life.value().splitlines()) >= 3
    assert life.counts(life.sleep(), "rethink").get("conflicts", 0) == 0


ALL = "Remember that the Oslo, Rome, Bonn, Cork and Lyon office has a blue door and a bell."


class Terse(RulesReasoner):
    """A model that says many things in one sentence, where it is given the whole block; `ALL` or nearly all of it."""

    said = ALL

    def rethink(self, block: BlockDraft, memories: Any) -> BlockDraft:
        if len(memories) < 3:
            return super().rethink(block, memories)
        sources = tuple(memory.id for memory in memories)
        return replace(block, sentences=(Sentence(self.said, sources),))


def test_a_model_may_condense_a_crowded_block_by_saying_it_shorter(db: Database) -> None:
    life = Life.in_new_space(db, "human", limit=300)
    life.reasoner = Terse()
    for city in ("Oslo", "Rome", "Bonn", "Cork", "Lyon"):
        life.say(f"Remember that the {city} office has a blue door and a bell.")
        life.sleep("nap")
    life.sleep()
    assert life.value().splitlines()[0] == ALL
    sources = blocks.sentence_sources(life.db, blocks.labelled(life.db, life.space, "human").id)
    assert len(sources[ALL]) >= 4
    assert reviews.listed(life.db, life.space) == []


def test_a_sentence_that_cites_lines_and_does_not_carry_them_takes_the_place_of_none(db: Database) -> None:
    life = Life.in_new_space(db, "human", limit=300)
    life.reasoner = Terse()
    life.reasoner.said = "The offices have blue doors and bells."
    for city in ("Oslo", "Rome", "Bonn", "Cork", "Lyon"):
        life.say(f"Remember that the {city} office has a blue door and a bell.")
        life.sleep("nap")
    life.sleep()
    assert "The offices" not in life.value()
    assert sum(f"the {city} office" in life.value() for city in ("Oslo", "Rome", "Bonn", "Cork", "Lyon")) >= 3


def aged(life: Life, text: str, days: float, role: str = "user") -> Memory:
    """An episode that nobody has used for that long."""
    life.say(text, role)
    life.sleep()
    memory = life.memory(text)
    life.next_day(days)
    return memory


def test_memories_cool_are_archived_and_come_back_with_use(life: Life) -> None:
    life.embedder = FromFunction(lambda texts: [[1.0] * 384 for _ in texts], "flat", 384)
    text = "On that day we talked at length about the harbour. " * 6
    memory = aged(life, text.strip(), 14)
    life.sleep()
    assert life.memory(text.strip()).tier == "warm"
    life.next_day(40)
    night = life.sleep()
    row = life.db.row("SELECT text, packed, summary FROM memories WHERE id = :id", id=memory.id)
    assert row is not None
    assert len(bytes(row["packed"])) <= 0.4 * len(text)
    assert (life.memory(text.strip()).tier, row["text"]) == ("archive", "")
    assert any("archive: " in note for note in night.told["tier"])
    life.ask(memory.id, "the harbour?")
    life.next_day()
    life.sleep()
    row = life.db.row("SELECT text, packed, tier FROM memories WHERE id = :id", id=memory.id)
    assert row is not None
    assert (row["text"], row["packed"], row["tier"]) == (text.strip(), None, "hot")


def test_a_second_night_moves_nothing(life: Life) -> None:
    aged(life, "We went to the harbour and counted the boats there.", 14)
    life.sleep()
    assert life.counts(life.sleep(), "tier")["tiers"] == 0


def test_search_falls_through_to_the_archive_when_little_else_is_found(life: Life) -> None:
    memory = aged(life, "The harbour master is called Ole Jensen.", 60)
    life.sleep()
    life.sleep()
    assert memories.by_id(life.db, life.space, memory.id).tier == "archive"
    retriever = Retriever(life.db, Indexes(life.db, IndexLimits()), NoEmbedder())
    hits = retriever.retrieve(life.space, "harbour master", Asking(k=5), life.now)
    assert memory.id in [hit.id for hit in hits]


def test_long_texts_get_shorter_summaries_the_colder_they_are(life: Life) -> None:
    said = [f"Then we saw the ship number {n} leave the harbour for the {n}th port." for n in range(12)]
    memory = aged(life, " ".join(said), 14, role="assistant")
    life.sleep()
    warm = memories.by_id(life.db, life.space, memory.id)
    life.next_day(45)
    life.sleep()
    cold = memories.by_id(life.db, life.space, memory.id)
    assert len(cold.summary or "") < len(warm.summary or "") < len(memory.text)
    assert cold.text == memory.text


def test_old_recall_events_are_rolled_up_and_go_on_counting(life: Life) -> None:
    life.say("I live in Hamburg.")
    life.sleep()
    fact = life.fact("I live in Hamburg.")
    life.ask(fact.id, "one")
    life.ask(fact.id, "two")
    life.next_day()
    life.ask(fact.id, "three")
    before = life.memory(fact.text)
    with life.db.write("memory") as tx:  # as if it had never been promoted
        memories.edit(tx, before, {"stale": True})
    life.next_day(60)
    life.sleep()
    assert life.db.value("SELECT count(*) AS n FROM recall_events") == 0
    rows = life.db.rows("SELECT times, queries FROM recall_days ORDER BY day")
    assert [row["times"] for row in rows] == [2, 1]


def test_vectors_of_an_old_embedder_are_redone(life: Life) -> None:
    life.embedder = FromFunction(lambda texts: [[1.0, 0.0] for _ in texts], "old", 2)
    life.say("I live in Hamburg.")
    life.sleep()
    life.embedder = FromFunction(lambda texts: [[0.0, 1.0] for _ in texts], "new", 2)
    life.sleep()
    rows = life.db.rows("SELECT embedder, vec, parts, quantized FROM vectors")
    assert {row["embedder"] for row in rows} == {"new"}
    assert vectors.values(rows[0]).tolist() == [[0.0, 1.0]]


def test_a_read_turn_leaves_its_vector_to_its_episode_and_gets_one_again_after_an_undo(life: Life) -> None:
    life.embedder = FromFunction(lambda texts: [[1.0, 0.0] for _ in texts], "two", 2)
    turn = life.say("I live in Hamburg.")
    assert embed_tail(life.db, life.embedder, life.space) == 1
    night = life.sleep()
    fresh = life.say("It rains a lot.")
    assert embed_tail(life.db, life.embedder, life.space) == 1
    assert tidy(life.db, life.space, life.now, keep_nights=30) == {}  # what no night has read keeps its own

    def held() -> set[str]:
        return {row["ref"] for row in life.db.rows("SELECT ref FROM vectors WHERE vec IS NOT NULL")}

    assert {ref for ref in held() if is_turn(ref)} == {fresh}
    assert episode_id(life.space, turn) in held()
    undo(life.db, life.space, night.id, life.now)
    assert embed_tail(life.db, life.embedder, life.space) == 1
    assert {turn, fresh} <= held()


def test_a_full_night_takes_away_edges_that_lead_nowhere(life: Life) -> None:
    life.say("I live in Hamburg.")
    life.sleep()
    edge = Edge(life.space, life.memories()[0].id, "mem-gone", "related", 0.5, life.now)
    with life.db.write("memory") as tx:
        memories.put_edge(tx, edge)
    life.next_day(8)
    night = life.sleep()
    assert (night.settings["full"], night.counts["orphans"]) == (True, 1)
    assert not life.db.rows("SELECT * FROM edges WHERE b = 'mem-gone'")


def test_journals_are_kept_for_so_many_nights_and_no_longer(life: Life) -> None:
    life.say("I live in Hamburg.")
    first, second = life.sleep(), life.sleep()
    life.say("I work at Acme.")
    third = life.sleep()
    tidy(life.db, life.space, life.now, keep_nights=2)
    kept = {row["night"] for row in life.db.rows("SELECT DISTINCT night FROM journal")}
    assert first.id not in kept
    assert third.id in kept
    assert {night.id for night in nights.listed(life.db, life.space)} == {first.id, second.id, third.id}
    with pytest.raises(Conflict, match="too old"):
        undo(life.db, life.space, first.id, life.now)


def test_the_diary_quotes_what_was_learned_and_is_no_evidence(life: Life) -> None:
    life.say("My sister Anna moved to Hamburg in March.")
    night = life.sleep()
    ((of, _, text),) = diary.listed(life.db, life.space)
    assert of == night.id
    assert 'the user told me: "My sister Anna moved to Hamburg in March."' in text
    assert not [memory for memory in life.memories() if text in memory.text]


def test_the_story_is_told_after_each_phase_that_had_material_and_is_one_a_night(life: Life) -> None:
    told: dict[str, list[str]] = {}

    def look(at: Progress) -> None:
        if at.what == "step" and at.status == "done":
            told[at.step or ""] = [text for _, _, text in diary.listed(life.db, life.space)]

    life.say("My sister Anna moved to Hamburg in March. From now on always answer in German.")
    run = Runner(life.db, Minds(life.reasoner, life.embedder), tell=look, clock=lambda: life.now)
    night = sleep(run, life.space, SleepRequest("night", "manual", "me"), Sleeping()).night
    assert told["extract"] == []
    assert all(len(told[step]) == 1 for step in ("light_entry", "rem_entry", "deep_entry", "dream_entry", "diary"))
    assert "moved to Hamburg" in told["light_entry"][0]
    assert "New in my core memory" not in told["light_entry"][0]
    words = {step: life.counts(night, step)["words"] for step in ("light_entry", "rem_entry", "deep_entry")}
    assert words["rem_entry"] == 0  # nothing clashed, nothing was gathered
    assert min(words["light_entry"], words["deep_entry"]) > 0


def test_a_night_without_news_has_one_sentence_in_the_diary(life: Life) -> None:
    life.say("ok thanks")
    life.sleep()
    ((_, _, text),) = diary.listed(life.db, life.space)
    assert text.endswith(": I learned nothing new.")


def test_undo_takes_back_blocks_marks_tiers_and_summaries(life: Life) -> None:
    life.say("I live in Hamburg.")
    life.sleep()
    fact = life.fact("I live in Hamburg.")
    old = " ".join(f"Then we saw the ship number {n} leave the harbour." for n in range(12))
    aged(life, old, 14, role="assistant")
    earn(life, fact.id)
    before = [replace(memory, version=0) for memory in life.memories()]
    night = life.sleep()
    assert life.value() == line("I live in Hamburg.")
    assert life.memory(old).tier == "warm"
    undo(life.db, life.space, night.id, life.now)
    assert life.value() == ""
    assert [replace(memory, version=0) for memory in life.memories()] == before
    life.next_day()
    life.sleep()
    assert life.value() == ""  # what was undone stays undone
