"""Whether a model should think ahead: is there something to work with, is it within a night's share, does it pay."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from reverie.policy.decision import Decision
from reverie.policy.ponder.amounts import amounts
from reverie.policy.ponder.days import clocks, days

TRIED = 5  # contexts that a space may ponder before it is judged
COST_OF_A_TOKEN_AWAKE = 5.0  # against one asleep: nobody waits for those, and they can be batched
ALIKE = 3  # amounts of one unit in a talk: fewer are not worth a call
TOKENS_A_TURN = 20  # of the 150 that a night may take for a turn of the user's
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


def countable(text: str) -> bool:
    """Whether a line holds a number, a date or a time of day."""
    return bool(amounts(text) or days(text) or clocks(text))


def workable(lines: Iterable[str]) -> Decision:
    """Whether there is something in a talk to add up or compare: several amounts of one kind.

    >>> workable(["Tea is $3, rice $5.", "We paid $20."]).allowed, workable(["See you at 9.", "Room 12"]).allowed
    (True, False)
    """
    units = Counter(amount.unit for line in lines for amount in amounts(line) if amount.unit)
    most = max(units.values(), default=0)
    return Decision(most >= ALIKE, f"{most} amounts of one unit, needs {ALIKE}")


def affordable(turns: int, spent: int, estimate: int) -> Decision:
    """Whether pondering a talk is within a night's share: so many tokens for each turn of the user's.

    >>> affordable(50, 300, 700).why, affordable(50, 400, 700).why
    ('1,000 of 1,000 tokens', '1,100 of 1,000 tokens')
    """
    share = turns * TOKENS_A_TURN
    return Decision(spent + estimate <= share, f"{spent + estimate:,} of {share:,} tokens")
