"""Which turns and memories are there at the moment of a commit: a person may have forgotten some since a step read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from reverie.model.changes import Changes
from reverie.model.memories import Memory
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
