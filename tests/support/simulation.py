"""A world of workers in one thread, driven by a seed: clock, crashes, pauses, messages that are lost, late or twice.

Everything that decides and writes is real (watch, roster, gates, leases, runner, commit, an SQLite store); simulated
are the clock, the processes, the queue between workers, and the one step of the nights. While a worker is inside a
batch other events happen, as they would in other processes: so runs overlap, and a seed repeats them exactly.
"""

import random
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from reverie.asleep.runner import Runner
from reverie.asleep.step import Minds, Step
from reverie.awake.append import append
from reverie.minds.embed import NoEmbedder
from reverie.model.changes import Changes
from reverie.model.night import Job, Night, Progress
from reverie.model.rhythm import Sleeping, SleepRequest
from reverie.model.turns import Draft
from reverie.store.db import Database
from reverie.store.dialect.sqlite_dialect import SqliteDialect
from reverie.store.reader import Reader
from reverie.store.reading import log
from reverie.store.tables import nights, spaces
from reverie.triggers import watch as watch_module
from reverie.triggers.admission import request
from reverie.triggers.roster import Roster
from reverie.triggers.watch import Watch
from tests.support.minds import Silent
from tests.support.nights import NOW, make_space

SETTINGS = Sleeping(
    cron="",
    importance_threshold=0.0,
    cadence_turns=1,
    min_seconds_between_naps=5.0,
    max_naps_per_hour=100_000,
    active_seconds=0.0,
    backoff_seconds=1.0,
    night_after_hours=0.0,
)
BATCH = 2  # turns
DEEPEST = 2  # events inside events


class Killed(BaseException):
    """A worker's process ends here: nothing of it runs any more, not even what cleans up."""


@dataclass
class Faults:
    """How often, of a thousand events of its kind, something goes wrong."""

    lost: int = 150
    doubled: int = 150
    misplaced: int = 100
    killed: int = 60
    paused: int = 40

    @classmethod
    def none(cls) -> "Faults":
        return cls(0, 0, 0, 0, 0)


@dataclass
class SimulatedWorker:
    name: str
    db: Database
    watch: Watch
    roster: Roster
    busy: bool = False
    dead: bool = False

    def die(self) -> None:
        """No write of it reaches the store from now on."""

        def refuse(*_: Any, **__: Any) -> Any:
            raise Killed

        self.dead, self.db.write = True, refuse  # type: ignore[method-assign]


