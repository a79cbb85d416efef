"""Every model call passes here: replayed if already paid, refused if a budget is spent, written down either way."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Protocol

from reverie.errors import BudgetSpent, ModelFault
from reverie.language.words import token_count
from reverie.minds.batching import Batching
from reverie.minds.llm.batches import PRICE
from reverie.minds.llm.client import Call, Client, Completion, Delta, Failure, ModelUsage
from reverie.minds.prices import Prices
from reverie.model.base import Instant, new_id
from reverie.model.ledger import Entry, Purpose, Scope
from reverie.policy.spending import NO_LIMIT, Budget, Spent, allowed_by_all, day_start


@dataclass(frozen=True, slots=True)
class Budgets:
    night: Budget = field(default_factory=Budget)
    day: Budget = field(default_factory=Budget)
    space: Budget = field(default_factory=Budget)
    total: Budget = field(default_factory=Budget)
    own: Callable[[str], Budget | None] = lambda _: None  # what a space has instead of `space`

    def over(self, purpose: Purpose, day_start: Instant) -> Iterator[tuple[str, Budget, Scope, Instant]]:
        """Each budget that a call for `purpose` counts against: its name, itself, and whose spending to add up.

        Night and day bind what nobody asked for; a person who asks is bound by the space's budget and the total.
        """
        if purpose.regime == "asleep":
            yield "tonight", self.night, Scope(night=purpose.night), 0.0
            yield "today", self.day, Scope(regime="asleep"), day_start
        yield "this space", self.own(purpose.space) or self.space, Scope(space=purpose.space), 0.0
        yield "in all", self.total, Scope(), 0.0


MAYBE_BILLED = frozenset({"timeout", "cut_off"})  # the provider may have worked, and charged, all the same

NOBODY = Purpose()

_purpose: ContextVar[Purpose] = ContextVar("purpose", default=NOBODY)


class Ledger(Protocol):
    """The sink that `reverie.py` hands in, so that minds never import the store."""

    def find(self, prompt_hash: str, space: str) -> Entry | None:
        """A call that was done and paid, with its response."""
        ...

    def under_way(self, prompt_hash: str, space: str) -> Entry | None:
        """A call with the same prompt that is out in a provider batch."""
        ...

    def open(self, entry: Entry) -> None: ...

    def settle(self, entry: Entry) -> None: ...

    def spent(self, scope: Scope, since: Instant) -> Spent:
        """Open entries count with their estimate: what is under way is as good as spent."""
        ...


@contextmanager
def charged_to(purpose: Purpose) -> Iterator[None]:
    """Within it, this thread's model calls are charged to `purpose`; each meter fills in its own role."""
    token = _purpose.set(purpose)
    try:
        yield
    finally:
        _purpose.reset(token)


