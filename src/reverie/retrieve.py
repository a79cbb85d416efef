"""From a query to ranked hits: embed, candidates, fuse, rank. Both sides use it; it writes nothing."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import NamedTuple

from reverie.language.sentences import asks
from reverie.language.words import terms
from reverie.minds.embed import Embedder
from reverie.minds.rules.reading.update_marks import Said, Surroundings
from reverie.minds.rules.reading.updates import SURE, may_update, weigh
from reverie.minds.rules.reading.values import LONGEST
from reverie.model.base import Instant
from reverie.model.hits import Asking, Hit
from reverie.model.memories import Glimpse, Memory
from reverie.model.turns import Turn
from reverie.policy.answers.freshness import fact_keys
from reverie.policy.answers.guards import reading
from reverie.policy.recall.current import HINT, MAYBE, is_asked, newest, newest_first
from reverie.policy.recall.filters import acceptance, decided_late, glimpse_is_enough, kinds, span
from reverie.policy.recall.fusion import Candidates, InOrder, rankings, too_little
from reverie.policy.recall.hits import Placed, flags_of, hit_of
from reverie.policy.recall.ranking import Links, Ranked, Ranking, Traits, facts_first, holds, rank, relevances
from reverie.store.db import Database
from reverie.store.search import documents
from reverie.store.search.index import Indexes, SpaceIndex
from reverie.store.search.lexicon import Masks
from reverie.store.search.matrix import Vectors
from reverie.store.tables import contradictions, memories

Found = Memory | Glimpse | Turn

DEPTH = 200  # candidates from each list
EVERYTHING = 1_000_000
LEAST_COSINE = 0.15  # what is farther is near nothing
ABOUT_IT = 0.15  # by how much a fact may be farther from the question than the episode that it was drawn from


@dataclass
class Read:
    """What candidates turned out to be."""

    found: dict[str, Found] = field(default_factory=dict)
    archived: dict[str, Found] = field(default_factory=dict)  # shown only if the rest is too little
    rejected: set[str] = field(default_factory=set)  # gone, or not what was asked for

    @property
    def hidden(self) -> set[str]:
        return self.rejected | self.archived.keys()


class Ordered(NamedTuple):
    ranked: list[Ranked]
    found: dict[str, Found]


class Look(NamedTuple):
    """What a space's index says about a query, with what reading it needs."""

    space: str
    candidates: Candidates
    near: Sequence[tuple[str, float]]  # refs by meaning, with their cosines
    drawn_from: Mapping[str, Sequence[str]]
    watermark: int
    documents: int  # in the index

    def first(self, depth: int) -> "Look":
        """What a look so deep has found; this one was as deep, or deeper."""
        words, meaning = self.candidates.words, self.candidates.meaning
        if all(len(refs) <= depth for refs in (*words, self.near)):
            return self
        kept = Candidates([refs[:depth] for refs in words], meaning[:depth])
        return self._replace(candidates=kept, near=self.near[:depth])


class LaterStatements(NamedTuple):
    of: Collection[str]  # hits that are not the last word on their matter
    shown: Mapping[str, str]  # such a hit -> the newest statement, where that may be shown
    known: dict[str, Found]  # the newest statements by id
    perhaps: Mapping[str, str]  # a hit -> a later one that may be on the same matter


NOTHING_LATER = LaterStatements((), {}, {}, {})


