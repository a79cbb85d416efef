"""Core memory: blocks by label, with every version kept."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from reverie.awake import block_edits
from reverie.errors import BadInput, NotFound
from reverie.model.base import new_id
from reverie.model.blocks import DEFAULT_LIMIT, Block, BlockVersion, BlockWrite
from reverie.model.spaces import SpaceRecord
from reverie.policy.core.rewriting import unified
from reverie.store.tables import blocks
from reverie.store.tables.blocks import Writer
from reverie.verbs.base import Verbs
from reverie.wiring.parts import Parts

PROTECTED_LABELS = ("persona", "safety")
DEFAULT_BLOCKS: Mapping[str, str] = {
    "human": "The person: identity, home, work, preferences. Edit when they say something lasting.",
    "persona": "Who the agent is and how it speaks. Protected: changes need an approval.",
    "learned_context": "What the agent has learned that helps with the next task. Written by nights.",
}
DESCRIBED = ("label", "limit", "description", "read_only", "protected", "tags", "metadata", "session", "owner")


@dataclass(frozen=True, slots=True)
class Editing:
    """Whose blocks are edited, and as whom."""

    parts: Parts
    space: SpaceRecord
    session: str | None = None
    actor: str = "person"

    def writer(self, reason: str) -> Writer:
        return Writer(self.actor, reason, self.parts.clock())


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

    def append(self, text: str, *, reason: str = "") -> BlockWrite:
        """Adds a line; `deferred` if the limit would be passed: the next night merges it."""
        writer = self._editing.writer(reason or "append")
        return block_edits.block_append(self._db, self._editing.space, self.read(), text, writer)

    def replace(self, old: str, new: str, *, expected: int | None = None, reason: str = "") -> BlockWrite:
        """`old` must occur exactly once."""
        writer = self._editing.writer(reason or "replace")
        return block_edits.block_replace(self._db, self.read(), old, new, writer, expected)

    def set(self, value: str, *, expected: int | None = None, reason: str = "") -> BlockWrite:
        """Writes the whole text; with `expected`, only if the block is still at that version."""
        return block_edits.block_set(self._db, self.read(), value, self._editing.writer(reason or "set"), expected)

    def history(self) -> list[BlockVersion]:
        """Every version with its unified diff, actor, reason and night."""
        return blocks.history(self._db, self.read().id)

    def restore(self, version: int) -> BlockWrite:
        """Makes a new version with an older one's value."""
        return block_edits.block_restore(
            self._db, self.read(), version, self._editing.writer(f"restore version {version}")
        )

    def diff(self, older: int, newer: int) -> str:
        """What changed between two versions, as a unified diff."""
        db, block = self._db, self.read().id
        return unified(blocks.version(db, block, older).value, blocks.version(db, block, newer).value)

    def describe(self, **columns: Any) -> Block:
        """Changes label, limit, description, read_only, protected, tags, metadata, session or owner."""
        unknown = set(columns) - set(DESCRIBED)
        if unknown:
            raise BadInput(f"a block has no {', '.join(sorted(unknown))}; there are {', '.join(DESCRIBED)}")
        with self._db.write("memory") as tx:
            return blocks.describe(tx, self.read().id, now=self._editing.parts.clock(), **columns)

    def sources(self) -> dict[str, tuple[str, ...]]:
        """What each sentence rests on; sentences that are not there are a person's own."""
        return blocks.sentence_sources(self._db, self.read().id)

    def delete(self) -> None:
        """Takes it away for good, from every space that shares it."""
        with self._db.write("memory") as tx:
            blocks.delete(tx, self.read().id)


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

    def create(self, label: str, value: str = "", *, limit: int = DEFAULT_LIMIT, **described: Any) -> Block:
        """A new block of this space; `protected` by default for persona and safety."""
        described.setdefault("protected", label in PROTECTED_LABELS)
        space = self._space
        block = Block(
            id=new_id("block"),
            org=space.org,
            label=label,
            value=value,
            limit=limit,
            owner=space.id,
            **described,
        )
        block_edits.check_fits(block, value)
        with self._db.write("memory") as tx:
            return blocks.create(tx, block, self._editing.writer("created"), attach_to=space.id)

    def attach(self, block: str) -> None:
        """Shares a block of the same org with this space."""
        blocks.by_id(self._db, self._space.org, block)
        with self._db.write("memory") as tx:
            blocks.attach(tx, self._space.id, block)

    def detach(self, block: str) -> None:
        """Ends the sharing; the block itself stays."""
        with self._db.write("memory") as tx:
            if not blocks.detach(tx, self._space.id, block):
                raise NotFound("block", block)


class BlockVerbs(Verbs):
    @property
    def blocks(self) -> Blocks:
        """Core memory by label: `space.blocks["human"].append("Likes tea.")`."""
        return Blocks(Editing(self.parts, self.record))
