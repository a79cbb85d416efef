"""A store with somebody to rob: one of everything in it, and others beside it who hold keys of their own."""

import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from reverie import Reverie
from reverie.model.answers import Answer
from reverie.model.base import OURS_PATTERN, Trust, new_id
from reverie.model.blocks import Block, Review
from reverie.server.letta import conversations, folders
from reverie.server.letta.access import PREFIX as TOKEN
from reverie.server.letta.agents import new_space
from reverie.server.letta.profile import Profile, change_profile
from reverie.server.letta.shared import archive_id, folder_id, group_id, message_id, passage_id, run_id, step_id
from reverie.server.letta.tools import ALL
from reverie.server.memory_stores import dreams
from reverie.server.memory_stores.shared import store_id
from reverie.space import Space
from reverie.store.rows import answer_row
from reverie.store.tables import contradictions
from reverie.verbs.files import MemoryFiles
from tests.support.nights import put_review

ASKED = "quince"  # what thieves look for; it is in every text of everybody
UUID = re.compile(  # or one of the shorter ids of what stands in many rows
    r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}"
    rf"|(?<![0-9a-z])(?:{OURS_PATTERN})(?![0-9a-z])"
)
# Written when somebody reads: who asked what, which hit was given, and when a key was used.
TRACES = {"asked", "recall_events", "recall_days", "recalls", "servings", "replies", "awake_ledger", "keys"}
# The column that says whose a row is.
OWNERS = {"": ("space", "owner", "block", "night", "memory"), "spaces": ("id",)}
Ids = Mapping[str, str]


@dataclass(frozen=True)
class Thief:
    """Somebody with a key, and what is their own."""

    name: str
    headers: dict[str, str]
    own: Ids
    foreign: bool = False  # of another org


@dataclass
class World:
    memory: Reverie
    secret: str
    victim: Ids  # by noun
    victims: list[str] = field(default_factory=list)  # ids of spaces that nobody else may reach
    missing: Ids = field(default_factory=dict)  # ids as the victim's, of nothing at all


def things(memory: Reverie, name: str, secret: str) -> dict[str, str]:
    """A space with one thing of each kind, by noun; every text holds the secret."""
    space = memory.space(name)
    block = space.blocks.create(f"notes of {name}"[:100], f"{secret} and {ASKED} in a block")
    turn = space.append("user", f"{secret} and {ASKED} in a turn", f"talk of {name}", f"key of {name}").id
    undone, night = space.nap().id, space.nap().id
    space.undo(undone)
    kept = space.remember(f"{secret} and {ASKED} in a memory", tags=(secret,)).id
    space.correct(space.remember(f"{secret} {ASKED} is blue").id, f"{secret} {ASKED} is red")  # leaves a contradiction
    return {
        "space": space.id,
        "name": space.name,
        "turn": turn,
        "message": message_id(turn),
        "undone": undone,
        "night": night,
        "run": run_id(night),
        "memory": kept,
        "passage": passage_id(kept),
        "block": block.id,
        "label": block.label,
        "group": group_id(space.id),
        "own archive": archive_id(space.id),
        "contradiction": contradictions.listed(memory.parts.db, space.id)[0].id,
        "review": _proposed(memory, space, block, secret),
        "answer": _prepared(memory, space, secret),
        "intent": space.intend(f"{secret} to be reminded of", ASKED).id,
        "key": memory.keys.create(f"{secret} key", space=space.id).key.id,
        "session": f"talk of {name}",
        "conversation": _talk(space, secret),
        "step": step_id(night, 0),
        "token": memory.keys.create(f"{TOKEN}{secret}", space=space.id).key.id,
        **_folder(memory, space, secret),
        **_stored(space, night, secret),
        "once": f"key of {name}",
        "tool": ALL[0]["id"],
        "org": memory.org,
        **_archive(memory, space, secret),
    }


def _talk(space: Space, secret: str) -> str:
    talk = conversations.create(space, {"summary": f"{secret} and {ASKED} in a conversation"})
    space.append("user", f"{secret} and {ASKED} in a conversation", talk.session)
    return talk.id


def _folder(memory: Reverie, space: Space, secret: str) -> dict[str, str]:
    """A folder that the space has been given, with a file."""
    (folder,) = memory.create_spaces(new_space(Profile(f"{secret} folder", kind="folder"), {}))
    change_profile(space, lambda profile: replace(profile, folders=(folder.id,)))
    file = folders.stored(folder, f"{secret}.md", f"{secret} and {ASKED} in a file".encode(), None, "suffix")
    return {"folder": folder_id(folder.id), "file": str(file["id"]), "folder's": folder.id}


