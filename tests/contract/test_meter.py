"""The meter: what is paid once is not paid again, what is spent is written down, and no budget is passed."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from reverie.errors import BudgetSpent, ModelFault
from reverie.minds.llm.client import Call, ChatMessage, Completion, Delta, Failure, ModelUsage, complete
from reverie.minds.meter import Budgets, MemoryLedger, Meter, charged_to
from reverie.minds.prices import Price, Prices
from reverie.model.base import DAY
from reverie.model.ledger import Entry, Purpose, Scope
from reverie.policy.spending import Budget

NIGHT = Purpose("asleep", "ann", "night-1", "extract")
CHAT = Purpose("awake", "ann")


@dataclass
class Echo:
    """A client that answers with the question, at a known size."""

    name: str = "openai:echo"
    usage: ModelUsage = field(default_factory=lambda: ModelUsage(100, 20, 10))
    sent: list[str] = field(default_factory=list)
    fault: ModelFault | None = None

    def complete_all(self, calls: Sequence[Call]) -> list[Completion | Failure]:
        self.sent += [call.messages[-1].text for call in calls]
        return [self.fault or Completion(call.messages[-1].text, self.usage) for call in calls]

    def batched(self) -> bool:
        return False

    def stream(self, call: Call):  # type: ignore[no-untyped-def]
        completion = complete(self, call)
        yield Delta("text", completion.text)
        yield Delta("end", completion=completion)


def question(text: str = "hello", max_tokens: int = 50) -> Call:
    return Call((ChatMessage("user", text),), max_tokens)


def entries(ledger: MemoryLedger) -> list[Entry]:
    return list(ledger.entries.values())


def test_a_call_is_written_down_with_its_purpose_tokens_and_cost() -> None:
    ledger = MemoryLedger()
    prices = Prices({"openai:echo": Price(read=1.0, write=10.0, cached=0.0)})
    meter = Meter(Echo(), ledger, prices=prices, role="primary", clock=lambda: 5.0)
    with charged_to(CHAT):
        complete(meter, question())
    (entry,) = entries(ledger)
    assert entry.purpose == replace(CHAT, role="primary")
    assert (entry.tokens_in, entry.tokens_out, entry.tokens_cached) == (100, 20, 10)
    assert entry.cost == pytest.approx((90 * 1.0 + 20 * 10.0) / 1e6)
    assert (entry.status, entry.at, entry.settled_at) == ("done", 5.0, 5.0)


def test_a_model_without_a_price_counts_tokens_only() -> None:
    ledger = MemoryLedger()
    complete(Meter(Echo(), ledger), question())
    (entry,) = entries(ledger)
    assert entry.cost is None
    assert entry.tokens == 120


def test_a_server_that_reports_no_usage_is_counted_by_our_own_estimate() -> None:
    ledger = MemoryLedger()
    meter = Meter(Echo(usage=ModelUsage()), ledger)
    with charged_to(CHAT):
        complete(meter, question("hello there, how are you?"))
        list(meter.stream(question("hello there, how are you?")))
    assert [(entry.tokens_in > 5, entry.tokens_out > 5) for entry in entries(ledger)] == [(True, True)] * 2


def test_a_listed_model_is_priced_from_the_bundled_table_and_a_local_one_of_the_same_name_is_not() -> None:
    listed, local = MemoryLedger(), MemoryLedger()
    complete(Meter(Echo("openai:gpt-4o-mini"), listed), question())
    complete(
        Meter(Echo("openai:gpt-4o-mini"), local, prices=Prices(local=frozenset({"openai:gpt-4o-mini"}))), question()
    )
    assert entries(listed)[0].cost == pytest.approx(0.15e-6 * 90 + 0.075e-6 * 10 + 0.6e-6 * 20)
    assert entries(local)[0].cost is None


def test_a_resumed_night_pays_nothing_twice() -> None:
    ledger, client = MemoryLedger(), Echo()
    meter = Meter(client, ledger)
    with charged_to(NIGHT):
        first = complete(meter, question())
        again = complete(meter, question())
    assert client.sent == ["hello"]
    assert (first.text, again.text) == ("hello", "hello")
    assert again.replayed
    assert len(entries(ledger)) == 1


def test_another_space_another_model_or_an_awake_question_is_never_replayed() -> None:
    ledger, client = MemoryLedger(), Echo()
    for purpose in (NIGHT, replace(NIGHT, space="ben"), CHAT, CHAT):
        with charged_to(purpose):
            complete(Meter(client, ledger), question())
    with charged_to(NIGHT):
        complete(Meter(Echo("openai:other", sent=client.sent), ledger), question())
    assert len(client.sent) == 5


def test_within_a_wave_answers_keep_their_places() -> None:
    ledger, client = MemoryLedger(), Echo()
    meter = Meter(client, ledger, Budgets(night=Budget(tokens=250)))
    with charged_to(NIGHT):
        complete(meter, question("b"))
        outcomes = meter.complete_all([question("a"), question("b"), question("c", max_tokens=500)])
    assert [o.text if isinstance(o, Completion) else type(o) for o in outcomes] == ["a", "b", BudgetSpent]
    assert client.sent == ["b", "a"]


@pytest.mark.parametrize(
    ("budgets", "named"),
    [
        (Budgets(night=Budget(tokens=100)), "tonight"),
        (Budgets(space=Budget(tokens=100)), "this space"),
        (Budgets(day=Budget(tokens=100)), "today"),
        (Budgets(total=Budget(tokens=100)), "in all"),
        (Budgets(night=Budget(money=0.0001)), "tonight"),
        (Budgets(total=Budget(money=0.0)), "in all"),
        (Budgets(total=Budget(tokens=0)), "in all"),
    ],
)
def test_a_spent_budget_stops_the_next_call_and_is_named(budgets: Budgets, named: str) -> None:
    ledger, client = MemoryLedger(), Echo()
    meter = Meter(client, ledger, budgets, Prices({client.name: Price(1.0, 1.0)}))
    with charged_to(NIGHT), pytest.raises(BudgetSpent, match=f"^{named}: "):
        for n in range(10):
            complete(meter, question(f"question {n}"))
    assert len(client.sent) <= 1


def test_no_budget_is_passed_by_more_than_one_call_also_with_calls_under_way_at_once() -> None:
    ledger, client = MemoryLedger(), Echo(usage=ModelUsage(110, 100))
    meter = Meter(client, ledger, Budgets(night=Budget(tokens=2_000)))
    with charged_to(NIGHT):
        for start in range(0, 40, 4):
            meter.complete_all([question(f"question {n} " + "word " * 75, 100) for n in range(start, start + 4)])
    assert 2_000 - 210 <= ledger.spent(Scope(night="night-1"), 0.0).tokens <= 2_000 + 210


def test_a_model_that_writes_more_than_it_may_passes_the_budget_by_one_call_at_most() -> None:
    ledger, client = MemoryLedger(), Echo(usage=ModelUsage(100, 400))
    meter = Meter(client, ledger, Budgets(night=Budget(tokens=2_200)))
    with charged_to(NIGHT):
        for n in range(40):
            meter.complete_all([question(f"question {n}", 100)])
    assert 2_200 < ledger.spent(Scope(night="night-1"), 0.0).tokens <= 2_200 + 500


def test_a_person_who_asks_is_not_bound_by_what_nights_may_spend() -> None:
    budgets = Budgets(night=Budget(tokens=0), day=Budget(tokens=0))
    with charged_to(CHAT):
        assert complete(Meter(Echo(), MemoryLedger(), budgets), question()).text == "hello"
    with charged_to(CHAT), pytest.raises(BudgetSpent, match="this space"):
        complete(Meter(Echo(), MemoryLedger(), Budgets(space=Budget(tokens=0))), question())


def test_a_day_begins_anew_at_midnight() -> None:
    ledger, client = MemoryLedger(), Echo()
    now = [10 * DAY - 1]
    meter = Meter(client, ledger, Budgets(day=Budget(tokens=150)), clock=lambda: now[0])
    complete(meter, question("one"))
    with pytest.raises(BudgetSpent):
        complete(meter, question("two"))
    now[0] = 10 * DAY
    assert complete(meter, question("two")).text == "two"


def test_a_call_under_way_counts_with_its_estimate_so_that_a_crash_leaves_a_cautious_figure() -> None:
    ledger, seen = MemoryLedger(), []

    class Looks(Echo):
        def complete_all(self, calls: Sequence[Call]) -> list[Completion | Failure]:
            (entry,) = entries(ledger)
            seen.append((entry.status, ledger.spent(Scope(), 0.0).tokens >= 70))
            return super().complete_all(calls)

    complete(Meter(Looks(), ledger), question("hello", max_tokens=70))
    assert seen == [("open", True)]


@pytest.mark.parametrize(("kind", "charged"), [("server_error", False), ("timeout", True), ("cut_off", True)])
def test_a_failed_call_costs_nothing_unless_the_provider_may_have_worked(kind: str, charged: bool) -> None:
    ledger = MemoryLedger()
    with pytest.raises(ModelFault):
        complete(Meter(Echo(fault=ModelFault(kind, "no")), ledger), question())
    (entry,) = entries(ledger)
    assert (entry.status, entry.fault, entry.tokens > 0) == ("failed", kind, charged)


def test_a_call_that_a_person_stopped_is_not_under_way_for_ever() -> None:
    class Stopped(Echo):
        def complete_all(self, calls: Sequence[Call]) -> list[Completion | Failure]:
            raise KeyboardInterrupt

    ledger = MemoryLedger()
    with pytest.raises(KeyboardInterrupt):
        Meter(Stopped(), ledger).complete_all([question("one"), question("two")])
    assert [(e.status, e.fault, e.tokens_in > 0, e.tokens_out) for e in entries(ledger)] == [
        ("failed", "cut_off", True, 0)
    ] * 2


def test_a_failed_call_is_not_replayed() -> None:
    ledger, client = MemoryLedger(), Echo(fault=ModelFault("server_error", "no"))
    with charged_to(NIGHT):
        with pytest.raises(ModelFault):
            complete(Meter(client, ledger), question())
        client.fault = None
        assert complete(Meter(client, ledger), question()).text == "hello"


def test_a_stream_is_settled_when_it_ends_and_when_its_reader_walks_away() -> None:
    whole, left = MemoryLedger(), MemoryLedger()
    with charged_to(CHAT):
        assert [delta.kind for delta in Meter(Echo(), whole).stream(question())] == ["text", "end"]
        stream = Meter(Echo(), left).stream(question())
        next(stream)
        stream.close()  # type: ignore[attr-defined]
    assert entries(whole)[0].status == "done"
    assert (entries(left)[0].status, entries(left)[0].fault) == ("failed", "cut_off")
