"""Core memory: blocks by label, with every version kept."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from reverie.awake.edits import blocks as edits
from reverie.awake.edits.agents import grounds_of, read_outside
from reverie.errors import NotFound
from reverie.model.blocks import DEFAULT_LIMIT, Block, BlockVersion, BlockWrite, NewBlock
from reverie.model.spaces import SpaceRecord
from reverie.policy.core.rewriting import unified
from reverie.store.tables import blocks
from reverie.store.tables.blocks import Writer
from reverie.telemetry import memory_span
from reverie.wiring.parts import Parts


@dataclass(frozen=True, slots=True)
class Editing:
    """Whose blocks are edited, and as whom."""

    parts: Parts
    space: SpaceRecord
    session: str | None = None
    actor: str = "person"

    def writer(self, reason: str) -> Writer:
        now, db, space = self.parts.clock(), self.parts.db, self.space.id
        if self.actor != "agent":
            return Writer(self.actor, reason, now)
        outside = read_outside(db, space, now, self.session)
        return Writer(self.actor, reason, now, outside=outside, grounds=grounds_of(db, space, now, self.session))


def _store(edited: "BlockHandle | Blocks") -> str:
    return edited._editing.space.id


class BlockHandle:
    """One block of a space, read afresh at each call, so that every write stands on the version it saw."""

    def __init__(self, editing: Editing, label: str) -> None:
        self.label = label
        self._editing = editing
        self._db = editing.parts.db

    def read(self) -> Block:
        """The block as it stands now."""
        return blocks.labelled(self._db, self._editing.space.id, self.label, self._editing.session)

    @property
    def value(self) -> str:
        """Its text."""
        return self.read().value

    @property
    def near_limit(self) -> bool:
        """Whether a night will condense it."""
        return self.read().near_limit

    @memory_span("update_memory", store=_store)
    def append(self, text: str, *, reason: str = "") -> BlockWrite:
        """Adds a line; `deferred` if the limit would be passed: the next night merges it."""
        writer = self._editing.writer(reason or "append")
        return edits.block_append(self._db, self._editing.space, self.read(), text, writer)

    @memory_span("update_memory", store=_store)
    def replace(self, old: str, new: str, *, expected: int | None = None, reason: str = "") -> BlockWrite:
        """`old` must occur exactly once."""
        writer = self._editing.writer(reason or "replace")
        return edits.block_replace(self._db, self.read(), old, new, writer, expected)

    @memory_span("update_memory", store=_store)
    def set(self, value: str, *, expected: int | None = None, reason: str = "") -> BlockWrite:
        """Writes the whole text; with `expected`, only if the block is still at that version."""
        return edits.block_set(self._db, self.read(), value, self._editing.writer(reason or "set"), expected)

    def history(self) -> list[BlockVersion]:
        """Every version with its unified diff, actor, reason and night."""
        return blocks.history(self._db, self.read().id)

    @memory_span("update_memory", store=_store)
    def restore(self, version: int) -> BlockWrite:
        """Makes a new version with an older one's value."""
        return edits.block_restore(self._db, self.read(), version, self._editing.writer(f"restore version {version}"))

    def diff(self, older: int, newer: int) -> str:
        """What changed between two versions, as a unified diff."""
        db, block = self._db, self.read().id
        return unified(blocks.version(db, block, older).value, blocks.version(db, block, newer).value)

    @memory_span("update_memory", store=_store)
    def describe(self, **columns: Any) -> Block:
        """Changes label, limit, description, read_only, protected, tags, metadata, session or owner."""
        return edits.block_describe(self._db, self.read(), self._editing.parts.clock(), **columns)

    def sources(self) -> dict[str, tuple[str, ...]]:
        """What each sentence rests on; sentences that are not there are a person's own."""
        return blocks.sentence_sources(self._db, self.read().id)

    @memory_span("delete_memory", store=_store)
    def delete(self) -> None:
        """Takes it away for good, from every space that shares it."""
        edits.block_delete(self._db, self.read())


class Blocks:
    """`space.blocks["human"]`, `in`, iteration in the fixed order, `create`, `attach`, `detach`."""

    def __init__(self, editing: Editing) -> None:
        self._editing = editing
        self._db = editing.parts.db
        self._space = editing.space

    def __getitem__(self, label: str) -> BlockHandle:
        handle = BlockHandle(self._editing, label)
        handle.read()
        return handle

    def __contains__(self, label: str) -> bool:
        try:
            self[label]
        except NotFound:
            return False
        return True

    def __iter__(self) -> Iterator[Block]:
        return iter(blocks.attached(self._db, self._space.id, self._editing.session))

    def in_session(self, session: str | None) -> "Blocks":
        """The same blocks as one session sees them: its own too."""
        return Blocks(replace(self._editing, session=session))

    def as_agent(self, session: str | None = None) -> "Blocks":
        """The same blocks as an agent may edit them: no protected ones, no read-only ones."""
        return Blocks(replace(self._editing, session=session, actor="agent"))

    @memory_span("create_memory", store=_store)
    def create(self, label: str, value: str = "", *, limit: int = DEFAULT_LIMIT, **described: Any) -> Block:
        """A new block of this space; `protected` by default for persona and safety."""
        given = NewBlock(label, value, limit, **described)
        return edits.block_create(self._db, self._space, given, self._editing.writer("created"))

    def attach(self, block: str) -> None:
        """Shares a block of the same org with this space."""
        edits.block_attach(self._db, self._space, block)

    def detach(self, block: str) -> None:
        """Ends the sharing; the block itself stays."""
        edits.block_detach(self._db, self._space, block)
