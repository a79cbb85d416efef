"""Walks a night through its steps, batch by batch; a night that was broken off goes on where it stood."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any

from reverie.asleep.pipeline import steps_of
from reverie.asleep.step import Minds, Step
from reverie.errors import BatchOut, LeaseLost, NotFound, StoreBroken, StoreBusy, StoreError
from reverie.model.base import Instant
from reverie.model.changes import Applied, Changes
from reverie.model.ledger import Purpose
from reverie.model.night import Lease, Night, NightStep, Progress
from reverie.model.rhythm import Exhausted, Rhythm, Sleeping
from reverie.policy.safety.redaction import redact
from reverie.policy.sleep.estimate import LEAST, READING, USUAL, KnownPace, known_pace, seconds_left
from reverie.policy.sleep.gates import rest_seconds, yield_seconds
from reverie.retrieve import Retriever
from reverie.store.commit.commit import Checkpoint, ReadAgain, commit
from reverie.store.db import Database
from reverie.store.reader import Reader
from reverie.store.search.index import Indexes
from reverie.store.tables import chores, leases, nights, rhythm, spaces, tombstones, turns

ATTEMPTS = 3  # failures of a step; then it is left out, so that it cannot block every night, and the next one tries
BUSY_TRIES = 3
WAIT_STEP = 1.0  # seconds between two looks at whether the user is still active


class Halt(Exception):
    """The night ends here for now, at a batch boundary."""

    def __init__(self, status: str, why: str) -> None:
        super().__init__(why)
        self.status = status
        self.why = why


@dataclass
class _Pace:
    """How many turns this run has read of how many, and how long that took."""

    total: int
    known: KnownPace = USUAL
    turns: int = 0
    began: float = field(default_factory=time.perf_counter)
    collected_in: float = 0.0

    def read(self, turns: int) -> None:
        if turns:
            self.turns += turns
            self.collected_in = time.perf_counter() - self.began

    def told(self) -> dict[str, Any]:
        left = seconds_left(self.turns, self.total, time.perf_counter() - self.began, self.collected_in, self.known)
        return {"turns": self.turns, "of_turns": self.total, "seconds_left": left}


def tell_nobody(_: Progress) -> None:
    """For a runner whose progress nobody follows."""


@dataclass(frozen=True, slots=True)
class Runner:
    """Runs nights. `stopping` is asked at every batch boundary; `clock` is the wall's, never a step's."""

    db: Database
    minds: Minds
    tell: Callable[[Progress], None] = tell_nobody
    stopping: Callable[[], bool] = lambda: False
    clock: Callable[[], Instant] = time.time
    wait: Callable[[float], None] = time.sleep
    urgent: Callable[[str], bool] = lambda _: False  # whether this space must let others go first
    spent: Callable[[str, Instant], Exhausted | None] = lambda *_: None  # a space's budget that allows no model call
    steps_of: Callable[..., tuple[Step, ...]] = field(default=steps_of)

    def run(self, night: Night, lease: Lease) -> Night:
        """Begins or resumes it, and answers how it ended; the lease is given back in any case."""
        try:
            with self._holding(lease):
                night = self._begin(night)
                pace = self._pace(night)
                for step, at in self._plan(night):
                    self._step(night, lease, step, at, pace)
                return self._end(night)
        except Halt as halt:
            return self._halt(night, halt)
        except KeyboardInterrupt:
            self._halt(night, Halt("requested", "stopped within a batch; the next run does that batch again"))
            raise
        except LeaseLost as lost:
            self._say(night, "night", "stopped", why=lost.message)
            return nights.by_id(self.db, night.space, night.id)
        finally:
            leases.release(self.db, lease)

    def over(self, db: Database) -> "Runner":
        """The same nights in another store."""
        search = Retriever(db, Indexes(db), self.minds.embedder).retrieve if self.minds.search is not None else None
        return replace(self, db=db, minds=replace(self.minds, search=search))

    @property
    def _has_model(self) -> bool:
        return self.minds.reasoner.name != "rules"

    def _begin(self, night: Night) -> Night:
        began = night.began_at if night.began_at is not None else self.clock()
        begun = replace(night, status="running", began_at=began, attempts=night.attempts + 1, error=None, ended_at=None)
        with self.db.write("memory") as tx:
            nights.plan(
                tx, night.id, [step.name for step in self.steps_of(night.kind, Sleeping.of_night(night).skip_steps)]
            )
            nights.update(
                tx, night.id, status="running", began_at=began, attempts=begun.attempts, error=None, ended_at=None
            )
        self._say(begun, "night", "running", why=night.why)
        return begun

    def _plan(self, night: Night) -> list[tuple[Step, NightStep]]:
        """The steps still to do. The plan is the one the night began with, even if the pipeline has changed since."""
        known = {step.name: step for step in self.steps_of("night")}
        rows = nights.steps(self.db, night.id)
        return [(known[row.step], row) for row in rows if row.status not in ("done", "skipped") and row.step in known]

    def _pace(self, night: Night) -> _Pace:
        """How many turns wait for this night and, where one does not take them all, for those after it; of many it is
        told how long they will take, by what the last night took."""
        waiting = max(0, night.upto - spaces.by_id(self.db, night.space).watermark)
        if waiting < LEAST:
            return _Pace(waiting)
        last = nights.listed(self.db, night.space, limit=1, statuses=("done",))
        return _Pace(waiting, known_pace(nights.steps(self.db, last[0].id)) if last else USUAL)

    def _step(self, night: Night, lease: Lease, step: Step, at: NightStep, pace: "_Pace") -> None:
        self._say(night, "step", "running", step=step.name, phase=step.phase)
        began = time.perf_counter()
        try:
            self._batches(night, lease, step, at, pace)
            if step.after is not None:
                step.after(self.db, night)
        except (Halt, LeaseLost):
            raise
        except BatchOut as out:
            raise Halt("requested", out.message) from out
        except Exception as error:  # the edge of the loop: whatever a step raises ends the step, not the sleeper
            self._fail(night, step, error)
            return
        done = next(row for row in nights.steps(self.db, night.id) if row.step == step.name)
        ms = (time.perf_counter() - began) * 1000
        self._say(night, "step", "done", step=step.name, phase=step.phase, counts=done.counts, duration_ms=ms)

    @contextmanager
    def _holding(self, lease: Lease) -> Iterator[None]:
        """One call of a model, or one statement of upkeep, may take minutes: the lease is renewed from beside it."""
        done = threading.Event()

        def renew() -> None:
            with suppress(LeaseLost):  # the next commit says so
                while not done.wait(leases.SECONDS / 4):
                    with suppress(StoreError):  # busy or full for a moment: there are three more tries
                        leases.renew(self.db, lease, self.clock())

        threading.Thread(target=renew, daemon=True).start()
        try:
            yield
        finally:
            done.set()

    def _batches(self, night: Night, lease: Lease, step: Step, at: NightStep, pace: "_Pace") -> None:
        cursor, batch = at.cursor, at.batches
        calls_a_model = step.thinks and self._has_model
        awaited = night.trigger == "manual"  # somebody asked for this night and waits for it
        while True:
            self._look_up(night)
            if calls_a_model and not awaited:
                self._yield(night)
            began, past = time.perf_counter(), tombstones.count(self.db, night.space)
            purpose = Purpose("asleep", night.space, night.id, step.name, awaited=awaited)
            with self.minds.charged_to(purpose):
                # A reader of its own: it keeps what it has read, and before the next batch somebody may forget it.
                changes = step.batch(night, Reader.of(self.db, night), self.minds, cursor)
            ms = (time.perf_counter() - began) * 1000
            try:
                applied = self._commit(night, lease, Checkpoint(step.name, ms, self.minds.faults.take(), past), changes)
            except ReadAgain:
                continue
            batch += 1
            pace.read(changes.counts.get("turns", 0) if step.name == READING else 0)
            self._say(
                night, "batch", "done", step=step.name, phase=step.phase, batch=batch, counts=changes.counts,
                duration_ms=ms, held_ms=applied.held_ms, **pace.told(),
            )  # fmt: skip
            if not calls_a_model and not awaited:
                self._rest(night, time.perf_counter() - began)
            cursor = changes.cursor
            if cursor is None:
                return

    def _commit(self, night: Night, lease: Lease, at: Checkpoint, changes: Changes) -> Applied:
        for _ in range(BUSY_TRIES - 1):
            try:
                return commit(self.db, lease, night, at, changes, self.clock)
            except StoreBusy:
                self.wait(0.05)
        return commit(self.db, lease, night, at, changes, self.clock)

    def _look_up(self, night: Night) -> None:
        """At every batch boundary: raises `Halt` if the process is to stop, or if a person has cancelled the night."""
        if self.stopping():
            raise Halt("requested", "stopped at a batch boundary; the next run goes on from here")
        if night.trigger != "manual" and self.urgent(night.space):
            raise Halt("requested", "others go first; the next run goes on from here")
        if nights.by_id(self.db, night.space, night.id).status == "cancelled":
            raise Halt("cancelled", "cancelled by a person")

    def _yield(self, night: Night) -> None:
        """Lets an active user go first, a bounded while."""
        settings, waited = Sleeping.of_night(night), 0.0
        while True:
            pause = min(WAIT_STEP, yield_seconds(self._rhythm(night), settings, self.clock(), waited))
            if pause <= 0 or self.stopping():
                return
            if waited == 0:
                self._say(night, "night", "waiting", why="the user is active")
            self.wait(pause)
            waited += pause

    def _rest(self, night: Night, worked: float) -> None:
        """Steps back after a batch while the user is active."""
        rest = rest_seconds(self._rhythm(night), Sleeping.of_night(night), self.clock(), worked)
        if rest > 0:
            self.wait(rest)

    def _rhythm(self, night: Night) -> Rhythm:
        active = turns.activity(self.db, night.space)
        return Rhythm(last_turn_at=active.last_at if active.last_seq else None)

    def _fail(self, night: Night, step: Step, error: Exception) -> None:
        if nights.anywhere(self.db, night.id) is None:
            raise NotFound("night", night.id, next_move="Its space was deleted while it ran.") from error
        why = redact(f"{type(error).__name__}: {error}").text[:500]  # a provider may quote the key it refuses
        own = not isinstance(error, (StoreBusy, StoreBroken))  # a full disk is no fault of the step's
        with self.db.write("memory") as tx:
            times = nights.fail_step(tx, night.id, step.name, why, own=own)
        self._say(night, "step", "failed", step=step.name, phase=step.phase, why=why)
        if times < ATTEMPTS or not own:
            raise Halt("failed", f"{step.name}: {why}")

    def _halt(self, night: Night, halt: Halt) -> Night:
        now = self.clock()
        ended: dict[str, Any] = {} if halt.status == "requested" else {"ended_at": now}
        with self.db.write("memory") as tx:
            nights.update(
                tx, night.id, status=halt.status, error=halt.why if halt.status == "failed" else None, **ended
            )
            if halt.status == "failed":
                rhythm.failed(tx, night.space, now)
            if halt.status == "cancelled":
                chores.add_read_of_night(tx, night.id)
        self._say(night, "night", halt.status, why=halt.why)
        return nights.by_id(self.db, night.space, night.id)

    def _end(self, night: Night) -> Night:
        now = self.clock()
        tokens, cost = nights.spent(self.db, night.id)
        with self.db.write("memory") as tx:
            nights.finish(tx, night, now, tokens=tokens, cost=cost)
            rhythm.succeeded(tx, night, now)
        self.db.dialect.advance(self.db)
        ended = nights.by_id(self.db, night.space, night.id)
        ms = (now - (ended.began_at or now)) * 1000
        totals = {name: n for name, n in ended.counts.items() if isinstance(n, int)}
        self._say(night, "night", "done", counts=totals, duration_ms=ms)
        return ended

    def _say(self, night: Night, what: Any, status: str, **more: Any) -> None:
        self.tell(Progress(night.id, night.space, what, status, **more))
