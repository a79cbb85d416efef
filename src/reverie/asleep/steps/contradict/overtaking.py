"""Which earlier facts the new ones overtake, as a small reader of two statements finds (`minds/overtaking.py`).

What it finds is never sure: core, answers and notes leave the older one out, recall shows the newer one first, and both
stay as they were said.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from reverie.asleep.step import Minds
from reverie.language.speech import spoken
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
from reverie.store.reading import memories

CANDIDATES = 8  # earlier facts that a search finds for a new one
READ = 3  # of them that are read beside it
YOUNG = 40  # episodes of a space in which turns are read as well, not facts alone, and more of them
LONGEST = 400  # characters of a statement
FACTS: tuple[Kind, ...] = ("fact",)
BOTH: tuple[Kind, ...] = ("episode", "fact")
RELATED = 0.3  # the cosine of two statements, from which they may be on the same matter
# Odds from which recall shows the newer one first, from which core leaves the older one out, and from which it does so
# though the older one says who somebody is; and the odds that nothing of the older one is left.
PERHAPS, LIKELY, SURE, WHOLLY = 1.0, 2.0, 3.5, 0.0


def overtaken(night: Night, reader: Reader, minds: Minds, batch: Sequence[Memory], known: Sequence[Edge]) -> list[Edge]:
    """An edge from each new statement to the earlier ones that it seems to overtake. `known` are those that its words
    have told already, of the fact or of its turn.
    """
    if minds.overtaking is None or minds.search is None:
        return []
    young = memories.count_by_kind(reader).get("episode", 0) <= YOUNG
    new = [memory for memory in batch if memory.kind in (BOTH if young else FACTS) and _is_statement(memory)]
    told = {(edge.a, edge.b) for edge in known}
    pairs = [
        (older, newer)
        for newer in new
        for older in _earlier(night, reader, minds, newer, young)
        if told.isdisjoint((a, b) for a in (newer.id, *newer.sources) for b in (older.id, *older.sources))
    ]
    pairs = _near(minds, pairs, RELATED / 2 if young else RELATED)
    odds = minds.overtaking.read([(_said(older).told, _said(newer).told) for older, newer in pairs])
    weighed = ((older, newer, _weight(older, its)) for (older, newer), its in zip(pairs, odds, strict=True))
    return [edge for older, newer, weight in weighed if weight for edge in _edges(night, older, newer, weight)]


def _near(minds: Minds, pairs: Sequence[tuple[Memory, Memory]], least: float) -> list[tuple[Memory, Memory]]:
    """Those that are on something alike: two answers that begin with "Yes" are not."""
    texts = list(dict.fromkeys(_said(one).told for pair in pairs for one in pair))
    of = dict(zip(texts, minds.embedder.embed(texts), strict=True)) if texts else {}
    return [(a, b) for a, b in pairs if float(of[_said(a).told] @ of[_said(b).told]) >= least]


def _is_statement(memory: Memory) -> bool:
    own = memory.trust >= Trust.USER and memory.block is None and not memory.stale and not memory.quarantined
    return own and len(memory.quote or memory.text) <= LONGEST and _is_said(memory)


def _is_said(memory: Memory) -> bool:
    """Whether all of it is somebody's own words. A turn into which something was pasted is read by its facts alone."""
    remembered = memory.id in memory.sources
    return memory.kind != "episode" or remembered or spoken(memory.text).split() == memory.text.split()


def _earlier(night: Night, reader: Reader, minds: Minds, newer: Memory, young: bool) -> Iterator[Memory]:
    """What the same person said before and is nearest to it."""
    assert minds.search is not None
    k, kinds = (YOUNG, BOTH) if young else (CANDIDATES, FACTS)
    asking = Asking(k=k, kinds=kinds, before=newer.dated, include_stale=False)
    hits = minds.search(reader.space, newer.quote or newer.text, asking, night.now)
    found = memories.by_ids(reader, [hit.id for hit in hits])
    here = {*newer.sources, newer.id}
    near = (found[hit.id] for hit in hits if hit.id in found and here.isdisjoint((hit.id, *found[hit.id].sources)))
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
