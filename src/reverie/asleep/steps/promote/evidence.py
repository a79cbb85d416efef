"""The evidence for memories, gathered and judged: nights promote by it, and `explain` shows it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from reverie.language.words import terms
from reverie.model.base import Instant
from reverie.model.memories import Memory
from reverie.model.turns import RecallEvent
from reverie.policy.core.placing import says_something
from reverie.policy.core.promotion import PromotionVerdict, RecallCounts, count, judge
from reverie.policy.safety.trust import may_reach_core
from reverie.store.db import Reads
from reverie.store.tables import memories
from reverie.store.tables import recalls as log

MOSTLY = 0.5  # of a question's words, from which it was after one of the things that a turn says
CHAIN = 5  # moves back through what a fact has replaced


@dataclass(frozen=True, slots=True)
class JudgedMemory:
    """One memory, its evidence counted, and what that comes to."""

    memory: Memory
    counted: RecallCounts
    verdict: PromotionVerdict


@dataclass(frozen=True, slots=True)
class PromotionJudge:
    """Judges memories of one space at one moment; what it reads, it reads for all of them at once."""

    reads: Reads
    space: str
    now: Instant

    def judge(self, found: Sequence[Memory]) -> list[JudgedMemory]:
        provenance = Provenance.of(self.reads, self.space, found)
        refs = {memory.id: provenance.names(memory) for memory in found}
        recalls = log.recalls(self.reads, self.space, (r for its in refs.values() for r in its), self.now)
        said = log.said_in(self.reads, self.space, (turn for memory in found for turn in provenance.told_in(memory)))
        asked = self._words(recalls)
        alone = {m.id: provenance.says_only_this(m) for m in found}
        meant = {m.id: _meant(m, {ref: recalls.get(ref, ()) for ref in refs[m.id]}, asked, alone[m.id]) for m in found}
        return [self._judge(m, _once(refs[m.id], meant[m.id]), said, provenance) for m in found]

    def _words(self, recalls: Mapping[str, Sequence[RecallEvent]]) -> dict[str, frozenset[str]]:
        hashes = {event.query for events in recalls.values() for event in events}
        return {hash: frozenset(terms(text)) for hash, text in log.questions(self.reads, self.space, hashes).items()}

    def _judge(
        self,
        memory: Memory,
        events: Sequence[RecallEvent],
        said: Mapping[str, tuple[str, Instant]],
        provenance: "Provenance",
    ) -> JudgedMemory:
        counted = count(events, _restated(provenance.told_in(memory), said, self.now), len(memory.tags))
        reach = says_something(memory, provenance.has_facts(memory))
        if reach:
            reach = may_reach_core(memory.trust, provenance.origins(memory), memory.corroborations > 0)
        verdict = judge(provenance.as_asked(memory), counted, reach, self.now)
        return JudgedMemory(memory, counted, verdict)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where memories come from: their sources, the facts that those gave, and the facts that they have replaced."""

    sources: Mapping[str, Memory]
    drawn: Mapping[str, Sequence[str]]  # episode -> the facts that were drawn from it
    replaced: Mapping[str, Sequence[Memory]]

    @classmethod
    def of(cls, db: Reads, space: str, found: Sequence[Memory]) -> "Provenance":
        replaced = _replaced(db, space, [memory.id for memory in found if memory.kind == "fact"])
        every = [*found, *(old for olds in replaced.values() for old in olds)]
        sources = memories.by_ids(db, space, (source for memory in every for source in memory.sources))
        episodes = [memory.id for memory in (*every, *sources.values()) if memory.kind == "episode"]
        return cls(sources, memories.facts_of(db, space, episodes), replaced)

    def names(self, memory: Memory) -> tuple[str, ...]:
        """What a recall of it may have been recorded under. What it replaced was asked for in its place."""
        olds = self.replaced.get(memory.id, ())
        return tuple(dict.fromkeys(name for one in (memory, *olds) for name in self._names(one)))

    def _names(self, memory: Memory) -> Iterable[str]:
        yield memory.id
        if memory.kind == "episode":
            yield from memory.sources
            return
        for source in self._episodes(memory):
            yield from (source.id, *source.sources)

    def told_in(self, memory: Memory) -> tuple[str, ...]:
        """The turns that say it: its own, and those that repeat, word for word, the episode it was drawn from."""
        own = (*memory.sources, *(turn for source in self._episodes(memory) for turn in source.sources))
        return tuple(dict.fromkeys(own))

    def says_only_this(self, memory: Memory) -> bool:
        """Whether the turns that it comes from say nothing else that was kept."""
        return memory.kind == "episode" or all(len(self.drawn.get(s.id, ())) == 1 for s in self._episodes(memory))

    def has_facts(self, memory: Memory) -> bool:
        return bool(self.drawn.get(memory.id))

    def origins(self, memory: Memory) -> list[str]:
        return [memory.origin, *(source.origin for source in self._episodes(memory))]

    def as_asked(self, memory: Memory) -> Memory:
        """Asked for as well: a fact of a text given to `remember`, and what takes the place of something asked for."""
        before = (*self._episodes(memory), *self.replaced.get(memory.id, ()))
        given = any(other.asked and other.trust >= memory.trust for other in before)
        return replace(memory, asked=True) if memory.kind == "fact" and given else memory

    def _episodes(self, memory: Memory) -> list[Memory]:
        found = (self.sources.get(source) for source in memory.sources if source != memory.id)
        return [source for source in found if source is not None and source.kind == "episode"]


