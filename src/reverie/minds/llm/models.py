"""From model settings to clients, meters and ladders for each role that is set."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from reverie.errors import ModelUnavailable
from reverie.minds.batching import Batching
from reverie.minds.llm.backoff import Pacer
from reverie.minds.llm.client import Call, Client, Completion, Delta, Failure
from reverie.minds.llm.faults import FaultCounts
from reverie.minds.llm.ladder import Ladder
from reverie.minds.llm.provider import ProviderClient
from reverie.minds.llm.reasoner import LlmReasoner
from reverie.minds.llm.spec import ModelRole, ModelSpec
from reverie.minds.meter import Budgets, Ledger, Meter
from reverie.minds.prices import Price, Prices
from reverie.minds.rules.reasoner import RulesReasoner


@dataclass(frozen=True, slots=True)
class Absent:
    """A model that is set but cannot be used: every call says why, so the rules go on and the night tells of it."""

    name: str
    why: ModelUnavailable

    def complete_all(self, calls: Sequence[Call]) -> list[Completion | Failure]:
        return [self.why for _ in calls]

    def batched(self) -> bool:
        return False

    def stream(self, call: Call) -> Iterator[Delta]:  # noqa: ARG002
        raise self.why

    def close(self) -> None:
        pass


@dataclass(frozen=True, slots=True)
class Models:
    """The models of one process, each behind its meter. Close it when done."""

    meters: Mapping[ModelRole, Client]  # a model that cannot be called has nothing to count
    specs: Mapping[ModelRole, ModelSpec]
    clients: Sequence[ProviderClient | Absent] = ()

    def reasoner(self, rules: RulesReasoner) -> LlmReasoner | None:
        """Who adds to the rules in nights; None when no sleeper is set. The roles share one count of faults."""
        ladders = self.ladders(FaultCounts())
        if "sleeper" not in ladders:
            return None
        return LlmReasoner(ladders["sleeper"], rules, ladders.get("primary"), ladders.get("reviewer"))

    def ladders(self, faults: FaultCounts) -> dict[ModelRole, Ladder]:
        """A ladder for each role; those of one model share its rate, because a server counts by model."""
        pacers = {spec.name: Pacer(spec.calls_per_minute) for spec in self.specs.values()}
        return {
            role: Ladder(self.meters[role], spec, faults, pacer=pacers[spec.name]) for role, spec in self.specs.items()
        }

    def primary(self) -> Client | None:
        """Whom `chat` talks through; None: it answers from memory alone."""
        return self.meters.get("primary")

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
    """A missing key or package raises nothing here: each call says so, and `check` names it beforehand."""
    known = prices_for(specs, prices or {})
    clients = {spec.role: _open(spec, environ) for spec in specs}
    meters: dict[ModelRole, Client] = {
        spec.role: _metered(clients[spec.role], spec, ledger, budgets or Budgets(), known) for spec in specs
    }
    return Models(meters, {spec.role: spec for spec in specs}, tuple(clients.values()))


def _metered(
    client: ProviderClient | Absent, spec: ModelSpec, ledger: Ledger, budgets: Budgets, known: Prices
) -> Client:
    """A model behind its meter; one that cannot be called has nothing to count."""
    if isinstance(client, Absent):
        return client
    batching = Batching(client.batches, spec.batches, client.closed) if client.batches is not None else None
    return Meter(client, ledger, budgets, known, spec.role, batching=batching)


def prices_for(specs: Sequence[ModelSpec], own: Mapping[str, Price]) -> Prices:
    return Prices(own, frozenset(spec.name for spec in specs if spec.base_url))


def _open(spec: ModelSpec, environ: Mapping[str, str]) -> ProviderClient | Absent:
    try:
        return ProviderClient(spec, environ)
    except ModelUnavailable as why:
        return Absent(spec.name, why)
