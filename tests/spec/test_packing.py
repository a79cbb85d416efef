"""Sections in order, whole items, stable first, and every omission named."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reverie.policy.recall.packing import Item, LeftOut, Packed, Section, pack


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


@pytest.mark.parametrize(("keep", "expected"), [("first", ["i0", "i1"]), ("last", ["i1", "i2"])])
def test_when_room_is_short_the_end_that_matters_is_kept_in_reading_order(keep: str, expected: list[str]) -> None:
    section = Section("turns", items(4, 4, 4), keep="first" if keep == "first" else "last")
    assert ids(pack([section], 8, len)) == {"turns": expected}


def test_what_is_left_out_is_named_with_its_reason() -> None:
    packed = pack([Section("memories", items(4, 9, 2))], 8, len)
    assert ids(packed) == {"memories": ["i0", "i2"]}
    assert packed.left_out == (LeftOut("memories", "i1", 9, "9 tokens, 4 left for memories"),)


def test_a_share_keeps_room_for_later_sections() -> None:
    packed = pack([Section("memories", items(4, 4, 4), share=0.5), Section("turns", items(6))], 10, len)
    assert ids(packed) == {"memories": ["i0"], "turns": ["i0"]}


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
