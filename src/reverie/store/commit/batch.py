"""One batch of a step while it is written: its changes, what is there, and what could not be written."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reverie.model.changes import Changes
from reverie.model.night import Night
from reverie.store.commit.journal import Journal
from reverie.store.commit.present import Present
from reverie.store.db import Transaction


@dataclass(slots=True)
class Tally:
    """How many drafts were not written, by reason."""

    conflicts: int = 0  # changed by somebody else since the step read it
    gone: int = 0  # a person has forgotten what it rests on
    suppressed: int = 0  # rests on what an undo took back
    refused: int = 0  # a block that a night may not write
    left: set[str] = field(default_factory=set)  # memories whose revision was not made


@dataclass(frozen=True, slots=True)
class PreparedRows:
    """Rows that could be made before the write lock was taken."""

    memories: Sequence[Mapping[str, Any]]
    documents: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Batch:
    """Everything that writing one batch of a step needs, inside its transaction."""

    journal: Journal
    night: Night
    changes: Changes
    present: Present
    tally: Tally
    changed: int  # the batch's place in the space's change sequence
    prepared: PreparedRows

    @property
    def tx(self) -> Transaction:
        return self.journal.tx

    @property
    def space(self) -> str:
        return self.night.space

    def ours(self, memory: str) -> bool:
        """Whether this night made a memory: rows that belong to it are deleted with it, and need no journal entry."""
        return self.present.nights.get(memory) == self.night.id

    def accepts(self, refs: Iterable[str]) -> bool:
        """Whether everything that a draft rests on is there and not suppressed; counts the draft if not."""
        needed = tuple(refs)
        if not self.present.holds(needed):
            self.tally.gone += 1
            return False
        if not self.present.free(needed):
            self.tally.suppressed += 1
            return False
        return True

    def keep(self, memory: str, columns: Mapping[str, Any]) -> None:
        """Writes columns that do not change what a memory says, whatever its version is by now."""
        current = self.journal.current("memories", {"id": memory})
        if current is None or current["space"] != self.space:
            self.tally.gone += 1
        else:
            self.journal.update("memories", current, columns)
