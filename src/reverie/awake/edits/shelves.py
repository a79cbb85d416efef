"""A shelf: where a client or framework keeps JSON values in a space, each under a key; and what it takes back."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from reverie.errors import Conflict, NotFound
from reverie.model.base import JSON, Instant
from reverie.model.memories import Memory
from reverie.model.spaces import EntryVersion, Operation, ShelfEntry
from reverie.model.turns import RETRACTED, is_turn
from reverie.store.db import Database, Transaction
from reverie.store.tables import entries, memories, spaces, turns, vectors

PAGE = 500


class Shelf:
    """`space.shelf("notes").put("a", {"x": 1})`. An order of its own; with `versions`, every value is kept."""

    def __init__(
        self, db: Database, clock: Callable[[], Instant], space: str, name: str, *, versions: bool, actor: str
    ) -> None:
        self.name = name
        self._db = db
        self._now = clock
        self._space = space
        self._versions = versions
        self._actor = actor

    def get(self, key: str) -> ShelfEntry | None:
        """The entry under a key; None if there is none, or it has expired."""
        return entries.get(self._db, self._space, self.name, self._name(key), self._now())

    def by_id(self, id: str) -> ShelfEntry | None:
        """The entry with that id, whatever its key is now."""
        return entries.by_id(self._db, self._space, self.name, id, self._now())

    def all(
        self, prefix: str = "", *, newest_first: bool = False, limit: int | None = None, after: int | None = None
    ) -> list[ShelfEntry]:
        """Entries whose keys begin so, in their order; `after` is the `seq` of the last one seen."""
        return entries.listed(
            self._db,
            self._space,
            self.name,
            self._now(),
            prefix=prefix,
            newest_first=newest_first,
            limit=limit,
            after=after,
        )

    def __iter__(self) -> Iterator[ShelfEntry]:
        after = None
        while found := self.all(limit=PAGE, after=after):
            yield from found
            after = found[-1].seq

    def put(
        self,
        key: str,
        value: JSON,
        *,
        ref: str | None = None,
        expires_at: Instant | None = None,
        new: bool = False,
    ) -> ShelfEntry:
        """Sets the value under a key; `new`: a conflict if there is one already."""
        with self._db.write("memory") as tx:
            return self._put(tx, self._name(key), value, ref=ref, expires_at=expires_at, new=new)

    def add(self, values: list[tuple[str, JSON, str | None]]) -> list[ShelfEntry]:
        """Several at once, each a key, a value and what it refers to: all of them, or none."""
        with self._db.write("memory") as tx:
            return [self._put(tx, self._name(key), value, ref=ref) for key, value, ref in values]

    def change(self, id: str, *, key: str | None = None, value: JSON = None, expected: int | None = None) -> ShelfEntry:
        """Another key or value for an entry by its id; with `expected`, only at that version."""
        with self._db.write("memory") as tx:
            entries.next_seq(tx, self._space, self.name)
            found = entries.by_id(tx, self._space, self.name, id, self._now())
            if found is None:
                raise NotFound("entry", id)
            if expected not in (None, found.version):
                raise Conflict(f"entry {id} has changed", next_move="Read it again.", version=found.version)
            other = None if key is None else entries.get(tx, self._space, self.name, self._name(key), self._now())
            if other is not None and other.id != id:
                raise Conflict(f"there is an entry {key!r} already", next_move="Take another key.", id=other.id)
            new_key, new_value = found.key if key is None else self._name(key), found.value if value is None else value
            if (new_key, new_value) == (found.key, found.value):
                return found
            changed = replace(found, key=new_key, value=new_value, version=found.version + 1, updated_at=self._now())
            return self._write(tx, changed, "modified")

    def set_ref(self, key: str, ref: str | None) -> None:
        """Says which turn or memory carries the words of an entry; no new version."""
        with self._db.write("memory") as tx:
            found = entries.get(tx, self._space, self.name, self._name(key), self._now())
            if found is not None:
                entries.put(tx, replace(found, ref=ref))

    def touch(self, entry: ShelfEntry, expires_at: Instant | None) -> None:
        """Another moment at which an entry expires."""
        with self._db.write("memory") as tx:
            entries.set_expiry(tx, entry, expires_at)

    def delete(self, *keys: str) -> list[ShelfEntry]:
        """Takes entries off the shelf; answers those that were there."""
        with self._db.write("memory") as tx:
            now = self._now()
            named = (entries.get(tx, self._space, self.name, self._name(key), now) for key in keys)
            found = [entry for entry in named if entry is not None]
            entries.delete(tx, [{"space": self._space, "shelf": self.name, "key": entry.key} for entry in found])
            for entry in found if self._versions else ():
                entries.put_version(tx, replace(entry, version=entry.version + 1), "deleted", now, self._actor)
        return found

    def pop(self) -> ShelfEntry | None:
        """Takes the last entry off the shelf."""
        with self._db.write("memory") as tx:
            entries.next_seq(tx, self._space, self.name)
            last = entries.listed(tx, self._space, self.name, self._now(), newest_first=True, limit=1)
            return self.delete(last[0].key)[0] if last else None

    def sweep(self) -> int:
        """Deletes what has expired; answers how many."""
        with self._db.write("memory") as tx:
            return entries.expire(tx, self._space, self.name, self._now())

    def history(self, id: str | None = None) -> list[EntryVersion]:
        """Every version of one entry, or of all that the shelf ever had, oldest first."""
        return entries.versions(self._db, self._space, self.name, id)

    def redact(self, id: str, version: int) -> None:
        """Takes the value of a version out for good."""
        with self._db.write("memory") as tx:
            entries.redact_version(tx, self._space, self.name, id, version, self._now())

    def _put(
        self,
        tx: Transaction,
        key: str,
        value: JSON,
        *,
        ref: str | None = None,
        expires_at: Instant | None = None,
        new: bool = False,
    ) -> ShelfEntry:
        seq, now = entries.next_seq(tx, self._space, self.name), self._now()
        known = entries.get(tx, self._space, self.name, key, now)
        if known is not None and new:
            raise Conflict(f"there is an entry {key!r} already", next_move="Change it by its id.", id=known.id)
        given = {"value": value, "ref": ref, "expires_at": expires_at, "updated_at": now}
        if known is not None:
            return self._write(tx, replace(known, version=known.version + 1, **given), "modified")
        fresh = ShelfEntry(entries.new_id(), self._space, self.name, key, seq, 1, value, now, now, ref, expires_at)
        return self._write(tx, fresh, "created")

    def _write(self, tx: Transaction, entry: ShelfEntry, operation: Operation) -> ShelfEntry:
        entries.put(tx, entry)
        if self._versions:
            entries.put_version(tx, entry, operation, self._now(), self._actor)
        return entry

    def _name(self, key: str) -> str:
        return self._db.redactor.name(key)


def retract(db: Database, space: str, ids: Sequence[str], now: Instant) -> None:
    """Turns go out of sight with what nights have made of them; memories end."""
    spoken = [id for id in ids if is_turn(id)]
    derived = [memory.id for turn in spoken for memory in memories.made_of(db, space, turn)]
    with db.write("log") as tx:
        turns.set_aside(tx, space, spoken, RETRACTED)
    with db.write("memory") as tx:
        for memory in memories.by_ids(db, space, [*(id for id in ids if not is_turn(id)), *derived]).values():
            memories.edit(tx, memory, _ended(memory, now))
        vectors.drop_vectors(tx, space, spoken, spaces.next_change(tx, space))


def _ended(memory: Memory, now: Instant) -> dict[str, object]:
    return {"quarantined": True, "stale": True, "valid_until": memory.valid_until or now}
