"""The awaitable verbs do what the others do."""

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from reverie import Reverie, aio
from reverie.errors import BadInput, Conflict, StoreError


def test_a_conversation_on_an_event_loop(location: str) -> None:
    async def talk() -> tuple[list[str], str, str]:
        async with await aio.Reverie.open(location, embedder="none", durable=False) as memory:
            alice = await memory.space("alice")
            await asyncio.gather(*(alice.append("user", f"I like tea number {n}") for n in range(5)))
            hits = await alice.recall("tea", 3)
            await alice.block_append("human", "Likes tea.")
            context = await alice.context("tea", 500)
            night = await alice.nap()
            return [hit.kind for hit in hits], context.text, night.status

    kinds, text, status = asyncio.run(talk())
    assert (kinds, status) == (["turn"] * 3, "done")
    assert "Likes tea." in text


async def opened(location: str) -> aio.Reverie:
    return await aio.Reverie.open(location, embedder="none", durable=False)


def test_many_calls_at_once_are_all_made_and_errors_pass_through(location: str) -> None:
    async def talk() -> None:
        async with await opened(location) as memory:
            alice = await memory.create_space("alice", metadata={"team": "red"})
            await asyncio.gather(*(alice.append("user", f"turn {n}") for n in range(100)))
            assert len(await alice.turns(limit=200)) == 100
            assert (await memory.space_by_id(alice.id)).name == "alice"
            with pytest.raises(Conflict):
                await memory.import_space("alice", await alice.export())
            with pytest.raises(BadInput):
                await alice.append("king", "hello")
            with pytest.raises(RuntimeError, match="StopIteration"):
                await asyncio.wait_for(alice.run(lambda: next(iter(()))), 5)

    asyncio.run(talk())


def test_what_is_under_way_is_finished_before_the_store_closes_and_nothing_comes_after(location: str) -> None:
    async def talk() -> None:
        memory = await opened(location)
        alice = await memory.space("alice")
        busy = [asyncio.ensure_future(alice.append("user", f"turn {n}")) for n in range(20)]
        await asyncio.sleep(0)
        await asyncio.gather(memory.close(), memory.close())
        assert [appended.seq for appended in sorted(await asyncio.gather(*busy), key=lambda a: a.seq)] == [
            *range(1, 21)
        ]
        for late in (alice.append("user", "late"), memory.space("bob")):
            with pytest.raises(StoreError, match="has been closed"):
                await late

    asyncio.run(talk())
    with Reverie.open(location, embedder="none") as again:
        assert len(again.space("alice").turns()) == 20


def test_the_loop_goes_on_while_a_store_closes_even_if_nobody_waits_for_it(location: str) -> None:
    async def talk() -> None:
        memory = await opened(location)
        ending, ended = threading.Event(), threading.Event()
        memory.sync.parts.on_close[:0] = [ended.set, lambda: time.sleep(0.05), ending.set]  # last comes first
        closing = asyncio.ensure_future(memory.close())
        while not ending.is_set():
            await asyncio.sleep(0.001)
        assert not ended.is_set()
        closing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await closing
        assert await asyncio.to_thread(ended.wait, 5)

    asyncio.run(talk())


def test_a_store_that_nobody_waits_for_any_more_is_closed_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    began, ended = threading.Event(), threading.Event()
    open_now, close = Reverie.open, Reverie.close

    def slowly(*args: Any, **kwargs: Any) -> Reverie:
        began.set()
        time.sleep(0.05)
        return open_now(*args, **kwargs)

    def close_and_say(self: Reverie) -> None:
        close(self)
        ended.set()

    monkeypatch.setattr(Reverie, "open", slowly)
    monkeypatch.setattr(Reverie, "close", close_and_say)

    async def talk() -> None:
        opening = asyncio.ensure_future(opened(str(home / "store")))
        await asyncio.to_thread(began.wait, 5)
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening
        assert await asyncio.to_thread(ended.wait, 5)

    asyncio.run(talk())
