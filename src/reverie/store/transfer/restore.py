"""A space made of an export, whole or not at all. The file may be a stranger's: it reaches no other space.

It is read to its end before anything is made. Rows are inserted under a temporary name while the lease keeps sleepers
away; the last transaction gives the space its name. What a kill leaves is deleted by the next open of the store.
"""

import base64
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reverie.errors import BadInput, Conflict, StoreBroken, StoreBusy
from reverie.language.words import turn_terms
from reverie.model.base import ORIGINS, OURS_PATTERN, ROLES, TRUST_OF, Instant, compact_id, kept_hash, new_id
from reverie.model.night import Lease
from reverie.model.spaces import SpaceRecord
from reverie.policy.recall.search_keys import episode_id
from reverie.policy.safety.channels import TURN_OF, checked_metadata
from reverie.store.catalog import BY_BLOCK, BY_EDGE, BY_SPACE, TABLES, Table
from reverie.store.db import Database, Transaction, batches
from reverie.store.rows import dumps, insertion, turn_of
from reverie.store.tables import leases, memory_words, spaces, tombstones, vectors
from reverie.store.terms import FIELDS, keep
from reverie.store.transfer.delete_space import delete_space
from reverie.store.transfer.export import FORMAT
from reverie.store.transfer.seal import unsealed

ID = re.compile(
    rf"\b(turn|mem|block|con|rev|ans|night|agent|study|int)-(?:[0-9a-f]{{32}}|[0-9a-f-]{{36}}|{OURS_PATTERN})\b"
)
WHERE = {
    "turn": "turns", "mem": "memories", "block": "blocks", "con": "contradictions", "rev": "reviews",
    "ans": "answers", "night": "nights", "agent": "spaces", "study": "studies", "int": "intents",
}  # fmt: skip
COLUMN = re.compile(r"[a-z_]+")
KNOWN = {table.name: table for table in TABLES}
PART = 500
EXACT = ("turns", "memories", "sessions", "blocks")  # without these a space is not what was exported
Line = tuple[Table, dict[str, Any]]
Check = Callable[[dict[str, Any], str], dict[str, Any]]  # a space's settings and its name; raises for what cannot be


@dataclass(frozen=True, slots=True)
class Header:
    space: str
    settings: dict[str, Any]
    metadata: dict[str, Any]
    private: dict[str, Any]
    watermark: int
    changes: int
    rows: int | None = None  # an export of before did not count them

    @property
    def kept(self) -> dict[str, Any]:
        """What the space itself holds."""
        return {"settings": self.settings, "metadata": self.metadata, "private": self.private}

    @classmethod
    def read(cls, line: str) -> "Header":
        try:
            found = json.loads(line)
            version = found["reverie"]
        except (ValueError, KeyError, TypeError) as error:
            raise BadInput("this is not a Reverie export: its first line is not a header") from error
        if version != FORMAT:
            raise BadInput(
                f"this export has format {version}, this Reverie reads {FORMAT}",
                next_move="Import it with the Reverie that wrote it, or a newer one.",
            )
        try:
            own = {name: value for name, value in found["private"].items() if name != "dreamt"}  # directories elsewhere
            return cls(
                str(found["space"]), dict(found["settings"]), checked_metadata(found["metadata"]), own,
                int(found["watermark"]), int(found["changes"]), found.get("rows"),
            )  # fmt: skip
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadInput("the header of this export is damaged") from error


def restore(
    db: Database,
    org: str,
    name: str,
    lines: Iterable[str],
    now: Instant,
    check: Check = lambda settings, _: settings,
    *,
    trust: bool = False,
) -> SpaceRecord:
    """Makes a space of the lines of an export. Its ids are kept; in a store that has one of them, all are made anew.

    One that this org's store did not write, or that was altered, is refused unless a person trusts it.
    """
    spaces.check_name(name)
    given = list(lines)
    header = Header.read(next(iter(given), ""))
    source = iter(unsealed(db, org, given, trust=trust)[1:])
    header = replace(header, settings=check(header.settings, name))
    if spaces.named(db, org, name) is not None:
        raise Conflict(f"there is a space named {name!r} already", next_move="Choose another name.")
    read = _complete([_read(line, number) for number, line in enumerate(source, 2) if line.strip()], header)
    ids = _NewIds(db, org, header.space, read)
    rows = [(table, ids.new_row(table, values)) for table, values in read if ids.admits(table, values)]
    made = _make(db, org, name, ids.space, header, now)
    try:
        _insert_all(db, made, ids, rows, header)
        _verify(db, made.space, rows)
        with db.write("memory") as tx:
            spaces.update(db, made.space, name=name)
            tombstones.restored(tx, made.space)
    except BaseException as error:
        delete_space(db, made.space, now)
        if isinstance(error, Exception) and not isinstance(error, (StoreBusy, StoreBroken, Conflict)):
            raise BadInput(f"this export does not fit: {error}", next_move="Nothing was made of it.") from error
        raise
    leases.release(db, made.lease)
    db.dialect.advance(db)
    db.dialect.index.make_missing(db, made.space, vectors.an_embedder(db, made.space))
    return spaces.by_id(db, made.space)


