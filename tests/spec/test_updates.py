"""Whether a later statement brings an earlier one up to date, and what matter a quote is on: two tables."""

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest

from reverie.asleep.steps.contradict import updates as comparing
from reverie.asleep.steps.contradict.updates import SentenceCosines, Spoken
from reverie.minds.embed import FromFunction, Vectors
from reverie.minds.rules.reading.matters import matter_of
from reverie.minds.rules.reading.update_marks import FEW, Said, Surroundings
from reverie.minds.rules.reading.updates import LIKELY, SURE, could_update, hinted, likely_if_near, may_be_one, weigh
from tests.support.thinking_samples import fact

WEEK = 7 * 86_400.0
MANY = 120  # statements of the same person

UPDATES = [
    ("pilot go-live is 16 march", "pilot go-live is now 18 march, the fleet manager is on holiday"),
    ("team meeting is tuesdays at 10", "team meeting is on thursdays from next week, 9:30, not tuesdays"),
    ("the refund window is 45 days", "forget the 45 days, the refund window is 30 as of today"),
    ("physio: tuesdays 13:00 with Jens", "physio with Jens moved to thursdays 15:00"),
    ("post the invitations on the 18th", "so post the invitations on the 21st instead of the 18th"),
    ("prednisolone 15 mg each morning", "prednisolone goes down to 10 mg from today"),
]
OTHERS = [
    ("another's", "my dentist appointment is on 14 may", "my son's dentist appointment got moved to the 21st"),
    ("imagined", "the quarterly report is due 15 july", "what if the quarterly report got extended to the 22nd"),
    ("asked", "the quarterly report is due 15 july", "was the quarterly report moved to the 22nd?"),
    ("added", "my gym day is tuesday", "my gym day is now also thursday"),
    ("another thing replaced", "billing is on postgres 16", "the search service moves from elastic 7 to meilisearch 1"),
    ("no word of a change", "lapsang souchong forever, 3 cups", "drinking 2 cups of rooibos at her place"),
    ("nothing shared", "the bus leaves at 8:10", "we moved dinner to 19:30"),
    ("said again", "standup is 9:15", "standup is still 9:15, nothing changed"),
]

PLAIN = ["I like tea", "my sister paints", "we moved", "cancelled it", "never mind", "Tom is nice", "make it 3"]


def score(older: str, newer: str) -> float:
    """Among many statements, with the two as near as such a pair is."""
    return weigh(Said(older), Said(newer, at=WEEK), Surroundings(MANY, closeness=0.6, of_turns=0.5)).score


@pytest.mark.parametrize(("older", "newer"), UPDATES)
def test_a_change_of_the_same_matter_is_an_update(older: str, newer: str) -> None:
    assert score(older, newer) >= SURE


@pytest.mark.parametrize(("older", "newer"), [case[1:] for case in OTHERS], ids=[case[0] for case in OTHERS])
def test_what_is_no_change_of_the_matter_is_no_update(older: str, newer: str) -> None:
    assert score(older, newer) < SURE


@pytest.mark.parametrize("statements", [FEW + 1, MANY])
def test_what_is_not_likely_as_near_as_can_be_is_likely_at_no_distance(statements: int) -> None:
    texts = [*(text for pair in UPDATES for text in pair), *(text for case in OTHERS for text in case[1:]), *PLAIN]
    levels = (-0.1, 0.3, 0.42, 0.5, 0.62, 0.9)
    likely = left_out = 0
    for older, newer in product((Said(text) for text in texts), (Said(text, at=WEEK) for text in texts)):
        if likely_if_near(older, newer, Surroundings(statements)):
            likely += 1
            continue
        left_out += 1
        for closeness, of_turns in product(levels, levels):
            assert weigh(older, newer, Surroundings(statements, {}, closeness, of_turns)).score < LIKELY
    assert likely
    assert left_out


def test_only_the_item_of_a_list_that_is_named_is_overtaken() -> None:
    found = weigh(Said("prices: small room 89, large room 124"), Said("large room 139 from today", at=WEEK))
    assert found.part == "large room 124"


