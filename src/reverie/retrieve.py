"""From a query to ranked hits: embed, candidates, fuse, rank. Both sides use it; it writes nothing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from reverie.minds.embed import Embedder
from reverie.model.base import Instant
from reverie.model.hits import Asking, Flag, Hit
from reverie.model.memories import Memory
from reverie.model.turns import Turn
from reverie.policy.asking import acceptance, decided_late, kinds, span
from reverie.policy.ranking import WEIGHTS, Links, Ranked, Ranking, Traits, rank
from reverie.store import memories, search
from reverie.store.db import Database
from reverie.store.indexes import Indexes, Near, SpaceIndex
from reverie.store.vectors import Vectors

Found = Memory | Turn
Nearest = tuple[str, float]  # a fact's id, and how near it is

DEPTH = 100  # candidates from each list
EVERYTHING = 1_000_000
DENSE_WEIGHT = 0.5  # of the list by meaning, beside the list by words
ALONE_WEIGHT = 0.2  # of the list by an episode's own meaning, without what it replies to
LENT_WEIGHT = 0.2  # of the list of episodes by the facts drawn from them
LENDERS = 40  # facts
CLEARLY = 0.05  # by how much a fact must be nearer than its episode to be shown in its place
NEARLY = -0.15  # the same for a fact that has ended: what was said must not pass for what is so
DRAWN = frozenset({"fact", "note"})
LEAST_COSINE = 0.15  # what is farther is near nothing


@dataclass(frozen=True, slots=True)
class Retriever:
    """What a search needs besides its question."""

    db: Database
    indexes: Indexes
    embedder: Embedder

    def retrieve(self, space: str, query: str, asking: Asking, now: Instant) -> list[Hit]:
        """The best hits of one space, best first."""
        vector = self.embedder.embed_one(query)
        with self.indexes.open(space, self.embedder.id, self.embedder.dim) as index:
            search_ = _Search(index, asking, _depth(asking))
            near = search_.near(vector) if self.embedder.dim else Near()
            lent = self._lent(search_, query, near)
            rankings = [
                *search_.words(self.db, query),
                *search_.meaning(near),
                Ranking("facts", list(lent), LENT_WEIGHT),
            ]
            return self._hits(index, rankings, asking, now, _nearer(lent, near))

    def _lent(self, search_: "_Search", query: str, near: Near) -> dict[str, Nearest]:
        """Episodes in the order of the facts drawn from them, each with the nearest of its facts."""
        if search_.shows_drawn:
            return {}
        facts = near.drawn or [(ref, 0.0) for ref in search_.index.drawn_by_words(query, LENDERS)]
        facts = facts[:LENDERS]
        episodes = search.drawn_from(self.db, search_.index.space, [ref for ref, _ in facts]) if facts else {}
        lent: dict[str, Nearest] = {}
        for fact, cosine in facts:
            for episode in episodes.get(fact, ()):
                if search_.accepts(episode):
                    lent.setdefault(episode, (fact, cosine))
        return lent

    def _hits(
        self,
        index: SpaceIndex,
        rankings: Sequence[Ranking],
        asking: Asking,
        now: Instant,
        nearer: Mapping[str, Nearest],
    ) -> list[Hit]:
        moment = now if asking.as_of is None else asking.as_of
        found, rejected = self._read(index, _by_fusion(rankings), asking)
        rankings = [_without(rejected, ranking, _depth(Asking(k=asking.k))) for ranking in rankings]
        if asking.mode == "all":
            found |= self._facts(index.space, found, nearer, asking, moment)
        traits = {ref: _traits(thing) for ref, thing in found.items()}
        links = self._links(index.space, found)
        ranked = rank(rankings, traits, moment, links, only=found)
        chosen = list(islice(_once(ranked, found), asking.k))
        disputed = self._disputed(index.space, [found[hit.id] for hit in chosen])
        return [_hit(hit, found[hit.id], asking, moment, found[hit.id].id in disputed) for hit in chosen]

    def _facts(
        self, space: str, found: Mapping[str, Found], nearer: Mapping[str, Nearest], asking: Asking, moment: Instant
    ) -> dict[str, Found]:
        """What is shown in an episode's place: the fact drawn from it that is nearest to the question."""
        wanted = {episode: nearest for episode, nearest in nearer.items() if episode in found}
        facts = memories.by_ids(self.db, space, (fact for fact, _ in wanted.values())) if wanted else {}
        accepts = acceptance(asking)
        shown: dict[str, Found] = {}
        for episode, (id, lead) in wanted.items():
            fact = facts.get(id)
            if fact is not None and fact.kind == "fact" and accepts(fact):
                ended = fact.valid_until is not None and fact.valid_until <= moment
                if lead >= (NEARLY if ended else CLEARLY):
                    shown[episode] = fact
        return shown

    def _read(self, index: SpaceIndex, refs: Sequence[str], asking: Asking) -> tuple[dict[str, Found], set[str]]:
        """What the best candidates stand for, a part at a time until there is enough.

        Also the candidates that were read and may not be shown. What lies in the archive is found where hot and warm
        answer less well: its weight is lower, and half a year of talk is not lost for being old.
        """
        accepts = acceptance(asking)
        part = asking.k + max(10, asking.k // 2)  # what is known about a memory moves it, but not that far
        read: set[str] = set()
        found: dict[str, Found] = {}
        for start in range(0, len(refs), part):
            read.update(refs[start : start + part])
            standing = search.standing(self.db, index.space, refs[start : start + part], index.watermark)
            found.update({ref: thing for ref, thing in standing.items() if accepts(thing)})
            if len(found) >= part:
                break
        return found, read - found.keys()

    def _links(self, space: str, found: dict[str, Found]) -> Links:
        linked = [ref for ref, thing in found.items() if isinstance(thing, Memory) and thing.relationship_score]
        neighbours: dict[str, list[tuple[str, float]]] = {}
        for edge in memories.edges_of(self.db, space, linked) if linked else ():
            neighbours.setdefault(edge.a, []).append((edge.b, edge.weight))
            neighbours.setdefault(edge.b, []).append((edge.a, edge.weight))
        return neighbours

    def _disputed(self, space: str, chosen: Iterable[Found]) -> set[str]:
        facts = [thing.id for thing in chosen if isinstance(thing, Memory) and thing.kind == "fact"]
        records = memories.contradictions_of(self.db, space, facts) if facts else ()
        return {id for record in records if record.status == "open" for id in (record.older, record.newer)}


class _Search:
    """One question's way into an index: what its options let through."""

    def __init__(self, index: SpaceIndex, asking: Asking, depth: int) -> None:
        self.index = index
        self.depth = depth
        # What cannot change is filtered before candidates are cut; the rest when they are read.
        limits = {"kinds": kinds(asking), "session": asking.session, "span": span(asking)}
        self._mask = index.lexicon.mask(**limits) if index.lexicon is not None else None  # type: ignore[arg-type]
        self._drawn_mask = index.drawn.mask(**limits)  # type: ignore[arg-type]
        # Asked for by name, facts and notes are hits of their own; otherwise they lend their place to episodes.
        self.shows_drawn = not DRAWN.isdisjoint(kinds(asking))

    def accepts(self, ref: str) -> bool:
        lexicon = self.index.lexicon
        if lexicon is not None and ref in lexicon:
            return self._mask is None or lexicon.allows(self._mask, ref)
        return ref in self.index.drawn and (self._drawn_mask is None or self.index.drawn.allows(self._drawn_mask, ref))

    def words(self, db: Database, query: str) -> list[Ranking]:
        found = [Ranking("words", refs) for refs in self.index.lexical(db, query, self.depth, self._mask)]
        if self.shows_drawn:
            found.append(Ranking("words", self.index.drawn_by_words(query, self.depth, self._drawn_mask)))
        return found

    def near(self, vector: Vectors) -> Near:
        limited = self._mask is not None or self._drawn_mask is not None
        return self.index.views(vector, self.depth, self.accepts if limited else None)

    def meaning(self, near: Near) -> list[Ranking]:
        views = [("meaning", near.talk, DENSE_WEIGHT), ("alone", near.alone, ALONE_WEIGHT)]
        if self.shows_drawn:
            views.append(("meaning", near.drawn, DENSE_WEIGHT))
        return [
            Ranking(name, [ref for ref, cosine in view if cosine >= LEAST_COSINE], weight)
            for name, view, weight in views
        ]


def _nearer(lent: Mapping[str, Nearest], near: Near) -> dict[str, Nearest]:
    """Each episode's nearest fact, and by how much that is nearer to the question than the episode's own words."""
    own: dict[str, float] = {}
    for ref, cosine in (*near.talk, *near.alone):
        own[ref] = max(cosine, own.get(ref, 0.0))
    return {episode: (fact, cosine - own.get(episode, 0.0)) for episode, (fact, cosine) in lent.items() if cosine}


def _depth(asking: Asking) -> int:
    return EVERYTHING if decided_late(asking) else max(DEPTH, 2 * asking.k)


def _by_fusion(rankings: Sequence[Ranking]) -> list[str]:
    """All candidates in the order in which they are worth reading."""
    fused: dict[str, float] = {}
    for _, refs, weight in rankings:
        for place, ref in enumerate(refs, start=1):
            fused[ref] = fused.get(ref, 0.0) + weight / (WEIGHTS.k + place)
    return sorted(fused, key=lambda ref: (-fused[ref], ref))


def _without(rejected: set[str], ranking: Ranking, depth: int) -> Ranking:
    """What may not be shown gives up its place to those after it."""
    kept = islice((ref for ref in ranking.ids if ref not in rejected), depth)
    return Ranking(ranking.name, list(kept), ranking.weight)


def _traits(thing: Found) -> Traits:
    if isinstance(thing, Turn):
        return Traits(used_at=thing.at)
    return Traits(
        thing.importance,
        thing.confidence,
        thing.used_at,
        thing.tier,
        thing.stale,
        thing.valid_from,
        thing.valid_until,
    )


def _once(ranked: Iterable[Ranked], found: dict[str, Found]) -> Iterable[Ranked]:
    """What was said counts once, at its best place: as a turn, as its episode, or as the fact that stands for it."""
    seen: set[str] = set()
    for hit in ranked:
        thing = found[hit.id]
        first = (
            thing.sources[0] if isinstance(thing, Memory) and thing.kind == "episode" and thing.sources else thing.id
        )
        if first not in seen:
            seen.add(first)
            if isinstance(thing, Memory) and thing.kind == "fact":
                seen.update(thing.sources)
            yield hit


def _hit(ranked: Ranked, thing: Found, asking: Asking, moment: Instant, disputed: bool) -> Hit:
    parts = ranked.parts if asking.explain else {}
    if isinstance(thing, Turn):
        return Hit(
            id=thing.id,
            kind="turn",
            text=thing.text,
            score=ranked.score,
            relevance=ranked.relevance,
            sources=(thing.id,),
            said_at=thing.at,
            trust=thing.trust,
            speaker=thing.speaker or thing.role,
            session=thing.session,
            parts=parts,
        )
    return Hit(
        id=thing.id,
        kind=thing.kind,
        text=thing.text,
        score=ranked.score,
        relevance=ranked.relevance,
        sources=thing.sources,
        said_at=thing.said_at,
        valid_from=thing.valid_from,
        valid_until=thing.valid_until,
        trust=thing.trust,
        speaker=thing.speaker,
        session=thing.session,
        flags=_flags(thing, moment, disputed),
        parts=parts,
    )


def _flags(memory: Memory, moment: Instant, disputed: bool) -> tuple[Flag, ...]:
    flags: list[Flag] = ["conflict"] if disputed else []
    if memory.valid_until is not None and memory.valid_until <= moment:
        flags.append("superseded")
    if memory.stale:
        flags.append("stale")
    return tuple(flags)
