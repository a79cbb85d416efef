"""Archival memory by hand: remember, read, correct, pin, tag."""

from collections.abc import Mapping
from typing import Any

from reverie.awake import memory_edits
from reverie.awake.correct import correct
from reverie.awake.memory_edits import Passage
from reverie.model.base import Instant
from reverie.model.memories import Edge, Filter, Memory
from reverie.model.turns import is_turn
from reverie.store.tables import edges, memories, turns
from reverie.verbs.base import Verbs


class MemoryVerbs(Verbs):
    def remember(
        self,
        text: str,
        *,
        tags: tuple[str, ...] = (),
        metadata: Mapping[str, Any] | None = None,
        origin: str = "user",
        session: str | None = None,
        at: Instant | None = None,
        id: str | None = None,
    ) -> Memory:
        """Keeps a text, findable at once. What a person asks for needs no second witness to be promoted."""
        passage = Passage(text, tuple(tags), metadata or {}, origin, session, at, id)
        return memory_edits.remember(self._db, self.record, self.parts.embedder, passage, self._now())

    def memory(self, id: str) -> Memory:
        """One memory by its id."""
        return memories.by_id(self._db, self.id, id)

    def all(self, filter: Filter | None = None, *, limit: int = 50, after: str | None = None) -> list[Memory]:
        """Memories in the order they were made, with filters on metadata, kind, tags, time."""
        return memories.listed(self._db, self.id, filter or Filter(), limit=limit, after=after)

    def count(self) -> dict[str, int]:
        """How many memories of each kind there are."""
        return memories.count(self._db, self.id)

    def correct(self, id: str, text: str) -> Memory:
        """Says what is true instead of a memory or turn. The correction wins; the old one stays, superseded."""
        wrong = turns.by_id(self._db, self.id, id) if is_turn(id) else self.memory(id)
        return correct(self._db, self.record, self.parts.embedder, wrong, text, self._now())

    def pin(self, id: str) -> Memory:
        """Keeps it hot and exempt from decay."""
        return memory_edits.set_pinned(self._db, self.memory(id), True)

    def unpin(self, id: str) -> Memory:
        """Takes a pin back."""
        return memory_edits.set_pinned(self._db, self.memory(id), False)

    def tag(self, id: str, *tags: str) -> Memory:
        """Adds tags of your own, which nights never touch: `space.tag(id, "travel", "family")`."""
        memory = self.memory(id)
        return memory_edits.set_tags(self._db, memory, (*memory.manual_tags, *tags))

    def untag(self, id: str, *tags: str) -> Memory:
        """Takes tags of your own away."""
        memory = self.memory(id)
        return memory_edits.set_tags(self._db, memory, (tag for tag in memory.manual_tags if tag not in tags))

    def set_metadata(self, id: str, /, **metadata: Any) -> Memory:
        """Sets values of your own, to filter by: `space.set_metadata(id, project="move")`."""
        return memory_edits.set_metadata(self._db, self.memory(id), metadata)

    def links(self, id: str) -> list[Edge]:
        """The edges to and from a memory."""
        self.memory(id)
        return edges.of_memories(self._db, self.id, [id])

    def derived(self, id: str) -> list[Memory]:
        """What was made of a turn or memory."""
        return memories.made_of(self._db, self.id, id)
