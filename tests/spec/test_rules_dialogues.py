"""The rules over whole dialogues: updates are found, and nothing that still holds is ever retired."""

import pytest

from reverie.minds.rules.reasoner import RulesReasoner
from tests.corpora import dialogue, score

UPDATES_FOUND = 0.70


@pytest.mark.parametrize("corpus", ["dev", "blind"])
def test_no_wrong_retirement_and_most_updates_found(corpus: str) -> None:
    verdicts = dialogue.judge(RulesReasoner(), score.load(corpus, "dialogues"))
    print(f"\n{corpus}\n{dialogue.table(verdicts)}")
    assert verdicts.wrong == 0
    assert verdicts.share >= UPDATES_FOUND


def test_the_corpora_hold_sixty_dialogues_together() -> None:
    assert sum(len(score.load(corpus, "dialogues")) for corpus in ("dev", "blind")) >= 60
