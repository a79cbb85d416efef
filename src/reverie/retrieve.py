"""From a query to ranked hits: embed, candidates, fuse, rank. Both sides use it; it writes nothing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from reverie.minds.embed import Embedder
from reverie.model.base import Instant
from reverie.model.filters import Filter
from reverie.model.hits import RAW_KINDS, Asking, Flag, Hit
from reverie.model.memories import Memory
from reverie.model.turns import Turn
from reverie.policy.ranking import Links, Ranked, Ranking, Traits, fuse, holds, rank
from reverie.store import memories, search
from reverie.store.db import Database
from reverie.store.indexes import Indexes, SpaceIndex
from reverie.store.lexicon import Mask

Found = Memory | Turn

DEPTH = 100  # candidates from each list
EVERYTHING = 1_000_000
DENSE_WEIGHT = 0.5  # of the list by meaning, beside the list by words
LEAST_COSINE = 0.15  # what is farther is near nothing
FOREVER = 1e18


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
        ranked = [hit for hit in rank(rankings, traits, moment, links) if hit.id in found]
        chosen = list(islice(_once(ranked, found), asking.k))
        disputed = self._disputed(index.space, [found[hit.id] for hit in chosen])
        return [_hit(hit, found[hit.id], asking, moment, hit.id in disputed) for hit in chosen]

    def _read(self, index: SpaceIndex, refs: Sequence[str], asking: Asking) -> tuple[dict[str, Found], set[str]]:
        """What the best candidates stand for, a part at a time until there is enough; archived ones fill up.

        Also the candidates that were read and may not be shown.
        """
        part = 2 * asking.k + 10
        read: set[str] = set()
        found: dict[str, Found] = {}
        archived: dict[str, Found] = {}
        for start in range(0, len(refs), part):
            read.update(refs[start : start + part])
            standing = search.standing(self.db, index.space, refs[start : start + part], index.watermark)
            for ref, thing in standing.items():
                if _accepted(thing, asking):
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
    span = _span(asking)
    bounded = span if span != (-FOREVER, FOREVER) else None
    return index.lexicon.mask(kinds=_kinds(asking), session=asking.session, span=bounded)


def _kinds(asking: Asking) -> tuple[str, ...]:
    if asking.mode != "raw":
        return tuple(asking.kinds)
    return tuple(kind for kind in RAW_KINDS if not asking.kinds or kind in asking.kinds) or ("none",)


def _span(asking: Asking) -> tuple[Instant, Instant]:
    """When it was said: what was said after `as_of` was not known then."""
    until = FOREVER if asking.before is None else asking.before
    if asking.as_of is not None:
        until = min(until, asking.as_of + 1e-6)
    return (-FOREVER if asking.after is None else asking.after, until)


def _depth(asking: Asking) -> int:
    """Filters that only reading can decide may reject any number of candidates."""
    late = asking.tags or asking.metadata or asking.tiers or asking.min_confidence > 0 or asking.as_of is not None
    return EVERYTHING if late else max(DEPTH, 2 * asking.k)


def _by_fusion(rankings: Sequence[Ranking]) -> list[str]:
    fused = {ref: sum(shares.values()) for ref, shares in fuse(rankings).items()}
    return sorted(fused, key=lambda ref: (-fused[ref], ref))


def _without(rejected: set[str], ranking: Ranking, depth: int) -> Ranking:
    """What may not be shown gives up its place to those after it."""
    kept = islice((ref for ref in ranking.ids if ref not in rejected), depth)
    return Ranking(ranking.name, list(kept), ranking.weight)


def _accepted(thing: Found, asking: Asking) -> bool:
    kinds = _kinds(asking)
    if isinstance(thing, Turn):
        return (
            (not kinds or "turn" in kinds)
            and not asking.tags
            and (asking.session is None or thing.session == asking.session)
            and _span(asking)[0] <= thing.at < _span(asking)[1]
            and all(thing.metadata.get(key) == value for key, value in asking.metadata.items())
        )
    if asking.as_of is not None and not holds(thing.valid_from, thing.valid_until, asking.as_of):
        return False
    return (not kinds or thing.kind in kinds) and _filter(asking).accepts(thing)


def _filter(asking: Asking) -> Filter:
    after, before = _span(asking)
    return Filter(
        tags=asking.tags,
        metadata=asking.metadata,
        tiers=asking.tiers,
        session=asking.session,
        after=after,
        before=before,
        min_confidence=asking.min_confidence,
        # What has since become stale may have held at the moment that is asked about.
        include_stale=asking.include_stale or asking.as_of is not None,
    )


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
