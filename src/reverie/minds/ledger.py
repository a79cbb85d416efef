"""A ledger in memory: for use without a store, and for one process."""

from dataclasses import dataclass, field

from reverie.model.base import Instant
from reverie.model.ledger import Entry, Scope
from reverie.policy.spending import Spent


@dataclass(slots=True)
class MemoryLedger:
    entries: dict[str, Entry] = field(default_factory=dict)

    def find(self, prompt_hash: str, space: str) -> Entry | None:
        return next(
            (e for e in self.entries.values()
             if e.prompt_hash == prompt_hash and e.purpose.space == space and e.status == "done"),
            None,
        )  # fmt: skip

    def open(self, entry: Entry) -> None:
        self.entries[entry.id] = entry

    def settle(self, entry: Entry) -> None:
        self.entries[entry.id] = entry

    def spent(self, scope: Scope, since: Instant) -> Spent:
        counted = [e for e in self.entries.values() if e.at >= since and _within(e, scope)]
        return Spent(sum(e.tokens for e in counted), sum(e.cost or 0.0 for e in counted))


def _within(entry: Entry, scope: Scope) -> bool:
    purpose = entry.purpose
    wanted = ((scope.space, purpose.space), (scope.night, purpose.night), (scope.regime, purpose.regime))
    return all(want in (None, found) for want, found in wanted)
