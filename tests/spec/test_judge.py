"""The judge: what it makes of plain sentences, and that its answer depends on nothing but the sentence and its talk."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from reverie.minds import upper_layers
from reverie.minds.judge import Judge, SentenceInTalk
from reverie.minds.minilm import MiniLM
from reverie.minds.rules.reading.facts import facts_of
from reverie.model.thinking import Episode


@pytest.mark.parametrize("plain", ["I live in Bremen.", "I'm allergic to peanuts.", "My boss is called Henning."])
def test_a_plain_sentence_is_meant_worth_keeping_and_for_core(plain: str) -> None:
    found = Judge(MiniLM()).sentences([SentenceInTalk(plain)])[0]
    assert min(found.meant, found.worth, found.core) > 0 > max(found.directive, found.leans)


@pytest.mark.parametrize("said", ["Remember that I live in Hamburg.", "please remember, my landlord is Quenby"])
def test_what_is_asked_to_be_remembered_is_judged_without_the_asking(said: str) -> None:
    (fact,) = facts_of([Episode("mem-1", said, 0.0)], Judge(MiniLM()))
    assert fact.quote == said
    assert fact.asked
    assert fact.core is not None
    assert fact.core > 0


def test_an_answer_does_not_depend_on_what_else_is_asked() -> None:
    said = [SentenceInTalk(text) for text in ("No emojis.", "My sister Ines lives in Porto, near the river.", "ok")]
    together = Judge(MiniLM()).sentences(said)
    assert together == [Judge(MiniLM()).sentences([one])[0] for one in said]


def test_nights_in_threads_share_one_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upper_layers, "REMEMBERED", 2)
    judge = Judge(MiniLM())
    said = [[SentenceInTalk(f"I have {n + k} cats.") for k in range(3)] for n in range(12)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(judge.sentences, said))
    assert found == [Judge(MiniLM()).sentences(some) for some in said]
