"""What processes do with a store until they are killed: each role says what was acknowledged, after it was."""

import gzip
import json
import random
import shutil
import sqlite3
import threading
import time
import urllib.request
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from reverie import Reverie
from reverie.config import load
from reverie.doctor.recovery import rebuild
from reverie.errors import Conflict, NotFound, RestsOn, StoreBusy
from reverie.model.turns import Draft
from reverie.server.app import create_app
from reverie.server.serve import Hooks, Listener
from reverie.server.settings import ServerSettings

SPACE = "alice"
STORED = Path(__file__).parents[1] / "stored"
SAID = (
    "I moved to {} in March and rented a small flat near the canal.",
    "My sister {} lives in Lisbon with her two cats.",
    "I am allergic to {}, please remember that.",
    "We decided to paint the kitchen {}.",
    "Actually, I work at {} now.",
    "I love hiking in the {} with my friend Tom.",
)
NAMES = ("Bremen", "Clara", "walnuts", "Siemens", "Harz", "Porto", "green", "Ines", "Bosch", "Kiel")
Ack = Callable[..., None]


def text_of(chance: random.Random) -> str:
    """Never the same twice: what is said again is told together, and would look as if it had been doubled."""
    return f"{chance.choice(SAID).format(chance.choice(NAMES))} That is number {chance.getrandbits(40)}."


def writer(home: Path, chance: random.Random, ack: Ack) -> None:
    with opened(home) as memory:
        ack("ready")
        space = memory.space(SPACE)
        while True:
            key = f"w-{chance.getrandbits(60)}"
            turn = space.append("user", text_of(chance), key=key)
            ack("turn", key, turn.id)


def importer(home: Path, chance: random.Random, ack: Ack) -> None:
    """Many turns a transaction: all of them or none."""
    with opened(home) as memory:
        ack("ready")
        space = memory.space(SPACE)
        while True:
            keys = [f"i-{chance.getrandbits(60)}" for _ in range(20)]
            drafts = [(space, Draft("user", text_of(chance), session="import", key=key)) for key in keys]
            for key, stored in zip(keys, memory.append_all(drafts), strict=True):
                ack("turn", key, stored.id)


def server(home: Path, chance: random.Random, ack: Ack) -> None:
    """Serves, and calls itself from a thread; an answer of 2xx is an acknowledgement."""
    with opened(home, host="127.0.0.1", port=0) as memory:
        ack("ready")
        serving = ServerSettings.of(memory.config)
        memory.space(SPACE)

        def call(address: str) -> None:
            while True:
                key = f"s-{chance.getrandbits(60)}"
                body = json.dumps({"role": "user", "text": text_of(chance), "key": key}).encode()
                headers = {"content-type": "application/json"}
                url = f"{address}/v1/spaces/{SPACE}/turns"
                with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=20) as reply:
                    ack("turn", key, json.loads(reply.read())["id"])

        ready = Hooks(ready=lambda address: threading.Thread(target=call, args=(address,), daemon=True).start())
        Listener(create_app(memory, serving), serving, ready).run()


def sleeper(home: Path, chance: random.Random, ack: Ack) -> None:
    with opened(home) as memory:
        ack("ready")
        while True:
            night = memory.space(SPACE).sleep("nap" if chance.random() < 0.7 else "night")
            ack("night", night.id, night.status, night.why)
            time.sleep(0.01)


def undoer(home: Path, chance: random.Random, ack: Ack) -> None:
    with opened(home) as memory:
        ack("ready")
        space = memory.space(SPACE)
        while True:
            for night in space.nights(limit=1, statuses=("done",)):
                try:
                    space.undo(night.id)
                    ack("undone", night.id)
                    space.redo(night.id)
                except (Conflict, RestsOn, NotFound):
                    pass
            time.sleep(0.01)


def forgetter(home: Path, chance: random.Random, ack: Ack) -> None:
    with opened(home) as memory:
        ack("ready")
        space = memory.space(SPACE)
        while True:
            turns = space.turns(limit=50)
            if turns:
                turn = chance.choice(turns)
                ack("forgetting", turn.key, turn.id)
                space.forget(turn.id)
                ack("forgotten", turn.key, turn.id)
            time.sleep(0.01)


def backer(home: Path, chance: random.Random, ack: Ack) -> None:
    with opened(home) as memory:
        ack("ready")
        while True:
            made = memory.backup(home.parent / f"{home.name}-backups", keep=3)
            ack("backup", str(made))


def restorer(home: Path, chance: random.Random, ack: Ack) -> None:
    with opened(home) as memory:
        ack("ready")
        lines = list(memory.space(SPACE).export())
        while True:
            name = f"copy {chance.getrandbits(40)}"
            space = memory.import_space(name, lines)
            ack("restored", name, len(space.turns(limit=1_000_000)))
            memory.delete_space(name)
            ack("deleted", name)


def rebuilder(home: Path, chance: random.Random, ack: Ack) -> None:
    """Refused while others have the store open: that is an answer too."""
    ack("ready")
    while True:
        try:
            made = rebuild(load({"home": str(home), "embedder": "none"}), time.time())
            ack("rebuilt", made.turns)
        except Conflict:
            ack("refused")
            time.sleep(0.02)


def migrator(home: Path, chance: random.Random, ack: Ack) -> None:
    """Brings stores that older versions wrote up to date, one after another."""
    ack("ready")
    place = old_store(home)
    while True:
        version = chance.choice(sorted(int(path.name[7]) for path in STORED.glob("schema-?.log.sql.gz")))
        fresh, aside = (place.with_name(f"{place.name}-{chance.getrandbits(60)}") for _ in range(2))
        fresh.mkdir()
        for side in ("log", "memory"):
            with closing(sqlite3.connect(fresh / f"{side}.db")) as file:
                file.executescript(gzip.decompress((STORED / f"schema-{version}.{side}.sql.gz").read_bytes()).decode())
        if place.is_dir():
            place.rename(aside)
        fresh.rename(place)
        Reverie.open(place, embedder="none", durable=False).close()
        ack("migrated", version)
        shutil.rmtree(aside, ignore_errors=True)


def old_store(home: Path) -> Path:
    """Where the store of an older version lies that is brought up to date."""
    return home.with_name(f"{home.name}-old")


def opened(home: Path, **settings: Any) -> Reverie:
    while True:
        try:
            return Reverie.open(home, embedder="none", durable=False, **settings)
        except StoreBusy:
            time.sleep(0.02)


ROLES: dict[str, Callable[[Path, random.Random, Ack], None]] = {
    "writer": writer,
    "importer": importer,
    "server": server,
    "sleeper": sleeper,
    "undo": undoer,
    "forget": forgetter,
    "backup": backer,
    "restore": restorer,
    "rebuild": rebuilder,
    "migrate": migrator,
}
