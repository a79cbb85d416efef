"""The same verbs, awaitable: each runs on a small pool of threads, so that the event loop never waits for a disk.

async with await aio.Reverie.open() as memory:
    alice = await memory.space("alice")
    await alice.append("user", "I moved to Hamburg")
"""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self, TypeVar

from reverie import reverie as sync
from reverie.model.blocks import BlockWrite
from reverie.model.night import Night, WorkerRecord
from reverie.model.spaces import Gauges, NewSpace, ShelfEntry
from reverie.model.turns import Appended, Draft, Turn
from reverie.space import Space as SyncSpace
from reverie.store.db import closed

if TYPE_CHECKING:
    from reverie.triggers.health import SchedulerFigures

P = ParamSpec("P")
T = TypeVar("T")
THREADS = 4


class _Threads:
    """The threads that a store and its spaces share. A call that is cancelled before it began is never made."""

    def __init__(self) -> None:
        self.pool = ThreadPoolExecutor(THREADS, "reverie")
        self.ended = False
        self._ending = threading.Lock()

    async def run(self, call: Callable[[], T]) -> T:
        if self.ended:
            raise closed()
        return await asyncio.get_running_loop().run_in_executor(self.pool, _contained, call)

    def end(self, then: Callable[[], None]) -> None:
        """What is under way is finished first; twice does no harm."""
        with self._ending:
            self.pool.shutdown()
            then()


def _contained(call: Callable[[], T]) -> T:
    """No future can carry a StopIteration: whoever awaits it would wait for ever."""
    try:
        return call()
    except StopIteration as error:
        raise RuntimeError("the call raised StopIteration") from error


def _awaitable(
    verb: Callable[Concatenate[SyncSpace, P], T],
) -> Callable[Concatenate["AsyncSpace", P], Awaitable[T]]:
    """A verb of `reverie.Space`, with its signature, run on the pool."""

    def call(self: "AsyncSpace", /, *args: P.args, **kwargs: P.kwargs) -> Awaitable[T]:
        return self.run(partial(verb, self.sync, *args, **kwargs))

    call.__doc__ = verb.__doc__
    call.__name__ = verb.__name__
    return call


