"""Whether thinking ahead with a model pays in a space: what it took asleep against what it saved awake."""

from dataclasses import dataclass

from reverie.policy.decision import Decision

TRIED = 5  # contexts that a space may ponder before it is judged
COST_OF_A_TOKEN_AWAKE = 5.0  # against one asleep: nobody waits for those, and they can be batched
REST_DAYS = 14.0  # after which a space that did not pay is tried once more


@dataclass(frozen=True, slots=True)
class Figures:
    """What came of pondering in one space since it was last tried."""

    contexts: int = 0  # that a model pondered
    questions: int = 0  # that something worked out was served for
    tokens_asleep: int = 0
    tokens_saved: int = 0

    @property
    def predictability(self) -> float:
        """Questions a context: the more of them come, the more thinking ahead is worth."""
        return self.questions / self.contexts if self.contexts else 0.0


def pays(figures: Figures) -> Decision:
    """
    >>> pays(Figures(contexts=6, questions=0, tokens_asleep=9_000)).allowed
    False
    >>> pays(Figures(contexts=6, questions=12, tokens_asleep=9_000, tokens_saved=4_000)).allowed
    True
    """
    if figures.contexts < TRIED:
        return Decision(True, f"{figures.contexts} of {TRIED} contexts tried")
    worth = figures.tokens_saved * COST_OF_A_TOKEN_AWAKE
    why = (
        f"{figures.contexts} contexts took {figures.tokens_asleep:,} tokens asleep; {figures.questions} questions saved"
        f" {figures.tokens_saved:,} awake ({figures.predictability:.1f} questions a context)"
    )
    return Decision(worth >= figures.tokens_asleep, why)
