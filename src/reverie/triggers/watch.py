"""The sleeper's loop: which spaces are due, and one run each in turn, so that no space starves another."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import TypeVar

from reverie.asleep.runner import Runner
from reverie.errors import ReverieError
from reverie.model.base import Instant
from reverie.model.night import Night, Progress
from reverie.model.rhythm import Due, GateAnswer, Rhythm, Sleeping, SleepRequest
from reverie.model.spaces import SpaceRecord
from reverie.policy.sleep import due, gates
from reverie.store.tables import nights, rhythm, spaces
from reverie.triggers.admission import request
from reverie.triggers.inline import resume, sleep

LOOK_EVERY = 1.0  # seconds
ALIVE_EVERY = 30.0
RETRY = 60.0  # where time alone opens no gate, look again after so long
HELD = ("active_run", "local_lock")
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
    _seen: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    _not_before: dict[str, Instant] = field(default_factory=dict)  # spaces in trouble, or whose night backs off
    _said_alive: Instant = 0.0
    _looked: Instant = 0.0

    def run(self, wait: Callable[[float], None] = time.sleep) -> None:
        """Until told to stop; then nobody is left to believe that somebody still watches."""
        try:
            while not self.runner.stopping():
                if not self._unharmed("", lambda _: self.once()):
                    wait(LOOK_EVERY)
        finally:
            with self.runner.db.write("memory") as tx:
                rhythm.say_gone(tx, self.worker, self.runner.clock())

    def once(self) -> list[Night]:
        """One look, and one run for every space that may sleep, longest waiting first."""
        self._mind_the_clock()
        self._say_alive()
        ended: list[Night] = []
        waiting = [self._unharmed(space, self._waiting) for space in self._candidates()]
        for space in due.in_turn(filter(None, waiting)):
            if self.runner.stopping():
                break
            ended.extend(self._unharmed(space, self._sleep) or ())
        return ended

    def _unharmed(self, space: str, act: Callable[[str], T]) -> T | None:
        """Trouble (a deleted space, a bad setting, a full disk) is told: not the others', nor the sleeper's end."""
        try:
            return act(space)
        except Exception as error:  # the edge of the loop
            why = error.message if isinstance(error, ReverieError) else f"{type(error).__name__}: {error}"
            self.runner.tell(Progress("", space, "night", "failed", why=why))
            self._not_before[space] = self.runner.clock() + RETRY
            self._seen.pop(space, None)
            return None

    def _mind_the_clock(self) -> None:
        """A clock that was set back makes nonsense of all remembered times: every space is looked at anew."""
        now = self.runner.clock()
        if now < self._looked - rhythm.SKEW:
            self._seen, self._not_before, self._said_alive = {}, {}, 0.0
        self._looked = now

    def _say_alive(self) -> None:
        now = self.runner.clock()
        if now - self._said_alive >= ALIVE_EVERY:
            with self.runner.db.write("memory") as tx:
                rhythm.say_alive(tx, self.worker, now)
            self._said_alive = now

    def _candidates(self) -> list[str]:
        db, now = self.runner.db, self.runner.clock()
        moved = rhythm.fresh_spaces(db, self._seen)
        news = dict.fromkeys((*nights.spaces_with_unfinished(db), *rhythm.due_spaces(db, now), *moved))
        ready = [space for space in news if self._not_before.get(space, 0.0) <= now]
        self._seen |= {space: moved[space] for space in ready if space in moved}
        return ready

    def _waiting(self, space: str) -> tuple[Instant, str] | None:
        """Since when the space waits for a run that may begin now; otherwise stores when to look again."""
        now = self.runner.clock()
        record = spaces.by_id(self.runner.db, space)
        settings = self.settings(record)
        state = rhythm.read(self.runner.db, record, settings, now)
        if unfinished := nights.unfinished(self.runner.db, space):
            return self._to_resume(unfinished[0], state, settings, now)
        found = due.decide(state, settings, now)
        if found is not None:
            state = replace(state, spent=self.runner.spent(space, now))
            answers = gates.decide(SleepRequest(found.kind, found.trigger, self.worker), state, settings, now)
            if gates.first_closed(answers) is None:
                return found.due_at, space
            self._refused(space, found, answers, settings, now)
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

    def _refused(self, space: str, found: Due, answers: list[GateAnswer], settings: Sleeping, now: Instant) -> None:
        """A run that another holds up is in the history; one that only comes too early is not worth a line."""
        closed = gates.first_closed(answers)
        if closed is not None and closed.code in HELD:
            request(self.runner.db, space, SleepRequest(found.kind, found.trigger, self.worker), settings, now)
        self._look_again(space, gates.opens_at(answers) or now + RETRY)

    def _sleep(self, space: str) -> list[Night]:
        record = spaces.by_id(self.runner.db, space)
        with self.around(record) as told:
            ended = self._run(record)
            for night in ended[-1:]:
                told(night)
        self._seen.pop(space, None)  # what came meanwhile is looked at in the next round
        return ended

    def _run(self, record: SpaceRecord) -> list[Night]:
        space, settings = record.id, self.settings(record)
        ended = resume(self.runner, space, self.worker)
        if not ended:
            now = self.runner.clock()
            found = due.decide(rhythm.read(self.runner.db, record, settings, now), settings, now)
            if found is not None:
                want = SleepRequest(found.kind, found.trigger, self.worker)
                ended = [sleep(self.runner, space, want, settings).night]
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
