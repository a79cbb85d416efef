"""Ids are short where they stand in many rows, never a word of a text; those of an older space stay as they were."""

import re

import pytest

from reverie.model.base import LENGTHS, OURS, compact_id, derived_memory_id, kept_hash, new_id
from reverie.store.transfer.restore import ID

TURN = "turn-4e86893abcd9045356a7"


@pytest.mark.parametrize("prefix", LENGTHS)
def test_a_short_id_is_a_digit_and_signs(prefix: str) -> None:
    made = {new_id(prefix) for _ in range(500)} | {compact_id(prefix, str(n)) for n in range(500)}
    assert len(made) == 1_000
    rests = [id.removeprefix(f"{prefix}-") for id in made]
    assert {len(rest) for rest in rests} == {LENGTHS[prefix]}
    assert all(OURS.fullmatch(rest) and rest[0].isdigit() for rest in rests)
    assert {sign for rest in rests for sign in rest[1:]} == set("0123456789abcdefghjkmnpqrstvwxyz")
    assert all(ID.fullmatch(id) for id in made)


@pytest.mark.parametrize(
    "text",
    ["the night-watchman came", "an agent-shepherd", "night-shepherds", "turn-based games", "mem-9"],
)
def test_no_word_of_a_text_is_taken_for_an_id(text: str) -> None:
    assert ID.search(text) is None


@pytest.mark.parametrize(
    ("space", "shape", "hash"),
    [
        ("agent-4k2xr9b7d", r"mem-\d[0-9a-z]{12}", 16),
        ("agent-0f8fad5bd9cb469f", r"mem-[0-9a-f]{20}", 32),
        ("agent-0f8fad5b-d9cb-469f-a165-70867728950e", r"mem-[0-9a-f]{32}", 32),
    ],
)
def test_what_a_space_makes_is_as_long_as_it_was_when_it_was_made(space: str, shape: str, hash: int) -> None:
    made = derived_memory_id(space, TURN)
    assert re.fullmatch(shape, made)
    assert made == derived_memory_id(space, TURN)
    assert len(kept_hash(space, "6adbd107fbaf0767c36976b4aa538842")) == hash
