"""The same verbs, awaitable: each runs on a small pool of threads, so that the event loop never waits for a disk.

async with await aio.Reverie.open() as memory:
    alice = await memory.space("alice")
    await alice.append("user", "I moved to Hamburg")
"""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from reverie import reverie as sync
from reverie.space import Space as SyncSpace

P = ParamSpec("P")
T = TypeVar("T")
THREADS = 4


def _awaitable(
    verb: Callable[Concatenate[SyncSpace, P], T],
) -> Callable[Concatenate["Space", P], Awaitable[T]]:
    """A verb of `reverie.Space`, with its signature, run on the pool."""

    def call(self: "Space", /, *args: P.args, **kwargs: P.kwargs) -> Awaitable[T]:
        return self.run(partial(verb, self.sync, *args, **kwargs))

    call.__doc__ = verb.__doc__
    call.__name__ = verb.__name__
    return call


class Space:
    """`sync` is the space itself, for what is not awaited; `run` awaits any call."""

    def __init__(self, space: SyncSpace, pool: ThreadPoolExecutor) -> None:
        self.sync = space
        self._pool = pool

    async def run(self, call: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, call)

    append = _awaitable(SyncSpace.append)
    add = _awaitable(SyncSpace.add)
    turns = _awaitable(SyncSpace.turns)
    end_session = _awaitable(SyncSpace.end_session)
    recall = _awaitable(SyncSpace.recall)
    context = _awaitable(SyncSpace.context)
    remember = _awaitable(SyncSpace.remember)
    memory = _awaitable(SyncSpace.memory)
    all = _awaitable(SyncSpace.all)
    correct = _awaitable(SyncSpace.correct)
    pin = _awaitable(SyncSpace.pin)
    unpin = _awaitable(SyncSpace.unpin)
    tag = _awaitable(SyncSpace.tag)
    untag = _awaitable(SyncSpace.untag)
    forget = _awaitable(SyncSpace.forget)
    sleep = _awaitable(SyncSpace.sleep)
    nap = _awaitable(SyncSpace.nap)
    request_sleep = _awaitable(SyncSpace.request_sleep)
    nights = _awaitable(SyncSpace.nights)
    night = _awaitable(SyncSpace.night)
    undo = _awaitable(SyncSpace.undo)

    async def block_read(self, label: str) -> str:
        return await self.run(lambda: self.sync.blocks[label].value)

    async def block_append(self, label: str, text: str) -> Any:
        return await self.run(lambda: self.sync.blocks[label].append(text))

    async def block_replace(self, label: str, old: str, new: str) -> Any:
        return await self.run(lambda: self.sync.blocks[label].replace(old, new))


class Reverie:
    def __init__(self, memory: sync.Reverie, pool: ThreadPoolExecutor) -> None:
        self.sync = memory
        self._pool = pool

    @classmethod
    async def open(cls, *args: Any, **kwargs: Any) -> Self:
        """As `reverie.Reverie.open`."""
        pool = ThreadPoolExecutor(THREADS, "reverie")
        loop = asyncio.get_running_loop()
        return cls(await loop.run_in_executor(pool, partial(sync.Reverie.open, *args, **kwargs)), pool)

    async def space(self, name: str | None = None) -> Space:
        loop = asyncio.get_running_loop()
        return Space(await loop.run_in_executor(self._pool, self.sync.space, name), self._pool)

    async def close(self) -> None:
        """Waits for calls that are under way, then closes the store."""
        await asyncio.get_running_loop().run_in_executor(None, self._pool.shutdown)
        self.sync.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
