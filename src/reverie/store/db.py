"""A database as the rest of the store sees it: rows out, transactions in, the same on SQLite and on Postgres."""

import os
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cache, lru_cache
from typing import Any, Literal, Protocol, Self, TypeVar

from reverie.errors import StoreError
from reverie.policy.safety.redaction import Redactor
from reverie.store.dialect.dialect import Dialect

Side = Literal["log", "memory"]
SIDES: tuple[Side, ...] = ("memory", "log")
T = TypeVar("T")
KEYS_AT_ONCE = 512


class Row(Protocol):
    """One row: a value by its column's name, and all values when iterated."""

    def __getitem__(self, column: str, /) -> Any: ...

    def __iter__(self) -> Iterator[Any]: ...

    def keys(self) -> Iterable[str]: ...


Params = Mapping[str, Any]


class Reads(Protocol):
    """Whatever answers queries: a `Database`, or the `Reader` of a night, which can do nothing else."""

    def rows(self, sql: str, **params: Any) -> Sequence[Row]: ...

    def row(self, sql: str, **params: Any) -> Row | None: ...

    def value(self, sql: str, **params: Any) -> Any: ...

    def each(self, sql: str, keys: Iterable[str], **params: Any) -> list[Row]: ...

    @property
    def gathered(self) -> str:
        """The dialect's: the column `source` of an ordered subselect as one text."""


class Connection(Protocol):
    """One driver connection, used by one thread at a time. `sql` has `:name` parameters."""

    def rows(self, sql: str, params: Params) -> Sequence[Row]: ...

    def run(self, sql: str, params: Params) -> int: ...

    def many(self, sql: str, params: Sequence[Params]) -> None: ...

    def alone(self, sql: str) -> None: ...

    def begin(self, *, write: bool, durable: bool = True) -> None: ...

    def commit(self) -> None: ...

    def tidy(self) -> None: ...

    def rollback(self) -> None: ...

    def detach(self) -> None:
        """Lets go of the other side, so that whoever writes there is the last to close it and leaves nothing over."""

    def close(self) -> None: ...

    @property
    def alive(self) -> bool: ...


class Handle:
    """A connection with its lock: whoever uses it holds it, so that closing never pulls it from under a thread."""

    def __init__(self, connection: Connection, db: "Database") -> None:
        self.connection = connection
        self.db = db
        self.lock = threading.RLock()
        self.depth = 0
        self.writing = False
        self.closed = False
        self.thread = weakref.ref(threading.current_thread())

    def usable(self) -> Connection:
        """The connection, for whoever holds the lock. Raises once the store is closed."""
        if self.closed:
            raise closed()
        return self.connection

    def detach(self) -> None:
        with self.lock:
            self.closed = True
            self.connection.detach()

    def close(self) -> None:
        with self.lock:
            self.closed = True
            self.connection.close()


class Transaction:
    """What runs inside `Database.write`. All of it happens, or nothing."""

    def __init__(self, handle: Handle, redactor: Redactor, *, write: bool, durable: bool) -> None:
        self._handle = handle
        self.redactor = redactor
        self._connection = handle.connection
        self._write = write
        self._durable = durable
        self._began = 0.0
        self.db = handle.db
        self.held_ms = 0.0  # how long the write lock was held, once it has been let go

    def __enter__(self) -> Self:
        handle = self._handle
        handle.lock.acquire()
        try:
            handle.usable()
            if handle.depth == 0:
                self._connection.begin(write=self._write, durable=self._durable)
                handle.writing = self._write
            elif self._write and not handle.writing:
                raise StoreError("a write inside a snapshot", next_move="End the snapshot first.")
        except BaseException:
            handle.lock.release()
            raise
        handle.depth += 1
        self._began = time.perf_counter()
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        handle = self._handle
        try:
            handle.depth -= 1
            if handle.depth == 0:
                self._end(failed=error is not None)
        finally:
            handle.lock.release()

    def give_way(self) -> None:
        """After the commit: waits as long as the lock was held, so that whoever else wants it comes first."""
        time.sleep(self.held_ms / 1000)

    def value(self, sql: str, **params: Any) -> Any:
        """The first column of the first row; None if there is no row."""
        found = self.row(sql, **params)
        return None if found is None else found[next(iter(found.keys()))]

    def _end(self, *, failed: bool) -> None:
        if failed:
            self._connection.rollback()
            return
        self._connection.commit()
        self.held_ms = (time.perf_counter() - self._began) * 1000
        self._connection.tidy()

    def rows(self, sql: str, **params: Any) -> Sequence[Row]:
        return self._connection.rows(sql, params)

    def row(self, sql: str, **params: Any) -> Row | None:
        found = self._connection.rows(sql, params)
        return found[0] if found else None

    def locked_row(self, sql: str, **params: Any) -> Row | None:
        """The row of a SELECT, which nobody else can change until the commit. SQLite has locked the whole file."""
        found = self._connection.rows(sql + self.db.dialect.row_lock, params)
        return found[0] if found else None

    def each(self, sql: str, keys: Iterable[str], **params: Any) -> list[Row]:
        """As `Database.each`."""
        return each_of(self.rows, sql, keys, params)

    @property
    def gathered(self) -> str:
        return self.db.dialect.gathered

    def run(self, sql: str, **params: Any) -> int:
        """Runs one statement; answers how many rows it touched."""
        return self._connection.run(sql, params)

    def many(self, sql: str, params: Sequence[Params]) -> None:
        if params:
            self._connection.many(sql, params)

    def clean(self, value: T) -> T:
        """The value without its secrets: for whatever comes from outside and is stored here."""
        return self.redactor.value(value)