def _verify(db: Database, space: str, rows: Sequence[Line]) -> None:
    """Raises BadInput if not every row of a table is there: one that collides with another was left out."""
    given = Counter(table.name for table, _ in rows)
    for table in TABLES:
        found = db.value(f"SELECT count(*) AS n FROM {table.name} WHERE {table.where}", space=space)
        if table.name in EXACT and int(found) < given[table.name]:
            raise BadInput(f"{found:,} of {given[table.name]:,} rows of {table.name} could be stored")


@dataclass(frozen=True, slots=True)
class _NewSpace:
    """A space that is being restored, and the lease that keeps nights off it."""

    lease: Lease
    num: int
    now: Instant
    began: float

    @property
    def space(self) -> str:
        return self.lease.space

    def renew_lease(self, db: Database) -> None:
        leases.renew(db, self.lease, self.now + time.monotonic() - self.began)


def _make(db: Database, org: str, name: str, space: str, header: Header, now: Instant) -> _NewSpace:
    """Makes the space under a temporary name. What a killed restore has left there is deleted first."""
    for_now = f"{name[:180]} (restoring)"
    left = spaces.named(db, org, for_now)
    if left is not None and leases.held(db, left.id, now) is not None:
        raise Conflict(f"{name!r} is being restored already", next_move="Wait for it.")
    if left is not None:
        delete_space(db, left.id, now)
    with db.write("memory") as tx:
        record = spaces.create(db, org, for_now, now, id=space, **header.kept)
        lease = leases.acquire_in(tx, record.id, new_id("restore"), now)
        if record.id != space or lease is None:
            raise Conflict(f"{name!r} is being restored already", next_move="Wait for it.")
        tombstones.put_restoring(tx, record.id)
    return _NewSpace(lease, record.num, now, time.monotonic())


def _insert_all(db: Database, made: _NewSpace, ids: "_NewIds", rows: Sequence[Line], header: Header) -> None:
    last = max((row["last_seq"] for table, row in rows if table.name == "activity"), default=0)
    for part in batches([(table, row) for table, row in rows if table.side == "memory"], PART):
        with db.write("memory") as tx:
            _insert(tx, part, made.num)
        made.renew_lease(db)
    with db.write("log") as tx:  # first how far the log goes: nothing may have been read past it
        _insert(tx, [(table, row) for table, row in rows if table.name == "activity"], made.num)
    with db.write("memory") as tx:  # before the turns come: none of them is to look unread
        spaces.set_place(tx, ids.space, min(header.watermark, int(last)), header.changes)
    log = [(table, row) for table, row in rows if table.side == "log" and table.name != "activity"]
    for part in batches(log, PART):
        with db.write("log") as tx:
            _insert(tx, part, made.num)
        made.renew_lease(db)


