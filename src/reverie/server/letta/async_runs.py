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
from reverie.policy.safety.redaction import redact
from reverie.server.errors import UNEXPECTED
from reverie.server.formatting import iso
from reverie.server.letta.exchange import LettaExchange
from reverie.server.letta.shared import Shape
from reverie.server.state import Server
from reverie.space import Space
from reverie.store.tables import replies, spaces
from reverie.store.tables.replies import StoredReply

log = logging.getLogger("reverie.server")
ROUTE = "run"
DONE = 200
LOST = "the server ended before it had answered; what you sent is in the log: send it again"


@dataclass(frozen=True, slots=True)
class Job:
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


def start(exchange: LettaExchange) -> Job:
    """It is known before anything is done for it."""
    server, org = exchange.server, exchange.space.record.org
    job = Job(exchange.space.id, exchange.now())
    exchange = replace(exchange, run=job.id)
    job = replace(job, sent=[one | {"text": redact(one["text"]).text} for one in exchange.sent()])
    place = (server.reverie.parts.db, org, job.id, ROUTE)
    replies.claim(*place, server.id, job.began, give_up=0.0, body=job.saved())

    def answer() -> None:
        replies.settle(*place, DONE, _ended(job, exchange).saved())

    server.talk_later(answer)
    server.sweep(job.began)
    return job


def _ended(job: Job, exchange: LettaExchange) -> Job:
    job = replace(job, sent=())
    try:
        answer = exchange.whole()
    except ReverieError as error:
        return replace(job, status="failed", error=error.message, ended=exchange.now())
    except Exception:  # the edge: nobody else hears of it
        log.exception("%s failed", job.id)
        return replace(job, status="failed", error=UNEXPECTED.message, ended=exchange.now())
    return replace(job, status="completed", messages=answer["messages"], usage=answer["usage"], ended=exchange.now())


def known(server: Server, org: str, id: str) -> Job | None:
    found = replies.kept(server.reverie.parts.db, org, id, ROUTE)
    return None if found is None else _told(server, found)


def every(server: Server, org: str) -> Iterator[Job]:
    """Oldest first."""
    return (_told(server, reply) for reply in replies.under(server.reverie.parts.db, org, ROUTE))


def _told(server: Server, reply: StoredReply) -> Job:
    job = Job(**json.loads(reply.body))
    if reply.status != replies.RUNNING or reply.digest == server.id:
        return job
    dead = job.began + longest(server) < server.reverie.parts.clock()
    return replace(_kept(server, job), status="failed", error=LOST) if dead else job


def keep_sent(server: Server) -> None:
    """What was sent to servers that were killed goes to the log."""
    for reply in replies.unanswered(server.reverie.parts.db, ROUTE):
        _kept(server, Job(**json.loads(reply.body)))


def _kept(server: Server, job: Job) -> Job:
    """The run once what was sent is in the log; that its server is at it after all does no harm: a key stores once."""
    if not job.sent:
        return job
    db = server.reverie.parts.db
    done = replace(job, sent=())
    with suppress(NotFound):  # its space is gone, and the run with it
        space = Space(server.reverie.parts, spaces.by_id(db, job.space))
        for turn in job.sent:
            with suppress(KeyReused):  # it came there itself, before its secrets were taken out
                space.append(**turn, at=job.began)
        replies.note(db, space.record.org, job.id, ROUTE, done.saved())
    return done


def longest(server: Server) -> float:
    """What another server has not answered by then, it never will."""
    return MAX_CALLS * float(server.reverie.config["model_timeout"]) + MINUTE
