"""What a running server holds: the store, its own threads, and what it knows of callers."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ParamSpec, TypeVar

from fastapi import APIRouter
from starlette.types import ASGIApp

from reverie.agents.events import HookDesk
from reverie.errors import NotFound
from reverie.model.base import DAY, HOUR, Instant, new_id
from reverie.model.spaces import Gauges
from reverie.model.turns import Appended, Draft
from reverie.reverie import Reverie
from reverie.server.errors import Problem
from reverie.server.gateway.auth import Auth, Caller
from reverie.server.gateway.group_append import Appends
from reverie.server.gateway.limits import Bodies, InFlight, Rate
from reverie.server.gateway.sessions import ConsoleSessions
from reverie.server.metrics import Metrics
from reverie.server.searchers.searchers import Question, Searchers
from reverie.server.settings import ServerSettings
from reverie.space import Space

P = ParamSpec("P")
T = TypeVar("T")
GAUGES_FOR = 5.0  # seconds
REPLIES_FOR = DAY


@dataclass(frozen=True)
class Surface:
    """One way in: its routes, which of them need no key, and how its errors look."""

    router: APIRouter | None = None
    mounts: Mapping[str, ASGIApp] = field(default_factory=dict)
    public: tuple[str, ...] = ()
    passes_on: Mapping[str, ASGIApp] = field(default_factory=dict)  # by prefix: what goes to somebody else as it is
    owns: tuple[str, ...] = ()  # prefixes of paths whose errors `error_body` shapes
    error_body: Callable[[Problem], Any] | None = None  # what becomes JSON, or a page as it stands
    tails: Mapping[str, str] = field(default_factory=dict)  # how its clients' paths end: what their base URL should be
    lifespan: Callable[[], AbstractAsyncContextManager[None]] | None = None


class Stopwatch:
    """Seconds that one request spent in the library."""

    __slots__ = ("library",)

    def __init__(self) -> None:
        self.library = 0.0


STOPWATCH: ContextVar[Stopwatch] = ContextVar("stopwatch")
SERVER: ContextVar["Server"] = ContextVar("server")


class Server:
    """Threads of its own, so that they end before the store is closed."""

    def __init__(self, reverie: Reverie, serving: ServerSettings) -> None:
        self.id = new_id("server")
        self.reverie = reverie
        self.serving = serving
        self.auth = Auth(reverie, serving)
        self.rate = Rate(serving.requests_per_minute)
        self.in_flight = InFlight(serving.max_in_flight)
        self.sessions = ConsoleSessions()
        self.bodies = Bodies(serving.max_body, serving.body_seconds)
        self.metrics = Metrics(lambda: self.in_flight.now, self.gauges, lambda: len(self.searchers.pids))
        self._gauges: tuple[Gauges, float] | None = None
        self.surfaces: list[Surface] = []
        self.draining = False
        self.asked_at = time.monotonic()
        self.streams = 0
        self._next_sweep = 0.0
        self._appends = Appends(reverie)
        self.searchers = Searchers(reverie, serving.searchers)
        self._pool = ThreadPoolExecutor(serving.workers, thread_name_prefix="reverie-server")
        self.hooks = HookDesk(self.talk_later)
        self._talkers = ThreadPoolExecutor(serving.talks, thread_name_prefix="reverie-talk")

    async def run(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Calls the library in a worker thread: SQLite blocks, the loop must not."""
        return await self._in_pool(self._pool, partial(call, *args, **kwargs))

    async def talk(self, call: Callable[[], T]) -> T:
        """The same for what may wait for a model: it must not keep the workers from everybody else."""
        return await self._in_pool(self._talkers, call)

    def talk_later(self, call: Callable[[], object]) -> None:
        """For what nobody waits for any more."""
        self._talkers.submit(call)

    async def _in_pool(self, pool: ThreadPoolExecutor, call: Callable[[], T]) -> T:
        def timed() -> tuple[T, float]:
            began = time.perf_counter()
            result = call()
            return result, time.perf_counter() - began

        result, took = await asyncio.get_running_loop().run_in_executor(pool, timed)
        if (watch := STOPWATCH.get(None)) is not None:  # a session's own task has none
            watch.library += took
        return result

    async def append(self, find: Callable[[], Space], draft: Draft) -> Appended:
        """A turn, stored together with those of other clients that come at the same moment."""
        appended, took = await asyncio.wrap_future(self._appends.put(find, draft))
        STOPWATCH.get().library += took
        return appended

    async def recall(self, question: Question, here: Callable[[], Awaitable[bytes]]) -> bytes:
        """The reply of a searcher, or what is found `here`."""
        embed = partial(self.run, self.reverie.sharing.vector, question.query)
        found = await self.searchers.recall(question, embed, here)
        STOPWATCH.get().library += found.seconds
        return found.body

    def org(self, caller: Caller) -> Reverie:
        """The store as the caller's org sees it."""
        return self.reverie.of_org(caller.org)

    def space(self, caller: Caller, id: str) -> Space:
        """By id or by name. What the caller may not see is not there."""
        space = self.org(caller).find_space(id)
        if caller.space not in (None, space.id):
            raise NotFound("space", id)
        space.only_read = not caller.may("write")
        return space

    def gauges(self) -> tuple[Gauges, Instant]:
        """The store's figures, at most some seconds old: health is asked for often, and by anybody."""
        now = self.reverie.now()
        if self._gauges is None or time.monotonic() - self._gauges[1] > GAUGES_FOR:
            self._gauges = (self.reverie.gauges(), time.monotonic())
        return self._gauges[0], now

    def sweep(self, now: Instant) -> None:
        """Throws old replies away, once an hour."""
        if now > self._next_sweep:
            self._next_sweep = now + HOUR
            self.reverie.replies.forget_before(now - REPLIES_FOR)

    def is_public(self, path: str) -> bool:
        return any(path in surface.public for surface in self.surfaces)

    def passing_on(self, path: str) -> ASGIApp | None:
        """Who passes a request for that path on to somebody else; None: it is for us."""
        for surface in self.surfaces:
            for prefix, app in surface.passes_on.items():
                if path.startswith(prefix):
                    return app
        return None

    def error_body(self, problem: Problem, path: str) -> Any:
        """The error as the surface that owns this path shapes it, or the one whose clients ask for such paths."""
        shaping = [surface for surface in self.surfaces if surface.error_body]
        owning = (surface for surface in shaping if path.startswith(surface.owns))
        asked = (surface for surface in shaping if path.endswith(tuple(surface.tails)))
        found = next(owning, None) or next(asked, None)
        return found.error_body(problem) if found and found.error_body else problem.body

    def misplaced(self, problem: Problem, path: str) -> Problem:
        """The same problem; to a client that has a wrong base URL it says the right one."""
        known = (base for surface in self.surfaces for tail, base in surface.tails.items() if path.endswith(tail))
        base = next(known, None)
        if base is None:
            return problem
        return replace(
            problem, message="there is nothing at this path", next_move=f"{base} `reverie connect` prints it."
        )

    def drain(self, seconds: float) -> None:
        """The server is about to stop: who waits for a model longer than that gets an answer without it."""
        self.draining = True
        hurry = threading.Timer(seconds, self.reverie.end_model_calls)
        hurry.daemon = True
        hurry.start()

    def close(self) -> None:
        """Waits for the threads; the store may be closed after it, not before."""
        self.reverie.end_model_calls()
        self._talkers.shutdown(wait=True)
        self.searchers.close()
        self._appends.close()
        self._pool.shutdown(wait=True, cancel_futures=True)
