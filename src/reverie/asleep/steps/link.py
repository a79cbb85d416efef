"""REM ties memories together. Candidates share a word, an entity or a direction of meaning: never all pairs."""

from collections.abc import Mapping, Sequence

import numpy as np

from reverie.asleep.step import BATCH, Minds
from reverie.model.changes import Changes, Revision
from reverie.model.memories import Edge, Kind, Memory
from reverie.model.night import Night
from reverie.model.turns import is_turn
from reverie.policy.care.linking import Link, Linkable, best_links, link
from reverie.store.reader import Reader
from reverie.store.reading import memories, vectors, work
from reverie.store.reading import vectors as keywords

LINKED: tuple[Kind, ...] = ("episode", "fact", "note")
COMMON = 20  # a word in more memories than this brings in nobody
BY_WORD = 10
BY_ENTITY = 10
BY_MEANING = 5
FEW = 12  # memories: a night with fewer may make as many links
LATEST = 400  # vectors among which the nearest are looked for


def link_memories(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
    batch, rest = work.recent(reader, LINKED, cursor=cursor, limit=BATCH)
    candidates = _candidates(reader, minds, batch)
    others = {id for ids in candidates.values() for id in ids}
    known = memories.by_ids(reader, others) | {memory.id: memory for memory in batch}
    usable = {id: _linkable(memory) for id, memory in known.items() if not memory.stale and not memory.quarantined}
    pairs = {tuple(sorted((a, b))) for a, others in candidates.items() for b in others if a in usable and b in usable}
    links = best_links((link(usable[a], usable[b]) for a, b in sorted(pairs)), max(len(batch), FEW))
    edges = [_edge(night, found) for found in links]
    return Changes(
        edges=tuple(edges),
        revisions=_scores(night, reader, batch, edges, known),
        counts={"considered": len(batch), "candidates": len(pairs), "links": len(edges)},
        cursor=rest,
    )


def _candidates(reader: Reader, minds: Minds, batch: Sequence[Memory]) -> dict[str, set[str]]:
    ids = [memory.id for memory in batch]
    words, named = keywords.of_each(reader, ids), keywords.entities_of_each(reader, ids)
    seen = keywords.occurrences(reader, (word for its in words.values() for word in its), most=COMMON + 1)
    sharing = keywords.containing(reader, (word for word, n in seen.items() if n <= COMMON), BY_WORD)
    mentioning = keywords.mentioning(reader, (entity for its in named.values() for entity in its), BY_ENTITY)
    near = _nearest(reader, minds, ids)
    found: dict[str, set[str]] = {}
    for memory in batch:
        others = {id for word in words.get(memory.id, ()) for id in sharing.get(word, ())}
        others |= {id for entity in named.get(memory.id, ()) for id in mentioning.get(entity, ())}
        found[memory.id] = (others | near.get(memory.id, set())) - {memory.id}
    return found


def _nearest(reader: Reader, minds: Minds, ids: Sequence[str]) -> dict[str, set[str]]:
    """The nearest in meaning among what was written last."""
    if not minds.embedder.dim:
        return {}
    own = vectors.by_refs(reader, ids, minds.embedder.id)
    others = vectors.latest(reader, minds.embedder.id, LATEST)
    if not own or not others:
        return {}
    refs, matrix = list(others), np.stack(list(others.values()))
    found = {}
    for id, rows in own.items():
        order = np.argsort(-(matrix @ rows[0]), kind="stable")[: BY_MEANING + 1]
        found[id] = {refs[place] for place in order if refs[place] != id and not is_turn(refs[place])}
    return found


def _linkable(memory: Memory) -> Linkable:
    """Its source is the conversation that it comes from."""
    source = frozenset([memory.session]) if memory.session else frozenset[str]()
    return Linkable(memory.id, frozenset(memory.tags), source, memory.tier)


def _edge(night: Night, found: Link) -> Edge:
    return Edge(night.space, found.a, found.b, found.relation, found.weight, night.now, night.id, found.why)


def _scores(
    night: Night, reader: Reader, batch: Sequence[Memory], edges: Sequence[Edge], known: Mapping[str, Memory]
) -> tuple[Revision, ...]:
    """A memory's relationship score is the sum of its edges' weights."""
    touched = dict.fromkeys((*(memory.id for memory in batch), *(id for edge in edges for id in (edge.a, edge.b))))
    weight = {(e.a, e.b, e.relation): e.weight for e in (*memories.edges(reader, touched), *edges)}
    score: dict[str, float] = {}
    for (a, b, _), w in weight.items():
        for id in (a, b):
            score[id] = score.get(id, 0.0) + w
    return tuple(_scored(night, known[id], score.get(id, 0.0)) for id in touched if id in known)


def _scored(night: Night, memory: Memory, score: float) -> Revision:
    return Revision(memory.id, memory.version, {"relationship_score": round(score, 6), "last_linked_at": night.now})
