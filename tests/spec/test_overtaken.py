"""A line of core makes way where a later statement may have overtaken it; the archive keeps both."""

import pytest

from reverie.model.memories import Memory
from reverie.policy.core.overtaken import may_be_overtaken
from reverie.policy.core.provisional import chosen
from reverie.policy.recall.current import LEFT_OUT

NOW = 1_793_836_800.0


def said(quote: str, at: float = NOW, **marks: str) -> Memory:
    return Memory(f"mem-{quote[:12]}", "s", "fact", quote, ("t",), at, said_at=at, marks={"quote": quote, **marks})


@pytest.mark.parametrize(
    ("line", "later"),
    [
        ("staples come out on the 13th at the clinic", "staples come out on the 20th"),
        ("meeting with Mr. Prettenthaler on the 21st, town hall", "Prettenthaler cancelled, no new date. typical"),
        ("Raimo is the abuse lead, extension 417", "raimo has a new extension, 433. they moved him upstairs"),
        ("she cut the metformin to 500 in the evening", "metformin is back at 1000, values climbed at night"),
        ("harvest assembly on the 24th", "oh, the assembly is cancelled, half the staff is ill"),
    ],
)
def test_a_later_word_on_its_matter_puts_a_line_in_doubt(line: str, later: str) -> None:
    assert may_be_overtaken(said(line), said(later, NOW + 1))
    assert not may_be_overtaken(said(later, NOW + 1), said(line))


@pytest.mark.parametrize(
    ("line", "later"),
    [
        ("staples come out on the 13th at the clinic", "we bought new staples for the office"),
        ("my sister Ada is a nurse in Faro", "Ada moved her desk to the window"),
        ("I'm allergic to walnuts", "walnuts are out of season now"),
        ("the build runs on staging2", "I have a new bike now"),
    ],
)
def test_another_matter_or_who_somebody_is_stays(line: str, later: str) -> None:
    assert not may_be_overtaken(said(line), said(later, NOW + 1))


def test_what_was_asked_before_names_the_matter_too() -> None:
    line = said("october 2, in Aberystwyth", on="my dad's going in for his knee")
    assert may_be_overtaken(line, said("dad's knee got put back to november 13", NOW + 1))


def test_of_a_plan_only_a_part_of_which_holds_nothing_stands_in_core_without_evidence() -> None:
    whole = said("my sister Ada is a nurse in Faro", provisional="night-1")
    part = said(f"assembly on the 24th, {LEFT_OUT}", provisional="night-1")
    assert chosen([whole, part], [], 2_000, NOW + 1) == [whole]