def _replaced(db: Reads, space: str, facts: Sequence[str]) -> dict[str, list[Memory]]:
    """For each of these the facts that it has taken the place of, one after the other."""
    found: dict[str, dict[str, Memory]] = {fact: {} for fact in facts}
    fronts: dict[str, set[str]] = {fact: {fact} for fact in facts}
    for _ in range(CHAIN):
        links = memories.edges_of(db, space, {id for front in fronts.values() for id in front})
        after = [(link.a, link.b) for link in links if link.relation == "supersedes"]
        fronts = {
            fact: older
            for fact, front in fronts.items()
            if (older := {b for a, b in after if a in front and b not in found[fact]})
        }
        known = memories.by_ids(db, space, {id for front in fronts.values() for id in front})
        for fact, front in fronts.items():
            found[fact] |= {id: known[id] for id in sorted(front) if id in known}
    return {fact: list(olds.values()) for fact, olds in found.items()}


def _meant(
    memory: Memory, recalls: Mapping[str, Sequence[RecallEvent]], asked: Mapping[str, frozenset[str]], alone: bool
) -> dict[str, list[RecallEvent]]:
    """The recalls that were after this memory. A turn can be found by the words of its neighbours, and may say more
    than one thing: a question meant the fact if it shares a word with it, or most of its words where the turn says
    other things too."""
    own = frozenset(terms(f"{memory.about} {memory.quote or memory.text}"))

    def meant(event: RecallEvent) -> bool:
        words = asked.get(event.query)
        if words is None:
            return alone
        return not own.isdisjoint(words) if alone else len(own & words) >= MOSTLY * max(1, len(words))

    found: dict[str, list[RecallEvent]] = {}
    for ref, events in recalls.items():
        itself = ref == memory.id and memory.kind != "episode"
        found[ref] = [event for event in events if itself or meant(event)]
    return found


def _once(refs: Iterable[str], recalls: Mapping[str, Sequence[RecallEvent]]) -> list[RecallEvent]:
    """A query that returned a fact and the turn it was said in is one recall, as relevant as the better of the two.

    Events of a day that was rolled up share one moment, so they are kept or left out together.
    """
    best: dict[tuple[str, Instant], list[RecallEvent]] = {}
    for ref in refs:
        own: dict[tuple[str, Instant], list[RecallEvent]] = {}
        for event in recalls.get(ref, ()):
            own.setdefault((event.query, event.at), []).append(event)
        for key, events in own.items():
            if key not in best or events[0].score > best[key][0].score:
                best[key] = events
    return sorted((e for events in best.values() for e in events), key=lambda event: (event.at, event.query))


def _restated(turns: Iterable[str], said: Mapping[str, tuple[str, Instant]], now: Instant) -> list[Instant]:
    """When the user said it again, once for each session after the first."""
    first: dict[str, Instant] = {}
    for turn in turns:
        if turn in said:
            session, at = said[turn]
            if at <= now:
                first[session] = min(at, first.get(session, at))
    return sorted(first.values())[1:]
