"""Memory beside a request to a provider: what is added to its turns in time, and what is kept of the exchange."""

import asyncio
import hashlib
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from weakref import WeakValueDictionary

from reverie.errors import KeyReused, NotFound
from reverie.importers.envelopes import parts_of
from reverie.model.base import DAY, HOUR
from reverie.model.hits import NOTHING_INJECTED, Injection
from reverie.model.turns import AddedBlock, Draft, SessionNote
from reverie.policy.safety.trust import strip_recalled
from reverie.server.gateway.auth import Caller
from reverie.server.proxy.added_block import added_block, without_added
from reverie.server.proxy.apis import ProviderAnswer, SentRequest, SentTurn
from reverie.server.state import Server
from reverie.space import Space

log = logging.getLogger("reverie.proxy")
DEADLINE = 0.14  # seconds that a request waits for memory: with the way there and back it passes within 0.15
THREADS = 8  # that look for memories at once; past that a request goes without
RENEWED = HOUR  # a turn that is said again after that is a new one: no prompt cache lasts so long
LONGEST_RESULT = 10_000  # characters of what a tool brought back
LONGEST_TURN = 1_000_000  # characters that a turn of the log may have: of a longer one its beginning is kept
LONGEST_SESSION = 200
MOST_RESPONSES = 20_000
MOST_UNWRITTEN = 2_000  # conversations
CHANNEL = "proxy"


@dataclass(frozen=True)
class ProxyExchange:
    """One request: whose memory it is, and which conversation it belongs to."""

    caller: Caller
    space: str  # by name or id
    session: str
    request: SentRequest
    source: str | None = None  # the client's program
    reads: bool = True
    writes: bool = True
    subagent: bool = False  # its user is the agent that sent it
    prepared: bool = False  # a prepared answer is welcome

    @property
    def place(self) -> tuple[str, str, str]:
        return self.caller.org, self.space, self.session

    @cached_property
    def words(self) -> list[str]:
        """Each turn without what a harness or we have put into it."""
        return [own_words(turn) for turn in self.request.turns]

    @cached_property
    def digests(self) -> dict[int, str]:
        """What each turn of a person is known by: its words, and how often they were said before."""
        found: dict[int, str] = {}
        times: dict[str, int] = {}
        for n, turn in enumerate(self.request.turns):
            if turn.carries:
                said = _digest(self.words[n], _beside(turn))
                times[said] = times.get(said, 0) + 1
                found[n] = _digest(said, str(times[said]), self.request.follows)
        return found

    @cached_property
    def chain(self) -> list[str]:
        """A digest for each turn with all that went before it: the same words at another place are another turn."""
        found, before = [], _digest(self.session, self.request.follows)
        for turn, words in zip(self.request.turns, self.words, strict=True):
            before = _digest(before, turn.role, words, _beside(turn))
            found.append(before)
        return found or [before]


@dataclass(frozen=True, slots=True)
class Remembered:
    """The block of each turn that has one, by its place in the request."""

    blocks: Mapping[int, str] = field(default_factory=dict)
    memories: int = 0  # in the block that is new
    status: str = "none"  # added, none, answered, or skipped: memory was too slow or down
    seconds: float = 0.0
    answer: str | None = None  # was prepared: the model need not be asked


class Unwritten:
    """What was added to turns and is not in the store yet. A look that came too late adds nothing."""

    def __init__(self) -> None:
        self._of: OrderedDict[tuple[str, str, str], dict[str, AddedBlock]] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, place: tuple[str, str, str]) -> dict[str, AddedBlock]:
        with self._lock:
            return dict(self._of.get(place, ()))

    def put(self, place: tuple[str, str, str], digest: str, made: AddedBlock) -> AddedBlock:
        """Keeps it, unless another was put there before: that one counts."""
        with self._lock:
            here = self._of.setdefault(place, {})
            known = here.get(digest)
            if known is None or made.at - known.at > RENEWED:
                here[digest] = made
            while len(self._of) > MOST_UNWRITTEN:
                self._of.popitem(last=False)
            return here[digest]

    def written(self, place: tuple[str, str, str], made: Mapping[str, AddedBlock]) -> None:
        with self._lock:
            left = {digest: one for digest, one in self._of.get(place, {}).items() if made.get(digest) is not one}
            if left:
                self._of[place] = left
            else:
                self._of.pop(place, None)


