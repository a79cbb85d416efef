"""A run for every exchange, kept on a shelf of its agent for a month; and those that nobody waits for.

The latter are asked for later under the run's id, by any server of this store. Such a run is kept as the reply to a
request is, for a day, and with it what was sent until that is answered. What a killed server leaves so goes to the log
when the next one starts, or when the run is asked for.
"""

import asyncio
import heapq
import json
import logging
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace

from fastapi.responses import StreamingResponse

from reverie.agent.primary import MAX_CALLS
from reverie.errors import KeyReused, NotFound, ReverieError
from reverie.model.base import DAY, MINUTE, Instant, new_id
from reverie.model.spaces import StoredReply
from reverie.policy.safety.redaction import redact
from reverie.server.errors import UNEXPECTED
from reverie.server.formatting import iso
from reverie.server.letta.conversations import DEFAULT
from reverie.server.letta.exchange import END, LettaExchange
from reverie.server.letta.shared import Shape
from reverie.server.state import Server
from reverie.server.streams import EVENT_STREAM, check_room, counted_stream, event
from reverie.verbs.org import Replies

log = logging.getLogger("reverie.server")
ROUTE = "run"
SHELF, KEPT = "letta.runs", 30 * DAY
POLL = 0.2  # seconds
DONE = 200
LOST = "the server ended before it had answered; what you sent is in the log: send it again"


@dataclass(frozen=True, slots=True)
class ExchangeRun:
    """One exchange, as it is stored under its id."""

    space: str
    began: Instant
    id: str = field(default_factory=lambda: new_id("run"))
    conversation: str = DEFAULT
    background: bool = True
    status: str = "running"
    ended: Instant | None = None
    error: str | None = None
    messages: Sequence[Shape] = ()
    usage: Shape = field(default_factory=dict)
    sent: Sequence[Shape] = ()  # not yet known to be in the log

    @property
    def step(self) -> str:
        """An exchange is one step."""
        return f"step-{self.id.partition('-')[2]}"

    def marked(self, message: Shape) -> Shape:
        """The message with the run that it came of."""
        return {**message, "run_id": self.id, "step_id": self.step}

    def saved(self) -> str:
        return json.dumps(asdict(self))

    def shape(self) -> Shape:
        return {
            "id": self.id,
            "agent_id": self.space,
            "status": self.status,
            "stop_reason": {"completed": "end_turn", "failed": "error"}.get(self.status),
            "created_at": iso(self.began),
            "completed_at": None if self.ended is None else iso(self.ended),
            "background": self.background,
            "conversation_id": None if self.conversation == DEFAULT else self.conversation,
            "total_duration_ns": None if self.ended is None else int((self.ended - self.began) * 1e9),
            "metadata": {"run_type": "messages", **({"error": self.error} if self.error else {})},
        }


def begun(exchange: LettaExchange) -> ExchangeRun:
    """The run of an exchange that somebody waits for; `keep` stores it when it has ended."""
    return ExchangeRun(exchange.space.id, exchange.now(), conversation=exchange.conversation, background=False)


def keep(exchange: LettaExchange, run: ExchangeRun) -> None:
    """Stores a run that has ended."""
    exchange.space.shelf(SHELF).put(run.id, asdict(run), expires_at=run.began + KEPT)


def answered_now(exchange: LettaExchange) -> Shape:
    """A LettaResponse, and the run of it stored."""
    run = begun(exchange)
    try:
        answer = exchange.whole()
    except ReverieError as error:
        keep(exchange, replace(run, status="failed", error=error.message, ended=exchange.now()))
        raise
    messages = [run.marked(message) for message in answer["messages"]]
    keep(exchange, replace(run, status="completed", messages=messages, usage=answer["usage"], ended=exchange.now()))
    return {**answer, "messages": messages}


def start(exchange: LettaExchange) -> ExchangeRun:
    """Begins an exchange that is answered later. It is stored before anything is done for it."""
    server, replies = exchange.server, _replies(exchange.server, exchange.space.record.org)
    run = ExchangeRun(exchange.space.id, exchange.now(), conversation=exchange.conversation)
    exchange = replace(exchange, run=run.id)
    run = replace(run, sent=[one | {"text": redact(one["text"]).text} for one in exchange.log_entries()])
    replies.claim(run.id, ROUTE, server.id, give_up=0.0, body=run.saved())

    def answer() -> None:
        replies.settle(run.id, ROUTE, DONE, _answered(run, exchange).saved())

    server.talk_later(answer)
    server.sweep(run.began)
    return run


