"""The ledger in the store keeps what the meter needs, on both backends, and reports it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from reverie import Reverie
from reverie.minds.meter import Ledger, MemoryLedger
from reverie.model.base import DAY
from reverie.model.ledger import Entry, Line, Purpose, Scope, cost_per_question
from reverie.policy.spending import Spent
from reverie.store.db import Database
from reverie.store.dialect.open import dialect_of
from reverie.store.tables import recalls
from reverie.store.tables.ledger import StoreLedger, queries, report
from tests.conftest import BACKENDS

NIGHT = Purpose("asleep", "ann", "night-1", "extract")
CHAT = Purpose("awake", "ann", step="chat", role="primary")
CALL = Entry("call-1", NIGHT, "openai:m", "hash-1", at=100.0, tokens_in=30, tokens_out=10)


@pytest.fixture(params=("memory", *BACKENDS))
def ledger(request: pytest.FixtureRequest) -> Iterator[Ledger]:
    if request.param == "memory":
        yield MemoryLedger()
    elif request.param == "sqlite":
        yield StoreLedger(request.getfixturevalue("db"))
    else:
        database = dialect_of(request.getfixturevalue("postgres_url")).open()
        yield StoreLedger(database)
        database.close()


def done(entry: Entry, **more: object) -> Entry:
    settled = replace(entry, status="done", response='{"text": "hi"}', settled_at=entry.at + 2)
    return replace(settled, **more)  # type: ignore[arg-type]


def test_a_settled_call_is_found_by_its_prompt_in_its_own_space_only(ledger: Ledger) -> None:
    ledger.open(CALL)
    assert ledger.find("hash-1", "ann") is None  # open: perhaps nobody ever answered
    ledger.settle(done(CALL, tokens_in=20, tokens_cached=5, cost=0.25))
    found = ledger.find("hash-1", "ann")
    assert found == done(CALL, tokens_in=20, tokens_cached=5, cost=0.25)
    assert ledger.find("hash-1", "ben") is None
    assert ledger.find("hash-2", "ann") is None


def test_a_day_whose_budget_is_spent_closes_the_gate_of_a_space_that_waits(location: str) -> None:
    model: dict[str, Any] = {"sleeper_model": "openai:m", "budget_day_tokens": 40}
    with Reverie.open(location, embedder="none", durable=False, clock=lambda: DAY + 100.0, **model) as memory:
        ann = memory.space("ann")
        ann.append("user", "hello")
        memory.parts.ledger.open(replace(CALL, at=100.0))  # yesterday's
        assert ann.explain_sleep().answers[-2].why == "within budget"
        memory.parts.ledger.open(replace(CALL, id="call-2", at=DAY + 1))
        assert ann.explain_sleep().answers[-2].why == "today: 40 of 40 tokens spent: the rules do it"
        ann.configure(when_spent="wait")
        assert ann.request_sleep().why == "budget_spent: today: 40 of 40 tokens spent"


def test_a_failed_call_is_not_found(ledger: Ledger) -> None:
    ledger.open(CALL)
    ledger.settle(replace(CALL, status="failed", fault="timeout", tokens_in=0, tokens_out=0))
    assert ledger.find("hash-1", "ann") is None


def test_spending_adds_up_by_night_space_and_time_and_a_call_under_way_counts_as_estimated(ledger: Ledger) -> None:
    ledger.open(CALL)  # 40 tokens
    second = replace(CALL, id="call-2", at=200.0, purpose=replace(NIGHT, night="night-2"))
    ledger.open(second)
    ledger.settle(done(second, tokens_in=1, tokens_out=1, cost=0.5))
    awake = replace(CALL, id="call-3", at=300.0, purpose=CHAT, tokens_in=100, tokens_out=0)
    ledger.open(awake)
    ledger.settle(done(awake, cost=0.25))
    other = replace(CALL, id="call-4", purpose=replace(NIGHT, space="ben", night="night-3"))
    ledger.open(other)
    assert ledger.spent(Scope(), 0.0) == Spent(40 + 2 + 100 + 40, 0.75)
    assert ledger.spent(Scope(), 150.0) == Spent(102, 0.75)
    assert ledger.spent(Scope(space="ann"), 0.0) == Spent(142, 0.75)
    assert ledger.spent(Scope(night="night-2"), 0.0) == Spent(2, 0.5)
    assert ledger.spent(Scope(regime="awake"), 0.0) == Spent(100, 0.25)
    assert ledger.spent(Scope(regime="asleep"), 150.0) == Spent(2, 0.5)


def test_the_report_has_a_line_for_each_heading_and_regime(db: Database) -> None:
    ledger = StoreLedger(db)
    ledger.open(done(CALL, cost=0.5))
    ledger.open(replace(CALL, id="call-2", at=100.0 + DAY, status="failed", fault="timeout", tokens_out=0))
    ledger.open(replace(CALL, id="call-3", purpose=CHAT, model="openai:big"))
    assert report(db, "day") == [
        Line("1970-01-01", "asleep", calls=1, tokens_in=30, tokens_out=10, cost=0.5),
        Line("1970-01-01", "awake", calls=1, unpriced=1, tokens_in=30, tokens_out=10),
        Line("1970-01-02", "asleep", calls=1, failed=1, unpriced=1, tokens_in=30),
    ]
    assert [line.key for line in report(db, "model")] == ["openai:big", "openai:m"]
    assert [line.key for line in report(db, "step", space="ann", since=50.0)] == ["chat", "extract"]
    assert report(db, "night", space="ben") == []


def test_the_cost_of_nights_is_spread_over_the_questions_asked(db: Database) -> None:
    StoreLedger(db).open(done(CALL, cost=0.5))
    assert cost_per_question(report(db, "day"), queries(db)) is None
    with db.write("log") as tx:
        for at in (100.0, 100.1, 200.0):  # one question that two verbs answered, and one more
            recalls.put_asked(tx, "ann", "h", "1970-01-01", "Where do I live?", at)
    assert cost_per_question(report(db, "day"), queries(db)) == 0.25
