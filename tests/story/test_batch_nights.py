"""Nights that go out as provider batches: handed in together, killed while out, fetched, paid once."""

import signal
import time
from pathlib import Path

import pytest

from reverie.errors import BatchOut
from reverie.minds.llm.models import open_models
from reverie.minds.llm.spec import ModelSpec
from reverie.minds.meter import MemoryLedger, charged_to
from reverie.minds.prices import Price
from reverie.minds.rules.reasoner import RulesReasoner
from reverie.model.ledger import Purpose
from reverie.model.thinking import Episode
from reverie.reverie import Reverie
from tests.story.test_model_nights import resumed, sleep_in_a_child
from tests.support.batch_server import BatchServer, batch_server
from tests.support.waiting import until

NOW = 1_780_000_000.0
UNATTENDED = Purpose("asleep", "space", "night", "extract", awaited=False)


def german(n: int) -> str:
    return f"Der Bus Nummer {n} fährt um neun Uhr nach Bonn. So ein Tag heute."


def batches() -> list[list[Episode]]:
    return [[Episode(f"mem-{n}", german(n), NOW)] for n in range(10)]


def specs(server: BatchServer, provider: str, mode: str) -> list[ModelSpec]:
    url = server.url if provider == "openai" else server.url.removesuffix("/v1")
    return [ModelSpec(f"{provider}:m", base_url=url, batches=mode)]  # type: ignore[arg-type]


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_many_calls_that_nobody_waits_for_go_out_as_one_batch_at_half_the_price(provider: str) -> None:
    with batch_server() as server:
        server.released.set()
        ledger, price = MemoryLedger(), {f"{provider}:m": Price(1.0, 2.0)}
        models = open_models(specs(server, provider, "unattended"), ledger, prices=price, environ={})
        reasoner = models.reasoner(RulesReasoner())
        assert reasoner is not None
        with charged_to(UNATTENDED):
            reasoner.prepare(facts=batches())
            found = [reasoner.facts(batch) for batch in batches()]
        models.close()
    assert [draft.quote for drafts in found for draft in drafts] == [
        f"Der Bus Nummer {n} fährt um neun Uhr nach Bonn." for n in range(10)
    ]
    assert (len(server.batches), server.alone, len(server.worked)) == (1, 0, 10)
    for entry in ledger.entries.values():
        assert (entry.status, entry.batch) == ("done", "")
        assert entry.cost == pytest.approx((entry.tokens_in + 2 * entry.tokens_out) / 2e6)


def test_a_person_who_waits_is_answered_call_by_call() -> None:
    with batch_server() as server:
        models = open_models(specs(server, "openai", "unattended"), MemoryLedger(), environ={})
        reasoner = models.reasoner(RulesReasoner())
        assert reasoner is not None
        with charged_to(Purpose("asleep", "space", "night", "extract", awaited=True)):
            reasoner.prepare(facts=batches())
        models.close()
    assert server.batches == {}
    assert server.alone == models.specs["sleeper"].concurrency  # as many as are read ahead


@pytest.mark.parametrize("id_lost", [False, True])
def test_a_batch_that_is_out_when_the_process_stops_is_fetched_by_the_next(id_lost: bool) -> None:
    with batch_server() as server:
        ledger = MemoryLedger()
        for released in (False, True):
            models = open_models(specs(server, "openai", "unattended"), ledger, environ={})
            reasoner = models.reasoner(RulesReasoner())
            assert reasoner is not None
            if released:
                server.released.set()
                if id_lost:  # killed between the provider's answer and the ledger
                    mark = server.batches["batch-0"]["metadata"]["reverie"]
                    for entry in list(ledger.entries.values()):
                        ledger.entries[entry.id] = type(entry)(
                            **{name: getattr(entry, name) for name in entry.__slots__} | {"batch": f"sending:{mark}"}
                        )
            else:
                models.clients[0].closed.set()  # type: ignore[union-attr]
            with charged_to(UNATTENDED):
                if released:
                    reasoner.prepare(facts=batches())
                else:
                    with pytest.raises(BatchOut):
                        reasoner.prepare(facts=batches())
            models.close()
    assert (len(server.batches), len(server.worked)) == (1, 10)
    assert {entry.status for entry in ledger.entries.values()} == {"done"}
    assert len(ledger.entries) == 10


@pytest.mark.parametrize("turns", [120, pytest.param(1_000, marks=[pytest.mark.torture, pytest.mark.timeout(900)])])
def test_a_night_killed_while_its_batch_is_out_is_resumed_and_paid_once(home: Path, turns: int) -> None:
    with batch_server() as server:
        settings = {"sleeper_model": "openai:m", "model_base_url": server.url, "model_batches": "all"}
        with Reverie.open(home, embedder="none", durable=False) as memory:
            space = memory.space()
            for n in range(turns):
                space.append("user", german(n), at=time.time() - 90_000 + n)
        child = sleep_in_a_child(home, settings)
        until(lambda: server.batches, 300)
        child.send_signal(signal.SIGKILL)
        child.wait(10)
        server.released.set()
        with resumed(home, settings) as memory:
            assert memory.space().sleep().status == "done"
            paid = memory.parts.db.rows("SELECT prompt_hash, status FROM ledger WHERE step = 'extract'")
            facts = [one for one in memory.space().all(limit=5_000) if one.kind == "fact"]
    assert len(server.batches) == 1
    assert len(server.worked) == len(set(server.worked))
    assert {row["status"] for row in paid} == {"done"}
    assert len(paid) == len({row["prompt_hash"] for row in paid}) == -(-turns // 12)
    assert len(facts) >= turns - 12