@dataclass(frozen=True, slots=True)
class Meter:
    """A client that counts. Bookkeeping happens on the caller's thread, so a ledger needs no lock of its own."""

    client: Client
    ledger: Ledger
    budgets: Budgets = field(default_factory=Budgets)
    prices: Prices = field(default_factory=Prices)
    role: str = "sleeper"
    clock: Callable[[], Instant] = time.time
    batching: Batching | None = None

    @property
    def name(self) -> str:
        return self.client.name

    def complete_all(self, calls: Sequence[Call]) -> list[Completion | Failure]:
        admitted = [self._admit(call) for call in calls]
        paid = [(call, entry) for call, entry in zip(calls, admitted, strict=True) if isinstance(entry, Entry)]
        batching = self.batching if self.batched() else None
        if batching is not None and batching.worth(paid):
            answers, price = iter(self._in_a_batch(batching, paid)), PRICE
        else:
            answers, price = iter(self._asked(paid) if paid else []), 1.0
        return [self._settle(one, next(answers), price=price) if isinstance(one, Entry) else one for one in admitted]

    def batched(self) -> bool:
        return self.batching is not None and self.batching.takes(_purpose.get())

    def _asked(self, paid: Sequence[tuple[Call, Entry]]) -> list[Completion | Failure]:
        try:
            return self.client.complete_all([call for call, _ in paid])
        except BaseException:  # Ctrl-C: the calls are over, so nothing may count as under way for ever
            for _, entry in paid:
                self._settle(entry, ModelFault("cut_off", "stopped before the answer came"))
            raise

    def _in_a_batch(self, batching: Batching, paid: Sequence[tuple[Call, Entry]]) -> list[Completion | Failure]:
        """A batch that is still out stays written down as it is: its calls are paid, and fetched by the next run."""
        try:
            return batching.ask(paid, self.ledger.open)
        except ModelFault as fault:
            return [fault for _ in paid]

    def stream(self, call: Call) -> Iterator[Delta]:
        """Admitted here and now, so the purpose is the caller's, whoever reads the stream."""
        entry = self._admit(call)
        if isinstance(entry, Completion):
            return iter((Delta("text", entry.text), Delta("end", completion=entry)))
        if not isinstance(entry, Entry):
            raise entry
        return self._streamed(call, entry)

    def _streamed(self, call: Call, entry: Entry) -> Iterator[Delta]:
        outcome: Completion | Failure = ModelFault("cut_off", "the reader stopped before the answer ended")
        written: list[str] = []
        try:
            for delta in self.client.stream(call):
                if delta.kind == "end":
                    outcome = delta.completion
                written.append(delta.text)
                yield delta
        except ModelFault as fault:
            outcome = fault
            raise
        finally:
            self._settle(entry, outcome, "".join(written))

    def _admit(self, call: Call) -> Entry | Completion | BudgetSpent:
        purpose = replace(_purpose.get(), role=self.role)
        prompt_hash = call.prompt_hash(self.name)
        if purpose.regime == "asleep":  # awake, the same words may deserve another answer
            recorded = self.ledger.find(prompt_hash, purpose.space)
            if recorded is not None and recorded.response is not None:
                return Completion.replay(recorded.response)
            if self.batched() and (out := self.ledger.under_way(prompt_hash, purpose.space)) is not None:
                return out
        entry = Entry(
            id=new_id("call"), purpose=purpose, model=self.name, prompt_hash=prompt_hash, at=self.clock(),
            tokens_in=call.tokens, tokens_out=call.max_tokens,
        )  # fmt: skip
        entry = replace(entry, cost=self.prices.cost(self.name, entry))
        refused = self._refused(entry)
        if refused is not None:
            return refused
        self.ledger.open(entry)
        return entry

    def _refused(self, entry: Entry) -> BudgetSpent | None:
        estimate = Spent(entry.tokens, entry.cost or 0.0)
        limits = (
            (name, budget, self.ledger.spent(scope, since))
            for name, budget, scope, since in self.budgets.over(entry.purpose, day_start(entry.at))
            if budget != NO_LIMIT  # most are not set, and each costs a query
        )
        decision = allowed_by_all(limits, estimate)
        return None if decision else BudgetSpent(decision.why, model=entry.model)

    def _settle(
        self, entry: Entry, outcome: Completion | Failure, written: str = "", price: float = 1.0
    ) -> Completion | Failure:
        settled = _done(entry, outcome) if isinstance(outcome, Completion) else _failed(entry, outcome, written)
        cost = self.prices.cost(self.name, settled)
        self.ledger.settle(
            replace(settled, cost=None if cost is None else cost * price, batch="", settled_at=self.clock())
        )
        return outcome


def _done(entry: Entry, answer: Completion) -> Entry:
    """A server that reports no usage has still worked: then our own count stands, never zero."""
    used = answer.usage
    if used == ModelUsage():
        used = ModelUsage(entry.tokens_in, token_count(answer.text + answer.thinking))
    return replace(
        entry, status="done", response=answer.to_json(),
        tokens_in=used.tokens_in, tokens_out=used.tokens_out, tokens_cached=used.tokens_cached,
        tokens_thinking=used.tokens_thinking,
    )  # fmt: skip


def _failed(entry: Entry, failure: Failure, written: str) -> Entry:
    kind = failure.kind if isinstance(failure, ModelFault) else failure.code
    billed = kind in MAYBE_BILLED
    read, wrote = (entry.tokens_in, token_count(written)) if billed else (0, 0)
    return replace(entry, status="failed", fault=kind, tokens_in=read, tokens_out=wrote)


@dataclass(slots=True)
class MemoryLedger:
    entries: dict[str, Entry] = field(default_factory=dict)

    def find(self, prompt_hash: str, space: str) -> Entry | None:
        return next(
            (e for e in self.entries.values()
             if e.prompt_hash == prompt_hash and e.purpose.space == space and e.status == "done"),
            None,
        )  # fmt: skip

    def under_way(self, prompt_hash: str, space: str) -> Entry | None:
        same = (e for e in self.entries.values() if e.prompt_hash == prompt_hash and e.purpose.space == space)
        return next((entry for entry in same if entry.status == "open" and entry.batch), None)

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
