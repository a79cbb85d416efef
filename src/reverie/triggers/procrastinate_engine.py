"""Nights as jobs of procrastinate: each worker gives out what is due in its slots, and runs what comes to them.

A job names a space, nothing else; `lock` keeps two jobs of a space apart, `queueing_lock` keeps one waiting. The queue
of a job is the slot of its space, so a space's nights go to one worker, and with its slots to another when it dies.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import procrastinate
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException

from reverie.model.night import Job
from reverie.policy.sleep.placement import slot_of
from reverie.store.dialect.postgres_jobs import OPTIONS, prepare
from reverie.store.tables import rhythm
from reverie.triggers.roster import Roster
from reverie.triggers.watch import LOOK_EVERY, MOST_JOBS, Watch

HEARTBEAT = 1.0  # seconds
DEAD_AFTER = 3.0  # seconds without one: the jobs of that worker are given out anew
POOL = 4  # most connections that the jobs of one worker use
TASK = "reverie.night"
log = logging.getLogger("reverie.engine")


def queue_of(slot: int) -> str:
    """The queue of a slot.

    Slot 7 has the queue `slot-07`.
    """
    return f"slot-{slot:02}"


class Procrastinate:
    """One worker's life as a worker of procrastinate."""

    def __init__(self, watch: Watch, roster: Roster, url: str) -> None:
        self._watch, self._roster, self._url = watch, roster, url
        self._night: Any = None  # the task

    def run(self, wait: Callable[[float], None] = time.sleep) -> None:  # noqa: ARG002
        """`wait` is not used: procrastinate waits for notifications of Postgres."""
        try:
            with self._roster.listed():
                asyncio.run(self._live())
        finally:
            db = self._watch.runner.db
            with db.write("memory") as tx:
                rhythm.say_gone(tx, self._watch.worker, self._watch.runner.clock())

    async def _live(self) -> None:
        connector = procrastinate.PsycopgConnector(
            conninfo=self._url, min_size=1, max_size=POOL, kwargs={"options": OPTIONS}
        )
        app = procrastinate.App(connector=connector)
        self._night = app.task(self._serve, name=TASK)
        async with app.open_async():
            await asyncio.to_thread(prepare, self._url, app.schema_manager.get_schema())
            while not self._stopping:
                try:
                    await self._work_placed(app)
                except ConnectorException as error:  # Postgres is away for a moment
                    log.warning("the queue cannot be reached: %s", error)
                    await asyncio.sleep(LOOK_EVERY)

    @property
    def _stopping(self) -> bool:
        return self._watch.runner.stopping()

    def _serve(self, space: str) -> None:
        self._watch.serve(space)

    async def _work_placed(self, app: procrastinate.App) -> None:
        """Works on this worker's slots until they are others, or until it is told to stop."""
        self._roster.look()
        slots = self._roster.slots
        working = asyncio.create_task(
            app.run_worker_async(
                queues=[queue_of(slot) for slot in sorted(slots)],
                name=self._roster.me.name,
                concurrency=1,
                install_signal_handlers=False,
                fetch_job_polling_interval=LOOK_EVERY,
                delete_jobs="successful",
                update_heartbeat_interval=HEARTBEAT,
                stalled_worker_timeout=DEAD_AFTER,
            )
        )
        try:
            while not self._stopping and self._roster.slots == slots and not working.done():
                jobs = await asyncio.to_thread(self._watch.jobs)
                await self._give_out(jobs)
                await self._free(app)
                await asyncio.sleep(LOOK_EVERY if len(jobs) < MOST_JOBS else 0.0)
        finally:
            self._watch.step_back()
            working.cancel()  # ends after the job that it works on
            with suppress(asyncio.CancelledError):
                await working

    async def _give_out(self, jobs: Iterable[Job]) -> None:
        for job in jobs:
            ways = self._night.configure(
                queue=queue_of(slot_of(job.space)),
                priority=job.priority,
                lock=job.space,
                queueing_lock=f"{job.priority}:{job.space}",
            )
            with suppress(AlreadyEnqueued):
                await ways.defer_async(space=job.space)

    async def _free(self, app: procrastinate.App) -> None:
        """Jobs of workers that died wait again."""
        for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=DEAD_AFTER):
            try:
                await app.job_manager.retry_job(job)
            except ConnectorException:  # the same space waits already, or somebody was quicker: this one has ended
                with suppress(ConnectorException):
                    await app.job_manager.finish_job(job, status=procrastinate.jobs.Status.FAILED, delete_job=True)
