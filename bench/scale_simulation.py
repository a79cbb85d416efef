"""Ten million spaces on paper: how many workers and databases a day of them needs, and how long a due nap waits.

Nothing here is measured but the costs of a nap (`COSTS`); the people are assumed, and docs/guides/scale.md says how. A
tenth of the spaces is drawn and sent through as many workers as stand for a tenth of the fleet, first come
first served. So small a fleet has longer queues than a large one as busy: the waiting told is too long rather than too
short.
"""

import heapq
import math
import random
from dataclasses import dataclass

from bench import report

SPACES = 10_000_000
SHARE = 10  # one of so many spaces is drawn
DAY = 86_400.0
PATIENCE = 60.0  # seconds that a due nap may wait at p99
QUESTIONS_OF_A_DAY = 0.35  # the part of a day's sessions that falls into its four busiest hours


@dataclass(frozen=True, slots=True)
class Kind:
    """Spaces of one kind: how many of all, sessions a day, turns a session (the mean of a geometric draw)."""

    name: str
    share: float
    sessions: float
    turns: float


@dataclass(frozen=True, slots=True)
class Costs:
    """Of one worker and one database. Money is what a cloud asks for, roughly."""

    nap_seconds: float = 0.25  # of CPU, whatever it reads
    turn_seconds: float = 0.030  # of CPU, with the default embedder
    turns_a_nap: int = 5
    kilobytes_a_turn: float = 15.5
    commits_a_nap: int = 12
    commits_a_second: float = 1_500.0  # that one database keeps up with
    terabytes: float = 2.0  # that one database holds
    days_kept: float = 365.0
    core_hour: float = 0.04  # dollars
    gigabyte_month: float = 0.12  # dollars


KINDS = (
    Kind("asleep", 0.90, 0.05, 6.0),
    Kind("regular", 0.09, 1.5, 12.0),
    Kind("heavy", 0.01, 8.0, 40.0),
)
COSTS = Costs()


@dataclass(frozen=True, slots=True)
class Plan:
    """What a day comes to with so many workers."""

    workers: int
    naps: int
    turns: int
    busy: float  # the part of the day that a worker works
    waited_p50: float
    waited_p99: float
    databases: int
    dollars_a_day: float


def arrivals(seed: int = 1) -> list[tuple[float, int]]:
    """(second of the day, turns) of every nap of the spaces drawn, in order."""
    chance, found = random.Random(seed), []
    for kind in KINDS:
        sessions = SPACES * kind.share * kind.sessions / SHARE
        for _ in range(round(sessions)):
            turns = 1 + int(math.log(1.0 - chance.random()) / math.log(1.0 - 1.0 / kind.turns))
            found += _naps(_moment(chance), turns)
    return sorted(found)


def _moment(chance: random.Random) -> float:
    """Evenings are busier than nights: four hours have more than a third of all sessions."""
    if chance.random() < QUESTIONS_OF_A_DAY:
        return DAY * (0.75 + chance.random() / 6)
    return DAY * chance.random()


def _naps(at: float, turns: int) -> list[tuple[float, int]]:
    """One every five turns, 40 s a turn, and one over what is left a minute after the last."""
    each = COSTS.turns_a_nap
    full = [(at + 40.0 * each * n, each) for n in range(1, turns // each + 1)]
    return [*full, (at + 40.0 * turns + 60.0, turns % each)] if turns % each else full


def day_of(workers: int, naps: list[tuple[float, int]]) -> Plan:
    """Every nap goes to the worker that is free first."""
    free, waited, work = [0.0] * max(1, round(workers / SHARE)), [], 0.0
    for at, turns in naps:
        begins = max(at, heapq.heappop(free))
        takes = COSTS.nap_seconds + COSTS.turn_seconds * turns
        heapq.heappush(free, begins + takes)
        waited.append(begins - at)
        work += takes
    waited.sort()
    turns = sum(n for _, n in naps) * SHARE
    return Plan(
        workers,
        len(naps) * SHARE,
        turns,
        round(work * SHARE / (workers * DAY), 2),
        round(waited[len(waited) // 2], 1),
        round(waited[int(len(waited) * 0.99)], 1),
        *_kept(workers, len(naps) * SHARE, turns),
    )


def _kept(workers: int, naps: int, turns: int) -> tuple[int, float]:
    """Databases for the busiest hours and for what is kept, and what a day costs."""
    peak = naps * COSTS.commits_a_nap * QUESTIONS_OF_A_DAY * 6 / DAY + turns / DAY
    gigabytes = turns * COSTS.days_kept * COSTS.kilobytes_a_turn / 1e6
    databases = max(math.ceil(peak / COSTS.commits_a_second), math.ceil(gigabytes / 1_000 / COSTS.terabytes))
    dollars = 24 * COSTS.core_hour * (workers + 8 * databases) + gigabytes * COSTS.gigabyte_month / 30
    return databases, round(dollars)


def plan() -> list[Plan]:
    """With more and more workers, until a due nap hardly ever waits for a minute."""
    naps = arrivals()
    found: list[Plan] = []
    work = sum(COSTS.nap_seconds + COSTS.turn_seconds * turns for _, turns in naps) * SHARE / DAY
    workers = math.ceil(work / SHARE) * SHARE
    while not found or found[-1].waited_p99 > PATIENCE:
        found.append(day_of(workers, naps))
        workers += SHARE
    return [*found, day_of(workers, naps)]


def main() -> None:
    found = plan()
    rows = [
        (f"{p.workers:,}", f"{p.naps:,}", f"{p.turns:,}", f"{p.busy:.0%}", p.waited_p50, p.waited_p99, p.databases,
         f"{p.dollars_a_day:,.0f}")
        for p in found
    ]  # fmt: skip
    head = ("workers", "naps a day", "turns a day", "busy", "waits p50 s", "p99 s", "databases", "dollars a day")
    print(report.table(head, rows))


if __name__ == "__main__":
    main()
