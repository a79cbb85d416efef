"""Sections in order, items whole or in a shorter form, stable first, and every omission named."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reverie.language.excerpts import looked_for
from reverie.language.words import token_count
from reverie.model.hits import Hit
from reverie.policy.recall import lines
from reverie.policy.recall.packing import Item, LeftOut, Packed, Section, hits_for, pack
from reverie.policy.recall.repeats import Statement


def items(*sizes: int, prefix: str = "i") -> tuple[Item, ...]:
    return tuple(Item(f"{prefix}{n}", "x" * size) for n, size in enumerate(sizes))


def ids(packed: Packed) -> dict[str, list[str]]:
    return {section.name: [item.id for item in section.items] for section in packed.sections}


def test_everything_fits_into_a_large_budget_in_the_given_order() -> None:
    packed = pack([Section("memories", items(5, 5)), Section("turns", items(3))], 100, len)
    assert ids(packed) == {"memories": ["i0", "i1"], "turns": ["i0"]}
    assert (packed.tokens, packed.left_out) == (13, ())


def test_stable_sections_stand_first_whatever_the_order_they_come_in() -> None:
    packed = pack([Section("turns", items(1)), Section("blocks", items(1), stable=True)], 100, len)
    assert list(ids(packed)) == ["blocks", "turns"]


def test_when_room_is_short_items_are_taken_by_rank_and_shown_in_their_order() -> None:
    ranked = tuple(replace(item, rank=rank) for item, rank in zip(items(4, 4, 4), (1, 2, 0), strict=True))
    assert ids(pack([Section("memories", ranked)], 8, len)) == {"memories": ["i0", "i2"]}


def test_an_item_that_does_not_fit_whole_stands_in_its_shorter_form() -> None:
    long = Item("i0", "x" * 9, shorter=lambda room: "x" * min(room, 5))
    packed = pack([Section("memories", (long, Item("i1", "xx")))], 8, len)
    assert [item.text for item in packed.sections[0].items] == ["xxxxx", "xx"]


def test_past_a_part_of_its_room_a_section_shows_shorter_forms() -> None:
    long = tuple(Item(f"i{n}", "x" * 4, rank=n, shorter=lambda _: "x") for n in range(3))
    packed = pack([Section("memories", long, whole=0.5)], 9, len)
    assert [item.text for item in packed.sections[0].items] == ["xxxx", "xxxx", "x"]


def test_no_item_takes_more_than_the_largest_share_unless_it_cannot_be_cut() -> None:
    cut = Item("i0", "x" * 6, shorter=lambda room: "x" * room)
    packed = pack([Section("memories", (cut, Item("i1", "x" * 6)), largest=0.25)], 12, len)
    assert [item.text for item in packed.sections[0].items] == ["xxx", "xxxxxx"]


def test_a_heading_is_said_and_paid_for_once() -> None:
    day = tuple(replace(item, heading="May") for item in items(2, 2))
    packed = pack([Section("memories", day)], 7, len)
    assert (packed.tokens, packed.sections[0].text) == (7, "May\nxx\nxx")


def test_more_hits_are_looked_for_in_a_larger_budget() -> None:
    assert hits_for(500) < hits_for(1_000) < hits_for(4_000) <= hits_for(10**6) == 400


def test_what_is_left_out_is_named_with_its_reason() -> None:
    packed = pack([Section("memories", items(4, 9, 2))], 8, len)
    assert ids(packed) == {"memories": ["i0", "i2"]}
    assert packed.left_out == (LeftOut("memories", "i1", 9, "9 tokens, 4 left for memories"),)


def test_a_section_with_a_bound_is_served_first_and_leaves_the_rest_to_the_others() -> None:
    packed = pack([Section("memories", items(4, 4, 4)), Section("turns", items(2, 4), share=0.5)], 10, len)
    assert ids(packed) == {"memories": ["i0", "i1"], "turns": ["i0"]}


def test_a_section_without_room_is_left_out_whole() -> None:
    packed = pack([Section("memories", items(4)), Section("turns", items(1))], 4, len)
    assert ids(packed) == {"memories": ["i0"]}
    assert packed.left_out[0].why == "1 tokens, 0 left for turns"


def test_without_a_budget_nothing_is_packed() -> None:
    assert pack([Section("memories", items(4))], 0, len).sections == ()


@settings(max_examples=100, derandomize=True, database=None, deadline=None)
@given(st.integers(0, 60), st.lists(st.lists(st.integers(0, 20), max_size=6), max_size=4))
def test_the_budget_holds_and_every_item_is_packed_or_reported(budget: int, sizes: list[list[int]]) -> None:
    sections = [Section(f"s{n}", items(*row, prefix=f"s{n}-")) for n, row in enumerate(sizes)]
    packed = pack(sections, budget, len)
    assert packed.tokens <= budget
    shown = {item.id for section in packed.sections for item in section.items}
    assert shown | {out.id for out in packed.left_out} == {item.id for s in sections for item in s.items}
    assert pack(packed.sections, budget, len).sections == packed.sections


def test_an_item_may_take_a_few_tokens_however_small_the_room() -> None:
    cut = Item("i0", "x" * 6, shorter=lambda room: "x" * room)
    for always, shown in ((0, "xx"), (5, "xxxxx"), (6, "xxxxxx")):
        packed = pack([Section("memories", (cut,), largest=0.25, always=always)], 10, len)
        assert [item.text for item in packed.sections[0].items] == [shown]


ASKED = 'Jon, 1 January 1970, after their "I have news about the studio, and it is good news", asked "What is it?"'
QUOTE = "I signed the lease for the studio on Monday."


def episode(text: str = QUOTE) -> Hit:
    return Hit("m1", "episode", text, 1.0, 1.0, ("turn-1",), 0.0, speaker="Jon")


def fact() -> Hit:
    return Hit("f1", "fact", f'{ASKED}: "{QUOTE}"', 1.0, 1.0, ("turn-1",), 0.0, speaker="Jon", quote=QUOTE)


@pytest.mark.parametrize(
    "one", [Statement(episode(), (fact(),)), Statement(fact())], ids=["a turn with its fact", "a fact alone"]
)
def test_what_a_quote_answers_gives_way_before_the_quote_does(one: Statement) -> None:
    item = lines.item(one, 0, lines.Known(), looked_for("lease"))
    assert "asked" in item.text
    assert item.shorter is not None
    assert "asked" in item.shorter(200)
    short = item.shorter(30)
    assert QUOTE in short
    assert "asked" not in short
    assert token_count(short) <= 30
    assert item.shorter(5) == ""
