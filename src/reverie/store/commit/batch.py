"""One batch of a step on its way into the store, and what is still present of all that its changes refer to."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reverie.model.changes import Changes
from reverie.model.memories import Memory
from reverie.model.night import Night
from reverie.store.commit.journal import Journal
from reverie.store.db import Transaction
from reverie.store.tables import suppressed


@dataclass(frozen=True, slots=True)
class Present:
    """The turns and memories that a batch names and that are there, and all that are suppressed in the space."""

    nights: Mapping[str, str | None]  # memory -> the night that made it
    turns: frozenset[str]
    suppressed: frozenset[str]

    def __contains__(self, ref: str) -> bool:
        return ref in self.nights or ref in self.turns

    def holds(self, refs: Iterable[str]) -> bool:
        """Whether all of these are there."""
        return all(ref in self for ref in refs)

    def free(self, refs: Iterable[str]) -> bool:
        """Whether none of these is suppressed."""
        return not self.suppressed or self.suppressed.isdisjoint(refs)


def read_present(tx: Transaction, space: str, changes: Changes) -> Present:
    """Reads which of the turns and memories that a batch names are there; its own drafts count as there."""
    refs = references(changes)
    nights: dict[str, str | None] = {
        row["id"]: row["night"]
        for row in tx.each("SELECT id, night FROM memories WHERE space = :space AND id IN (:keys)", refs, space=space)
    }
    others = [ref for ref in refs if ref not in nights]
    rows = tx.each("SELECT id FROM turns WHERE space = :space AND id IN (:keys)", others, space=space)
    turns = frozenset(row["id"] for row in rows)
    forgotten = {
        row["ref"]
        for row in tx.each("SELECT ref FROM tombstones WHERE space = :space AND ref IN (:keys)", others, space=space)
    }
    _admit(changes.memories, nights, turns, forgotten)
    return Present(nights, turns, suppressed.refs(tx, space))


def _admit(drafts: Sequence[Memory], nights: dict[str, str | None], turns: frozenset[str], forgotten: set[str]) -> None:
    """Adds the drafts to what is there, in their order, each only if its sources are there."""
    for memory in drafts:
        there = all(source in nights or source in turns or source == memory.id for source in memory.sources)
        if memory.id not in nights and memory.id not in forgotten and there:
            nights[memory.id] = memory.night


def references(changes: Changes) -> list[str]:
    """Every memory and turn that a batch names."""
    found: dict[str, None] = {}
    for memory in changes.memories:
        found.update(dict.fromkeys((memory.id, *memory.sources)))
    for edge in changes.edges:
        found.update(dict.fromkeys((edge.a, edge.b)))
    for record in changes.contradictions:
        found.update(dict.fromkeys((record.older, record.newer)))
    for block in changes.blocks:
        found.update(dict.fromkeys((*block.merged, *(ref for refs in block.sentences.values() for ref in refs))))
    for more in (
        *changes.sources.values(),
        *(r.evidence for r in changes.reviews),
        *(a.sources for a in changes.answers),
    ):
        found.update(dict.fromkeys(more))
    named = (
        *(d.ref for d in changes.documents), *(v.ref for v in changes.vectors), *(m for _, m in changes.mentions),
        *(m for _, m in changes.bands), *changes.keywords, *changes.sources, *changes.packed, *changes.unpacked,
        *(r.id for r in changes.revisions), *(m for m, _, _ in changes.chores),
    )  # fmt: skip
    found.update(dict.fromkeys(named))
    return list(found)


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
