"""The server's side of its searchers: started when recalls wait for each other, each given one or two at a time."""

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
import time
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from zlib import crc32

from reverie.config import environment_of
from reverie.reverie import Reverie
from reverie.server.gateway.auth import Caller
from reverie.server.searchers.frames import Unpacker, packed
from reverie.telemetry import is_traced

AHEAD = 2  # questions that a searcher has at once: the next one waits at its door, and none behind a slow one
CROWD = 8  # recalls that had to wait for another, until searchers are started
VECTORS = 2_048  # questions whose vectors are remembered
AGAIN = 30.0  # seconds after which one that died is started again
STUCK = 20.0  # seconds for one answer: then its searcher is ended, and the question answered here
CHECK = 2.0  # seconds between two looks at that
END_SECONDS = 3.0


class Question(NamedTuple):
    """A recall as it came in: who asks, in which space, for what."""

    caller: Caller
    space: str
    query: str
    body: bytes


class Reply(NamedTuple):
    body: bytes
    seconds: float


@dataclass(eq=False)
class Waiting:
    """A question on its way, and where its answer goes: None, if the server has to find it itself."""

    question: Question
    vector: bytes
    now: float
    answer: "asyncio.Future[Reply | None]"
    asked_at: float = field(default_factory=time.monotonic)


