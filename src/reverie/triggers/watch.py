"""The sleeper's loop: which spaces are due, and one run each in turn, so that no space starves another."""

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from typing import TypeVar

from reverie.asleep.runner import Runner
from reverie.errors import NotFound, ReverieError, StoreBusy
from reverie.model.base import Instant
from reverie.model.night import Job, Night, Progress
from reverie.model.rhythm import Due, Rhythm, Sleeping, SleepRequest
from reverie.model.spaces import SpaceRecord
from reverie.policy.sleep import due, gates
from reverie.policy.sleep.placement import priority
from reverie.store.tables import leases, nights, rhythm, spaces
from reverie.triggers.admission import HELD, request
from reverie.triggers.inline import backlog, resume, sleep

LOOK_EVERY = 1.0  # seconds
ALIVE_EVERY = 30.0
MOST_JOBS = 20  # that one look tells an engine of: giving out one takes 20 ms
RETRY = 60.0  # where time alone opens no gate, look again after so long
HELD_FOR = 2.0  # seconds until the next look at a space that another run holds
ASK_EVERY = 0.5  # seconds between two looks at whether anything is urgent
T = TypeVar("T")
Around = AbstractContextManager[Callable[[Night], None]]  # what is done before a run, and told of its end


def _tell_nobody(_: Night) -> None:
    """Where nobody waits for the end of a night."""


