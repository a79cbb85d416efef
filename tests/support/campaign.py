"""A campaign of kills over all roles, with an oracle outside the store: what was acknowledged must hold."""

import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reverie import Reverie
from reverie.store.files.backup import verify
from reverie.store.files.repair import faults
from tests.stored.make import AFTER_THE_NIGHT, TALK
from tests.support.roles import ROLES, SPACE, old_store

ROOT = Path(__file__).parents[2]
ALONE = "rebuild"  # refuses while another has the store open
STORED_TURNS = sum(map(len, TALK.values())) + len(AFTER_THE_NIGHT)
STUCK = 10.0  # seconds after which a night must go on, whoever died
LIFE = {
    "server": (0.1, 0.6),
    "rebuild": (0.01, 1.5),
    "restore": (0.01, 0.8),
    "backup": (0.01, 0.5),
    "migrate": (0.01, 0.8),
    "forget": (0.05, 2.0),
}


@dataclass
class Oracle:
    """What the store has promised."""

    turns: dict[str, str] = field(default_factory=dict)  # key to id
    doubtful: set[str] = field(default_factory=set)  # a forget was begun
    forgotten: set[str] = field(default_factory=set)
    backups: set[str] = field(default_factory=set)
    killed: int = 0
    roles: dict[str, int] = field(default_factory=dict)
    longest: float = 0.0  # seconds that a night was held up by somebody who had died

    def hear(self, acks: list[list[Any]]) -> None:
        for what, *told in acks:
            assert what != "error", told[-1]
            if what == "turn":
                self.turns[told[0]] = told[1]
            elif what == "forgetting":
                self.doubtful.add(told[1])
            elif what == "forgotten":
                self.forgotten.add(told[1])
            elif what == "backup":
                self.backups.add(told[0])

    def check(self, home: Path) -> None:
        """What must hold after any kill: nothing lost, nothing twice, nothing back, files whole, no night stuck."""
        assert faults(home) == []
        with Reverie.open(home, embedder="none", durable=False) as memory:
            space = memory.space(SPACE)
            stored = [(turn.key, turn.id) for turn in space.turns(limit=1_000_000)]
            assert len({key for key, _ in stored}) == len(stored)
            there = {id for _, id in stored}
            lost = set(self.turns.values()) - there - self.doubtful
            assert lost == set(), f"{len(lost)} acknowledged turns are lost"
            assert not there & self.forgotten
            names = [one.name for one in memory.spaces(limit=1_000)]
            assert not [name for name in names if name.endswith("(restoring)")]
            began = time.monotonic()
            while (night := space.sleep("nap")).status == "skipped" and "held" in night.why:
                assert time.monotonic() - began < STUCK, night.why
                self.longest = time.monotonic() - began
                time.sleep(0.05)
            assert night.status == "done", (night.status, night.why, night.error)
        self._nothing_twice(home)
        if (old := old_store(home)).is_dir():
            with Reverie.open(old, embedder="none", durable=False) as memory:
                assert sum(len(space.turns(limit=1_000)) for space in memory.spaces()) == STORED_TURNS
        for made in (path for path in self.backups if Path(path).exists()):
            verify(Path(made))
        self.backups.clear()

    def _nothing_twice(self, home: Path) -> None:
        with closing(sqlite3.connect(home / "memory.db")) as memory:
            memory.execute("ATTACH ? AS log", (str(home / "log.db"),))
            twice = memory.execute(
                "SELECT m.text, s.source FROM memories m JOIN sources s ON s.memory = m.id WHERE m.stale = 0"
                " AND m.kind IN ('episode', 'fact') GROUP BY m.space, m.kind, m.text, m.predicate, s.source"
                " HAVING count(*) > 1"
            ).fetchall()
            answers = memory.execute(
                "SELECT question FROM answers WHERE dropped IS NULL GROUP BY space, question HAVING count(*) > 1"
            ).fetchall()
            ahead = memory.execute(
                "SELECT s.id FROM spaces s LEFT JOIN log.activity a ON a.space = s.id"
                " WHERE s.watermark > coalesce(a.last_seq, 0)"
            ).fetchall()
        assert (twice, answers, ahead) == ([], [], []), (home, twice[:3], answers[:3], ahead)


@dataclass
class RoleHost:
    process: "subprocess.Popen[str]"

    @classmethod
    def start(cls) -> "RoleHost":
        env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT)))}
        command = [sys.executable, "-m", "tests.support.role_host"]
        pipe = subprocess.PIPE
        return cls(subprocess.Popen(command, text=True, env=env, cwd=ROOT, stdin=pipe, stdout=pipe))

    def play(self, home: Path, seed: int, roles: list[tuple[str, float]]) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"home": str(home), "seed": seed, "roles": roles}) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def stop(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(20)
        self.process.stdout.close()


def campaign(home: Path, kills: int, seed: int, lives: int = 40) -> Oracle:
    """Kills processes in all roles, one to four at once; a new store after some `lives`. What came of it."""
    host, chance, total = RoleHost.start(), random.Random(seed), Oracle()
    try:
        while total.killed < kills:
            oracle = Oracle()
            store = home / f"store-{total.killed}"
            Reverie.open(store, embedder="none", durable=False).close()
            while oracle.killed < lives and total.killed + oracle.killed < kills:
                roles = _round(chance)
                told = host.play(store, chance.getrandbits(30), roles)
                oracle.killed += told["killed"]
                for role, _ in roles:
                    total.roles[role] = total.roles.get(role, 0) + 1
                oracle.hear(told["acks"])
                oracle.check(store)
            total.killed += oracle.killed
            total.turns |= oracle.turns
            total.forgotten |= oracle.forgotten
            total.longest = max(total.longest, oracle.longest)
            shutil.rmtree(store)
            for beside in home.glob(f"{store.name}-*"):  # backups, stores of older versions
                shutil.rmtree(beside, ignore_errors=True)
    finally:
        host.stop()
    return total


def _round(chance: random.Random) -> list[tuple[str, float]]:
    if chance.random() < 0.15:
        return [(ALONE, chance.uniform(*LIFE[ALONE]))]
    among = [role for role in ROLES if role != ALONE]
    chosen = chance.sample(among, chance.randint(1, 4))
    if "writer" not in chosen and chance.random() < 0.6:
        chosen[0] = "writer"
    return [(role, chance.uniform(*LIFE.get(role, (0.01, 0.25)))) for role in chosen]