class Database:
    """An open store: a connection for each thread and side, and what its backend does in its own way, `dialect`."""

    def __init__(self, dialect: Dialect["Database"], open_side: Callable[[Side], Connection]) -> None:
        self.dialect = dialect
        self.redactor = Redactor()  # what is taken out of every text before it is stored
        self._open_side = open_side
        self._local = threading.local()
        self._handles: list[Handle] = []
        self._guard = threading.Lock()
        self._closed = False
        self.after_fork: list[Callable[[], None]] = []  # what else a child process has to begin anew
        self.on_close: list[Callable[[], None]] = []
        _OPENED.add(self)

    def forked(self) -> None:
        """In a child process: no connection may cross a fork. What it inherited is neither used nor closed."""
        _INHERITED.append((self._local, self._handles))
        self._local, self._handles, self._guard = threading.local(), [], threading.Lock()
        for begin_anew in self.after_fork:
            begin_anew()

    def rows(self, sql: str, **params: Any) -> Sequence[Row]:
        handle = self._handle("memory")
        with handle.lock:
            return handle.usable().rows(sql, params)

    def row(self, sql: str, **params: Any) -> Row | None:
        found = self.rows(sql, **params)
        return found[0] if found else None

    def value(self, sql: str, **params: Any) -> Any:
        found = self.row(sql, **params)
        return None if found is None else found[next(iter(found.keys()))]

    def each(self, sql: str, keys: Iterable[str], **params: Any) -> list[Row]:
        """Rows for many keys, a few hundred at a time: `sql` has `IN (:keys)`."""
        return each_of(self.rows, sql, keys, params)

    @property
    def gathered(self) -> str:
        return self.dialect.gathered

    def snapshot(self) -> AbstractContextManager[object]:
        """Inside it all reads of this thread see the store as it was at one moment."""
        return self._transaction("memory", write=False)

    def write(self, side: Side, *, durable: bool = True) -> Transaction:
        """One short transaction. Nested on the same side it joins the outer one.

        Not `durable`: whole or not at all as ever, but power loss may take it back; for what can be done again.
        """
        return self._transaction(side, write=True, durable=durable)

    def alone(self, side: Side, sql: str) -> None:
        """One statement outside of any transaction: the database's own upkeep."""
        handle = self._handle(side)
        with handle.lock:
            if handle.depth:
                raise StoreError("no maintenance inside a transaction", next_move="End the transaction first.")
            handle.usable().alone(sql)

    def inside(self, side: Side) -> bool:
        """Whether this thread is in a transaction or a snapshot of that side."""
        return self._handle(side).depth > 0

    def close(self) -> None:
        with self._guard:
            self._closed = True
            handles, self._handles = self._handles, []
        for handle in handles:
            handle.detach()
        for handle in handles:
            handle.close()
        while self.on_close:
            self.on_close.pop()()

    def _transaction(self, side: Side, *, write: bool, durable: bool = True) -> Transaction:
        return Transaction(self._handle(side), self.redactor, write=write, durable=durable)

    def _handle(self, side: Side) -> Handle:
        handle: Handle | None = getattr(self._local, side, None)
        if handle is not None and (handle.depth or handle.connection.alive or self._closed):
            return handle
        with self._guard:
            if handle in self._handles:  # its server has gone away: whoever asks next gets a new one
                self._handles.remove(handle)
            if self._closed:
                raise closed()
            self._drop_dead()
            handle = Handle(self._open_side(side), self)
            self._handles.append(handle)
        setattr(self._local, side, handle)
        return handle

    def _drop_dead(self) -> None:
        """Connections of threads that have ended are closed by the next thread that comes."""
        for handle in [h for h in self._handles if (t := h.thread()) is None or not t.is_alive()]:
            self._handles.remove(handle)
            handle.close()


def closed() -> StoreError:
    return StoreError("this store has been closed", next_move="Open it again with Reverie.open().")


def batches(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def each_of(read: Callable[..., Sequence[Row]], sql: str, keys: Iterable[str], params: Params) -> list[Row]:
    """The last key fills up to the next power of two: few different statements, so that the database has them ready."""
    found: list[Row] = []
    for part in batches(list(dict.fromkeys(keys)), KEYS_AT_ONCE):
        names = _names(1 << (len(part) - 1).bit_length())
        filled = [*part, *[part[-1]] * (len(names) - len(part))]
        found.extend(read(_sized(sql, len(names)), **dict(zip(names, filled, strict=True)), **params))
    return found


@lru_cache(256)
def _sized(sql: str, keys: int) -> str:
    return sql.replace(":keys", ", ".join(f":{name}" for name in _names(keys)))


@cache
def _names(keys: int) -> tuple[str, ...]:
    return tuple(f"k{i}" for i in range(keys))


_OPENED: "weakref.WeakSet[Database]" = weakref.WeakSet()
_INHERITED: list[Any] = []


def _forked() -> None:
    for database in list(_OPENED):
        database.forked()


os.register_at_fork(after_in_child=_forked)
