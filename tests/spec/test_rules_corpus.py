"""The rules against two corpora of utterances: `dev`, which they were tuned to, and `blind`, which nobody opened."""

import pytest

from reverie.minds.rules.reasoner import RulesReasoner
from tests.corpora import score

PRECISION, RECALL = 0.90, 0.60


@pytest.mark.parametrize("corpus", ["dev", "blind"])
def test_facts_are_precise_and_most_are_found(corpus: str) -> None:
    whole, kinds = score.report(RulesReasoner(), score.load(corpus, "utterances"))
    print(f"\n{corpus}\n{score.table(whole, kinds)}")
    assert whole.precision >= PRECISION
    assert whole.recall >= RECALL


@pytest.mark.parametrize("corpus", ["dev", "blind"])
def test_the_corpora_are_as_large_as_promised(corpus: str) -> None:
    rows = score.load(corpus, "utterances")
    assert sum(1 for row in rows if row["expected"]) >= 150
    assert sum(1 for row in rows if not row["expected"]) >= 50
    assert len({row["id"] for row in rows}) == len(rows)
