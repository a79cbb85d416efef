"""From model settings to a reasoner: clients, meters and ladders for each role that is set."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from reverie.errors import ConfigError
from reverie.minds.budgets import Budgets
from reverie.minds.llm.client import Client
from reverie.minds.llm.faults import Faults
from reverie.minds.llm.ladder import Ladder
from reverie.minds.llm.provider import ProviderClient
from reverie.minds.llm.reasoner import LlmReasoner
from reverie.minds.llm.spec import ModelRole, ModelSpec
from reverie.minds.meter import Ledger, Meter
from reverie.minds.prices import Price, Prices
from reverie.minds.reasoner import Reasoner


@dataclass(frozen=True, slots=True)
class Models:
    """The models of one process, each behind its meter. Close it when done."""

    meters: Mapping[ModelRole, Meter]
    specs: Mapping[ModelRole, ModelSpec]
    clients: Sequence[ProviderClient] = field(default_factory=tuple)

    def reasoner(self, fallback: Reasoner | None) -> LlmReasoner:
        """The sleeper's; the roles share one count of faults."""
        faults = Faults()
        ladders = {role: Ladder(self.meters[role], self.specs[role], faults) for role in self.meters}
        sleeper = ladders.get("sleeper") or ladders.get("primary")
        if sleeper is None:
            raise ConfigError("no model is set for the sleeper", next_move="Set models.sleeper, or use the rules.")
        return LlmReasoner(sleeper, fallback, ladders.get("primary"), ladders.get("reviewer"))

    def primary(self) -> Client | None:
        """Whom `chat` talks through; None: it answers from memory alone."""
        return self.meters.get("primary") or self.meters.get("sleeper")

    def close(self) -> None:
        for client in self.clients:
            client.close()


def open_models(
    specs: Sequence[ModelSpec],
    ledger: Ledger,
    budgets: Budgets | None = None,
    prices: Mapping[str, Price] | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Models:
    """Raises ModelUnavailable when a package or a key is missing: before a night begins, not in its middle."""
    known = Prices(prices or {}, frozenset(spec.name for spec in specs if spec.base_url))
    clients = {spec.role: ProviderClient(spec, environ) for spec in specs}
    meters = {
        role: Meter(client, ledger, budgets or Budgets(), known, role) for role, client in clients.items()
    }  # fmt: skip
    return Models(meters, {spec.role: spec for spec in specs}, tuple(clients.values()))