def _answered(run: ExchangeRun, exchange: LettaExchange) -> ExchangeRun:
    run = replace(run, sent=())
    try:
        answer = exchange.whole()
    except ReverieError as error:
        return replace(run, status="failed", error=error.message, ended=exchange.now())
    except Exception:  # the edge: nobody else hears of it
        log.exception("%s failed", run.id)
        return replace(run, status="failed", error=UNEXPECTED.message, ended=exchange.now())
    messages = [run.marked(message) for message in answer["messages"]]
    return replace(run, status="completed", messages=messages, usage=answer["usage"], ended=exchange.now())


def find(server: Server, org: str, id: str) -> ExchangeRun | None:
    """The run as it stands; None if there is none of that id."""
    reply = _replies(server, org).get(id, ROUTE)
    if reply is not None:
        return _as_it_stands(server, reply)
    try:
        _, entry = server.reverie.of_org(org).find_entry(SHELF, id)
    except NotFound:
        return None
    return ExchangeRun(**entry.value)


def oldest_first(server: Server, org: str) -> Iterator[ExchangeRun]:
    """All runs of the org."""
    later = (_as_it_stands(server, reply) for reply in _replies(server, org).under(ROUTE))
    at_once = (ExchangeRun(**entry.value) for entry in server.reverie.of_org(org).entries(SHELF))
    return heapq.merge(later, at_once, key=lambda run: run.began)


def of_conversation(server: Server, org: str, agent: str, conversation: str) -> Iterator[ExchangeRun]:
    """The runs of one conversation, oldest first."""
    return (run for run in oldest_first(server, org) if (run.space, run.conversation) == (agent, conversation))


def stream_of(server: Server, org: str, id: str) -> StreamingResponse:
    """The messages of a run when it has ended, as a stream, with why it stopped and what it cost."""

    async def events() -> AsyncIterator[str]:
        with counted_stream(server):
            while (run := await server.run(find, server, org, id)) is not None and run.status == "running":
                await asyncio.sleep(POLL)
            for message in () if run is None else run.messages:
                yield event(message)
            stopped = "error" if run is None or run.status == "failed" else "end_turn"
            yield event({**END, "stop_reason": stopped})
            if run is not None and run.usage:
                yield event(run.usage)
            yield "data: [DONE]\n\n"

    check_room(server)
    return StreamingResponse(events(), media_type=EVENT_STREAM)


def _as_it_stands(server: Server, reply: StoredReply) -> ExchangeRun:
    """What a server has begun and not answered for too long has failed."""
    run = ExchangeRun(**json.loads(reply.body))
    if not reply.running or reply.digest == server.id:
        return run
    dead = run.began + longest(server) < server.reverie.now()
    return replace(_log_sent(server, reply.org, run), status="failed", error=LOST) if dead else run


def keep_sent(server: Server) -> None:
    """What was sent to servers that were killed goes to the log."""
    for reply in server.reverie.replies.unanswered(ROUTE):
        _log_sent(server, reply.org, ExchangeRun(**json.loads(reply.body)))


def _log_sent(server: Server, org: str, run: ExchangeRun) -> ExchangeRun:
    """The run once what was sent is in the log; that its server is at it after all does no harm: a key stores once."""
    if not run.sent:
        return run
    done = replace(run, sent=())
    with suppress(NotFound):  # its space is gone, and the run with it
        space = server.reverie.of_org(org).space_by_id(run.space)
        for turn in run.sent:
            with suppress(KeyReused):  # it came there itself, before its secrets were taken out
                space.append(**turn, at=run.began)
        _replies(server, org).note(run.id, ROUTE, done.saved())
    return done


def _replies(server: Server, org: str) -> Replies:
    return server.reverie.of_org(org).replies


def longest(server: Server) -> float:
    """What another server has not answered by then, it never will."""
    return MAX_CALLS * float(server.reverie.config["model_timeout"]) + MINUTE
