"""Does anticipation pay in a space? Where too few questions can be foreseen it switches itself off, and tries later."""

from dataclasses import dataclass

from reverie.model.base import DAY, Instant
from reverie.policy.decision import Decision

ENOUGH_ANSWERS = 40  # made, before anything is judged
ENOUGH_QUESTIONS = 20  # asked meanwhile
LEAST_HIT_RATE = 0.01  # even when computing is free, storing and checking is not
TRY_AGAIN = 7 * DAY
WINDOW = 28 * DAY  # what lies further back says nothing about now


@dataclass(frozen=True, slots=True)
class AnswerUsage:
    """Since the window was opened, in one space."""

    made: int = 0
    asked: int = 0
    hits: int = 0
    wrong: int = 0
    tokens_asleep: int = 0
    tokens_saved: int = 0
    asleep_price: float = 0.5  # of a token asleep, where one awake costs 1: nobody waits, so it may be batched or cheap
    off_since: Instant | None = None

    @property
    def hit_rate(self) -> float:
        return self.hits / self.asked if self.asked else 0.0

    @property
    def cost(self) -> float:
        return self.tokens_asleep * self.asleep_price


def pays(usage: AnswerUsage, now: Instant) -> Decision:
    """
    >>> pays(AnswerUsage(made=50, asked=30, hits=9, tokens_asleep=10_000, tokens_saved=9_000), 0.0).why
    'saves 9000 tokens for 5000'
    """
    if usage.off_since is not None and now - usage.off_since < TRY_AGAIN:
        return Decision(False, f"off since it did not pay; tries again in {_days(usage.off_since, now)} days")
    if usage.off_since is not None:
        return Decision(True, "tries again after a week off")
    if usage.made < ENOUGH_ANSWERS or usage.asked < ENOUGH_QUESTIONS:
        return Decision(True, f"too early to judge: {usage.made} answers, {usage.asked} questions")
    if usage.hit_rate < LEAST_HIT_RATE:
        return Decision(False, f"{usage.hits} hits of {usage.asked} questions: not predictable here")
    if usage.tokens_saved < usage.cost:
        return Decision(False, f"saves {usage.tokens_saved} tokens for {usage.cost:.0f}: does not pay here")
    return Decision(True, f"saves {usage.tokens_saved} tokens for {usage.cost:.0f}")


def _days(since: Instant, now: Instant) -> int:
    return max(1, round((since + TRY_AGAIN - now) / DAY))


def probed(serving: str, share: float) -> bool:
    """Is this hit among the share that is computed again and compared? By its id, so that every reader agrees.

    >>> probed("srv-1", 1.0), probed("srv-1", 0.0)
    (True, False)
    """
    return sum(serving.encode()) * 2654435761 % 2**32 < share * 2**32
