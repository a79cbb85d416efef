"""Archival memory by hand: remember, correct, pin, tag, explain; and what a night leaves to a person to decide."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from reverie.model.base import Instant
from reverie.model.blocks import Review
from reverie.model.memories import Contradiction, Edge, Filter, Memory, Side
from reverie.model.turns import Turn, is_turn
from reverie.policy.safety.channels import Surface, channel_of
from reverie.store.ids import whole_id
from reverie.store.tables import memories, turns
from reverie.telemetry import memory_span
from reverie.verbs.base import Verbs

if TYPE_CHECKING:
    from reverie.policy.core.hints import Explanation


class ArchiveVerbs(Verbs):
    @memory_span("create_memory")
    def remember(
        self,
        text: str,
        *,
        tags: tuple[str, ...] = (),
        metadata: Mapping[str, Any] | None = None,
        origin: str | None = None,
        session: str | None = None,
        at: Instant | None = None,
        id: str | None = None,
        surface: Surface = "library",
    ) -> Memory:
        """Keeps a text, findable at once. What a person asks for needs no second witness to be promoted.

        `origin` says where the text is from if not from who calls: a "web" page, a "file". It can only lower trust.
        `surface` is the door that it comes by (`policy/safety/channels.py`).
        """
        from reverie.awake.edits import memories as edits

        channel = channel_of(surface, "remember", origin)
        passage = edits.Passage(text, tuple(tags), metadata or {}, channel, session, at, id)
        return edits.remember(self._db, self.record, self.parts.embedder, passage, self._now())

    def memory(self, id: str) -> Memory:
        """One memory by its id, or by the six characters that a context shows of it."""
        return memories.by_id(self._db, self.id, whole_id(self._db, self.id, id))

    def named(self, id: str) -> Memory | Turn:
        """The memory or turn that an id names; six characters, as a context shows them, are enough."""
        meant = whole_id(self._db, self.id, id)
        return turns.by_id(self._db, self.id, meant) if is_turn(meant) else memories.by_id(self._db, self.id, meant)

    def all(
        self,
        filter: Filter | None = None,
        *,
        limit: int = 50,
        after: str | None = None,
        newest_first: bool = False,
    ) -> list[Memory]:
        """Memories in the order they were made, with filters on metadata, kind, tags, time."""
        return memories.listed(
            self._db, self.id, filter or Filter(), limit=limit, after=after, newest_first=newest_first
        )

    def earlier(self, ids: Iterable[str]) -> frozenset[str]:
        """Those of these memories on whose matter there is a newer statement; both stay, and the newer one counts."""
        from reverie.policy.recall.current import WHOLE

        edges = memories.updates_of(self._db, self.id, list(ids))
        return frozenset(edge.b for edge in edges if edge.weight >= WHOLE)

    def count(self) -> dict[str, int]:
        """How many memories of each kind there are."""
        return self.parts.memory_counts.of(self.id)

    @memory_span("update_memory")
    def correct(self, id: str, text: str, *, surface: Surface = "library") -> Memory:
        """Says what is true instead of a memory or turn. The correction wins; the old one stays, superseded.

        By a `surface` that an agent uses it is a claim: it takes the place of what an agent or a tool had said, but
        beside the user's words it is kept as an open contradiction, for a person or a night to settle.
        """
        from reverie.awake.edits.correct import correct, objected

        channel, wrong = channel_of(surface, "correct"), self.named(id)
        told = correct if channel.corrects else partial(objected, channel=channel)
        return told(self.parts.retriever, self.record, wrong, text, now=self._now())

    def pin(self, id: str) -> Memory:
        """Keeps it hot and exempt from decay."""
        from reverie.awake.edits import memories as edits

        return edits.set_pinned(self._db, self.memory(id), True)

    def unpin(self, id: str) -> Memory:
        """Takes a pin back."""
        from reverie.awake.edits import memories as edits

        return edits.set_pinned(self._db, self.memory(id), False)

    def tag(self, id: str, *tags: str) -> Memory:
        """Adds tags of your own, which nights never touch: `space.tag(id, "travel", "family")`."""
        from reverie.awake.edits import memories as edits

        memory = self.memory(id)
        return edits.set_tags(self._db, memory, (*memory.manual_tags, *tags))

    def untag(self, id: str, *tags: str) -> Memory:
        """Takes tags of your own away."""
        from reverie.awake.edits import memories as edits

        memory = self.memory(id)
        return edits.set_tags(self._db, memory, (tag for tag in memory.manual_tags if tag not in tags))

    def set_metadata(self, id: str, /, **metadata: Any) -> Memory:
        """Sets values of your own, to filter by: `space.set_metadata(id, project="move")`."""
        from reverie.awake.edits import memories as edits

        return edits.set_metadata(self._db, self.memory(id), metadata)

    def links(self, id: str) -> list[Edge]:
        """The edges to and from a memory."""
        return memories.edges_of(self._db, self.id, [self.memory(id).id])

    def derived(self, id: str) -> list[Memory]:
        """What was made of a turn or memory."""
        return memories.made_of(self._db, self.id, whole_id(self._db, self.id, id))

    def explain(self, memory: str) -> "Explanation":
        """Everything that a night would look at, worked out now; nothing is written. Of a turn, its episode."""
        from reverie.asleep.explain import explain
        from reverie.policy.recall.search_keys import memory_id

        meant = memory_id(self.id, whole_id(self._db, self.id, memory))
        return explain(self._db, self.id, meant, self._now())

    def directives(self) -> list[Memory]:
        """How the user wants to be served, in their words: all that still hold, the newest first."""
        from reverie.policy.core.directives import in_force, may_stand

        given = memories.directives(self._db, self.id, 1_000)
        return in_force(memory for memory in given if may_stand(memory, self._now()))

    def contradictions(
        self, *, status: str | None = None, limit: int = 50, after: str | None = None
    ) -> list[Contradiction]:
        """Oldest first; `status` is open, auto (settled by a night), resolved (by a person) or dismissed."""
        from reverie.store.tables import contradictions

        return contradictions.listed(self._db, self.id, status=status, limit=limit, after=after)

    def contradiction(self, id: str) -> Contradiction:
        """One record: both sides, the evidence, and who settled it."""
        from reverie.store.tables import contradictions

        return contradictions.by_id(self._db, self.id, id)

    def resolve(self, id: str, holds: Side) -> Contradiction:
        """A person's word: the older holds, the newer holds, or both do. The last word counts; nothing is deleted."""
        from reverie.awake.edits import decisions

        return decisions.resolve(self._db, self.contradiction(id), holds, self._now())

    def reopen(self, id: str) -> Contradiction:
        """Both hold again, and the record waits for a decision."""
        from reverie.awake.edits import decisions

        return decisions.reopen(self._db, self.contradiction(id))

    def reviews(self, status: str | None = "open", *, limit: int = 50, after: str | None = None) -> list[Review]:
        """Proposals and quarantined texts, oldest first; `status=None` shows decided ones too."""
        from reverie.store.tables import reviews

        return reviews.listed(self._db, self.id, status=status, limit=limit, after=after)

    def review(self, id: str) -> Review:
        """One review, with its diff and its evidence."""
        from reverie.store.tables import reviews

        return reviews.by_id(self._db, self.id, id)

    def reopen_review(self, id: str) -> Review:
        """Takes a decision back: the proposal waits again, and a block that took it has its text from before."""
        from reverie.awake.edits import decisions

        return decisions.reopen_review(self._db, self.review(id), self._now())

    def reject(self, id: str, *, by: str = "person") -> Review:
        """Nothing changes, and nights do not propose it again; a quarantined text stays out of use."""
        from reverie.awake.edits import decisions

        return decisions.reject(self._db, self.review(id), by, self._now())
