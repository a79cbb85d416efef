"""Exchanges that nobody waits for: begun here, asked for later under a run's id, by any server of this store.

A run is kept as the reply to a request is, for a day, and with it what was sent until that is answered. What a killed
server leaves so goes to the log when the next one starts, or when the run is asked for.
"""

import json
import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace

from reverie.agent.primary import MAX_CALLS
from reverie.errors import KeyReused, NotFound, ReverieError
from reverie.model.base import MINUTE, Instant, new_id
from reverie.model.spaces import StoredReply
from reverie.policy.safety.redaction import redact
from reverie.server.errors import UNEXPECTED
from reverie.server.formatting import iso
from reverie.server.letta.exchange import LettaExchange
from reverie.server.letta.shared import Shape
from reverie.server.state import Server
from reverie.verbs.org import Replies

log = logging.getLogger("reverie.server")
ROUTE = "run"
DONE = 200
LOST = "the server ended before it had answered; what you sent is in the log: send it again"


@dataclass(frozen=True, slots=True)
class AsyncRun:
    """One exchange, as it is stored under its id."""

    space: str
    began: Instant
    id: str = field(default_factory=lambda: new_id("run"))
    status: str = "running"
    ended: Instant | None = None
    error: str | None = None
    messages: Sequence[Shape] = ()
    usage: Shape = field(default_factory=dict)
    sent: Sequence[Shape] = ()  # not yet known to be in the log

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
            "background": True,
            "metadata": {"run_type": "messages", **({"error": self.error} if self.error else {})},
        }


def start(exchange: LettaExchange) -> AsyncRun:
    """Begins an exchange that is answered later. It is stored before anything is done for it."""
    server, replies = exchange.server, _replies(exchange.server, exchange.space.record.org)
    run = AsyncRun(exchange.space.id, exchange.now())
    exchange = replace(exchange, run=run.id)
    run = replace(run, sent=[one | {"text": redact(one["text"]).text} for one in exchange.log_entries()])
    replies.claim(run.id, ROUTE, server.id, give_up=0.0, body=run.saved())

    def answer() -> None:
        replies.settle(run.id, ROUTE, DONE, _answered(run, exchange).saved())

    server.talk_later(answer)
    server.sweep(run.began)
    return run


def _answered(run: AsyncRun, exchange: LettaExchange) -> AsyncRun:
    run = replace(run, sent=())
    try:
        answer = exchange.whole()
    except ReverieError as error:
        return replace(run, status="failed", error=error.message, ended=exchange.now())
    except Exception:  # the edge: nobody else hears of it
        log.exception("%s failed", run.id)
        return replace(run, status="failed", error=UNEXPECTED.message, ended=exchange.now())
    return replace(run, status="completed", messages=answer["messages"], usage=answer["usage"], ended=exchange.now())


def find(server: Server, org: str, id: str) -> AsyncRun | None:
    """The run as it stands; None if there is none of that id."""
    reply = _replies(server, org).get(id, ROUTE)
    return None if reply is None else _as_it_stands(server, reply)


def oldest_first(server: Server, org: str) -> Iterator[AsyncRun]:
    """All runs of the org."""
    return (_as_it_stands(server, reply) for reply in _replies(server, org).under(ROUTE))


def _as_it_stands(server: Server, reply: StoredReply) -> AsyncRun:
    """What a server has begun and not answered for too long has failed."""
    run = AsyncRun(**json.loads(reply.body))
    if not reply.running or reply.digest == server.id:
        return run
    dead = run.began + longest(server) < server.reverie.now()
    return replace(_log_sent(server, reply.org, run), status="failed", error=LOST) if dead else run


def keep_sent(server: Server) -> None:
    """What was sent to servers that were killed goes to the log."""
    for reply in server.reverie.replies.unanswered(ROUTE):
        _log_sent(server, reply.org, AsyncRun(**json.loads(reply.body)))


def _log_sent(server: Server, org: str, run: AsyncRun) -> AsyncRun:
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