class AsyncSpace:
    """`sync` is the space itself, for what is not awaited; `run` awaits any call."""

    def __init__(self, space: SyncSpace, threads: _Threads) -> None:
        self.sync = space
        self._threads = threads

    def __repr__(self) -> str:
        return f"aio.{self.sync!r}"

    async def run(self, call: Callable[[], T]) -> T:
        return await self._threads.run(call)

    @property
    def id(self) -> str:
        return self.sync.id

    @property
    def name(self) -> str:
        return self.sync.name

    # the log
    append = _awaitable(SyncSpace.append)
    add = _awaitable(SyncSpace.add)
    turn = _awaitable(SyncSpace.turn)
    turns = _awaitable(SyncSpace.turns)
    sessions = _awaitable(SyncSpace.sessions)
    end_session = _awaitable(SyncSpace.end_session)
    exclude = _awaitable(SyncSpace.exclude)
    admit = _awaitable(SyncSpace.admit)
    admission = _awaitable(SyncSpace.admission)
    # questions
    recall = _awaitable(SyncSpace.recall)
    context = _awaitable(SyncSpace.context)
    briefing = _awaitable(SyncSpace.briefing)
    for_prompt = _awaitable(SyncSpace.for_prompt)
    session_figures = _awaitable(SyncSpace.session_figures)
    added_blocks = _awaitable(SyncSpace.added_blocks)
    note_added_blocks = _awaitable(SyncSpace.note_added_blocks)
    embed = _awaitable(SyncSpace.embed)
    overflowed = _awaitable(SyncSpace.overflowed)
    say = _awaitable(SyncSpace.say)
    answer = _awaitable(SyncSpace.answer)
    answers = _awaitable(SyncSpace.answers)
    prepared = _awaitable(SyncSpace.prepared)
    explain_answer = _awaitable(SyncSpace.explain_answer)
    drop_answer = _awaitable(SyncSpace.drop_answer)
    answers_report = _awaitable(SyncSpace.answers_report)
    # looking on
    happened = _awaitable(SyncSpace.happened)
    graph = _awaitable(SyncSpace.graph)
    changes_of = _awaitable(SyncSpace.changes_of)
    health = _awaitable(SyncSpace.health)
    export_to = _awaitable(SyncSpace.export_to)
    # memory by hand
    remember = _awaitable(SyncSpace.remember)
    memory = _awaitable(SyncSpace.memory)
    named = _awaitable(SyncSpace.named)
    all = _awaitable(SyncSpace.all)
    count = _awaitable(SyncSpace.count)
    earlier = _awaitable(SyncSpace.earlier)
    correct = _awaitable(SyncSpace.correct)
    pin = _awaitable(SyncSpace.pin)
    unpin = _awaitable(SyncSpace.unpin)
    tag = _awaitable(SyncSpace.tag)
    untag = _awaitable(SyncSpace.untag)
    set_metadata = _awaitable(SyncSpace.set_metadata)
    links = _awaitable(SyncSpace.links)
    derived = _awaitable(SyncSpace.derived)
    directives = _awaitable(SyncSpace.directives)
    explain = _awaitable(SyncSpace.explain)
    now = _awaitable(SyncSpace.now)
    forget = _awaitable(SyncSpace.forget)
    retract = _awaitable(SyncSpace.retract)
    vectors = _awaitable(SyncSpace.vectors)
    shelf = _awaitable(SyncSpace.shelf)
    # nights
    sleep = _awaitable(SyncSpace.sleep)
    nap = _awaitable(SyncSpace.nap)
    sleep_if_due = _awaitable(SyncSpace.sleep_if_due)
    request_sleep = _awaitable(SyncSpace.request_sleep)
    request_due_nap = _awaitable(SyncSpace.request_due_nap)
    dry_run = _awaitable(SyncSpace.dry_run)
    explain_sleep = _awaitable(SyncSpace.explain_sleep)
    nights = _awaitable(SyncSpace.nights)
    night = _awaitable(SyncSpace.night)
    night_diff = _awaitable(SyncSpace.night_diff)
    changed_rows = _awaitable(SyncSpace.changed_rows)
    unread = _awaitable(SyncSpace.unread)
    undo = _awaitable(SyncSpace.undo)
    redo = _awaitable(SyncSpace.redo)
    cancel = _awaitable(SyncSpace.cancel)
    pause = _awaitable(SyncSpace.pause)
    sleeper_alive = _awaitable(SyncSpace.sleeper_alive)
    diary = _awaitable(SyncSpace.diary)
    costs = _awaitable(SyncSpace.costs)
    questions_asked = _awaitable(SyncSpace.questions_asked)
    # thinking ahead
    study = _awaitable(SyncSpace.study)
    studies = _awaitable(SyncSpace.studies)
    insights = _awaitable(SyncSpace.insights)
    ponder_report = _awaitable(SyncSpace.ponder_report)
    intend = _awaitable(SyncSpace.intend)
    intents = _awaitable(SyncSpace.intents)
    cancel_intent = _awaitable(SyncSpace.cancel_intent)
    reminders = _awaitable(SyncSpace.reminders)
    # what waits for a person
    contradictions = _awaitable(SyncSpace.contradictions)
    contradiction = _awaitable(SyncSpace.contradiction)
    resolve = _awaitable(SyncSpace.resolve)
    reopen = _awaitable(SyncSpace.reopen)
    reviews = _awaitable(SyncSpace.reviews)
    review = _awaitable(SyncSpace.review)
    approve = _awaitable(SyncSpace.approve)
    reject = _awaitable(SyncSpace.reject)
    reopen_review = _awaitable(SyncSpace.reopen_review)
    undo_refusal = _awaitable(SyncSpace.undo_refusal)
    # files and settings
    mirror = _awaitable(SyncSpace.mirror)
    dream = _awaitable(SyncSpace.dream)
    import_from = _awaitable(SyncSpace.import_from)
    configure = _awaitable(SyncSpace.configure)
    change = _awaitable(SyncSpace.change)

    async def export(self) -> list[str]:
        """The whole space as JSON lines."""
        return await self.run(lambda: list(self.sync.export()))

    async def block_read(self, label: str) -> str:
        return await self.run(lambda: self.sync.blocks[label].value)

    async def block_append(self, label: str, text: str) -> BlockWrite:
        return await self.run(lambda: self.sync.blocks[label].append(text))

    async def block_replace(self, label: str, old: str, new: str) -> BlockWrite:
        return await self.run(lambda: self.sync.blocks[label].replace(old, new))

    async def block_set(self, label: str, value: str, *, expected: int | None = None) -> BlockWrite:
        return await self.run(lambda: self.sync.blocks[label].set(value, expected=expected))


