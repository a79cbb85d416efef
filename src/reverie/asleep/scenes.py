"""An episode with the talk around it: what a reasoner reads, and what the search key is enriched with."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reverie.model.memories import Document, Memory
from reverie.model.thinking import Episode
from reverie.model.turns import Turn
from reverie.policy.recall.search_keys import AFTER, BEFORE, spoken, turn_document
from reverie.policy.safety.taint import strip_recalled
from reverie.store.reader import Reader

ROLE_OF = {"user": "user", "assistant": "assistant"}  # every other origin is something that was read, not said


@dataclass(frozen=True, slots=True)
class Scene:
    memory: Memory
    turn: Turn | None = None  # None: a text that was given to `remember`
    before: tuple[Turn, ...] = ()
    after: tuple[Turn, ...] = ()

    @property
    def episode(self) -> Episode:
        memory = self.memory
        role = self.turn.role if self.turn else ROLE_OF.get(memory.origin, "tool")
        return Episode(
            id=memory.id,
            text=memory.text,
            said_at=memory.dated,
            speaker=memory.speaker or role,
            role=role,
            session=memory.session or "",
            trust=memory.trust,
            before=tuple(spoken(turn) for turn in self.before[-2:]),
        )

    def key(self, known: Sequence[str]) -> Document:
        """What the night adds to the episode's search key: talk farther off, and what was drawn from it."""
        if self.turn is None:
            return Document(self.memory.id, "", "", " ".join(known))
        return Document(
            self.memory.id, "", "", turn_document(self.memory.id, self.turn, self.before, self.after, known).extra
        )


def scenes(reader: Reader, episodes: Sequence[Memory]) -> list[Scene]:
    turns = reader.turns([source for memory in episodes for source in memory.sources])
    found = []
    for memory in episodes:
        turn = next((turns[source] for source in memory.sources if source in turns), None)
        if turn is None:
            found.append(Scene(memory))
        else:
            before, after = reader.neighbours(turn, before=BEFORE, after=AFTER)
            found.append(Scene(memory, turn, as_said(before), as_said(after)))
    return found


def as_said(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The turns without what was recalled into them, which episodes leave out too."""
    return tuple(replace(turn, text=strip_recalled(turn.text)) for turn in turns)
