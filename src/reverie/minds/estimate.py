"""What nights with a model would take on a space's own traffic: tokens, money, time. Estimates, and said to be."""

from collections.abc import Sequence
from dataclasses import dataclass

from reverie.minds.llm.client import ModelUsage
from reverie.minds.prices import Prices
from reverie.model.base import DAY, Instant
from reverie.model.night import Night
from reverie.model.turns import Turn

TYPICAL_IN, TYPICAL_OUT = 85, 10  # tokens for each turn, measured over a hundred turns of a real night
TYPICAL_TURNS = 60  # of a night, before anything is known
HOSTED_SPEED, LOCAL_SPEED = (4_000.0, 200.0), (150.0, 15.0)  # tokens read and written in a second, all calls together
RECENT = 14 * DAY


@dataclass(frozen=True, slots=True)
class NightTraffic:
    """How many turns a night has to read, and what a turn has taken so far."""

    turns: float
    tokens_in: float = TYPICAL_IN
    tokens_out: float = TYPICAL_OUT
    measured: bool = False  # by nights of this space with a model


@dataclass(frozen=True, slots=True)
class NightEstimate:
    turns: int
    tokens_in: int
    tokens_out: int
    cost: float | None  # US dollars; None: no price is known
    seconds: float


def traffic_of(turns: Sequence[Turn], nights: Sequence[Night], now: Instant) -> NightTraffic:
    """From the latest turns and nights of a space."""
    recent = [turn for turn in turns if turn.at >= now - RECENT]
    days = len({int(turn.at // DAY) for turn in recent})
    if not days:
        return NightTraffic(TYPICAL_TURNS)
    return _measured(len(recent) / days, nights)


def _measured(turns: float, nights: Sequence[Night]) -> NightTraffic:
    paid = [(night.tokens, read) for night in nights if night.tokens and (read := int(night.counts.get("turns", 0)))]
    read = sum(count for _, count in paid)
    if read < TYPICAL_TURNS:
        return NightTraffic(turns)
    each = sum(tokens for tokens, _ in paid) / read
    share = TYPICAL_IN / (TYPICAL_IN + TYPICAL_OUT)
    return NightTraffic(turns, each * share, each * (1 - share), measured=True)


def estimate(model: str, local: bool, traffic: NightTraffic, prices: Prices) -> NightEstimate:
    """
    >>> estimate("openai:m", True, NightTraffic(100), Prices({}, frozenset({"openai:m"})))
    NightEstimate(turns=100, tokens_in=8500, tokens_out=1000, cost=None, seconds=123.3)
    """
    read, wrote = round(traffic.turns * traffic.tokens_in), round(traffic.turns * traffic.tokens_out)
    reading, writing = LOCAL_SPEED if local else HOSTED_SPEED
    cost = prices.cost(model, ModelUsage(read, wrote))
    return NightEstimate(round(traffic.turns), read, wrote, cost, round(read / reading + wrote / writing, 1))