class SearcherLink(asyncio.Protocol):
    """One searcher's process and the socket to it."""

    def __init__(self, owner: "Searchers", process: "subprocess.Popen[bytes]", ours: socket.socket) -> None:
        self.process = process
        self._socket = ours
        self.ready = False
        self.asked: dict[int, Waiting] = {}
        self._owner = owner
        self._unpacker = Unpacker()
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        for frame in self._unpacker.fed(data):
            self._owner.heard(self, frame.header, frame.blob)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  it is gone, whatever the reason
        self._transport = None
        self._owner.lost(self)

    def send(self, frame: bytes) -> None:
        if self._transport is not None:
            self._transport.write(frame)

    def hang_up(self) -> None:
        """Says at once that nothing more will come: closing the transport would wait for the loop."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def ended(self, seconds: float = END_SECONDS) -> None:
        """Waits for the process, which ends when its socket closes."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Searchers:
    """Used by the event loop's thread alone, but for `_fresh`."""

    def __init__(self, reverie: Reverie, most: int) -> None:
        self._reverie = reverie
        self._sharing = reverie.sharing
        self._most = most if can_share(reverie) else 0
        self._links: list[SearcherLink] = []
        self._queue: deque[Waiting] = deque()
        self._vectors: OrderedDict[str, bytes] = OrderedDict()
        self._here = self._crowd = self._numbers = 0
        self._start_after = 0.0
        self.answered = 0  # recalls that searchers have answered
        self._loop: asyncio.AbstractEventLoop | None = None
        self._joining: set[asyncio.Future[None]] = set()

    @property
    def pids(self) -> list[int]:
        """Of those that answer."""
        return [link.process.pid for link in self._links if link.ready]

    async def recall(
        self, question: Question, embed: Callable[[], Awaitable[Any]], here: Callable[[], Awaitable[bytes]]
    ) -> Reply:
        """The answer of a searcher, else the one found here: before any was started, and where one cannot tell."""
        self._here += 1
        try:
            if self._here > 1 and len(self._links) < self._most:
                self._want()
            if any(link.ready for link in self._links):
                found = await self._asked(question, await self._vector(question.query, embed))
                if found is not None:
                    return found
            return Reply(await here(), 0.0)
        finally:
            self._here -= 1

    def close(self) -> None:
        """Ends them all and waits for it: the store is closed after that, and this process is the last to do so."""
        self._most, self._loop = 0, None
        links, self._links = self._links, []
        for link in links:
            link.hang_up()
        for link in links:
            link.ended()
        while self._queue:
            _answer(self._queue.popleft(), None)

    async def _vector(self, query: str, embed: Callable[[], Awaitable[Any]]) -> bytes:
        known = self._vectors.get(query)
        if known is None:
            known = self._vectors[query] = (await embed()).tobytes()
            while len(self._vectors) > VECTORS:
                self._vectors.popitem(last=False)
        else:
            self._vectors.move_to_end(query)
        return known

    def _asked(self, question: Question, vector: bytes) -> "asyncio.Future[Reply | None]":
        answer: asyncio.Future[Reply | None] = asyncio.get_running_loop().create_future()
        self._queue.append(Waiting(question, vector, self._reverie.now(), answer))
        self._hand_out()
        return answer

    def _hand_out(self) -> None:
        """To those with the least to do."""
        while self._queue:
            free = [link for link in self._links if link.ready and len(link.asked) < AHEAD]
            if not free:
                break
            self._send(min(free, key=self._burden(self._queue[0].question.space)), self._queue.popleft())

    def _burden(self, space: str) -> Callable[[SearcherLink], tuple[int, int]]:
        """The same one for a space, where both have as much to do: then not every one has every space in memory."""
        home = crc32(space.encode("utf-8", "surrogatepass"))
        return lambda link: (len(link.asked), (link.process.pid + home) % len(self._links))

    def _send(self, link: SearcherLink, waiting: Waiting) -> None:
        self._numbers += 1
        waiting.asked_at = time.monotonic()
        link.asked[self._numbers] = waiting
        caller, space, query, body = waiting.question
        asked = self._sharing.asked(query)
        head = ["recall", self._numbers, caller.org, space, caller.space, asked, waiting.now, len(waiting.vector)]
        link.send(packed(head, waiting.vector, body))

    def heard(self, link: SearcherLink, header: Sequence[Any], blob: bytes) -> None:
        """What a searcher says: that it is ready, what it found, or that it cannot tell."""
        if header[0] == "ready":
            link.ready = True
            for space, turns in list(self._sharing.fresh()):
                link.send(_fresh_frame(space, turns))
            return
        waiting = link.asked.pop(header[1], None)
        self._hand_out()
        if waiting is None:
            return
        if header[0] == "found":
            _, _, seconds, space, hits = header
            self.answered += 1
            self._sharing.note_recall(space, waiting.question.query, hits, waiting.now)
            _answer(waiting, Reply(blob, seconds))
        else:
            _answer(waiting, None)

    def lost(self, link: SearcherLink) -> None:
        """One has died, or was ended: what it was asked is answered here, and others take its place a while later."""
        if link in self._links:
            self._links.remove(link)
            self._start_after = time.monotonic() + AGAIN
        for waiting in link.asked.values():
            _answer(waiting, None)
        link.asked.clear()
        if not any(one.ready for one in self._links):
            while self._queue:
                _answer(self._queue.popleft(), None)
        if link.process.poll() is None and self._loop is not None:
            self._loop.run_in_executor(None, link.ended)

    def _want(self) -> None:
        """Counts that a recall met another. After some of these it is worth the memory of more processes."""
        self._crowd += 1
        if self._crowd < CROWD or time.monotonic() < self._start_after:
            return
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
            self._sharing.follow_fresh(self._fresh)
            self._loop.call_later(CHECK, self._check)
        while len(self._links) < self._most:
            try:
                link, ours = self._started()
            except OSError:  # no process to be had now
                self._start_after = time.monotonic() + AGAIN
                return
            self._links.append(link)
            joining = asyncio.ensure_future(self._joined(link, ours))
            self._joining.add(joining)
            joining.add_done_callback(self._joining.discard)

    async def _joined(self, link: SearcherLink, ours: socket.socket) -> None:
        await asyncio.get_running_loop().create_connection(lambda: link, sock=ours)

    def _started(self) -> tuple[SearcherLink, socket.socket]:
        ours, theirs = socket.socketpair()
        embedder = self._reverie.embedder
        command = [sys.executable, "-m", "reverie.server.searchers.searcher"]
        with theirs:
            try:
                process = subprocess.Popen(
                    [*command, str(theirs.fileno()), embedder.id, str(embedder.dim)],
                    env=_environment(self._reverie, self._most),
                    stdin=subprocess.DEVNULL,
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,  # out of reach of the terminal's Ctrl-C: it ends with its server
                )
            except OSError:
                ours.close()
                raise
        ours.setblocking(False)
        return SearcherLink(self, process, ours), ours

    def _check(self) -> None:
        """Ends a searcher that does not answer, or that has not even begun to."""
        if self._loop is None:
            return
        late = time.monotonic() - STUCK
        for link in list(self._links):
            if any(waiting.asked_at < late for waiting in link.asked.values()):
                link.process.kill()
        self._loop.call_later(CHECK, self._check)

    def _fresh(self, space: str, turns: Sequence[Any] | None) -> None:
        """Called by the thread that embeds, or forgets: the loop tells the searchers, before whatever is asked next."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._tell, _fresh_frame(space, turns))

    def _tell(self, frame: bytes) -> None:
        for link in self._links:
            if link.ready:
                link.send(frame)


def can_share(reverie: Reverie) -> bool:
    """Whether other processes may answer for this one: they map the files of an embedded store, and nobody traces."""
    return os.name == "posix" and reverie.sharing.possible and not is_traced()


def _environment(reverie: Reverie, searchers: int) -> Mapping[str, str]:
    """The same settings; together they hold as much in memory as one server would."""
    cache = max(1, reverie.config["vector_cache_mb"] // searchers)
    own = {"REVERIE_STORE": reverie.sharing.location, "REVERIE_VECTOR_CACHE_MB": str(cache)}
    return {**os.environ, **environment_of(reverie.config), **own}


def _fresh_frame(space: str, turns: Sequence[Any] | None) -> bytes:
    if turns is None:
        return packed(["fresh", space, None])
    told = [(ref, seq, len(vectors)) for ref, seq, vectors in turns]
    return packed(["fresh", space, told], *(vectors.tobytes() for _, _, vectors in turns))


def _answer(waiting: Waiting, reply: Reply | None) -> None:
    if not waiting.answer.done():  # its client may have gone
        waiting.answer.set_result(reply)