class AsyncReverie:
    """`sync` is the opened store itself; a space that this one gives shares its threads."""

    def __init__(self, memory: sync.Reverie, threads: _Threads) -> None:
        self.sync = memory
        self._threads = threads

    @classmethod
    async def open(cls, *args: Any, **kwargs: Any) -> Self:
        """As `reverie.Reverie.open`. Cancelled meanwhile, it closes what has been opened."""
        threads = _Threads()
        opening = threads.pool.submit(sync.Reverie.open, *args, **kwargs)
        try:
            return cls(await asyncio.wrap_future(opening), threads)
        except asyncio.CancelledError:
            opening.add_done_callback(_close_unwanted)
            raise

    async def space(self, name: str | None = None) -> AsyncSpace:
        """The space of that name, made if it is not there yet."""
        return AsyncSpace(await self.run(lambda: self.sync.space(name)), self._threads)

    async def create_space(self, name: str, *, default_blocks: bool = True, **more: Any) -> AsyncSpace:
        """As `reverie.Reverie.create_space`."""
        make = partial(self.sync.create_space, name, default_blocks=default_blocks, **more)
        return AsyncSpace(await self.run(make), self._threads)

    async def create_spaces(self, *given: NewSpace) -> list[AsyncSpace]:
        made = await self.run(lambda: self.sync.create_spaces(*given))
        return [AsyncSpace(space, self._threads) for space in made]

    async def find_space(self, ref: str) -> AsyncSpace:
        return AsyncSpace(await self.run(lambda: self.sync.find_space(ref)), self._threads)

    async def space_by_id(self, id: str) -> AsyncSpace:
        return AsyncSpace(await self.run(lambda: self.sync.space_by_id(id)), self._threads)

    async def space_holding(self, id: str) -> AsyncSpace:
        return AsyncSpace(await self.run(lambda: self.sync.space_holding(id)), self._threads)

    async def spaces(self, *, limit: int = 50, after: str | None = None) -> list[AsyncSpace]:
        found = await self.run(lambda: self.sync.spaces(limit=limit, after=after))
        return [AsyncSpace(space, self._threads) for space in found]

    async def has_space(self, name: str) -> bool:
        return await self.run(lambda: self.sync.has_space(name))

    async def delete_space(self, name: str) -> None:
        await self.run(lambda: self.sync.delete_space(name))

    async def import_space(self, name: str, lines: Iterable[str], *, trust: bool = False) -> AsyncSpace:
        return AsyncSpace(await self.run(lambda: self.sync.import_space(name, lines, trust=trust)), self._threads)

    async def append_all(self, drafts: Sequence[tuple[AsyncSpace, Draft]]) -> list[Appended]:
        given = [(space.sync, draft) for space, draft in drafts]
        return await self.run(lambda: self.sync.append_all(given))

    async def find_night(self, id: str) -> tuple[AsyncSpace, Night]:
        space, night = await self.run(lambda: self.sync.find_night(id))
        return AsyncSpace(space, self._threads), night

    async def find_turn(self, id: str) -> tuple[AsyncSpace, Turn]:
        space, turn = await self.run(lambda: self.sync.find_turn(id))
        return AsyncSpace(space, self._threads), turn

    async def find_entry(self, shelf: str, key: str) -> tuple[AsyncSpace, ShelfEntry]:
        space, entry = await self.run(lambda: self.sync.find_entry(shelf, key))
        return AsyncSpace(space, self._threads), entry

    async def entries(self, shelf: str) -> list[ShelfEntry]:
        return await self.run(lambda: self.sync.entries(shelf))

    async def gauges(self) -> Gauges:
        return await self.run(self.sync.gauges)

    async def workers(self) -> list[WorkerRecord]:
        return await self.run(self.sync.workers)

    async def scheduler(self, *spaces: AsyncSpace) -> "SchedulerFigures":
        return await self.run(lambda: self.sync.scheduler(*(space.sync for space in spaces)))

    async def backup(self, target: str | Path, *, keep: int | None = None) -> Path:
        return await self.run(lambda: self.sync.backup(target, keep=keep))

    async def warm(self) -> None:
        await self.run(self.sync.warm)

    async def run(self, call: Callable[[], T]) -> T:
        """Any call, awaited."""
        return await self._threads.run(call)

    async def close(self) -> None:
        """Waits for calls that are under way, then closes the store, also if nobody waits for that any more."""
        self._threads.ended = True
        end = partial(self._threads.end, self.sync.close)
        await asyncio.shield(asyncio.get_running_loop().run_in_executor(None, end))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _close_unwanted(opening: "Future[sync.Reverie]") -> None:
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close()


# `from reverie import aio; await aio.Reverie.open()`: the same names as beside it, awaitable.
Reverie = AsyncReverie
Space = AsyncSpace
