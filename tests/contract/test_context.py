"""The prompt section: stable first, within its budget, honest about what it left out."""

from collections.abc import Iterator
from typing import Any

import pytest

from reverie.awake.append import append
from reverie.awake.context import Assembler
from reverie.awake.events import Events
from reverie.awake.intents import Reminders
from reverie.awake.recall import Recaller
from reverie.awake.unread_directives import UnreadDirectives
from reverie.errors import BadInput
from reverie.language import quoting
from reverie.model.base import DAY, Trust
from reverie.model.blocks import Block
from reverie.model.hits import Asking, Context
from reverie.model.turns import Draft
from reverie.policy.safety.trust import strip_recalled
from reverie.store.db import Database
from reverie.store.tables import blocks
from reverie.store.tables.blocks import Writer
from tests.conftest import BACKENDS
from tests.support.searching import NOW, Place

pytestmark = pytest.mark.parametrize("location", BACKENDS, indirect=True)


class Desk:
    """A space with two blocks, and what assembles its context."""

    def __init__(self, db: Database) -> None:
        self.alice = Place(db)
        self.events = Events(db)
        recaller, reminders = Recaller(self.alice.retriever, self.events), Reminders(db, self.events)
        self.assembler = Assembler(db, recaller, self.events, UnreadDirectives(db), reminders)
        for label, value in (("human", "Anna from Hamburg."), ("persona", "Kind and short.")):
            with db.write("memory") as tx:
                block = Block(f"block-{label}", self.alice.record.org, label, value, owner=self.alice.id)
                blocks.create(tx, block, Writer("person", "start", NOW), attach_to=self.alice.id)

    def context(self, query: str | None = None, budget: int = 1_000, session: str | None = "one") -> Context:
        made = self.assembler.context(
            self.alice.id, query, session=session, budget=budget, asking=Asking(k=20), now=NOW
        )
        assert self.events.flush()
        return made


@pytest.fixture
def desk(db: Database) -> Iterator[Desk]:
    desk = Desk(db)
    yield desk
    desk.events.close()


def test_blocks_stand_first_and_are_the_same_byte_for_byte(desk: Desk) -> None:
    before = desk.context()
    desk.alice.say("hello")
    desk.alice.know("mem-1", "likes green tea")
    after = desk.context("green tea")
    assert before.text.startswith('<block label="human">\nAnna from Hamburg.\n</block>\n<block label="persona">')
    assert after.text.startswith(before.text)


def test_memories_are_data_with_dates_and_ids_that_append_does_not_take_in_again(desk: Desk) -> None:
    desk.alice.know("mem-1", "likes green tea", said_at=1_772_323_200.0)
    text = desk.context("tea").text
    assert "1 March 2026\n- user: likes green tea [1]" in text
    assert "green tea" not in strip_recalled(text)


def test_every_line_says_who_and_under_which_day_and_whose_trust_where_it_is_not_the_users(desk: Desk) -> None:
    tea = [("mem-a", "green tea is out", Trust.USER, "Mara"), ("mem-b", "green tea costs 4", Trust.CONTENT, None)]
    for id, text, trust, speaker in tea:
        desk.alice.know(id, text, kind="episode", trust=trust, speaker=speaker, said_at=1_772_323_200.0)
    desk.alice.know("mem-n", "tea was spoken of twice", kind="note", said_at=1_772_323_200.0 + DAY)
    text = desk.context("green tea").text
    assert "2 March 2026\n- note: tea was spoken of twice [n]" in text
    assert "- Mara: green tea is out [a]" in text
    assert "- page or file: green tea costs 4 [b]" in text
    assert text.index("2 March 2026") < text.index("1 March 2026")


def test_a_fact_and_its_turn_are_one_line_with_the_dates_that_the_fact_made_plain(desk: Desk) -> None:
    turn = desk.alice.say("we go to the zoo tomorrow, finally", "old")
    said: dict[str, Any] = {"said_at": NOW - DAY, "speaker": "Mara"}
    desk.alice.say("hello", "new")
    shown = quoting.shown("we go to the zoo tomorrow", "Mara", NOW - DAY, when="21 Sep 2026")
    desk.alice.know("mem-e", "we go to the zoo tomorrow, finally", kind="episode", sources=(turn,), **said)
    desk.alice.know("mem-f", shown, sources=(turn, "mem-e"), marks={"quote": "we go to the zoo tomorrow"}, **said)
    text = desk.context("zoo", session="new").text
    assert "- Mara: we go to the zoo tomorrow, finally (21 Sep 2026) [e]" in text
    assert text.count("zoo") == 1


def test_a_fact_alone_says_who_and_when_once(desk: Desk) -> None:
    shown = quoting.shown("on Friday", "Mara", NOW - DAY, "When is it due?", "25 Sep 2026")
    desk.alice.know("mem-f", shown, speaker="Mara", marks={"quote": "on Friday"})
    assert '- Mara, asked "When is it due?": "on Friday" (25 Sep 2026) [f]' in desk.context("due Friday").text


def test_acknowledgements_and_empty_blocks_are_not_shown(desk: Desk) -> None:
    with desk.alice.db.write("memory") as tx:
        blocks.write(tx, "block-persona", lambda _: " ", Writer("person", "cleared", NOW))
    desk.alice.say("I moved to Kiel")
    for text in ("Noted.", "Got it! 👍"):
        append(desk.alice.db, desk.alice.record, Draft("assistant", text, "one", at=NOW))
    text = desk.context().text
    assert "I moved to Kiel" in text
    assert not any(said in text for said in ("Noted", "Got it", "persona"))


