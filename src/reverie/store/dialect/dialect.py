"""What SQLite and Postgres do differently, as one object: `db.dialect`. All other SQL is the same for both."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Protocol, TypeVar

from reverie.model.memories import Purge

if TYPE_CHECKING:
    from reverie.store.files.pruned import HeldFile
    from reverie.store.search.lexicon_file import LexiconFile
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


class Rows(Protocol):
    """Whatever can be asked for rows, as far as a dialect needs it."""

    def rows(self, sql: str, **params: Any) -> Sequence[Any]: ...


class VectorIndex(ABC, Generic[Store]):
    """The indexes of spaces with more vectors than are scanned. Nights make them and keep them up to date."""

    @abstractmethod
    def open(self, db: Store, made: "Made") -> "Layered | None":
        """The index that the table `near` names, ready to be searched; None if it cannot be read."""

    def words(self, _made: "Made") -> "LexiconFile | None":
        """The file of a space's documents that `near` names; None if it cannot be read, or this backend has none."""
        return None

    @abstractmethod
    def tend(self, db: Store, space: str, limit: int) -> int:
        """Makes the index of a space with more than `limit` vectors, and brings those that there are up to date.

        Answers how many vectors were taken up. Inside a transaction it does nothing: a dry run is one, and it must
        leave nothing behind.
        """

    def make_missing(self, _db: Store, _space: str, _embedder: str) -> None:
        """Makes what a large space should have and has not, before a process reads all its rows instead."""

    def held(self, _db: Store, _space: str) -> "Sequence[HeldFile]":
        """The files of a space as they are, to be written again when some of their content is gone."""
        return ()

    def renew(self, _db: Store, _space: str, _held: "Sequence[HeldFile]") -> None:
        """Writes files that were held again, without what has been deleted or changed since."""

    @abstractmethod
    def forget(self, db: Store, tx: Writes, space: str, refs: Sequence[str]) -> None:
        """Takes vectors out at once: what a person has forgotten waits for no night."""

    @abstractmethod
    def drop(self, db: Store, tx: Writes, space: str) -> None:
        """Removes all indexes of a space."""

    @abstractmethod
    def check(self, db: Store) -> Finding:
        """Whether large spaces are searched by an index, for `reverie doctor`."""


BETWEEN = "\x1f"  # what stands between gathered ids: no id holds it


class Dialect(ABC, Generic[Store]):
    """One backend, and the place where its store lies. Made by `open.dialect_of`."""

    name: ClassVar[str]  # also the ending of the schema files that are this backend's own
    row_lock: ClassVar[str]  # ends a SELECT that keeps the rows it reads locked until the commit
    gathered: ClassVar[str]  # the column `source` of an ordered subselect as one text, with `BETWEEN` between them
    row_id: ClassVar[str]  # what names a row of any table, for as long as nobody changes it
    among: ClassVar[str]  # begins the condition for the rows whose `row_id` is in the JSON list `:ids`
    # SELECT of the `:n` best documents for the full-text query `:match`; empty where the database has no such index
    candidates: ClassVar[str] = ""
    packs_terms: ClassVar[bool] = False  # whether documents keep their terms compressed: nothing reads them but we
    home: Path | None = None  # the directory that it lies in, where it is one

    def __init__(self, location: str) -> None:
        self.location = location  # the directory or URL, as it was given

    @property
    @abstractmethod
    def index(self) -> VectorIndex[Store]:
        """The indexes of large spaces here. Loaded when first asked for: an append needs none of it."""

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
    def open(self, *, read_only: bool = False) -> Store:
        """The store, which must have been migrated. `read_only` changes nothing in it, and refuses what would."""

    @property
    @abstractmethod
    def schema(self) -> int:
        """The version of the tables there, as they are; 0 if there are none."""

    @abstractmethod
    def advance(self, db: Store) -> None:
        """Marks that a night, an undo, a forget or a deletion has ended: both sides of the store know of it."""

    @abstractmethod
    def presence(self, db: Store) -> str:
        """What tells this process from all others, kept with a lease: by it `is_gone` knows that its holder died."""

    @abstractmethod
    def is_gone(self, tx: Rows, presence: str) -> bool:
        """Whether the process of that presence has certainly ended; False where that cannot be told."""

    def match(self, _terms: Sequence[str]) -> str:
        """The full-text query for any of the terms, which are letters, digits and the underscore only."""
        raise NotImplementedError(f"{self.name} has no full-text index")

    @abstractmethod
    def purge(self, db: Store, *, thorough: bool = False) -> Purge:
        """Cleans files of what was deleted; answers where bytes of it may still lie.

        `thorough` does all that can be done from here, and may lock tables for a while.
        """

    @abstractmethod
    def reclaim(self, db: Store) -> int:
        """Gives free pages back to the disk; answers how many."""

    @abstractmethod
    def scratch(self) -> AbstractContextManager[Store]:
        """The same store to try something on: what is written there is thrown away."""

    @abstractmethod
    def backup(self, target: Path, now: float, keep: int | None = None) -> Path:
        """Copies the live store into a new directory, which it answers, or raises `BadInput` with what to do instead.

        With `keep`, the target is a directory of backups: the new one lies in it, and all but the last `keep` go.
        """

    @abstractmethod
    def check(self, repair: bool) -> Iterator[Finding]:
        """Whether the store's files are sound, for `reverie doctor`, before it is opened. `repair` mends on the way."""
