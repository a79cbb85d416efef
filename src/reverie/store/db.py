"""A database as the rest of the store sees it: rows out, transactions in, the same on SQLite and on Postgres."""

import os
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal, Protocol, TypeVar

from reverie.errors import StoreError

Side = Literal["log", "memory"]
T = TypeVar("T")


class Row(Protocol):
    """Columns by name; iterated, their values."""

    def __getitem__(self, column: str, /) -> Any: ...

    def __iter__(self) -> Iterator[Any]: ...

    def keys(self) -> Iterable[str]: ...


Params = Mapping[str, Any]


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

    def close(self) -> None: ...

    @property
    def alive(self) -> bool: ...


class Handle:
    """A connection with its lock: whoever uses it holds it, so that closing never pulls it from under a thread."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.lock = threading.RLock()
        self.depth = 0
        self.writing = False
        self.thread = weakref.ref(threading.current_thread())


class Transaction:
    """What runs inside `Database.write`. All of it happens, or nothing."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.held_ms = 0.0  # how long the write lock was held, once it has been let go

    def rows(self, sql: str, **params: Any) -> Sequence[Row]:
        return self._connection.rows(sql, params)

    def row(self, sql: str, **params: Any) -> Row | None:
        found = self._connection.rows(sql, params)
        return found[0] if found else None

    def each(self, sql: str, keys: Iterable[str], **params: Any) -> list[Row]:
        """As `Database.each`."""
        return _each(self.rows, sql, keys, params)

    def run(self, sql: str, **params: Any) -> int:
        """Runs one statement; answers how many rows it touched."""
        return self._connection.run(sql, params)

    def many(self, sql: str, params: Sequence[Params]) -> None:
        if params:
            self._connection.many(sql, params)


class Database:
    """Connections per thread and side. `name` is the dialect: "sqlite" or "postgres"."""

    def __init__(self, name: str, open_side: Callable[[Side], Connection], *, for_update: str = "") -> None:
        self.name = name
        self.for_update = for_update  # appended to a SELECT that locks the rows it reads
        self._open_side = open_side
        self._local = threading.local()
        self._handles: list[Handle] = []
        self._guard = threading.Lock()
        self._closed = False
        self.after_fork: list[Callable[[], None]] = []  # what else a child process has to begin anew
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
            return self._usable(handle).rows(sql, params)

    def row(self, sql: str, **params: Any) -> Row | None:
        found = self.rows(sql, **params)
        return found[0] if found else None

    def value(self, sql: str, **params: Any) -> Any:
        found = self.row(sql, **params)
        return None if found is None else found[next(iter(found.keys()))]

    def each(self, sql: str, keys: Iterable[str], **params: Any) -> list[Row]:
        """Rows for many keys, a few hundred at a time: `sql` has `IN (:keys)`."""
        return _each(self.rows, sql, keys, params)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Reads of this thread inside it see one moment."""
        with self._transaction("memory", write=False):
            yield

    @contextmanager
    def write(self, side: Side, *, durable: bool = True) -> Iterator[Transaction]:
        """One short transaction. Nested on the same side it joins the outer one.

        Not `durable`: whole or not at all as ever, but power loss may take it back; for what can be done again.
        """
        with self._transaction(side, write=True, durable=durable) as transaction:
            yield transaction

    def alone(self, side: Side, sql: str) -> None:
        """One statement outside of any transaction: the database's own upkeep."""
        handle = self._handle(side)
        with handle.lock:
            if handle.depth:
                raise StoreError("no maintenance inside a transaction", next_move="End the transaction first.")
            self._usable(handle).alone(sql)

    def inside(self, side: Side) -> bool:
        """Whether this thread is in a transaction or a snapshot of that side."""
        return self._handle(side).depth > 0

    def close(self) -> None:
        with self._guard:
            self._closed = True
            handles, self._handles = self._handles, []
        for handle in handles:
            with handle.lock:
                handle.connection.close()

    @contextmanager
    def _transaction(self, side: Side, *, write: bool, durable: bool = True) -> Iterator[Transaction]:
        handle = self._handle(side)
        with handle.lock:
            connection = self._usable(handle)
            if handle.depth == 0:
                connection.begin(write=write, durable=durable)
                handle.writing = write
            elif write and not handle.writing:
                raise StoreError("a write inside a snapshot", next_move="End the snapshot first.")
            handle.depth += 1
            transaction, began = Transaction(connection), time.perf_counter()
            try:
                yield transaction
            except BaseException:
                handle.depth -= 1
                if handle.depth == 0:
                    connection.rollback()
                raise
            handle.depth -= 1
            if handle.depth == 0:
                connection.commit()
                transaction.held_ms = (time.perf_counter() - began) * 1000
                connection.tidy()

    def _usable(self, handle: Handle) -> Connection:
        if self._closed:
            raise StoreError("this store has been closed", next_move="Open it again with Reverie.open().")
        return handle.connection

    def _handle(self, side: Side) -> Handle:
        handle: Handle | None = getattr(self._local, side, None)
        if handle is not None and (handle.depth or handle.connection.alive or self._closed):
            return handle
        with self._guard:
            if handle in self._handles:  # its server has gone away: whoever asks next gets a new one
                self._handles.remove(handle)
            if self._closed:
                raise StoreError("this store has been closed", next_move="Open it again with Reverie.open().")
            self._drop_dead()
            handle = Handle(self._open_side(side))
            self._handles.append(handle)
        setattr(self._local, side, handle)
        return handle

    def _drop_dead(self) -> None:
        """Connections of threads that have ended are closed by the next thread that comes."""
        for handle in [h for h in self._handles if (t := h.thread()) is None or not t.is_alive()]:
            self._handles.remove(handle)
            with handle.lock:
                handle.connection.close()


def batches(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def _each(read: Callable[..., Sequence[Row]], sql: str, keys: Iterable[str], params: Params) -> list[Row]:
    found: list[Row] = []
    for part in batches(list(dict.fromkeys(keys)), 400):
        names = {f"k{i}": key for i, key in enumerate(part)}
        found.extend(read(sql.replace(":keys", ", ".join(f":{name}" for name in names)), **names, **params))
    return found


_OPENED: "weakref.WeakSet[Database]" = weakref.WeakSet()
_INHERITED: list[Any] = []


def _forked() -> None:
    for database in list(_OPENED):
        database.forked()


os.register_at_fork(after_in_child=_forked)
