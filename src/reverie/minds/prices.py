"""What a call costs, by genai-prices' bundled table or the user's own; a model without a price is said to have none."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

MILLION = 1_000_000


class CountedTokens(Protocol):
    """Whatever has token counts: a client's usage, a ledger's entry."""

    @property
    def tokens_in(self) -> int: ...
    @property
    def tokens_out(self) -> int: ...
    @property
    def tokens_cached(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens. `cached` defaults to the full price of reading."""

    read: float
    write: float
    cached: float | None = None

    def of(self, used: CountedTokens) -> float:
        """
        >>> from reverie.minds.llm.client import ModelUsage
        >>> Price(read=1.0, write=5.0, cached=0.1).of(ModelUsage(tokens_in=1000, tokens_out=100, tokens_cached=500))
        0.00105
        """
        cached = self.read if self.cached is None else self.cached
        fresh = used.tokens_in - used.tokens_cached
        return round((fresh * self.read + used.tokens_cached * cached + used.tokens_out * self.write) / MILLION, 9)


def written(text: str) -> dict[str, Price]:
    """Prices as the setting `model_prices` has them: a model, then dollars to read, to write and, if less, from cache.

    >>> written("openai:m=0.2/0.6, anthropic:claude-haiku-4-5=1/5/0.1")["openai:m"]
    Price(read=0.2, write=0.6, cached=None)
    """
    return dict(_one(part.strip()) for part in text.split(",") if part.strip())


def _one(part: str) -> tuple[str, Price]:
    model, _, figures = part.rpartition("=")
    dollars = [float(figure) for figure in figures.split("/")]
    provider, _, name = model.strip().partition(":")
    if not (provider and name and len(dollars) in (2, 3) and all(0 <= each < math.inf for each in dollars)):
        raise ValueError(f"{part!r} is no price")
    return model.strip(), Price(*dollars)


@dataclass(frozen=True, slots=True)
class Prices:
    """`own` holds the user's prices by "provider:model" and wins; a model on the user's own server has none."""

    own: Mapping[str, Price] = field(default_factory=dict)
    local: frozenset[str] = frozenset()  # "provider:model" served from a base URL of the user's

    def cost(self, model: str, used: CountedTokens) -> float | None:
        """None: no price is known, tokens are all that can be counted."""
        if model in self.own:
            return self.own[model].of(used)
        if model in self.local:
            return None
        return _listed(model, used)


def _listed(model: str, used: CountedTokens) -> float | None:
    try:
        from genai_prices import Usage, calc_price
    except ImportError:  # only part of reverie[llm]; tokens are counted without it
        return None
    provider, _, name = model.partition(":")
    usage = Usage(input_tokens=used.tokens_in, output_tokens=used.tokens_out, cache_read_tokens=used.tokens_cached)
    try:
        return float(calc_price(usage, name, provider_id=provider).total_price)
    except LookupError:
        return None
