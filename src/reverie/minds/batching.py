"""Calls handed in as a provider batch: written down before they go, waited for, fetched after a crash, paid once."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from reverie.errors import BatchOut, ModelFault
from reverie.minds.llm.batches import FEWEST, Batches, Outcomes
from reverie.minds.llm.client import Call, Completion, Failure
from reverie.minds.llm.spec import BatchMode
from reverie.model.base import new_id
from reverie.model.ledger import Entry, Purpose

SENDING = "sending:"  # before the provider has given the batch its id
SHORTEST_WAIT, LONGEST_WAIT = 1.0, 60.0  # seconds between two looks
Paid = Sequence[tuple[Call, Entry]]


@dataclass(frozen=True, slots=True)
class Batching:
    """One model's provider batches, and which nights go out as such."""

    batches: Batches
    mode: BatchMode
    closed: threading.Event = field(default_factory=threading.Event)  # set when the process stops calling models

    def takes(self, purpose: Purpose) -> bool:
        return purpose.regime == "asleep" and (self.mode == "all" or not purpose.awaited)

    def worth(self, paid: Paid) -> bool:
        """Whether these are enough for a batch, or are out in one already."""
        return len(paid) >= FEWEST or any(entry.batch for _, entry in paid)

    def ask(self, paid: Paid, keep: Callable[[Entry], None]) -> list[Completion | Failure]:
        """What came of these calls; `keep` writes down which batch each of them is in, before it is waited for."""
        out = self._sent(paid, keep)
        found: Outcomes = {}
        for batch in dict.fromkeys(out.values()):
            found |= self._fetched(batch)
        lost = ModelFault("server_error", "a call was not among the results of its batch")
        return [found.get(entry.id, lost) for _, entry in paid]

    def _sent(self, paid: Paid, keep: Callable[[Entry], None]) -> dict[str, str]:
        """For each entry the batch that it is in."""
        out = {entry.id: entry.batch for _, entry in paid if entry.batch and not entry.batch.startswith(SENDING)}
        lost = {entry.batch.removeprefix(SENDING) for _, entry in paid if entry.batch.startswith(SENDING)}
        marks = {mark: found for mark in lost if (found := self.batches.find(mark)) is not None}
        for _, entry in paid:
            if (batch := marks.get(entry.batch.removeprefix(SENDING))) and entry.id not in out:
                out[entry.id] = batch
                keep(replace(entry, batch=batch))
        new = {entry.id: (call, entry) for call, entry in paid if entry.id not in out}
        return out | (self._send(new, keep) if new else {})

    def _send(self, new: Mapping[str, tuple[Call, Entry]], keep: Callable[[Entry], None]) -> dict[str, str]:
        mark = new_id("batch")
        for _, entry in new.values():
            keep(replace(entry, batch=f"{SENDING}{mark}"))
        batch = self.batches.send({id: call for id, (call, _) in new.items()}, mark)
        for _, entry in new.values():
            keep(replace(entry, batch=batch))
        return dict.fromkeys(new, batch)

    def _fetched(self, batch: str) -> Outcomes:
        pause = SHORTEST_WAIT
        while True:
            found = self._look(batch)
            if found is not None:
                return found
            if self.closed.wait(pause):
                raise BatchOut("a batch of calls is out with the provider; the next run fetches it")
            pause = min(LONGEST_WAIT, 2 * pause)

    def _look(self, batch: str) -> Outcomes | None:
        """A look that fails is no fault of the batch's, unless the provider knows it no longer."""
        try:
            return self.batches.fetch(batch)
        except ModelFault as fault:
            if fault.status is not None and fault.status < 500 and fault.status != 429:
                return {}
            return None
