"""Core memory: blocks by label, with every version kept."""

from collections.abc import Iterator, Mapping
from typing import Any

from reverie.awake import edit
from reverie.errors import NotAllowed, NotFound
from reverie.model.base import new_id
from reverie.model.blocks import DEFAULT_LIMIT, Block, BlockVersion, BlockWrite
from reverie.policy.diffs import unified
from reverie.store import blocks
from reverie.store.blocks import Writer
from reverie.verbs.base import Verbs

PROTECTED_LABELS = ("persona", "safety")
DEFAULT_BLOCKS: Mapping[str, str] = {
    "human": "The person: identity, home, work, preferences. Edit when they say something lasting.",
    "persona": "Who the agent is and how it speaks. Protected: changes need an approval.",
    "learned_context": "What the agent has learned that helps with the next task. Written by nights.",
}
DESCRIBED = ("label", "limit", "description", "read_only", "protected", "tags", "metadata", "session", "owner")


class BlockHandle:
    """One block of a space, read afresh at each call, so that every write stands on the version it saw."""

    def __init__(self, verbs: "BlockVerbs", label: str, session: str | None, actor: str) -> None:
        self._verbs = verbs
        self.label = label
        self._session = session
        self._actor = actor

    def read(self) -> Block:
        return blocks.labelled(self._verbs._db, self._verbs.id, self.label, self._session)

    @property
    def value(self) -> str:
        return self.read().value

    @property
    def near_limit(self) -> bool:
        return self.read().near_limit

    def append(self, text: str, *, reason: str = "") -> BlockWrite:
        """Adds a line; `deferred` if the limit would be passed: the next night merges it."""
        space = self._verbs.record
        return edit.block_append(self._verbs._db, space, self.read(), text, self._writer(reason or "append"))

    def replace(self, old: str, new: str, *, expected: int | None = None, reason: str = "") -> BlockWrite:
        """`old` must occur exactly once."""
        return edit.block_replace(self._verbs._db, self.read(), old, new, self._writer(reason or "replace"), expected)

    def set(self, value: str, *, expected: int | None = None, reason: str = "") -> BlockWrite:
        return edit.block_set(self._verbs._db, self.read(), value, self._writer(reason or "set"), expected)

    def history(self) -> list[BlockVersion]:
        """Every version with its unified diff, actor, reason and night."""
        return blocks.history(self._verbs._db, self.read().id)

    def restore(self, version: int) -> BlockWrite:
        """Makes a new version with an older one's value."""
        return edit.block_restore(self._verbs._db, self.read(), version, self._writer(f"restore version {version}"))

    def diff(self, older: int, newer: int) -> str:
        db, block = self._verbs._db, self.read().id
        return unified(blocks.version(db, block, older).value, blocks.version(db, block, newer).value)

    def describe(self, **columns: Any) -> Block:
        """Changes label, limit, description, read_only, protected, tags, metadata or session."""
        unknown = set(columns) - set(DESCRIBED)
        if unknown:
            raise NotAllowed(f"a block has no {', '.join(sorted(unknown))}")
        with self._verbs._db.write("memory") as tx:
            return blocks.describe(tx, self.read().id, now=self._verbs._now(), **columns)

    def sources(self) -> dict[str, tuple[str, ...]]:
        """What each sentence rests on; sentences that are not there are a person's own."""
        return blocks.sentence_sources(self._verbs._db, self.read().id)

    def delete(self) -> None:
        with self._verbs._db.write("memory") as tx:
            blocks.delete(tx, self.read().id)

    def _writer(self, reason: str) -> Writer:
        return Writer(self._actor, reason, self._verbs._now())


class Blocks:
    """`space.blocks["human"]`, `in`, iteration in the fixed order, `create`, `attach`, `detach`."""

    def __init__(self, verbs: "BlockVerbs", session: str | None = None, actor: str = "person") -> None:
        self._verbs = verbs
        self._session = session
        self._actor = actor

    def __getitem__(self, label: str) -> BlockHandle:
        handle = BlockHandle(self._verbs, label, self._session, self._actor)
        handle.read()
        return handle

    def __contains__(self, label: str) -> bool:
        try:
            self[label]
        except NotFound:
            return False
        return True

    def __iter__(self) -> Iterator[Block]:
        return iter(blocks.attached(self._verbs._db, self._verbs.id, self._session))

    def as_agent(self, session: str | None = None) -> "Blocks":
        """The same blocks as an agent may edit them: no protected ones, no read-only ones."""
        return Blocks(self._verbs, session, "agent")

    def create(self, label: str, value: str = "", *, limit: int = DEFAULT_LIMIT, **described: Any) -> Block:
        """A new block of this space; `protected` by default for persona and safety."""
        described.setdefault("protected", label in PROTECTED_LABELS)
        verbs = self._verbs
        block = Block(
            id=new_id("block"),
            org=verbs.record.org,
            label=label,
            value=value,
            limit=limit,
            owner=verbs.id,
            **described,
        )
        edit.check_fits(block, value)
        with verbs._db.write("memory") as tx:
            return blocks.create(tx, block, Writer(self._actor, "created", verbs._now()), attach_to=verbs.id)

    def attach(self, block: str) -> None:
        """Shares a block of the same org with this space."""
        blocks.by_id(self._verbs._db, self._verbs.record.org, block)
        with self._verbs._db.write("memory") as tx:
            blocks.attach(tx, self._verbs.id, block)

    def detach(self, block: str) -> None:
        with self._verbs._db.write("memory") as tx:
            if not blocks.detach(tx, self._verbs.id, block):
                raise NotFound("block", block)


class BlockVerbs(Verbs):
    @property
    def blocks(self) -> Blocks:
        return Blocks(self)
