"""Conversations by `reverie chat`: one model call a turn, nothing maintained in the foreground, nights beside it."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from reverie.model.ledger import Line
from reverie.model.night import Night
from reverie.reverie import Reverie
from reverie.space import Space
from reverie.store.tables.rhythm import last_alive
from tests.support.conversing import Conversation, conversation
from tests.support.fault_server import TEXT, FaultServer, fault_server
from tests.support.local_model import local_model as local_model
from tests.support.waiting import until

TEN = [f"Hello! I have {n} cats." for n in range(10)]


@pytest.fixture
def space(home: Path) -> Iterator[Space]:
    """The same store, looked at from outside."""
    with Reverie.open(home / "store", embedder="none") as memory:
        yield memory.space()


def cost(space: Space, regime: str) -> Line:
    (line,) = [line for line in space.costs("model") if line.regime == regime]
    return line


def roles_and_texts(space: Space) -> list[tuple[str, str]]:
    return [(turn.role, turn.text) for turn in space.turns("chat", limit=1_000)]


def slept(space: Space) -> list[Night]:
    """Nights that are done. Whether they asked the model is theirs: it is asked only what the rules leave open."""
    return space.nights(limit=100, statuses=("done",))


@pytest.mark.slow
@pytest.mark.parametrize(
    "turns",
    [
        pytest.param(10, marks=pytest.mark.timeout(300)),
        pytest.param(100, marks=[pytest.mark.torture, pytest.mark.timeout(3600)]),
    ],
)
def test_a_conversation_with_a_real_model_while_nights_run_beside_it(
    home: Path, space: Space, local_model: str, turns: int
) -> None:
    """Before its last turn the person is silent for a while: nights let an active user go first."""
    small = {"context_tokens": 300, "model_answer_tokens": 12, "model_concurrency": 1, "budget_night_tokens": 1_000}
    models = {"primary_model": "openai:smollm2", "sleeper_model": "openai:smollm2", "model_base_url": local_model}
    said = [f"Hello! I have {n} cats." for n in range(turns)]
    with conversation(home, {**small, **models}) as talk:
        footers = [talk.say(text) for text in said[:-1]]
        assert sleeper(space) not in (None, talk.process.pid)
        until(lambda: slept(space), 300)
        footers.append(talk.say(said[-1]))
        assert talk.end() == 0
    assert [footer.startswith("[model: a model answered") for footer in footers] == [True] * turns
    assert all("; 1 model call" in footer for footer in footers)
    awake, asleep = cost(space, "awake"), cost(space, "asleep")
    assert (awake.calls, awake.failed) == (turns, 0)
    logged = roles_and_texts(space)
    assert [role for role, _ in logged] == ["user", "assistant"] * turns
    assert [text for role, text in logged if role == "user"] == said
    assert " ".join(text for role, text in logged if role == "assistant").split() == spoken(talk)
    assert len(talk.pieces) > 2 * turns  # it came in pieces, not whole
    within = [night for night in slept(space) if (night.ended_at or 0.0) < space.turns("chat", limit=1_000)[-1].at]
    assert sum(night.tokens for night in within) <= asleep.tokens_in + asleep.tokens_out
    assert within
    assert all(night.tokens <= 2_000 for night in within)  # past its budget by one call at most


def sleeper(space: Space) -> int | None:
    """The process that says it sleeps for this store."""
    alive = last_alive(space.parts.db)
    return None if alive is None else int(alive[0].rpartition("-")[2])


def spoken(talk: Conversation) -> list[str]:
    return b"".join(talk.pieces).decode().split()


def test_the_foreground_writes_nothing_but_the_log(home: Path) -> None:
    """Without a sleeper beside it, ten turns leave the file that nights write exactly as it was."""
    with fault_server() as server, conversation(home, friend(server), "--json") as talk:
        after_each = []
        for n, text in enumerate(TEN, start=1):
            talk.send(text)
            until(partial(has_said, talk, n))
            after_each.append(state_of(home / "store"))
        assert talk.end() == 0
        assert server.asked("friend") == 10
    assert [(reply["by"], reply["model_calls"]) for reply in lines(talk)] == [("model", 1)] * 10
    assert len(set(after_each)) == 1
    with Reverie.open(home / "store", embedder="none") as memory:
        assert cost(memory.space(), "awake").calls == 10
        assert len(roles_and_texts(memory.space())) == 20
        assert (memory.space().nights(), memory.space().all()) == ([], [])


def test_ctrl_c_stops_an_answer_keeps_what_had_come_and_the_conversation_goes_on(home: Path) -> None:
    with fault_server() as server, conversation(home, friend(server, "slow"), terminal=True) as talk:
        assert "openai:slow" in talk.footers.get(timeout=30)
        for text in ("Tell me about me.", "Again?"):
            talk.send(text)
            talk.wait_for(b"Hamburg")
            talk.interrupt()
            assert talk.footers.get(timeout=10) == "[stopped; what had come is kept]"
        assert talk.end() == 0
    with Reverie.open(home / "store", embedder="none") as memory:
        logged, line = roles_and_texts(memory.space()), cost(memory.space(), "awake")
        ended = memory.space().sessions()[0]["ended_at"]
    assert [role for role, _ in logged] == ["user", "assistant"] * 2
    assert all("Hamburg" in text and TEXT.startswith(text) for _, text in logged[1::2])
    assert (line.calls, line.failed) == (2, 2)
    assert line.tokens_out >= 8  # what was written before the reader left may well be charged
    assert ended is not None


def test_a_script_that_is_interrupted_ends_and_what_had_come_is_kept(home: Path) -> None:
    with fault_server() as server, conversation(home, friend(server, "slow")) as talk:
        talk.send("Tell me about me.")
        talk.wait_for(b"Hamburg")
        talk.interrupt()
        assert talk.process.wait(10) == 130
    with Reverie.open(home / "store", embedder="none") as memory:
        (_, heard), (role, kept) = roles_and_texts(memory.space())
    assert (heard, role) == ("Tell me about me.", "assistant")
    assert "Hamburg" in kept
    assert kept != TEXT


def has_said(talk: Conversation, replies: int) -> bool:
    return len(lines(talk)) == replies


def friend(server: FaultServer, model: str = "friend") -> dict[str, object]:
    """Somebody to talk to, and nobody who sleeps beside it."""
    return {"model_base_url": server.url, "primary_model": f"openai:{model}", "sleep": False}


def lines(talk: Conversation) -> list[dict[str, Any]]:
    return [json.loads(line) for line in b"".join(talk.pieces).decode().splitlines(keepends=True) if line[-1] == "\n"]


def state_of(store: Path) -> tuple[tuple[str, int, int], ...]:
    """What the files that nights write look like."""
    found = ((file.name, file.stat()) for file in sorted(store.glob("memory.db*")) if not file.name.endswith("-shm"))
    return tuple((name, stat.st_size, stat.st_mtime_ns) for name, stat in found)
