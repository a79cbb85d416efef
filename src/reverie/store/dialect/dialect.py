"""What SQLite and Postgres do differently, as one object: `db.dialect`. All other SQL is the same for both."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Protocol, TypeVar

if TYPE_CHECKING:
    from reverie.store.search.matrix import Layered, Made

# Always `Database`. It carries its dialect, so `db.py` imports this file, and this file cannot import `db.py`.
Store = TypeVar("Store")


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer of one check of `reverie doctor`."""

    check: str
    status: Literal["ok", "warning", "wrong"]
    said: str
    next_move: str = ""


class Writes(Protocol):
    """A `Transaction`, as far as an index needs one."""

    def run(self, sql: str, **params: Any) -> int: ...

    def many(self, sql: str, params: Sequence[Mapping[str, Any]]) -> None: ...


class VectorIndex(ABC, Generic[Store]):
    """The indexes of spaces with more vectors than are scanned. Nights make them and keep them up to date."""

    @abstractmethod
    def open(self, db: Store, made: "Made") -> "Layered | None":
        """The index that the table `near` names, ready to be searched; None if it cannot be read."""

    @abstractmethod
    def tend(self, db: Store, space: str, limit: int) -> int:
        """Makes the index of a space with more than `limit` vectors, and brings those that there are up to date.

        Answers how many vectors were taken up. Inside a transaction it does nothing: a dry run is one, and it must
        leave nothing behind.
        """

    @abstractmethod
    def forget(self, db: Store, tx: Writes, space: str, refs: Sequence[str]) -> None:
        """Takes vectors out at once: what a person has forgotten waits for no night."""

    @abstractmethod
    def drop(self, db: Store, tx: Writes, space: str) -> None:
        """Removes all indexes of a space."""

    @abstractmethod
    def check(self, db: Store) -> Finding:
        """Whether large spaces are searched by an index, for `reverie doctor`."""


class Dialect(ABC, Generic[Store]):
    """One backend, and the place where its store lies. Made by `open.dialect_of`."""

    name: ClassVar[str]  # also the ending of the schema files that are this backend's own
    row_lock: ClassVar[str]  # ends a SELECT that keeps the rows it reads locked until the commit
    candidates: ClassVar[str]  # SELECT of the `:n` best documents for the full-text query `:match`
    home: Path | None = None  # the directory that it lies in, where it is one

    def __init__(self, location: str, index: VectorIndex[Store]) -> None:
        self.location = location  # the directory or URL, as it was given
        self.index = index

    @property
    @abstractmethod
    def shown(self) -> str:
        """The location as it may be printed: never with a password."""

    @property
    @abstractmethod
    def is_there(self) -> bool:
        """Whether a store was made there already, as far as can be told without opening it."""

    @abstractmethod
    def migrate(self) -> None:
        """Makes the tables, or brings those of an older version up to date."""

    @abstractmethod
    def open(self) -> Store:
        """The store, which must have been migrated."""

    @abstractmethod
    def match(self, terms: Sequence[str]) -> str:
        """The full-text query for any of the terms, which are letters, digits and the underscore only."""

    @abstractmethod
    def purge(self, db: Store) -> None:
        """Makes sure that words of deleted rows lie neither in the full-text index nor in the write-ahead log."""

    @abstractmethod
    def reclaim(self, db: Store) -> int:
        """Gives free pages back to the disk; answers how many."""

    @abstractmethod
    def scratch(self) -> AbstractContextManager[Store]:
        """The same store to try something on: what is written there is thrown away."""

    @abstractmethod
    def backup(self, target: Path) -> list[Path]:
        """Copies the live store into a new directory, or raises `BadInput` with what to do instead."""

    @abstractmethod
    def check(self, repair: bool) -> Iterator[Finding]:
        """Whether the store's files are sound, for `reverie doctor`, before it is opened. `repair` mends on the way."""