class ProxyMemory:
    """Has threads of its own: where memory hangs, the rest of the server does not."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="reverie-proxy")
        self._busy = 0
        self._unwritten = Unwritten()
        self._sessions: OrderedDict[str, str] = OrderedDict()  # of conversations that the provider keeps
        self._orders: WeakValueDictionary[tuple[str, str, str], asyncio.Lock] = WeakValueDictionary()

    def session_of(self, named: str | None, request: SentRequest) -> str:
        """The conversation: as a header names it, as what it follows, as the client names it, or by how it began."""
        if request.follows and not named:
            named = self._sessions.get(request.follows) or f"{CHANNEL}-{_digest(request.follows)}"
        named = named or request.session
        if named:
            return named if len(named) <= LONGEST_SESSION else f"{CHANNEL}-{_digest(named)}"
        first = next((turn for turn in request.turns if turn.role == "user"), None)
        return f"{CHANNEL}-{_digest(own_words(first), first.rest)}" if first else CHANNEL

    async def look(self, exchange: ProxyExchange) -> Remembered:
        """What to add. Never raises, and never takes longer than the deadline."""
        began = time.perf_counter()
        if not exchange.reads or exchange.request.asks_for_itself:
            return Remembered()
        if self._busy >= THREADS:
            return Remembered(status="skipped")
        self._busy += 1
        looking = asyncio.get_running_loop().run_in_executor(self._pool, self._find, exchange)
        looking.add_done_callback(self._looked)
        try:
            found = await asyncio.wait_for(asyncio.shield(looking), DEADLINE)
        except Exception as error:  # whatever it is: the model is asked without
            log.warning("memory was skipped: %s", type(error).__name__)
            self._went_without(exchange)
            return Remembered(status="skipped", seconds=time.perf_counter() - began)
        return replace(found, seconds=time.perf_counter() - began)

    def _looked(self, looking: "asyncio.Future[Remembered]") -> None:
        self._busy -= 1
        if not looking.cancelled():
            looking.exception()  # nobody waits for it any more

    def _find(self, exchange: ProxyExchange) -> Remembered:
        newest = exchange.request.newest
        if exchange.prepared and newest is not None and exchange.words[newest]:
            answered = self._space(exchange).answer(exchange.words[newest])
            if answered.text is not None:
                return Remembered(status="answered", answer=answered.text)
        blocks, memories = self._blocks(exchange)
        return Remembered(blocks, memories, "added" if blocks else "none")

    def _blocks(self, exchange: ProxyExchange) -> tuple[dict[int, str], int]:
        request, now = exchange.request, self._server.reverie.now()
        fresh = self._unwritten.of(exchange.place)  # before the store: what is written meanwhile is in either
        space = self._space(exchange)
        known = {**space.added_blocks(exchange.session), **fresh}
        digests = exchange.digests
        newest, memories = request.newest, 0
        if newest is not None:
            at = digests[newest]
            if at not in known or now - known[at].at > RENEWED:
                made = _added_block(space, exchange, newest, {mark for one in known.values() for mark in one.seen})
                memories = made.text.count("\n- ")
                known[at] = self._unwritten.put(exchange.place, at, AddedBlock(made.text, now, made.seen))
        blocks = {n: known[digest].text for n, digest in digests.items() if digest in known and known[digest].text}
        return blocks, memories

    def _went_without(self, exchange: ProxyExchange) -> None:
        """The newest turn has gone without a block: a look that ends later must not give it one."""
        newest = exchange.request.newest
        if newest is not None:
            nothing = AddedBlock("", self._server.reverie.now())
            self._unwritten.put(exchange.place, exchange.digests[newest], nothing)

    def order(self, exchange: ProxyExchange) -> asyncio.Lock:
        """Who holds it writes: what was said earlier in a conversation is kept before what was said later."""
        return self._orders.setdefault(exchange.place, asyncio.Lock())

    async def note(self, exchange: ProxyExchange) -> None:
        """Stores what was added, so that it is added again after a restart too. Never raises."""
        await self._quietly(partial(self._write, exchange))

    def _write(self, exchange: ProxyExchange) -> None:
        made = self._unwritten.of(exchange.place)
        if made:
            self._space(exchange).note_added_blocks(exchange.session, made)
            self._unwritten.written(exchange.place, made)

    async def keep_sent(self, exchange: ProxyExchange) -> None:
        """Stores what the caller has sent since the model last spoke. Never raises."""
        await self._quietly(partial(self._append, exchange, partial(sent_drafts, exchange)))

    def name_answer(self, exchange: ProxyExchange, id: str) -> None:
        """What follows on the answer of that id belongs to this conversation."""
        self._sessions[id] = exchange.session
        while len(self._sessions) > MOST_RESPONSES:
            self._sessions.popitem(last=False)

    async def keep_answer(self, exchange: ProxyExchange, answer: ProviderAnswer, blocks: Iterable[str]) -> None:
        """Stores what the model said. Never raises."""
        await self._quietly(partial(self._append, exchange, partial(answer_drafts, exchange, answer, list(blocks))))

    def _append(self, exchange: ProxyExchange, drafts: Callable[[float], Iterable[Draft]]) -> None:
        made = list(drafts(self._server.reverie.now())) if exchange.writes else []
        if made:
            space = self._space(exchange)
            with suppress(KeyReused):  # the same request again: its first answer is there
                self._server.reverie.append_all([(space, draft) for draft in made])

    async def _quietly(self, call: partial[None]) -> None:
        try:
            await self._server.run(call)
        except Exception as error:  # the caller has what it came for
            log.warning("a turn was not kept: %s", type(error).__name__)

    def _space(self, exchange: ProxyExchange) -> Space:
        """The space, made if the caller may do that."""
        try:
            return self._server.space(exchange.caller, exchange.space)
        except NotFound:
            if exchange.caller.space is not None or not exchange.caller.may("admin"):
                raise
            return self._server.org(exchange.caller).space(exchange.space)

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)


def _added_block(space: Space, exchange: ProxyExchange, newest: int, seen: set[str]) -> Injection:
    request = exchange.request
    said = exchange.words[newest]
    if not said:
        return NOTHING_INJECTED
    first = not request.follows and not any(turn.role == "user" for turn in request.turns[:newest])
    return added_block(space, said, exchange.session, () if first else seen, first=first)


def sent_drafts(exchange: ProxyExchange, now: float) -> Iterable[Draft]:
    """What is new in the request: what a person said, and what tools brought back."""
    request, keys = exchange.request, exchange.chain
    for n, turn in enumerate(request.turns[request.fresh :], request.fresh):
        text = exchange.words[n][: LONGEST_RESULT if turn.role == "tool" else LONGEST_TURN]
        if text and turn.role in ("user", "tool"):
            key = f"{CHANNEL}:{keys[n]}:{day(now)}"
            origin = "assistant" if exchange.subagent and turn.role == "user" else None
            yield Draft(turn.role, text, exchange.session, key, origin, session_note=_note(exchange))


def answer_drafts(
    exchange: ProxyExchange, answer: ProviderAnswer, blocks: Iterable[str], now: float
) -> Iterable[Draft]:
    """What the model said, without what it repeats of what was added; marked if the stream broke off."""
    said = without_added(answer.text, blocks).strip()[:LONGEST_TURN]
    if said:
        key = f"{CHANNEL}:{exchange.chain[-1]}:{day(now)}:answer"
        partly = {} if answer.whole else {"partial": True}
        yield Draft("assistant", said, exchange.session, key, metadata=partly, session_note=_note(exchange))


def own_words(turn: SentTurn) -> str:
    """A turn without what a harness or we have put into it, as far as one is kept."""
    text = strip_recalled(turn.text[:LONGEST_TURN])
    if turn.role == "user":
        return "\n".join(said for role, said in parts_of(text) if role == "user")
    return text.strip()


def _beside(turn: SentTurn) -> str:
    """What else tells a turn from another: its pictures and files, and what of its text is not kept."""
    return turn.rest + turn.text[LONGEST_TURN:]


def day(now: float) -> int:
    return int(now // DAY)


def _note(exchange: ProxyExchange) -> SessionNote:
    return SessionNote("subagent" if exchange.subagent else None, CHANNEL, exchange.source)


def _digest(*texts: str) -> str:
    made = hashlib.blake2b(digest_size=12)
    for text in texts:
        made.update(text.encode("utf-8", "surrogatepass") + b"\x00")
    return made.hexdigest()
