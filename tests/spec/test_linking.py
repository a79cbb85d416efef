"""The link score with its arithmetic, and which pairs are kept."""

from dataclasses import replace

import pytest

from reverie.policy.care.linking import Linkable, LinkWeights, best_links, link

TEA = Linkable("tea", frozenset({"tea", "kitchen"}), frozenset({"s1"}))


def other(*tags: str, source: str = "s2", tier: str = "hot", id: str = "other") -> Linkable:
    return Linkable(id, frozenset(tags), frozenset({source}), "hot" if tier == "hot" else "warm")


@pytest.mark.parametrize(
    ("b", "score", "kept", "relation"),
    [
        (other("tea", "kitchen"), 1.25, True, "related"),  # 1 + 0.20 + 0.05
        (other("tea", "cup"), 0.5833, True, "related"),  # 1/3 + 0.20 + 0.05
        (other("tea", "cup", tier="warm"), 0.5333, True, "related"),  # 1/3 + 0.20
        (other("tea", "a", "b", tier="warm"), 0.45, False, "related"),  # 1/4 + 0.20
        (other("tea", "a", "b", source="s1", tier="warm"), 0.60, True, "same_source"),  # 1/4 + 0.15 + 0.20
        (other("cup", source="s1"), 0.20, False, "same_source"),  # 0.15 + 0.05
        (other("cup", tier="warm"), 0.0, False, "related"),
        (other(), 0.05, False, "related"),
    ],
)
def test_how_strongly_two_memories_belong_together(b: Linkable, score: float, kept: bool, relation: str) -> None:
    found = link(TEA, b)
    assert found.score == pytest.approx(score, abs=1e-4)
    assert (found.kept, found.relation) == (kept, relation)
    assert 0.35 <= found.weight <= 1
    assert link(b, TEA) == found
    assert found.why


def test_strangers_are_not_linked_whatever_the_weights() -> None:
    assert not link(TEA, other("cup"), LinkWeights(same_tier=0.9)).kept


def test_no_memory_is_linked_to_itself() -> None:
    assert not link(TEA, TEA).kept


def test_each_pair_is_linked_once_and_the_strongest_come_first() -> None:
    strong, weak, never = other("tea", "kitchen", id="a"), other("tea", "cup", id="b"), other("cup", id="c")
    found = best_links([link(TEA, weak), link(TEA, strong), link(strong, TEA), link(TEA, never)])
    assert [(each.a, each.b) for each in found] == [("a", "tea"), ("b", "tea")]
    assert best_links(found, 1, replace(LinkWeights(), best=1)) == found[:1]