def _stored(space: Space, night: str, secret: str) -> dict[str, str]:
    """The space as a memory store: a file, and a dream."""
    files = MemoryFiles(space, "owner")
    file = files.create(f"/{secret}.md", f"{secret} and {ASKED} in a file")
    dream: dict[str, Any] = {
        "inputs": [], "model": {"id": "rules"}, "instructions": secret, "output_behavior": {}, "night": night,
        "skipped": None,
    }  # fmt: skip
    entry = space.shelf(dreams.SHELF).put(f"drm_{uuid.uuid4().hex}", dream)
    return {
        "store": store_id(space),
        "stored": f"mem_{file.id}",
        "stored version": f"memver_{file.id}_1",
        "dream": entry.key,
    }


def _archive(memory: Reverie, space: Space, secret: str) -> dict[str, str]:
    """An archive that the space has been given."""
    (archive,) = memory.create_spaces(new_space(Profile(f"{secret} archive", kind="archive"), {}))
    change_profile(space, lambda profile: replace(profile, archives=(archive.id,)))
    text = f"{secret} and {ASKED} in an archive"
    return {"archive": archive_id(archive.id), "archived": passage_id(archive.remember(text).id), "beside": archive.id}


def _proposed(memory: Reverie, space: Space, block: Block, secret: str) -> str:
    about = (block.id, block.label, secret, secret, "a test")
    review = Review(new_id("rev"), space.id, "block", *about, (), "open", 1, 0.0)
    put_review(memory.parts.db, review)
    return review.id


def _prepared(memory: Reverie, space: Space, secret: str) -> str:
    answer = Answer(
        id=new_id("ans"),
        space=space.id,
        question=f"What is {ASKED}?",
        answer=secret,
        embedder="none",
        confidence=0.9,
        threshold=0.9,
        predictor="test",
        sources=(),
        rests_on={},
        trust=Trust.USER,
        created_at=0.0,
        expires_at=1e12,
    )
    row = {**answer_row(answer), "changed": 1}
    with memory.parts.db.write("memory") as tx:
        tx.run(f"INSERT INTO answers ({', '.join(row)}) VALUES ({', '.join(':' + name for name in row)})", **row)
    return answer.id


def of_nothing(ids: Ids) -> dict[str, str]:
    """The same ids, of the same shape, of nothing that there is; names too."""
    shaped = {noun: UUID.sub(lambda found: _another(found[0]), id) for noun, id in ids.items()}
    return {noun: id if id != ids[noun] else f"no such {noun}" for noun, id in shaped.items()} | {"tool": ids["tool"]}


def _another(id: str) -> str:
    new = uuid.uuid4()
    return str(new) if "-" in id else f"{new.int % 10}{new.hex}"[: len(id)]  # a short id begins with a digit


def world_of(memory: Reverie, secret: str = "Marzipan") -> World:
    """Alice, with one of everything, an archive, and a block that she shares with Carol."""
    alice = things(memory, "alice", secret)
    carol = memory.space("carol")
    carol.blocks.attach(alice["block"])
    return World(
        memory, secret, alice, [alice["space"], alice["beside"], alice["folder's"], carol.id], of_nothing(alice)
    )


def rows_of(world: World, *, traces: bool = True) -> dict[str, list[str]]:
    """Every row that is the victims', by table: what a thief has changed shows as a difference.

    Also what is written a moment after the answer.
    """
    assert world.memory.parts.events.flush()
    db, keys, found = world.memory.parts.db, [*world.victims, *world.victim.values()], {}
    for table, columns in tables(world.memory).items():
        owner = next((column for column in OWNERS[table if table in OWNERS else ""] if column in columns), None)
        if owner is not None and (traces or table not in TRACES):
            rows = db.each(f"SELECT * FROM {table} WHERE {owner} IN (:keys)", keys)
            found[table] = sorted(repr(_without_use(row)) for row in rows)
    return found


def _without_use(row: Any) -> list[tuple[str, Any]]:
    return sorted((name, row[name]) for name in row.keys() if name != "used_at")  # noqa: SIM118  a row of sqlite3


def tables(memory: Reverie) -> dict[str, set[str]]:
    """The tables of the store with their columns, on either backend."""
    db = memory.parts.db
    if db.dialect.home is None:
        found: dict[str, set[str]] = {}
        for row in db.rows("SELECT table_name, column_name FROM information_schema.columns"):
            found.setdefault(row["table_name"], set()).add(row["column_name"])
        return {name: columns for name, columns in found.items() if not name.startswith("pg_") and not _is_index(name)}
    names = [
        row["name"]
        for side in ("main", "log_side")
        for row in db.rows(f"SELECT name FROM {side}.sqlite_master WHERE type = 'table'")
        if not row["name"].startswith(("document_words", "sqlite_")) and not _is_index(row["name"])
    ]
    return {name: {row["name"] for row in db.rows(f"PRAGMA table_info({name})")} for name in names}


def _is_index(table: str) -> bool:
    """Postings hold numbers, and follow from `memory_words`."""
    return table.endswith("_postings")