@dataclass
class Watch:
    """Looks only at spaces with news: whose log has moved, whose stored time has come, whose night is unfinished."""

    runner: Runner
    settings: Callable[[SpaceRecord], Sleeping]
    worker: str
    around: Callable[[SpaceRecord], Around] = lambda _: nullcontext(_tell_nobody)
    mine: Callable[[str], bool] = lambda _: True  # whether this worker is the one that sleeps for a space
    slice_seconds: float = math.inf  # after which a night that nobody waits for steps back, so that others have a turn
    org_nights: int = 0  # spaces of one org that may sleep at once, whoever's they are; 0: any number
    moved: Callable[[], bool] = lambda: False  # looks who else works; whether other spaces are its own than before
    _seen: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    _again: set[str] = field(default_factory=set)  # to be looked at in the next round, whether or not their log moves
    _not_before: dict[str, Instant] = field(default_factory=dict)  # spaces in trouble, or whose night backs off
    _told: dict[str, tuple[int, Instant]] = field(default_factory=dict)  # priority and time of jobs given to an engine
    _pulse: tuple[int, ...] = ()
    _said_alive: Instant = 0.0
    _looked: Instant = 0.0
    _slice_ends: float = math.inf
    _asked: float = 0.0  # when a person's requests were last looked for, by a clock that nobody sets

    def run(self, wait: Callable[[float], None] = time.sleep) -> None:
        """Until told to stop; then nobody is left to believe that somebody still watches."""
        try:
            with self._heartbeat():
                while not self.runner.stopping():
                    if not self._unharmed("", lambda _: self.once()):
                        wait(LOOK_EVERY)
        finally:
            with self.runner.db.write("memory") as tx:
                rhythm.say_gone(tx, self.worker, self.runner.clock())

    def once(self) -> list[Night]:
        """One look, and one run for every space that may sleep, longest waiting first; what is urgent before all."""
        self._begin_look()
        ended, waiting = self._serve_urgent(), []
        for space in self._candidates():
            ended += self._serve_urgent()
            waiting.append(self._unharmed(space, self._waiting))
        for space in due.in_turn(filter(None, waiting)):
            ended += self._serve_urgent()
            if self.runner.stopping():
                break
            ended.extend(self._unharmed(space, self._sleep) or ())
        return ended

    def jobs(self) -> list[Job]:
        """One look for an engine that brings work to workers: some of what waits, most urgent first. Runs nothing.

        What was told is told again only after a minute (it may have been lost), or once it is more urgent. A look is
        short, so that a person who asks while many wait is seen soon: the next one finds the rest.
        """
        self._begin_look()
        self._look_around()
        urgent = self._urgent()
        news = list(dict.fromkeys((*urgent, *(space for space in self._candidates() if not self._told_lately(space)))))
        jobs: list[Job] = []
        ends = time.monotonic() + LOOK_EVERY
        while news and len(jobs) < MOST_JOBS and time.monotonic() < ends:
            jobs += self._job(news.pop(0))
        self._again.update(news)
        return sorted(jobs, key=lambda job: (-job.priority, job.since, job.space))

    def _job(self, space: str) -> list[Job]:
        """The job of a space, if it waits for a run that nobody was told of."""
        waits = self._unharmed(space, self._waiting)
        job = None if waits is None else Job(space, self._priority(space), waits[0])
        return [job] if job is not None and self._is_news(job) else []

    def serve(self, space: str) -> list[Night]:
        """Runs what is due for a space, if that is still so; what an engine calls for a job, however often it came."""
        return self._unharmed(space, self._sleep) or []

    def step_back(self) -> None:
        """The night that runs now, unless a person waits for it, ends for the moment at its next batch."""
        self._slice_ends = 0.0

    def _told_lately(self, space: str) -> bool:
        """Whether a job for it was given out a moment ago and is not served yet; it is looked at again all the same."""
        lately = self.runner.clock() - self._told.get(space, (-1, -RETRY))[1] < RETRY
        if lately:
            self._again.add(space)
        return lately

    def _is_news(self, job: Job) -> bool:
        now = self.runner.clock()
        told, at = self._told.get(job.space, (-1, 0.0))
        self._again.add(job.space)  # until it has been served
        if told >= job.priority and now - at < RETRY:
            return False
        self._told[job.space] = (job.priority, now)
        return True

    def _begin_look(self) -> None:
        self._mind_the_clock()
        self._say_alive()
        self._asked = 0.0

    def _look_around(self) -> None:
        """Looks who else works; where other spaces are its own now, all of them are news."""
        if self.moved():
            self._seen, self._told, self._pulse = {}, {}, ()

    def _priority(self, space: str) -> int:
        if begun := nights.unfinished(self.runner.db, space):
            return priority(begun[0].trigger, begun=True)
        record, now = spaces.by_id(self.runner.db, space), self.runner.clock()
        settings = self.settings(record)
        found = due.decide(rhythm.read(self.runner.db, record, settings, now), settings, now)
        return priority(found.trigger if found else "", begun=False)

    @contextmanager
    def _heartbeat(self) -> Iterator[None]:
        """Says that the sleeper lives from beside its work: one night may take an hour."""
        done = threading.Event()

        def beat() -> None:
            while not done.wait(ALIVE_EVERY):
                with suppress(ReverieError):  # busy or full for a moment
                    self._say_alive()

        threading.Thread(target=beat, name="reverie-heartbeat", daemon=True).start()
        try:
            yield
        finally:
            done.set()

    def _serve_urgent(self) -> list[Night]:
        """Runs what cannot wait for its turn; looks for it twice a second at most."""
        if time.monotonic() - self._asked < ASK_EVERY:
            return []
        self._look_around()
        ended: list[Night] = []
        for space in self._urgent():
            if not self.runner.stopping():
                ended.extend(self._unharmed(space, self._sleep) or ())
        self._asked = time.monotonic()
        return ended

    def _urgent(self) -> list[str]:
        """Spaces that a person waits for, then those whose night was broken off by a death; nobody works on them."""
        db, now = self.runner.db, self.runner.clock()

        def is_free(space: str) -> bool:
            mine = self.mine(space) and self._not_before.get(space, 0.0) <= now
            return mine and leases.held(db, space, now) is None

        asked = [space for space in nights.asked_for(db) if is_free(space)]
        left = [space for space in nights.spaces_with_running(db) if space not in asked and is_free(space)]
        return asked + [space for space in left if self._unharmed(space, self._waiting)]

    def _others_first(self, space: str) -> bool:
        """Whether a night over this space should step back at the end of its batch."""
        if time.monotonic() > self._slice_ends:
            return True
        if time.monotonic() - self._asked < ASK_EVERY:
            return False
        self._asked = time.monotonic()
        self._look_around()
        wait = any(other != space for other in self._urgent())
        if wait:
            self._asked = 0.0  # and is served next
        return wait

    def _unharmed(self, space: str, act: Callable[[str], T]) -> T | None:
        """Trouble (a deleted space, a bad setting, a full disk) is told: not the others', nor the sleeper's end."""
        try:
            return act(space)
        except Exception as error:  # the edge of the loop
            why = error.message if isinstance(error, ReverieError) else f"{type(error).__name__}: {error}"
            self.runner.tell(Progress("", space, "night", "failed", why=why))
            self._not_before[space] = self.runner.clock() + (HELD_FOR if isinstance(error, StoreBusy) else RETRY)
            if not isinstance(error, NotFound):  # of a deleted space nothing is left to look at
                self._again.add(space)
            return None

    def _mind_the_clock(self) -> None:
        """A clock that was set back makes nonsense of all remembered times: every space is looked at anew."""
        now = self.runner.clock()
        if now < self._looked - rhythm.SKEW:
            self._seen, self._not_before, self._said_alive, self._pulse = {}, {}, 0.0, ()
        self._looked = now

    def _say_alive(self) -> None:
        now = self.runner.clock()
        if now - self._said_alive >= ALIVE_EVERY:
            with self.runner.db.write("memory") as tx:
                rhythm.say_alive(tx, self.worker, now)
            self._said_alive = now

    def _candidates(self) -> list[str]:
        db, now = self.runner.db, self.runner.clock()
        pulse = rhythm.pulse(db)
        fresh = rhythm.fresh_spaces(db, self._seen) if pulse != self._pulse else {}
        self._seen, self._pulse = self._seen | fresh, pulse
        self._again.update(fresh)
        news = dict.fromkeys((*nights.spaces_with_unfinished(db), *rhythm.due_spaces(db, now), *sorted(self._again)))
        self._again.intersection_update(space for space in news if self.mine(space))
        ready = [space for space in news if self.mine(space) and self._not_before.get(space, 0.0) <= now]
        self._again.difference_update(ready)
        return ready

    def _waiting(self, space: str) -> tuple[Instant, str] | None:
        """Since when the space waits for a run that may begin now; otherwise stores when to look again."""
        now = self.runner.clock()
        record = spaces.by_id(self.runner.db, space)
        settings = self.settings(record)
        state = rhythm.read(self.runner.db, record, settings, now)
        if unfinished := nights.unfinished(self.runner.db, space):
            self._again.add(space)  # somebody else may end it, and its news are as unread as before
            return self._to_resume(unfinished[0], state, settings, now)
        found = due.decide(state, settings, now)
        if found is not None:
            state = replace(state, spent=self.runner.spent(space, now))
            answers = gates.decide(SleepRequest(found.kind, found.trigger, self.worker), state, settings, now)
            closed = gates.first_closed(answers)
            if closed is None:
                return found.due_at, space
            if closed.code in HELD:  # by a worker that may die, or whose space this was: no moment is known
                self._not_before[space] = now + HELD_FOR
                self._again.add(space)
                return None
            self._look_again(space, gates.opens_at(answers) or now + RETRY)
        else:
            self._look_again(space, _at(due.next_due(state, settings, now)))
        if rhythm.scans(state, settings, now):
            with self.runner.db.write("memory") as tx:
                rhythm.scanned(tx, space, state.sessions_since, now)
        return None

    def _to_resume(self, night: Night, state: Rhythm, settings: Sleeping, now: Instant) -> tuple[Instant, str] | None:
        """A night that somebody asked for, that was broken off, or that failed and whose backoff is over."""
        off = state.paused or not settings.enabled
        if (off and night.trigger != "manual") or (state.lease_holder is not None and state.lease_until > now):
            return None
        retry_at = (state.failed_at or 0.0) + gates.backoff(state.failures, settings) if state.failures else 0.0
        if night.status == "failed" and now < retry_at:
            self._not_before[night.space] = retry_at
            return None
        return night.requested_at, night.space

    def _sleep(self, space: str) -> list[Night]:
        record = spaces.by_id(self.runner.db, space)
        if self._org_is_busy(record):
            self._not_before[space] = self.runner.clock() + HELD_FOR
            self._again.add(space)
            return []
        with self.around(record) as told:
            self._slice_ends = time.monotonic() + self.slice_seconds
            ended = self._run(record)
            for night in ended[-1:]:
                told(night)
        self._told.pop(space, None)
        self._again.add(space)  # what came meanwhile is looked at in the next round
        return ended

    def _org_is_busy(self, record: SpaceRecord) -> bool:
        """Whether as many spaces of the org sleep as may; a person's wish is never held up by that."""
        db = self.runner.db
        if not 0 < self.org_nights <= leases.held_in_org(db, record.org, self.runner.clock()):
            return False
        return not any(night.trigger == "manual" for night in nights.unfinished(db, record.id))

    def _run(self, record: SpaceRecord) -> list[Night]:
        space, settings = record.id, self.settings(record)
        runner = replace(self.runner, urgent=self._others_first)
        ended = resume(runner, space, self.worker)
        for night in ended[-1:]:
            if night.trigger == "manual" and due.goes_on(settings, backlog(self.runner.db, night, record.watermark)):
                want = SleepRequest(night.kind, "manual", self.worker)  # in line behind other people's
                request(self.runner.db, space, want, settings, self.runner.clock(), claim=False)
        if not ended:
            now = self.runner.clock()
            found = due.decide(rhythm.read(self.runner.db, record, settings, now), settings, now)
            if found is not None:
                want = SleepRequest(found.kind, found.trigger, self.worker)
                night = sleep(runner, space, want, settings, quiet=True).night
                ended = [night] if night.status != "skipped" else []
        return ended

    def _look_again(self, space: str, at: Instant | None) -> None:
        """A stored time that comes too early costs one look; so only an earlier one is worth a write."""
        stored, now = rhythm.due_at(self.runner.db, space), self.runner.clock()
        if stored == at or (stored is not None and now < stored and (at is None or stored <= at)):
            return
        with self.runner.db.write("memory") as tx:
            rhythm.set_due(tx, space, at, now)


def _at(found: Due | None) -> Instant | None:
    return None if found is None else found.due_at
