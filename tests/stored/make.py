"""Makes one stored database: run by the code of the commit whose schema it stands for, see README.md.

    PYTHONPATH=<that commit>/src python tests/stored/make.py TARGET.sql.gz [postgresql://… PG_DUMP]

Without a server two dumps are made, TARGET.log.sql.gz and TARGET.memory.sql.gz, one of each SQLite file.
"""

import gzip
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from reverie import Reverie

MONDAY = 1_793_606_400.0  # 2 November 2026, 08:00 UTC
TALK = {
    "monday": [
        ("user", "Hi, I'm Mara. I moved to Hamburg last week, my sister Ines helped me."),
        ("assistant", "Welcome to Hamburg, Mara! How is the new flat?"),
        ("user", "It is bright. I work as a carpenter at Nordholz."),
        ("user", "Please remember that I'm allergic to peanuts."),
        ("assistant", "Noted: no peanuts."),
        ("user", "I love rowing on the Alster, every Sunday morning."),
        ("user", "My sister Ines lives in Bremen and has a dog called Pico."),
    ],
    "tuesday": [
        ("user", "I bought a yellow kayak today."),
        ("assistant", "A kayak! Will you take it to the Alster?"),
        ("user", "Yes. What was I allergic to again?"),
        ("user", "We decided to use larch for the workshop floor."),
        ("user", "I sold my car, I ride a bicycle now."),
    ],
}
AFTER_THE_NIGHT = [("user", "The paddle of the kayak is red."), ("user", "My boss is called Henning.")]


class Clock:
    def __init__(self) -> None:
        self.now = MONDAY

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def live(location: str) -> None:
    """Two sessions, a text to remember, a block edit, one night, questions, and turns that no night has read."""
    clock = Clock()
    with Reverie.open(location, embedder="minilm", clock=clock) as memory:
        space = memory.space("mara")
        for session, turns in TALK.items():
            for role, text in turns:
                space.append(role, text, session)
                clock.now += 60
            clock.now += 86_400
        space.remember("The workshop's alarm is switched off at seven in the morning.")
        space.blocks["human"].append("Mara prefers short answers.", reason="she said so")
        night = space.sleep()
        assert night.status == "done", night
        for question in ("where do I live?", "what am I allergic to?", "what does Ines have?"):
            space.answer(question)
            space.recall(question)
        for role, text in AFTER_THE_NIGHT:
            space.append(role, text, "tuesday")
        assert len(space.turns()) == 14
        print(night.status, space.count(), len(space.answers()), [block.label for block in space.blocks])


def dump(connection: sqlite3.Connection) -> Iterator[str]:
    """As `iterdump`, without the rows of full-text tables: they are in the tables below them, which are dumped too."""
    virtual = connection.execute("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%'").fetchall()
    seen_through = tuple(f'INSERT INTO "{name}" ' for (name,) in virtual)
    return (line for line in connection.iterdump() if not line.startswith(seen_through))


def write(target: Path, lines: Iterable[str]) -> None:
    target.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))
    print(target, target.stat().st_size)


def main() -> None:
    target, *server = sys.argv[1:]
    if server:
        live(server[0])
        command = [server[1], "--inserts", "--no-owner", "--no-privileges", server[0]]
        dumped = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout
        write(Path(target), (line for line in dumped.splitlines() if not line.startswith("\\")))  # orders to psql
        return
    with tempfile.TemporaryDirectory() as home:
        live(home)
        for side in ("log", "memory"):
            with sqlite3.connect(Path(home) / f"{side}.db") as connection:
                write(Path(target.replace(".sql", f".{side}.sql")), dump(connection))


if __name__ == "__main__":
    main()
