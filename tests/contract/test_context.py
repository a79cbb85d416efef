"""The prompt section: stable first, within its budget, honest about what it left out."""

from collections.abc import Iterator

import pytest

from reverie.awake.context import Assembler
from reverie.awake.events import Events
from reverie.awake.recall import Recaller
from reverie.awake.unread_directives import UnreadDirectives
from reverie.errors import BadInput
from reverie.model.blocks import Block
from reverie.model.hits import Asking, Context
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
        self.assembler = Assembler(db, Recaller(self.alice.retriever, self.events), self.events, UnreadDirectives(db))
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
    assert "- 2026-03-01 likes green tea [mem-1]" in text
    assert "green tea" not in strip_recalled(text)


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
