"""From a query to ranked hits: embed, candidates, fuse, rank. Both sides use it; it writes nothing."""

from collections.abc import Iterable, Sequence
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
from reverie.store.indexes import Indexes, SpaceIndex
from reverie.store.lexicon import Mask

Found = Memory | Turn

DEPTH = 100  # candidates from each list
EVERYTHING = 1_000_000
DENSE_WEIGHT = 0.5  # of the list by meaning, beside the list by words
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
            mask = _mask(index, asking)
            depth = _depth(asking)
            rankings = [Ranking("words", refs) for refs in index.lexical(self.db, query, depth, mask)]
            if self.embedder.dim:
                near = index.nearest(vector, depth, mask)
                refs = [ref for ref, cosine in near if cosine >= LEAST_COSINE]
                rankings.append(Ranking("meaning", refs, DENSE_WEIGHT))
            return self._hits(index, rankings, asking, now)

    def _hits(self, index: SpaceIndex, rankings: Sequence[Ranking], asking: Asking, now: Instant) -> list[Hit]:
        moment = now if asking.as_of is None else asking.as_of
        found, rejected = self._read(index, _by_fusion(rankings), asking)
        rankings = [_without(rejected, ranking, _depth(Asking(k=asking.k))) for ranking in rankings]
        traits = {ref: _traits(thing) for ref, thing in found.items()}
        links = self._links(index.space, found)
        ranked = rank(rankings, traits, moment, links, only=found)
        chosen = list(islice(_once(ranked, found), asking.k))
        disputed = self._disputed(index.space, [found[hit.id] for hit in chosen])
        return [_hit(hit, found[hit.id], asking, moment, hit.id in disputed) for hit in chosen]

    def _read(self, index: SpaceIndex, refs: Sequence[str], asking: Asking) -> tuple[dict[str, Found], set[str]]:
        """What the best candidates stand for, a part at a time until there is enough; archived ones fill up.

        Also the candidates that were read and may not be shown.
        """
        accepts = acceptance(asking)
        part = asking.k + max(10, asking.k // 2)  # what is known about a memory moves it, but not that far
        read: set[str] = set()
        found: dict[str, Found] = {}
        archived: dict[str, Found] = {}
        for start in range(0, len(refs), part):
            read.update(refs[start : start + part])
            standing = search.standing(self.db, index.space, refs[start : start + part], index.watermark)
            for ref, thing in standing.items():
                if accepts(thing):
                    (archived if _in_archive(thing) and not asking.tiers else found)[ref] = thing
            if len(found) >= part:
                break
        if len(found) < asking.k:
            found.update(archived)
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


def _mask(index: SpaceIndex, asking: Asking) -> Mask | None:
    """What cannot change is filtered before candidates are cut; the rest when they are read."""
    if index.lexicon is None:
        return None
    return index.lexicon.mask(kinds=kinds(asking), session=asking.session, span=span(asking))


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


def _in_archive(thing: Found) -> bool:
    return isinstance(thing, Memory) and thing.tier == "archive"


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
    """A turn that an episode repeats word for word counts once, at its better place."""
    seen: set[str] = set()
    for hit in ranked:
        thing = found[hit.id]
        said = thing.sources[0] if isinstance(thing, Memory) and thing.kind == "episode" and thing.sources else hit.id
        if said not in seen:
            seen.add(said)
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