def test_a_hint_is_enough_among_a_few_statements_and_not_among_many() -> None:
    older, newer = Said("webhook retries = 8"), Said("make it 3", reply="Set to 3 retries.", at=WEEK)
    assert weigh(older, newer, Surroundings(3)).score >= SURE
    assert weigh(older, newer, Surroundings(MANY)).score < SURE


def test_what_is_not_worth_measuring_is_no_update_however_near_it_is() -> None:
    """Every statement of the tables against every other, an hour, a week and no time later, at any cosine."""
    texts = [*(text for pair in UPDATES for text in pair), *(text for case in OTHERS for text in case[1:]), *PLAIN]
    levels = (None, 0.0, 0.45, 1.0)
    spared = 0
    for a, b, later, many in product(texts, texts, (0.0, 3_600.0, WEEK), (FEW, MANY)):
        older, newer = Said(a), Said(b, reply="Noted.", at=later)
        if may_be_one(older, newer, many):
            assert could_update(newer, many), b
            continue
        spared += 1
        for near, of_turns in product(levels, levels):
            around = Surroundings(many, closeness=near, of_turns=of_turns)
            assert weigh(older, newer, around).score == hinted(older, newer, around).score == -math.inf, (a, b)
    assert spared > 1_000


def test_statements_that_come_again_are_embedded_once_and_the_oldest_are_let_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def embed(texts: Sequence[str]) -> Vectors:
        asked.extend(texts)
        return np.array([[len(text), 1.0] for text in texts], np.float32).reshape(len(texts), 2)

    def measure(*texts: str) -> list[str]:
        asked.clear()
        SentenceCosines(counting, [Spoken(life, Said(text)) for text in texts])
        return list(asked)

    counting, life = FromFunction(embed, "counting", 2), fact("mem-1", "I live in Bremen", "Bremen")
    monkeypatch.setattr(comparing, "_VECTORS", {})
    monkeypatch.setattr(comparing, "MOST_VECTORS", 3)
    assert measure("a", "b", "c") == ["a", "b", "c"]
    assert measure("a", "d") == ["d"]  # and b, which was asked for the longest time ago, is let go
    assert measure("a", "c", "d") == []
    assert measure("b") == ["b"]


MATTERS = [
    ("I live in Hamburg now", "user", "lives_in", "Hamburg"),
    ("my sister lives in Kiel and paints", "user's sister", "lives_in", "Kiel"),
    ("Blaž moved to Graz, the traitor.", "Blaž", "lives_in", "Graz"),
    ("I no longer work at Acme", "user", "works_at", "Acme"),
    ("the ledger deadline is now December 18", "ledger", "deadline", "December 18"),
    ("the grant application for the archive is due 27 march, ok", "grant application", "deadline", "27 march"),
    ("kitchen budget 11,000, not a cent more", "kitchen", "budget", "11,000"),
    ("the price of the large room is 139", "large room", "price", "139"),
    ("I'm allergic to walnuts, told them as well", "user", "allergic_to", "walnuts"),
    ("my rent is 870", "user", "rent", "870"),
]
NO_MATTER = [
    "the deadline is unclear",
    "what if I lived in Rome",
    "do you think my rent is 870?",
    "When I lived in Berlin I was happy",
    "he lives in Oslo",
    "I love it",
    "the price is insane",
]


@pytest.mark.parametrize(("quote", "subject", "predicate", "value"), MATTERS)
def test_the_matter_of_a_quote(quote: str, subject: str, predicate: str, value: str) -> None:
    found = matter_of(quote)
    assert (found.subject, found.predicate, found.value) == (subject, predicate, value)


@pytest.mark.parametrize("quote", NO_MATTER)
def test_a_quote_that_states_no_attribute_has_no_matter(quote: str) -> None:
    assert not matter_of(quote).predicate


def test_a_short_answer_is_the_value_of_what_was_asked() -> None:
    found = matter_of("Kastanjelaan 8, same town", "What's the new address?")
    assert (found.subject, found.predicate, found.value) == ("user", "address", "Kastanjelaan 8")


def test_no_pieces_of_long_answers_are_embedded_with_a_turn() -> None:
    said = Said("standup is 9:45", before="When is it?", reply="x" * comparing.LONGEST_REPLY)
    assert comparing._meant(said) == "standup is 9:45 When is it?"
    assert comparing._query(said) == f"standup is 9:45 When is it? {said.reply}"