def test_a_word_that_answers_a_question_is_kept_with_it(desk: Desk) -> None:
    append(desk.alice.db, desk.alice.record, Draft("assistant", "Shall I delete the old branch?", "one", at=NOW))
    desk.alice.say("ok", at=NOW)
    assert "assistant: Shall I delete the old branch?\nuser: ok" in desk.context().text


def test_recent_turns_are_of_one_session_and_begin_with_no_answer(desk: Desk) -> None:
    desk.alice.say("something else entirely", "other")
    for n in range(12):
        desk.alice.say(f"question {n} about the garden and its old wall", at=NOW)
        draft = Draft("assistant", f"answer {n} " + "with many words " * 8, "one", at=NOW)
        append(desk.alice.db, desk.alice.record, draft)
    made = desk.context(budget=400, session=None)
    shown = [line for line in made.text.splitlines() if line.startswith(("user: ", "assistant: "))]
    assert shown[0].startswith("user: question")
    assert shown[-1].startswith("assistant: answer 11")
    assert "something else" not in made.text


def test_a_long_memory_is_cut_between_sentences_to_those_that_were_asked_for(desk: Desk) -> None:
    filler = "It rained for hours and nobody went out at all. " * 30
    desk.alice.know("mem-l", f"{filler}The green tea is in the left cupboard. {filler}", kind="episode")
    text = desk.context("where is the green tea?", 300).text
    assert "- user: … The green tea is in the left cupboard. … [l]" in text


def test_the_same_words_stand_once_with_their_newest_day(desk: Desk) -> None:
    for n in range(5):
        desk.alice.know(f"mem-{n}", "I drink green tea every single morning", kind="episode", said_at=NOW - n * DAY)
    made = desk.context("green tea")
    assert [hit.id for hit in made.hits] == ["mem-0"]


def test_of_one_matter_the_newest_quote_is_shown(desk: Desk) -> None:
    matter: dict[str, Any] = {"subject": "user", "predicate": "lives_in"}
    for n, city in enumerate(("Kiel", "Hamburg", "Oslo")):
        given = {"quote": f"my flat is in {city}", "exclusive": True}
        desk.alice.know(f"mem-{n}", f"my flat is in {city}", said_at=NOW - n * DAY, marks=given, **matter)
    assert [hit.id for hit in desk.context("where is my flat").hits] == ["mem-0"]


def test_what_core_memory_says_already_is_not_repeated(desk: Desk) -> None:
    desk.alice.know("mem-1", "Anna from Hamburg.", kind="episode")
    assert desk.context("Anna from Hamburg").text.count("Anna from Hamburg.") == 1


def test_core_memory_leaves_room_for_what_was_asked_and_is_cut_between_lines(desk: Desk) -> None:
    lines = "\n".join(f"line {n} of what is known about Anna" for n in range(200))
    with desk.alice.db.write("memory") as tx:
        blocks.write(tx, "block-human", lambda _: lines, Writer("person", "long", NOW))
    desk.alice.know("mem-1", "likes green tea")
    first, again = desk.context("tea", 400), desk.context("tea and cake", 400)
    assert "likes green tea" in first.text
    assert first.text.split("</block>")[0] == again.text.split("</block>")[0]
    assert first.text.split("</block>")[0].endswith("about Anna\n…\n")


def test_core_memory_is_whole_beside_a_question_and_what_was_lately_learned_gives_way(desk: Desk) -> None:
    known = "\n".join(f"line {n} of what is known about Anna" for n in range(30))
    learned = "\n".join(f"user, {n} Nov 2026: green tea is drunk here" for n in range(1, 31))
    with desk.alice.db.write("memory") as tx:
        blocks.write(tx, "block-human", lambda _: known, Writer("person", "long", NOW))
        block = Block("block-l", desk.alice.record.org, "learned_context", learned, owner=desk.alice.id)
        blocks.create(tx, block, Writer("night", "start", NOW), attach_to=desk.alice.id)
    desk.alice.know("mem-1", "likes black tea")
    made = desk.context("tea", 1_000)
    assert known in made.text
    assert "likes black tea" in made.text
    assert learned not in made.text
    assert learned.splitlines()[0] in made.text


def test_a_recent_turn_is_not_shown_twice(desk: Desk) -> None:
    turn = desk.alice.say("I like green tea")
    desk.alice.know("mem-e", "I like green tea", kind="episode", sources=(turn,))
    made = desk.context("green tea")
    assert made.text.count("green tea") == 1
    assert made.hits == ()


def test_the_budget_holds_and_what_is_left_out_is_named(desk: Desk) -> None:
    for n in range(20):
        desk.alice.know(f"mem-{n:02}", f"green tea number {n} " + "with many words " * 10)
        desk.alice.say(f"turn {n} " + "words " * 30)
    for budget in (150, 400, 1_000):
        made = desk.context("green tea", budget)
        assert made.tokens <= budget
        assert made.left_out
        assert "Anna from Hamburg." in made.text
    assert any(line.startswith("memories mem-") for line in made.left_out)
    assert "turn 19" in made.text


def test_a_block_changed_since_the_session_saw_it_is_named_once(desk: Desk) -> None:
    desk.alice.say("hello", "one")
    assert desk.context().changed_blocks == ()
    db = desk.alice.db
    with db.write("memory") as tx:
        blocks.write(tx, "block-human", lambda _: "Anna from Kiel.", Writer("night", "moved", NOW))
    changed = desk.context()
    assert changed.changed_blocks == ("human",)
    assert "human" in changed.text.split("</block>")[-1]
    assert desk.context().changed_blocks == ()


def test_a_budget_of_nothing_is_refused(desk: Desk) -> None:
    with pytest.raises(BadInput):
        desk.context(budget=0)
