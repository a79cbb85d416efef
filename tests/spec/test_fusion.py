"""What was said comes first, and what was drawn from it speaks for it."""

from reverie.policy.recall.fusion import Candidates, InOrder, rankings, too_little
from reverie.policy.recall.ranking import Ranked, rank

DRAWN: dict[str, list[str]] = {"fact-1": ["ep-9"], "fact-2": []}


def order(words: list[str], meaning: list[str]) -> list[str]:
    return [hit.id for hit in rank(rankings(Candidates([words], meaning), DRAWN), {}, now=0.0)]


def test_facts_do_not_push_what_was_said_out_of_its_place() -> None:
    (said, _) = rankings(Candidates([["fact-1", "ep-1", "fact-2", "ep-2"]], []), DRAWN)
    assert (said.ids, said.places) == (["ep-1", "ep-2"], None)


def test_a_fact_keeps_its_place_among_all() -> None:
    assert order(["ep-1", "ep-2", "fact-2"], []) == ["ep-1", "ep-2", "fact-2"]
    assert order(["fact-2", "ep-1", "ep-2"], ["fact-2"])[0] == "fact-2"


def test_a_fact_lends_its_place_to_what_it_was_drawn_from() -> None:
    without = order(["ep-1", "ep-2", "ep-9"], ["ep-1"])
    lent = order(["ep-1", "ep-2", "ep-9"], ["fact-1", "ep-1"])
    assert without.index("ep-9") == 2
    assert lent.index("ep-9") == 1


def test_candidates_are_read_in_the_order_of_their_places() -> None:
    lists = rankings(Candidates([["a", "b", "c"]], ["c"]), DRAWN)
    assert InOrder(lists).part(0, 3) == ["c", "a", "b"]
    assert InOrder(lists).part(1, 2) == ["a"]


def test_what_may_not_be_shown_gives_up_its_place() -> None:
    kept = Candidates([["a", "b"], ["c"]], ["b", "d"]).without({"b"}, depth=1)
    assert (kept.words, kept.meaning) == ([["a"], ["c"]], ["d"])


def test_the_archive_helps_when_few_hits_are_relevant() -> None:
    hits = [Ranked(str(n), relevance, relevance, {}) for n, relevance in enumerate((0.9, 0.6, 0.4))]
    assert not too_little(hits, k=2)
    assert too_little(hits, k=3)
