"""What processes that answer recalls of one store hand to each other, so that one of them writes and embeds for all."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from reverie.awake.recall import asked_text, leave_evidence
from reverie.model.base import Instant
from reverie.store.search.fresh import FreshTurn
from reverie.wiring.parts import Parts

if TYPE_CHECKING:
    from reverie.minds.embed import Vectors

FreshRow = tuple[str, int, "Vectors"]  # a turn's id, its place in the log, and its vectors as rows


class Sharing:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    @property
    def possible(self) -> bool:
        """Whether other processes map the same index files: an embedded store has such."""
        return self._parts.db.dialect.home is not None

    @property
    def location(self) -> str:
        """Where another process finds the store."""
        return self._parts.db.dialect.location

    def asked(self, query: str) -> str:
        """The part of a question that is looked for."""
        return asked_text(query)

    def vector(self, query: str) -> "Vectors":
        """What a recall of that question compares with."""
        return self._parts.embedder.embed_one(asked_text(query))

    def note_recall(self, space: str, query: str, hits: Sequence[tuple[str, float]], now: Instant) -> None:
        """Leaves the evidence of a recall that another process has answered: ids, and how well each matched."""
        text = asked_text(query)
        self._parts.events.put(lambda tx: leave_evidence(tx, space, text, hits, now))
        self._parts.appended(space)  # what a third process has appended is to be embedded too

    def fresh(self) -> Iterator[tuple[str, Sequence[FreshRow]]]:
        """What was embedded behind appends, by the ids of spaces."""
        embedder = self._parts.embedder.id
        for space in self._parts.fresh.spaces(embedder):
            yield space, tuple(self._parts.fresh.of(space, embedder))

    def follow_fresh(self, tell: Callable[[str, Sequence[FreshRow] | None], None]) -> None:
        """Tells of every turn that is embedded from now on; None: all of that space is let go."""
        self._parts.fresh.listeners.append(tell)

    def take_fresh(self, space: str, turns: Sequence[FreshRow] | None) -> None:
        """Holds what another process has embedded; None: lets go of the space's."""
        fresh = self._parts.fresh
        if turns is None:
            fresh.clear(space)
        else:
            made = [FreshTurn(*turn) for turn in turns]
            fresh.put(space, self._parts.embedder.id, made, fresh.cleared(space))