@dataclass(frozen=True, slots=True)
class Retriever:
    """What a search needs besides its question."""

    db: Database
    indexes: Indexes
    embedder: Embedder
    patient: bool = False  # a user waits: what a running night has just changed need not be seen yet

    def retrieve(self, space: str, query: str, asking: Asking, now: Instant, meant: str | None = None) -> list[Hit]:
        """The best hits of one space, best first. `meant`: what is embedded, if it is not the whole query."""
        vector = self.embedder.embed_one(query if meant is None else meant)

        def search(index: SpaceIndex) -> Look:
            mask, depth = _mask(index, asking), _depth(asking)
            if mask is not None or meant is not None:
                return self._look(index, query, vector, depth, mask)
            look = index.once(query, depth, lambda: self._look(index, query, vector, depth, None))
            return look.first(depth)

        model = self.embedder
        with self.indexes.searched(space, model.id, model.dim, search, patient=self.patient) as look:
            ordered = self._ordered(look, asking, now)
            asked_for = self._asked_for(space, query, asking, now)
            return self._hits(look, query, _with_first(ordered, asked_for), asking, now)

    def _look(self, index: SpaceIndex, query: str, vector: Vectors, depth: int, mask: Masks | None) -> Look:
        near = index.nearest(vector, depth, mask) if self.embedder.dim else []
        meaning = [ref for ref, cosine in near if cosine >= LEAST_COSINE]
        words = index.lexical(self.db, query, depth, mask)
        all_near = meaning if len(meaning) == len(near) else [ref for ref, _ in near]
        drawn_from = index.drawn_from([*words, all_near])
        return Look(index.space, Candidates(words, meaning), near, drawn_from, index.watermark, len(index.lexicon))

    def _asked_for(self, space: str, query: str, asking: Asking, now: Instant) -> list[Memory]:
        """Facts that a plain personal question asks for by name: "where do I live?" is the user's lives_in."""
        keys = () if asking.mode == "raw" else fact_keys(reading.personal_reading(query))
        if not keys:
            return []
        accepts, moment = acceptance(asking), _moment(asking, now)
        stated = (fact for key in keys for fact in memories.stated(self.db, space, *key))
        return [fact for fact in stated if accepts(fact) and _says(fact, moment)]

    def _ordered(self, look: Look, asking: Asking, now: Instant) -> Ordered:
        moment, candidates = _moment(asking, now), look.candidates
        lists = rankings(candidates, look.drawn_from)
        read = self._read(look, InOrder(lists), asking)
        read.found.update(self._overtaken(look.space, read.found, _nearest_facts(look), moment))

        def ranked_without(hidden: set[str]) -> list[Ranked]:
            kept = candidates.without(hidden, _deep(asking.k))
            shown = lists if kept is candidates else rankings(kept, look.drawn_from)
            return self._rank(look.space, shown, read.found, moment)

        ranked = ranked_without(read.hidden)
        if read.archived and too_little(ranked, asking.k):
            read.found.update(read.archived)
            ranked = ranked_without(read.rejected)
        return Ordered(_facts_first(ranked, read.found, moment), read.found)

    def _hits(self, look: Look, query: str, ordered: Ordered, asking: Asking, now: Instant) -> list[Hit]:
        found, moment = ordered.found, _moment(asking, now)
        chosen = list(islice(_once(ordered.ranked, found), asking.k))
        things = [found[hit.id] for hit in chosen]
        later = self._later(look.space, query, things, asking, _just_said(things, look.documents), moment)
        if later.of or later.perhaps:
            found = found | later.known
            chosen = newest_first(newest_first(chosen, later.shown), later.perhaps)[: asking.k]
        disputed = self._disputed(look.space, [found[hit.id] for hit in chosen])
        shown = relevances([hit.score for hit in chosen])
        flags = [flags_of(found[hit.id], moment, hit.id in disputed, hit.id in later.of) for hit in chosen]
        placed = [Placed(*one) for one in zip(chosen, shown, flags, strict=True)]
        return [hit_of(one, found[one.ranked.id], asking) for one in placed]

    def _later(
        self,
        space: str,
        query: str,
        chosen: Sequence[Found],
        asking: Asking,
        just_said: Mapping[str, Sequence[Turn]],
        moment: Instant,
    ) -> "LaterStatements":
        """The newest statements on the matters of these hits, where the hits are not the newest themselves."""
        known: dict[str, Found] = {turn.id: turn for later in just_said.values() for turn in later}
        successors = {id: [turn.id for turn in later] for id, later in just_said.items()}
        texts = {thing.id: thing.text for thing in chosen}
        front: Collection[str] = texts
        perhaps: dict[str, str] = {}
        corrected: set[str] = set()
        while front:
            edges = memories.updates_of(self.db, space, front, HINT)
            perhaps |= {edge.b: edge.a for edge in edges if edge.weight <= MAYBE and edge.b in texts}
            corrected |= {id for edge in edges if edge.night is None for id in (edge.a, edge.b)}  # by a person
            front = {edge.a for edge in edges} - known.keys()
            known |= memories.by_ids(self.db, space, front) if front else {}
            for edge in (edge for edge in edges if edge.weight > MAYBE):
                asked = edge.b not in texts or is_asked(edge, texts[edge.b], frozenset(terms(query)))
                if asked and edge.a in known and _dated(known[edge.a]) <= moment:
                    successors.setdefault(edge.b, []).append(edge.a)
        if not successors and not perhaps:
            return NOTHING_LATER
        for later in successors.values():
            later.sort(key=lambda id: (-_dated(known[id]), id))
        last = {id: newest(id, successors) for id in texts if id in successors}
        accepts = acceptance(asking)
        perhaps = {b: last.get(a, a) for b, a in perhaps.items() if a in known and corrected.isdisjoint((a, b))}
        perhaps = {b: a for b, a in perhaps.items() if _dated(known[a]) <= moment and accepts(known[a])}
        return LaterStatements(last.keys(), {id: n for id, n in last.items() if accepts(known[n])}, known, perhaps)

    def _read(self, look: Look, refs: InOrder, asking: Asking) -> Read:
        """What the best candidates stand for, a part at a time until there is enough."""
        accepts, whole = acceptance(asking), not glimpse_is_enough(asking)
        part = asking.k + min(30, max(10, asking.k // 2))  # what is known about a memory moves it, but not that far
        read = Read()
        for start in range(0, len(refs), part):
            asked = refs.part(start, start + part)
            standing = documents.by_refs(self.db, look.space, asked, look.watermark, whole=whole)
            shown = {ref: thing for ref, thing in standing.items() if accepts(thing)}
            read.rejected.update(set(asked) - shown.keys())
            for ref, thing in shown.items():
                archived = not isinstance(thing, Turn) and thing.tier == "archive" and not asking.tiers
                (read.archived if archived else read.found)[ref] = thing
            if len(read.found) >= part:
                break
        return read

    def _rank(self, space: str, lists: Sequence[Ranking], found: dict[str, Found], moment: Instant) -> list[Ranked]:
        traits = {ref: _traits(thing) for ref, thing in found.items()}
        return rank(lists, traits, moment, self._links(space, found), only=found)

    def _overtaken(
        self, space: str, found: Mapping[str, Found], facts: Mapping[str, str], moment: Instant
    ) -> dict[str, Found]:
        """Episodes whose word on this very question no longer holds: what was said must not pass for what is so."""
        wanted = {ref: facts[ref] for ref in found if ref in facts}
        known = memories.by_ids(self.db, space, wanted.values()) if wanted else {}
        ended = {ref: known[fact].valid_until for ref, fact in wanted.items() if fact in known}
        return {
            ref: _ended(episode, until)
            for ref, until in ended.items()
            if until is not None and until <= moment and not isinstance(episode := found[ref], Turn)
        }

    def _links(self, space: str, found: dict[str, Found]) -> Links:
        linked = [ref for ref, thing in found.items() if not isinstance(thing, Turn) and thing.relationship_score]
        neighbours: dict[str, list[tuple[str, float]]] = {}
        for edge in memories.edges_of(self.db, space, linked) if linked else ():
            neighbours.setdefault(edge.a, []).append((edge.b, edge.weight))
            neighbours.setdefault(edge.b, []).append((edge.a, edge.weight))
        return neighbours

    def _disputed(self, space: str, chosen: Iterable[Found]) -> set[str]:
        facts = [thing.id for thing in chosen if not isinstance(thing, Turn) and thing.kind == "fact"]
        records = contradictions.of_memories(self.db, space, facts) if facts else ()
        return {id for record in records if record.status == "open" for id in (record.older, record.newer)}


def _ended(episode: Memory | Glimpse, until: Instant) -> Found:
    if isinstance(episode, Glimpse):
        return episode._replace(valid_until=until)
    return replace(episode, valid_until=until)


def _dated(thing: Found) -> Instant:
    return thing.at if isinstance(thing, Turn) else thing.dated


def _just_said(things: Sequence[Found], documents: int) -> dict[str, list[Turn]]:
    """Turns that no night has read yet and that bring other hits up to date, by the hit."""
    fresh = [thing for thing in things if isinstance(thing, Turn) and thing.role == "user"]
    found: dict[str, list[Turn]] = {}
    for turn in fresh:
        said = Said(turn.text[:LONGEST], at=turn.at)
        if not may_update(said):
            continue
        for thing in things:
            if _dated(thing) < turn.at and (thing.speaker or "user") == (turn.speaker or "user"):
                words = thing.text if isinstance(thing, Turn) else thing.quote or thing.text
                update = weigh(Said(words[:LONGEST], at=_dated(thing)), said, Surroundings(documents // 2))
                if update.score >= SURE:
                    found.setdefault(thing.id, []).append(turn)
    return found


def _nearest_facts(look: Look) -> dict[str, str]:
    """For each episode the fact drawn from it that is nearest to the question, if it is about that at all."""
    nearest: dict[str, str] = {}
    if not look.drawn_from:
        return nearest
    cosines, drawn_from = dict(look.near), look.drawn_from
    for fact, cosine in () if drawn_from.keys().isdisjoint(cosines) else look.near:
        for episode in drawn_from.get(fact, ()):
            if cosine >= cosines.get(episode, LEAST_COSINE) - ABOUT_IT:
                nearest.setdefault(episode, fact)
    return nearest


def _mask(index: SpaceIndex, asking: Asking) -> Masks | None:
    """What cannot change is filtered before candidates are cut; the rest when they are read."""
    return index.lexicon.mask(kinds=kinds(asking), session=asking.session, span=span(asking)) if index.whole else None


def _depth(asking: Asking) -> int:
    return EVERYTHING if decided_late(asking) else _deep(asking.k)


def _deep(k: int) -> int:
    return max(DEPTH, 4 * k)


def _traits(thing: Found) -> Traits:
    if isinstance(thing, Turn):
        return Traits(used_at=thing.at, asks=asks(thing.text))
    return Traits(
        thing.importance,
        thing.confidence,
        thing.used_at,
        thing.tier,
        thing.stale,
        thing.valid_from,
        thing.valid_until,
        thing.kind == "episode" and asks(thing.text),
    )


def _moment(asking: Asking, now: Instant) -> Instant:
    """The moment whose truth counts."""
    return now if asking.as_of is None else asking.as_of


def _says(fact: Memory, moment: Instant) -> bool:
    """It holds, and says what is so, not only what has ended."""
    return holds(fact.valid_from, fact.valid_until, moment) and not fact.stale and not fact.marks.get("negated")


def _facts_first(ranked: Sequence[Ranked], found: Mapping[str, Found], moment: Instant) -> list[Ranked]:
    drawn = {
        ref: thing.sources
        for ref, thing in found.items()
        if not isinstance(thing, Turn) and thing.kind == "fact" and holds(thing.valid_from, thing.valid_until, moment)
    }
    known = {hit.id: hit for hit in ranked}
    return [known[ref] for ref in facts_first([hit.id for hit in ranked], drawn)]


def _once(ranked: Iterable[Ranked], found: dict[str, Found]) -> Iterable[Ranked]:
    """A turn that an episode repeats word for word counts once, at its better place."""
    seen: set[str] = set()
    for hit in ranked:
        thing = found[hit.id]
        said = thing.sources[0] if not isinstance(thing, Turn) and thing.kind == "episode" and thing.sources else hit.id
        if said not in seen:
            seen.add(said)
            yield hit


def _with_first(ordered: Ordered, asked_for: Sequence[Memory]) -> Ordered:
    """What was asked for by name stands before what was found."""
    if not asked_for:
        return ordered
    first = [Ranked(fact.id, 1.0, 1.0, {"asked for": 1.0}) for fact in asked_for]
    return Ordered([*first, *ordered.ranked], ordered.found | {fact.id: fact for fact in asked_for})
