"""Exchanges that nobody waits for: begun here, asked for later under a run's id. They end with the server."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from reverie.errors import ReverieError
from reverie.model.base import Instant, new_id
from reverie.server.letta.shared import Shape
from reverie.server.letta.talking import Exchange
from reverie.server.runtime import Server
from reverie.server.told import iso

KEPT = 1_000


@dataclass
class Job:
    space: str
    began: Instant
    id: str = field(default_factory=lambda: new_id("run"))
    status: str = "running"
    ended: Instant | None = None
    error: str | None = None
    messages: Sequence[Shape] = ()
    usage: Shape = field(default_factory=dict)

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


class Jobs:
    """The last thousand; who asks for one must be able to see its agent."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, Job] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, exchange: Exchange) -> Job:
        job = Job(exchange.space.id, exchange.now())
        self._known[job.id] = job
        while len(self._known) > KEPT:
            self._known.popitem(last=False)
        task = asyncio.create_task(_run(job, exchange))
        self._tasks.add(task)  # the loop itself holds tasks weakly
        task.add_done_callback(self._tasks.discard)
        return job

    def get(self, id: str) -> Job | None:
        return self._known.get(id)

    def all(self) -> list[Job]:
        return list(self._known.values())


async def _run(job: Job, exchange: Exchange) -> None:
    try:
        answer = await exchange.server.run(exchange.whole)
    except ReverieError as error:
        job.status, job.error = "failed", error.message
    else:
        job.status, job.messages, job.usage = "completed", answer["messages"], answer["usage"]
    job.ended = exchange.now()


_JOBS: WeakKeyDictionary[Server, Jobs] = WeakKeyDictionary()


def jobs_of(server: Server) -> Jobs:
    return _JOBS.setdefault(server, Jobs())