class _NewIds:
    """The new id for each old one; the same where all are free.

    A block that the space only shared is shared again where the org has it; elsewhere it becomes the space's own.
    """

    def __init__(self, db: Database, org: str, old: str, read: Sequence[Line]) -> None:
        owners = {values.get("id"): values.get("owner") for table, values in read if table.name == "blocks"}
        attached = [str(values.get("block")) for table, values in read if table.name == "attachments"]
        found = db.each("SELECT id FROM blocks WHERE org = :org AND id IN (:keys)", attached, org=org)
        self._shared = {row["id"] for row in found if owners.get(row["id"]) != old}
        self._own = owners.keys() - self._shared
        self._org, self._clean = org, db.redactor.json
        ids = {match[0] for _, values in read for match in ID.finditer(dumps(values))} - self._shared
        self._keep = ID.fullmatch(old) is not None and _are_free(db, {*ids, old})
        self._old = old
        self.space = old if self._keep else new_id("agent")
        turns = [str(values.get("id")) for table, values in read if table.name == "turns"]
        self._episodes = {episode_id(old, turn): episode_id(self.space, self._derived(turn)) for turn in turns}

    def admits(self, table: Table, values: dict[str, Any]) -> bool:
        """Whether a row speaks of what the file itself holds, or attaches a block that the org shares."""
        if table.name == "attachments":
            return values.get("block") in self._own | self._shared
        if table.name == "blocks":
            return values.get("id") in self._own
        return table.where != BY_BLOCK or values.get("block") in self._own

    def new_row(self, table: Table, values: dict[str, Any]) -> dict[str, Any]:
        """A row of the file as it is inserted: ids, owner and bytes as this store has them."""
        row: dict[str, Any] = values if self._keep else json.loads(ID.sub(self._new, dumps(values)))
        if table.where in (BY_SPACE, BY_EDGE):
            row["space"] = self.space
        if table.name == "blocks":
            row |= {"owner": self.space, "org": self._org}
        if table.name == "turns":
            row = _by_channel(row)
        if table.name == "memories":
            row["hash"] = kept_hash(self.space, str(row.get("hash", "")))
        for column, value in row.items():
            if isinstance(value, dict):
                row[column] = base64.b64decode(value["base64"])
            elif isinstance(value, str):
                row[column] = self._clean(value)
        return row

    def _new(self, match: re.Match[str]) -> str:
        found = match[0]
        if found in self._shared:
            return found
        return self._episodes.get(found) or self._derived(found)

    def _derived(self, id: str) -> str:
        if self._keep or id == self._old:
            return self.space if id == self._old else id
        return compact_id(id.split("-", 1)[0], self.space, id)


def _by_channel(row: dict[str, Any]) -> dict[str, Any]:
    """A turn no more trusted than its role and origin let it be, also in a file that a person trusts."""
    role, origin = ROLES.get(str(row.get("role"))), ORIGINS.get(str(row.get("origin")), "unknown")
    most = TRUST_OF[origin]
    if role is not None and not row.get("block"):  # a line that waits for a block has its writer's trust
        most = min(most, TURN_OF[role].trust)
    return row | {"origin": origin, "trust": min(int(row.get("trust") or 0), int(most))}


def _are_free(db: Database, ids: set[str]) -> bool:
    """Whether nothing in this store has one of these ids, nor had until it was forgotten."""
    for prefix, relation in WHERE.items():
        mine = [id for id in ids if id.startswith(f"{prefix}-")]
        if db.each(f"SELECT id FROM {relation} WHERE id IN (:keys)", mine):
            return False
    return not db.each("SELECT ref FROM tombstones WHERE ref IN (:keys)", ids)


def _read(line: str, number: int) -> Line:
    """The table that a line belongs to, and its row; one that cannot be read is told before anything is made."""
    try:
        ((name, values),) = json.loads(line, parse_constant=_no_number).items()
        own = json.loads(values.get("metadata") or "{}", parse_constant=_no_number)
        json.loads(values.get("marks") or "{}", parse_constant=_no_number)
        sound = all(COLUMN.fullmatch(column) and _plain(value) for column, value in values.items())
        table = KNOWN[name]
    except (ValueError, AttributeError, KeyError, TypeError) as error:
        raise BadInput(f"line {number} of the export cannot be read: {error}", line=number) from error
    if not sound:
        raise BadInput(f"line {number} of the export cannot be read", line=number)
    if own:
        checked_metadata(own, f"line {number} of the export: metadata")
    return table, values


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no number")


def _plain(value: Any) -> bool:
    """A number, a text, nothing, or bytes in base64."""
    if isinstance(value, dict):
        base64.b64decode(value["base64"], validate=True)
        return len(value) == 1
    return not isinstance(value, list)


def _complete(read: list[Line], header: Header) -> list[Line]:
    """The lines, if they are as many as the header says; otherwise raises BadInput."""
    if header.rows is not None and header.rows != len(read):
        raise BadInput(
            f"this export has {len(read):,} rows of {header.rows:,}: it was cut off",
            next_move="Export the space again; nothing was made of this file.",
        )
    return read


def _insert(tx: Transaction, lines: Sequence[Line], num: int) -> None:
    memory_words.restore(tx, num, [row for table, row in lines if table.name == "memory_words"])
    for table, row in lines:
        if table.name == "memory_words":
            continue
        if table.name == "documents":
            row = row | {name: keep(tx.db.dialect, num, row[name]) for name in FIELDS}
        if table.name == "turns":
            row = row | {"words": turn_terms(num, turn_of({"block": None, "quarantine": None, **row}))}
        tx.run(f"{insertion(table.name, row)} ON CONFLICT DO NOTHING", **row)
