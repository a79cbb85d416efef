"""Words are found on both backends: in the log's tail, and in documents, by memory or by the database's own index."""

import pytest

from reverie.model.base import DAY
from reverie.model.memories import Document
from reverie.store.db import Database
from reverie.store.search import documents
from reverie.store.search.index import IndexLimits
from reverie.store.tables import spaces
from tests.conftest import BACKENDS
from tests.support.searching import DIM, EMBEDDER, NOW, Place

pytestmark = pytest.mark.parametrize("location", BACKENDS, indirect=True)
FROM_DATABASE = IndexLimits(lexicon=0)  # on Postgres every space is too large to be held in memory


@pytest.fixture(params=[None, FROM_DATABASE], ids=["memory", "database"])
def alice(db: Database, request: pytest.FixtureRequest) -> Place:
    return Place(db, limits=request.param)


def test_what_was_said_a_moment_ago_is_found_at_once(alice: Place) -> None:
    first = alice.say("My sister moved to Lisbon")
    assert alice.ids("Where did the sisters move?") == [first]
    second = alice.say("She likes the trams there")
    assert alice.ids("trams")[0] == second


def test_the_same_question_is_searched_once_until_something_is_said(db: Database) -> None:
    alice = Place(db)
    alice.say("My sister moved to Lisbon")
    searches: list[int] = []

    def asked(question: str, depth: int = 200) -> int:
        indexes = alice.retriever.indexes
        with indexes.searched(alice.id, EMBEDDER.id, DIM, lambda index: index.once(question, depth, searched)) as found:
            return found

    def searched() -> int:
        searches.append(1)
        return len(searches)

    assert [asked("where?"), asked("who?"), asked("where?"), asked("who?")] == [1, 2, 1, 2]
    alice.say("She likes the trams there")
    assert [asked("where?"), asked("where?")] == [3, 3]
    assert [asked("where?", 320), asked("where?"), asked("where?", 320)] == [4, 4, 4]  # no deeper: what was found then


def test_a_shallow_question_after_a_deep_one_has_the_same_hits(db: Database) -> None:
    alice = Place(db)
    for n in range(300):
        alice.say(f"Harbour cranes, shift {n}, {'night' if n % 3 else 'day'} crew")
    question = "which crew has the night shift?"
    alone = alice.hits(question, k=4)
    alice.say("And now to something else.")
    assert len(alice.hits(question, k=80)) == 80
    assert alice.hits(question, k=4) == alone


def test_the_turns_before_are_context_that_weighs_less(alice: Place) -> None:
    told = alice.say("You should see the aquarium", speaker="Tom")
    answered = alice.say("Perhaps next week", speaker="Ann")
    assert alice.ids("aquarium") == [told, answered]


def test_the_words_of_a_question_are_words_of_the_others_answer(alice: Place) -> None:
    alice.say("The aquarium has a new shark", "one", speaker="Tom")
    remark = alice.say("Lovely creatures", "one", speaker="Ann")
    alice.say("Has the aquarium a new shark? ", "two", speaker="Tom")
    answer = alice.say("Lovely creatures", "two", speaker="Ann")
    more = alice.say("Lovely creatures", "two", speaker="Ann")
    found = alice.ids("aquarium shark")
    assert found.index(answer) < found.index(remark)
    assert found.index(answer) < found.index(more)  # nobody had asked just before it


def test_who_goes_on_after_a_question_of_their_own_does_not_answer_it(alice: Place) -> None:
    for session, second in (("one", "Ann"), ("two", "Tom")):
        alice.say("Has the aquarium a shark?", session, speaker="Tom")
        alice.say(f"Lovely, said {second}", session, speaker=second)
    found = [hit.text for hit in alice.hits("aquarium shark") if not hit.text.endswith("?")]
    assert found == ["Lovely, said Ann", "Lovely, said Tom"]


def test_what_is_found_equally_well_is_in_the_order_in_which_it_was_said(alice: Place) -> None:
    """Also where the list is cut among equals."""
    fruits = [*["plum"] * 7, "kiwi", *["plum"] * 4]
    said = [alice.say(fruit, f"{n}", speaker="Ann", at=NOW + (n - 900) * DAY) for n, fruit in enumerate(fruits)]
    with alice.retriever.indexes.searched(alice.id, EMBEDDER.id, EMBEDDER.dim, lambda index: index) as index:
        assert index.lexical(alice.db, "What about Ann?", 50, None)[-1] == said
        assert index.lexical(alice.db, "Ann and a kiwi?", 3, None)[-1] == [said[7], said[0], said[1]]
        assert index.lexical(alice.db, "What about Ann?", 0, None)[-1] == []


