"""Which earlier facts the new ones overtake, as a small reader of two statements finds (`minds/overtaking.py`).

What it finds is never sure: core, answers and notes leave the older one out, recall shows the newer one first, and both
stay as they were said.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from reverie.asleep.shared.derived import meaning
from reverie.asleep.shared.episodes import scenes
from reverie.asleep.step import Minds
from reverie.language.speech import spoken
from reverie.minds.embed import Vectors
from reverie.minds.overtaking import Overtaking
from reverie.minds.rules.reading.matters import cue_of
from reverie.minds.rules.reading.update_marks import Said
from reverie.model.base import HOUR, Trust
from reverie.model.hits import Asking
from reverie.model.memories import Edge, Kind, Memory
from reverie.model.night import Night
from reverie.model.turns import is_turn
from reverie.policy.core.lines import is_lasting
from reverie.policy.recall.current import HINT, MAYBE
from reverie.store.reader import Reader
from reverie.store.reading import memories, vectors

CANDIDATES = 8  # earlier facts that a search finds for a new one
READ = 3  # of them that are read beside it
YOUNG = 40  # episodes of a space in which turns are read as well, not facts alone, and more of them
LONGEST = 440  # characters of a statement
FACTS: tuple[Kind, ...] = ("fact",)
BOTH: tuple[Kind, ...] = ("episode", "fact")
RELATED = 0.3  # the cosine of two statements, from which they may be on the same matter
ROUGH = 0.02  # a stored vector says it no closer: in between the older statement is embedded again
# Odds from which recall shows the newer one first, from which core leaves the older one out, and from which it does so
# though the older one says who somebody is; and the odds that nothing of the older one is left.
PERHAPS, LIKELY, SURE, WHOLLY = 1.0, 2.0, 3.5, 0.0


def overtaken(night: Night, reader: Reader, minds: Minds, batch: Sequence[Memory], known: Sequence[Edge]) -> list[Edge]:
    """An edge from each new statement to the earlier ones that it seems to overtake. `known` are those that its words
    have told already, of the fact or of its turn.
    """
    if minds.overtaking is None or minds.search is None:
        return []
    young = memories.count_up_to(reader, "episode", YOUNG + 1) <= YOUNG
    said = [memory for memory in batch if memory.kind in (BOTH if young else FACTS) and _is_statement(memory)]
    new = _to_agent(reader, said)
    told = {(edge.a, edge.b) for edge in known}
    found = _found(night, reader, minds, new, young)
    pairs = [
        (older, newer)
        for newer, hits in zip(new, found, strict=True)
        for older in _earlier(newer, hits, young)
        if told.isdisjoint((a, b) for a in (newer.id, *newer.sources) for b in (older.id, *older.sources))
    ]
    pairs = _near(reader, minds, pairs, RELATED / 2 if young else RELATED)
    odds = minds.overtaking.read([(_said(older).told, _said(newer).told) for older, newer in pairs])
    weighed = ((older, newer, _weight(older, its)) for (older, newer), its in zip(pairs, odds, strict=True))
    return [edge for older, newer, weight in weighed if weight for edge in _edges(night, older, newer, weight)]


def _to_agent(reader: Reader, said: Sequence[Memory]) -> list[Memory]:
    """Those that were said to an agent: what friends tell each other later is mostly another story (LoCoMo's evidence
    among the first five hits fell by 2.5 points where it counted as news).
    """
    episodes = memories.by_ids(
        reader, {id for memory in said for id in (memory.id, *memory.sources) if not is_turn(id)}
    )
    told = scenes(reader, [one for one in episodes.values() if one.kind == "episode"])
    friends = {scene.memory.id for scene in told if not scene.episode.to_agent}
    return [memory for memory in said if friends.isdisjoint((memory.id, *memory.sources))]


def _near(
    reader: Reader, minds: Minds, pairs: Sequence[tuple[Memory, Memory]], least: float
) -> list[tuple[Memory, Memory]]:
    """Those that are on something alike: two answers that begin with "Yes" are not."""
    stored = _stored(reader, minds, [older for older, _ in pairs])
    new = _embedded(minds, [newer for _, newer in pairs])
    rough = [float(stored[a.id] @ new[_said(b).told]) if a.id in stored else least for a, b in pairs]
    open_ones = [older for (older, _), near in zip(pairs, rough, strict=True) if abs(near - least) <= ROUGH]
    of = new | _embedded(minds, open_ones)
    return [
        (a, b)
        for (a, b), near in zip(pairs, rough, strict=True)
        if (near if abs(near - least) > ROUGH else float(of[_said(a).told] @ of[_said(b).told])) >= least
    ]


def _stored(reader: Reader, minds: Minds, older: Sequence[Memory]) -> dict[str, Vectors]:
    """The vectors that the store has of these statements, where it has one of the very words that are compared."""
    same = [one.id for one in older if one.kind == "fact" and meaning(one) == _said(one).told]
    return {id: rows[0] for id, rows in vectors.by_refs(reader, same, minds.embedder.id).items()}


def _embedded(minds: Minds, statements: Sequence[Memory]) -> dict[str, Vectors]:
    texts = list(dict.fromkeys(_said(one).told for one in statements))
    return dict(zip(texts, minds.embedder.embed(texts), strict=True)) if texts else {}


def _is_statement(memory: Memory) -> bool:
    own = memory.trust >= Trust.USER and memory.block is None and not memory.stale and not memory.quarantined
    return own and len(memory.quote or memory.text) <= LONGEST and _is_said(memory)


def _is_said(memory: Memory) -> bool:
    """Whether all of it is somebody's own words. A turn into which something may have been pasted is read by its facts
    alone."""
    remembered = memory.id in memory.sources
    one_line = "\n" not in memory.text.strip()
    return memory.kind != "episode" or remembered or (one_line and spoken(memory.text).split() == memory.text.split())


def _found(night: Night, reader: Reader, minds: Minds, new: Sequence[Memory], young: bool) -> list[list[Memory]]:
    """What a search finds for each of these, all of it read together."""
    assert minds.search is not None
    queries = [memory.quote or memory.text for memory in new]
    minds.embedder.expect(queries)
    k, kinds = (YOUNG, BOTH) if young else (CANDIDATES, FACTS)
    hits = [
        minds.search(reader.space, query, Asking(k=k, kinds=kinds, before=newer.dated, include_stale=False), night.now)
        for query, newer in zip(queries, new, strict=True)
    ]
    known = memories.by_ids(reader, (hit.id for its in hits for hit in its))
    return [[known[hit.id] for hit in its if hit.id in known] for its in hits]


def _earlier(newer: Memory, found: Sequence[Memory], young: bool) -> Iterator[Memory]:
    """Those that the same person said before, the nearest ones."""
    here = {*newer.sources, newer.id}
    near = (one for one in found if here.isdisjoint((one.id, *one.sources)))
    told = (one for one in near if one.speaker == newer.speaker and one.dated < newer.dated and _is_statement(one))
    yield from islice((one for one in told if _may_follow(one, newer)), CANDIDATES if young else READ)


def _may_follow(older: Memory, newer: Memory) -> bool:
    """Whether it may be a change: what follows at once is more of the same, unless it says otherwise."""
    return newer.dated - older.dated >= HOUR or bool(cue_of(newer.quote or newer.text))


def _said(memory: Memory) -> Said:
    asked = memory.about if memory.about.endswith("?") else ""
    return Said(memory.quote or memory.text, at=memory.dated, asked=asked)


def _weight(older: Memory, odds: Overtaking) -> float:
    """How much is left of the older one: none of it in core, its place behind the newer one, or all of it."""
    if odds.overtakes < PERHAPS:
        return 0.0
    sure = odds.overtakes >= (SURE if is_lasting(older) else LIKELY) and odds.wholly >= WHOLLY
    return MAYBE if sure else HINT


def _edges(night: Night, older: Memory, newer: Memory, weight: float) -> Iterator[Edge]:
    """To the older statement, and to the turn that says it."""
    said = older.quote or older.text
    for ref in (older.id, *(source for source in older.sources if not is_turn(source) and source != older.id)):
        yield Edge(night.space, newer.id, ref, "updates", weight, night.now, night.id, said)
