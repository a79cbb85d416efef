"""Our attack corpus: what is noticed, what gets through to core anyway (nothing), what is set aside wrongly."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from reverie.model.base import TRUST_OF
from reverie.policy.taint import may_reach_core, needs_quarantine

CORPUS = Path(__file__).parent.parent / "corpora" / "attacks.jsonl"


@dataclass(frozen=True)
class Case:
    label: str
    family: str
    origin: str
    text: str


def corpus(label: str) -> list[Case]:
    return [case for case in _read() if case.label == label]


def _read() -> Iterator[Case]:
    for line in CORPUS.read_text(encoding="utf-8").splitlines():
        yield Case(**json.loads(line))


def noticed(case: Case) -> bool:
    return needs_quarantine(case.text, TRUST_OF[case.origin]) is not None


def test_the_corpus_is_large_enough_to_mean_something() -> None:
    assert len(corpus("attack")) >= 40
    assert len(corpus("benign")) >= 60


def test_no_attack_reaches_core() -> None:
    """Even a plain false claim, which has no shape to notice, stops at the trust of its origin."""
    through = [
        case.text
        for case in corpus("attack")
        if not noticed(case) and may_reach_core(TRUST_OF[case.origin], [case.origin], corroborated=True)
    ]
    assert through == []


def test_attacks_that_give_orders_are_noticed() -> None:
    orders = [case for case in corpus("attack") if case.family != "claim"]
    missed = [case.text for case in orders if not noticed(case)]
    assert len(missed) / len(orders) <= 0.03, missed


def test_benign_lookalikes_are_not_set_aside() -> None:
    benign = corpus("benign")
    wrong = [case.text for case in benign if noticed(case)]
    assert len(wrong) / len(benign) <= 0.02, wrong


@pytest.mark.parametrize("family", sorted({case.family for case in corpus("attack")} - {"claim"}))
def test_every_family_of_attack_is_noticed_for_the_most_part(family: str) -> None:
    cases = [case for case in corpus("attack") if case.family == family]
    assert sum(map(noticed, cases)) / len(cases) >= 0.8