@dataclass
class World:
    """`queue`: workers give out jobs and get them as messages, as with procrastinate; else each runs what it finds."""

    home: Path
    seed: int
    queue: bool
    workers_wanted: int = 3
    faults: Faults = field(default_factory=Faults)
    now: float = NOW
    slice_batches: int = 4
    said: dict[str, int] = field(default_factory=dict)
    workers: list[SimulatedWorker] = field(default_factory=list)
    messages: list[Job] = field(default_factory=list)
    begun: list[str] = field(default_factory=list)  # spaces in the order of their runs
    longest_wait: float = 0.0
    unread_since: dict[str, float] = field(default_factory=dict)
    depth: int = 0
    deaths: int = 0

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.db = SqliteDialect(self.home, durable=False).open()
        for n in range(self.workers_wanted):
            self.start(f"w{n}")

    def close(self) -> None:
        self.db.close()
        for worker in self.workers:
            worker.db.close()

    def make_spaces(self, n: int) -> list[str]:
        made = [make_space(self.db, f"space-{i}") for i in range(n)]
        self.said = dict.fromkeys(made, 0)
        return made

    def start(self, name: str) -> None:
        db = SqliteDialect(self.home, durable=False).open()
        roster = Roster.of(db, lambda: self.now, version="0", engine="simulated", name=name)
        worker: SimulatedWorker
        in_a_row = 0

        def batch(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
            at = log.watermark(reader)
            read = log.turns_past(reader, at, limit=BATCH)
            self.meanwhile(worker)  # what was read may be old when it is written
            more = bool(read) and read[-1].seq < night.upto
            return Changes(
                watermark=read[-1].seq if read else at, counts={"turns": len(read)}, cursor="more" if more else None
            )

        def told(progress: Progress) -> None:
            nonlocal in_a_row
            if progress.what == "night" and progress.status == "running":
                self.begun.append(progress.space)
                in_a_row = 0
            in_a_row += progress.what == "batch"
            if progress.what == "batch":
                self.maybe_kill(worker)

        runner = Runner(db, Minds(Silent(), NoEmbedder()), clock=lambda: self.now, wait=self.pass_time, tell=told,
                        steps_of=lambda *_: (Step("light", "reading", batch, naps=True),))  # fmt: skip
        watch = Watch(runner, lambda _: SETTINGS, name, mine=roster.mine, moved=roster.look)
        watch._others_first = lambda space: in_a_row >= self.slice_batches  # type: ignore[method-assign]  # noqa: ARG005
        worker = SimulatedWorker(name, db, watch, roster)
        roster.say()
        self.workers.append(worker)

    def pass_time(self, seconds: float) -> None:
        self.now += seconds

    def hits(self, per_mille: int) -> bool:
        return self.chance.randrange(1_000) < per_mille

    def maybe_kill(self, worker: SimulatedWorker) -> None:
        if self.hits(self.faults.killed):
            self.deaths += 1
            worker.die()
            raise Killed

    def meanwhile(self, worker: SimulatedWorker) -> None:
        """What happens elsewhere while a worker thinks: little, much, or so much that its lease has run out."""
        self.maybe_kill(worker)
        self.now += self.chance.random()
        most = 3
        if self.hits(self.faults.paused):
            self.now += 150
            most = 30
        if self.depth < DEEPEST:
            self.depth += 1
            for _ in range(self.chance.randrange(most)):
                self.event()
            self.depth -= 1

    def event(self) -> None:
        """One thing happens, to somebody who is free for it."""
        acts: list[Callable[[], None]] = [self.say, self.tick, self.tick, self.tick, self.deliver, self.deliver]
        self.chance.choice(acts)()
        self.now += self.chance.random() * 3
        self.watch_waits()

    def say(self) -> None:
        """Half of all turns go to one space: it must not keep the others waiting."""
        named = sorted(self.said)
        space = named[0] if self.chance.random() < 0.5 else self.chance.choice(named)
        self.append(space, self.chance.randrange(1, 6))
        if self.hits(50):
            request(self.db, space, SleepRequest("nap", "manual"), SETTINGS, self.now, claim=False, quiet=True)

    def append(self, space: str, n: int) -> None:
        for _ in range(n):
            append(self.db, spaces.by_id(self.db, space), Draft("user", f"turn {self.said[space]}", at=self.now))
            self.said[space] += 1

    def free(self) -> list[SimulatedWorker]:
        return [one for one in self.workers if not one.dead and not one.busy]

    def tick(self) -> None:
        """A worker looks around; a dead one is started anew by whoever supervises it, under a new name."""
        for dead in [one for one in self.workers if one.dead and not one.busy and self.chance.random() < 0.2]:
            self.workers.remove(dead)
            dead.db.close()
            self.start(f"w{self.chance.getrandbits(40):x}")
        if free := self.free():
            self.act(self.chance.choice(free), self.look)

    def look(self, worker: SimulatedWorker) -> None:
        worker.roster.say()
        if not self.queue:
            worker.watch.once()
            return
        for job in worker.watch.jobs():
            if not self.hits(self.faults.lost):
                self.messages.extend([job] * (2 if self.hits(self.faults.doubled) else 1))

    def deliver(self) -> None:
        """A message comes, out of order; sometimes to a worker whose it is not."""
        if not self.messages or not (free := self.free()):
            return
        job = self.messages.pop(self.chance.randrange(len(self.messages)))
        homes = free if self.hits(self.faults.misplaced) else [one for one in free if one.roster.mine(job.space)]
        if homes:
            self.act(self.chance.choice(homes), lambda worker: worker.watch.serve(job.space))

    def act(self, worker: SimulatedWorker, what: Callable[[SimulatedWorker], Any]) -> None:
        worker.busy = True
        depth = self.depth
        try:
            what(worker)
        except Killed:
            self.depth = depth
        finally:
            worker.busy = False

    def watch_waits(self) -> None:
        for space, said in self.said.items():
            if spaces.by_id(self.db, space).watermark >= said:
                self.unread_since.pop(space, None)
            else:
                since = self.unread_since.setdefault(space, self.now)
                self.longest_wait = max(self.longest_wait, self.now - since)

    def live(self, events: int) -> None:
        for _ in range(events):
            self.event()

    def heal(self, rounds: int = 400) -> None:
        """Nothing fails any more, and nobody says anything: what waits is done in the end."""
        self.faults = Faults.none()
        for _ in range(rounds):
            self.tick()
            self.deliver()
            self.now += 5
            if all(spaces.by_id(self.db, space).watermark == said for space, said in self.said.items()):
                return

    def read_turns(self, space: str) -> int:
        """How many turns all committed batches have read: one that was done twice is counted twice."""
        found = nights.listed(self.db, space, limit=10_000)
        return sum(step.counts.get("turns", 0) for night in found for step in nights.steps(self.db, night.id))


def lived(home: Path, seed: int, *, queue: bool, events: int, n_spaces: int = 6, **more: Any) -> World:
    """A world after so many events and its healing; the caller closes it."""
    world = World(home, seed, queue, **more)
    with repeatable(world):
        world.make_spaces(n_spaces)
        world.live(events)
        world.heal()
    return world


@contextmanager
def repeatable(world: World) -> Iterator[None]:
    """Ids come from the seed, and the watch's other clock is the world's: the same seed takes the same way."""
    ids, watch = random.Random(world.seed), vars(watch_module)
    before = uuid.uuid4, watch["time"]
    uuid.uuid4 = lambda: uuid.UUID(int=ids.getrandbits(128))
    watch["time"] = SimpleNamespace(monotonic=lambda: world.now)
    try:
        yield
    finally:
        uuid.uuid4, watch["time"] = before


def verdict(world: World) -> list[str]:
    """What went wrong, with the seed that shows it again; empty if all is well."""
    wrong = []
    for space, said in world.said.items():
        read, mark = world.read_turns(space), spaces.by_id(world.db, space).watermark
        if mark != said:
            wrong.append(f"seed {world.seed}: {space} lost {said - mark} of {said} turns")
        if read != said:
            wrong.append(f"seed {world.seed}: {space} has {said} turns, and {read} were read")
    return wrong