def test_another_session_is_no_context(alice: Place) -> None:
    alice.say("Have you been to the aquarium?", "one")
    other = alice.say("Yes, last week", "two")
    assert other not in alice.ids("aquarium")


def test_a_turn_is_found_by_its_date_in_words(alice: Place) -> None:
    turn = alice.say("We painted the kitchen", at=1_794_182_400.0)
    assert alice.ids("what happened in november?") == [turn]


def test_operators_in_a_query_are_only_characters(alice: Place) -> None:
    turn = alice.say("nothing special")
    for sign in ('"', "*", "NEAR(", "--", "a:b", "'", "OR AND NOT", "col : x*", "🙂", "\\", "%_", "| & ! <->"):
        assert alice.ids(f"{sign} special {sign}") == [turn], sign


def test_chinese_and_accents_are_found(alice: Place) -> None:
    tea = alice.say("我喜欢喝绿茶")
    cafe = alice.say("Zoë runs a Café")
    assert alice.ids("绿茶")[0] == tea
    assert alice.ids("zoe cafe")[0] == cafe


def test_a_very_long_turn_is_found_by_its_beginning(alice: Place) -> None:
    turn = alice.say("zebra " + "word1 word2 " * 40_000)
    assert alice.ids("zebra") == [turn]


def test_a_document_put_again_replaces_the_old_words(alice: Place) -> None:
    alice.know("mem-1", "likes tea", vector=False)
    assert alice.ids("tea") == ["mem-1"]
    with alice.db.write("memory") as tx:
        changed = spaces.next_change(tx, alice.id)
        documents.put_documents(tx, alice.record.num, alice.id, [Document("mem-1", "likes coffee")], changed)
    assert (alice.ids("tea"), alice.ids("coffee")) == ([], ["mem-1"])


def test_a_dropped_document_is_no_longer_found(alice: Place) -> None:
    alice.know("mem-1", "likes tea")
    assert alice.ids("tea") == ["mem-1"]
    with alice.db.write("memory") as tx:
        documents.drop_documents(tx, alice.id, ["mem-1"])
    assert alice.ids("tea") == []


def test_spaces_do_not_see_each_other(alice: Place) -> None:
    bob = Place(alice.db, "bob")
    bob.say("tea for two")
    bob.know("mem-b", "tea for three")
    assert alice.ids("tea") == []


def test_a_turn_that_a_night_has_read_is_found_by_its_document_alone(alice: Place) -> None:
    alice.say("green tea")
    assert len(alice.ids("tea")) == 1
    alice.night_reads(1)
    new = alice.say("black tea", "two")
    assert alice.ids("tea") == [new]


def test_the_first_fresh_turn_keeps_what_was_said_before_it_as_context(alice: Place) -> None:
    alice.say("I bought a kayak")
    alice.night_reads(1)
    fresh = alice.say("It is yellow")
    assert alice.ids("kayak") == [fresh]


def test_a_long_tail_that_was_read_is_let_go(alice: Place) -> None:
    with alice.db.write("log"):
        for n in range(1_100):
            alice.say(f"tea number {n}")
    assert alice.ids("tea", k=1)
    alice.night_reads(1_099)
    last = alice.say("tea at last", "two")
    assert alice.ids("number 1099 tea", k=3)[0] != last
    indexes = alice.retriever.indexes
    with indexes.searched(alice.id, EMBEDDER.id, EMBEDDER.dim, lambda index: index.lexicon) as lexicon:
        assert len(lexicon) == 2
        assert not lexicon.worn


def test_both_backends_score_alike(db: Database) -> None:
    alice = Place(db)
    for n, text in enumerate(["tea in the morning", "tea, tea and tea", "coffee", "tea with Anna and Tom", "water"]):
        alice.know(f"mem-{n}", text, vector=False, said_at=NOW)
    assert alice.ids("tea with anna") == ["mem-3", "mem-1", "mem-0"]
