"""Turns as episodes keep them, with the talk around them: what a reasoner reads and search keys are made of."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reverie.asleep.shared.derived import embedded, values
from reverie.asleep.shared.derived import vectors as vectors_of_texts
from reverie.asleep.step import Minds
from reverie.language.speech import spoken as spoken_part
from reverie.model.base import Trust
from reverie.model.changes import Vector
from reverie.model.memories import Document, Memory
from reverie.model.thinking import Episode
from reverie.model.turns import Turn
from reverie.policy.care.episodes import KeptTurn, is_to_agent, kept_turn, worth_keeping
from reverie.policy.recall.search_keys import (
    AFTER,
    BEFORE,
    after_the_last,
    own_words,
    spoken,
    turn_document,
    with_reply,
)
from reverie.policy.safety.trust import strip_recalled
from reverie.store.reader import Reader
from reverie.store.reading import log


def vectors(reader: Reader, minds: Minds, kept: Sequence[KeptTurn]) -> tuple[Vector, ...]:
    """The vectors of each turn. A short one has one, of its text after what it replies to, mixed with that of its own
    reply if that is short too; a long one has several, of its own words alone.
    """
    replies = {found.episode: reply for found in kept if (reply := _reply(reader, found)) is not None}
    said = {found.episode: found for found in (*kept, *replies.values())}
    short = {ref: text for ref, found in said.items() if (text := _after_the_last(reader, found)) is not None}
    made = {vector.ref: vector for vector in embedded(minds, [(ref, (text,)) for ref, text in short.items()])}
    long = [(found.episode, own_words(_as_kept(found))) for found in kept if found.episode not in short]
    answered = {ref: made.get(reply.episode) for ref, reply in replies.items()}
    mixed = (_mixed(made[found.episode], answered.get(found.episode)) for found in kept if found.episode in made)
    return (*mixed, *embedded(minds, long))


def _mixed(turn: Vector, reply: Vector | None) -> Vector:
    return turn if reply is None else replace(turn, vec=with_reply(values(turn), values(reply)).tobytes())


def _after_the_last(reader: Reader, kept: KeptTurn) -> str | None:
    before, _ = log.neighbours(reader, kept.turn, before=1, after=0)
    return after_the_last(_as_kept(kept), as_said(before))


def _as_kept(kept: KeptTurn) -> Turn:
    return replace(kept.turn, text=kept.text)


def _reply(reader: Reader, kept: KeptTurn) -> KeptTurn | None:
    _, after = log.neighbours(reader, kept.turn, before=0, after=1)
    return kept_turn(after[0]) if after else None


def vectors_of(reader: Reader, minds: Minds, memories: Sequence[Memory]) -> tuple[Vector, ...]:
    """Vectors for memories that are stored already: an episode's as `vectors` makes it, any other by its text."""
    turns = log.turns(reader, [source for memory in memories if memory.kind == "episode" for source in memory.sources])
    wanted = {memory.id for memory in memories}
    heard = [found for found in worth_keeping(turns.values()) if found.episode in wanted]
    rest = wanted - {found.episode for found in heard}
    return (*vectors(reader, minds, heard), *vectors_of_texts(minds, [m for m in memories if m.id in rest]))


EARLIER = 16  # turns in which a reasoner may look for whom "she" means
ROLE_OF = {"user": "user", "assistant": "assistant"}  # every other origin is something that was read, not said


@dataclass(frozen=True, slots=True)
class Scene:
    """An episode with the turns before and after the one that it comes from."""

    memory: Memory
    turn: Turn | None = None  # None: a text that was given to `remember`
    before: tuple[Turn, ...] = ()
    after: tuple[Turn, ...] = ()
    earlier: tuple[Turn, ...] = ()  # the turns before those, for the names in them

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
            before=tuple(spoken(turn) for turn in since_outside(self.before[-2:])),
            earlier=tuple(spoken(turn) for turn in (*self.earlier, *self.before[:-2]) if is_speech(turn)),
            to_agent=self.turn is None or is_to_agent(self.turn, (*self.before[-1:], *self.after[:1])),
            pause=self.turn.at - self.before[-1].at if self.turn and self.before else 0.0,
        )

    @property
    def heard(self) -> Episode:
        """The episode without what its speaker brought along: what may be told again as the speaker's words."""
        whole = self.episode
        return whole if self.turn is None or whole.trust < Trust.USER else replace(whole, text=spoken_part(whole.text))

    def key(self, known: Sequence[str]) -> Document:
        """What the night adds to the episode's search key: talk farther off, and what was drawn from it."""
        if self.turn is None:
            return Document(self.memory.id, "", "", " ".join(known))
        return Document(
            self.memory.id, "", "", turn_document(self.memory.id, self.turn, self.before, self.after, known).extra
        )


def scenes(reader: Reader, episodes: Sequence[Memory]) -> list[Scene]:
    """A scene for each of these episodes, in the same order."""
    turns = log.turns(reader, [source for memory in episodes for source in memory.sources])
    said_in = {memory.id: turns[source] for memory in episodes for source in memory.sources[::-1] if source in turns}
    log.read_around(reader, said_in.values(), EARLIER)
    found = []
    for memory in episodes:
        turn = said_in.get(memory.id)
        if turn is None:
            found.append(Scene(memory))
        else:
            before, after = log.neighbours(reader, turn, before=EARLIER, after=AFTER)
            said = as_said(before)
            found.append(Scene(memory, turn, said[-BEFORE:], as_said(after), said[:-BEFORE]))
    return found


def is_speech(turn: Turn) -> bool:
    """Whether somebody said it who may be answered: a page's question, or one that follows a page, is nobody's."""
    return turn.trust >= Trust.ASSISTANT


def since_outside(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The last of these turns that are speech: what comes after a page answers no question before it."""
    found = next((i for i in range(len(turns), 0, -1) if not is_speech(turns[i - 1])), 0)
    return tuple(turns[found:])


def as_said(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The turns without what was recalled into them, which episodes leave out too."""
    said = ((turn, strip_recalled(turn.text)) for turn in turns)
    return tuple(turn if text == turn.text else replace(turn, text=text) for turn, text in said)
