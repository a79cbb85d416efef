"""Near duplicates: found by a shared band, judged by their words, never merged across a change of meaning."""

from dataclasses import replace
from random import Random

import pytest

from reverie.language.words import jaccard
from reverie.model.base import Trust
from reverie.model.memories import Memory
from reverie.policy.care.dedupe import bands, near, signature, survivor

LONG = "yesterday we walked along the river with the children and then had soup in the small place behind the station"
MEMORY = Memory("b", "s", "episode", "I moved to Berlin", ("t",), created_at=10.0, said_at=10.0)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("I moved to Berlin.", "I moved to  BERLIN!", True),
        (LONG, f"{LONG} today", True),  # one word more
        (LONG, LONG.replace("children", "child"), False),  # too far apart by tokens; and a different word
        (LONG, LONG.replace(" and ", " & "), True),
        (LONG, f"{LONG} 12", False),
        (LONG, f"{LONG} not", False),
        (LONG, LONG.replace("soup", "fish"), False),
        ("I like tea", "I like coffee", False),
        ("", "", False),
        ("…", "!!!", False),
    ],
)
def test_what_says_the_same(a: str, b: str, same: bool) -> None:
    assert near(a, b).allowed is near(b, a).allowed is same
    assert near(a, b).why


def test_an_exchanged_word_is_named() -> None:
    base = " ".join(f"word{chr(97 + n)}" for n in range(26))
    assert near(f"{base} anna", f"{base} tom").why == "one says anna, the other tom"
    assert near(f"{base} walked", f"{base} walking").allowed  # one stem


def test_near_duplicates_share_a_band_and_strangers_do_not() -> None:
    rng = Random(7)
    words = [f"w{n}" for n in range(400)]
    found = strangers = 0
    for _ in range(200):
        text = rng.sample(words, 40)
        close = [*text[:-2], "extra"]  # Jaccard 38/41 = 0.93
        half = [*text[:27], *rng.sample([w for w in words if w not in text], 13)]  # 27/53 = 0.51
        found += bool(set(bands(" ".join(text))) & set(bands(" ".join(close))))
        strangers += bool(set(bands(" ".join(text))) & set(bands(" ".join(half))))
    assert found >= 198
    assert strangers <= 25


def test_the_signature_estimates_what_two_texts_share() -> None:
    a, b = " ".join(f"a{n}" for n in range(60)), " ".join(f"a{n}" for n in range(30, 90))
    ours, theirs = signature(a), signature(b)
    assert ours is not None
    assert theirs is not None
    assert float((ours == theirs).mean()) == pytest.approx(jaccard(set(a.split()), set(b.split())), abs=0.12)


def test_bands_are_the_same_for_ever() -> None:
    """They are stored: another seed, hash or width would silently find nothing in old stores."""
    assert bands("I moved to Berlin")[:2] == (0x0E96D0E24, 0x18A0409C0)


@pytest.mark.parametrize(
    ("other", "winner"),
    [
        (replace(MEMORY, id="a", trust=Trust.TOOL, pinned=True), "b"),  # trust before all
        (replace(MEMORY, id="a", pinned=True), "a"),
        (replace(MEMORY, id="a", asked=True), "a"),
        (replace(MEMORY, id="a", correction=True), "a"),
        (replace(MEMORY, id="a", text="I moved to Berlin yesterday"), "a"),  # says more
        (replace(MEMORY, id="a", said_at=5.0), "a"),  # said first
        (replace(MEMORY, id="a", said_at=None, created_at=5.0), "a"),
        (replace(MEMORY, id="a"), "b"),  # all equal: the same one every time
    ],
)
def test_the_better_of_two_duplicates_survives(other: Memory, winner: str) -> None:
    assert survivor(MEMORY, other).id == survivor(other, MEMORY).id == winner
