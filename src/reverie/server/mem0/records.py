"""A statement as mem0 shows it: what was kept or found, under one id through all its versions."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reverie.errors import NotFound
from reverie.model.hits import Hit
from reverie.model.memories import Filter, Kind, Memory
from reverie.model.turns import Turn, is_turn
from reverie.server.formatting import iso
from reverie.server.mem0.entities import IDS, SESSION, Owner, entity_of, holds
from reverie.space import Space

Shape = dict[str, Any]
STATED: tuple[Kind, ...] = ("fact", "directive", "note")
PART = 500
MOST_UNREAD = 500
LONGEST_CHAIN = 100


def listed(space: Space) -> Iterator[Memory | Turn]:
    """What is stated in a space and still holds: kept texts, facts, directives, notes, then what no night has read."""
    unread = min(space.unread(), MOST_UNREAD)
    # Before the memories: what a nap reads meanwhile is then in both lists, and never in neither.
    fresh = space.turns(newest_first=True, limit=unread) if unread else []
    kept: set[str] = set()
    drawn: set[str] = set()
    after = None
    while found := space.all(Filter(include_stale=False), limit=PART, after=after):
        after = found[-1].id
        for memory in found:
            drawn.update(memory.sources)
            if _is_kept(memory):
                kept.add(memory.id)
            if memory.valid_until is None and (_is_kept(memory) or _is_stated(memory, kept)):
                yield memory
    for turn in reversed(fresh):
        unseen = turn.role == "user" and turn.quarantine is None and turn.id not in drawn
        if unseen and _later(space, turn) is None:
            yield turn


def _is_kept(memory: Memory) -> bool:
    """Whether somebody asked for it word for word, or says it instead of something else."""
    return memory.sources == (memory.id,) or memory.correction


def _is_stated(memory: Memory, kept: set[str]) -> bool:
    return memory.kind in STATED and not kept.issuperset(memory.sources)


def shown(space: Space, said: Memory | Turn, score: float | None = None) -> Shape:
    """A record of mem0."""
    metadata = {**_metadata(space, said)}
    ids = {name: metadata.pop(name) for name in IDS if isinstance(metadata.get(name), str)}
    kind, owner = entity_of(space.name)
    at = said.created_at if isinstance(said, Memory) else said.at
    own = {f"{kind}_id": owner} | ({"run_id": said.session} if said.session not in (None, SESSION) else {}) | ids
    return {
        "id": first_version(space, said),
        "memory": said.quote or said.text if isinstance(said, Memory) else said.text,
        **dict.fromkeys(IDS),
        **own,
        "hash": said.hash if isinstance(said, Memory) else "",
        "metadata": metadata,
        "categories": list(said.tags) if isinstance(said, Memory) else [],
        "created_at": iso(said.said_at or at) if isinstance(said, Memory) else iso(at),
        "updated_at": iso(at),
        "expiration_date": None,
        **({} if score is None else {"score": score}),
    }


def _metadata(space: Space, said: Memory | Turn) -> Mapping[str, Any]:
    """Its own, or that of the turn it was drawn from."""
    if said.metadata or isinstance(said, Turn) or not said.sources or not is_turn(said.sources[0]):
        return said.metadata
    try:
        return space.turn(said.sources[0]).metadata
    except NotFound:
        return {}


def wanted(space: Space, owner: Owner, filters: Any) -> list[Shape]:
    """The records of an owner that pass a filter, oldest first."""
    found = (shown(space, said) for said in listed(space))
    return [record for record in found if is_of(owner, record) and holds(filters, record)]


def is_of(owner: Owner, record: Mapping[str, Any]) -> bool:
    return all(record[name] == value for name, value in owner.others.items())


def searched(space: Space, owner: Owner, query: str, filters: Any, most: int) -> list[Shape]:
    """Hits as records, best first, each statement once."""
    found: dict[str, Shape] = {}
    for hit in space.recall(query, max(4 * most, 40)):
        said = _stated(space, hit)
        record = None if said is None else shown(space, said, round(hit.relevance, 4))
        if record and is_of(owner, record) and holds(filters, record):
            found.setdefault(record["memory"], record)
    return list(found.values())[:most]


def _stated(space: Space, hit: Hit) -> Memory | Turn | None:
    if {"superseded", "earlier"}.intersection(hit.flags) or (hit.kind == "turn" and hit.origin != "user"):
        return None
    try:
        return space.named(hit.id)
    except NotFound:
        return None


def versions(space: Space, id: str) -> list[Memory | Turn]:
    """What was said under an id, the oldest first: it, and what it was corrected to."""
    said = space.named(id)
    found = [said]
    while len(found) < LONGEST_CHAIN and (later := _later(space, found[-1])) is not None:
        found.append(later)
    return found


def first_version(space: Space, said: Memory | Turn) -> str:
    """The id that a client knows it by: that of what was corrected."""
    for _ in range(LONGEST_CHAIN):
        earlier = _earlier(space, said) if isinstance(said, Memory) and said.correction else None
        if earlier is None:
            break
        said = earlier
    return said.id


def _earlier(space: Space, said: Memory) -> Memory | Turn | None:
    try:
        return space.named(said.sources[1]) if len(said.sources) > 1 else None
    except NotFound:
        return None


def _later(space: Space, said: Memory | Turn) -> Memory | None:
    made = [memory for memory in space.derived(said.id) if memory.correction and said.id in memory.sources[1:]]
    return max(made, key=lambda memory: memory.created_at, default=None)


def current(space: Space, id: str) -> Memory | Turn:
    """What is said under an id today."""
    return versions(space, id)[-1]


def updated(space: Space, id: str, text: str | None, metadata: Mapping[str, Any]) -> Shape:
    """Says another text under the same id; the one before is in its history."""
    was = current(space, id)
    now: Memory | Turn = was
    if (text is not None and text != was.text) or isinstance(was, Turn):
        now = space.correct(was.id, text or was.text, surface="mem0")
    changed = {**_metadata(space, was), **metadata}
    if changed and changed != dict(now.metadata):
        now = space.set_metadata(now.id, **changed)
    return shown(space, now)


def deleted(space: Space, ids: Sequence[str]) -> None:
    """Forgets statements with all their versions, and the turn that said nothing else."""
    going: dict[str, None] = {}
    for id in ids:
        for said in versions(space, id):
            going[said.id] = None
            for source in said.sources if isinstance(said, Memory) else ():
                if source not in going and _says_nothing_else(space, source, going):
                    going[source] = None
    space.forget(*going)


def _says_nothing_else(space: Space, source: str, going: Mapping[str, None]) -> bool:
    try:
        space.named(source)
    except NotFound:
        return False
    return all(memory.id in going or memory.kind not in STATED for memory in space.derived(source))


def history(space: Space, id: str) -> list[Shape]:
    """How a statement came to say what it says: added, then each update."""
    told, before = [], None
    for said in versions(space, id):
        record = shown(space, said)
        told.append(
            {
                "id": said.id,
                "memory_id": id,
                "input": [],
                "old_memory": before,
                "new_memory": record["memory"],
                "event": "ADD" if before is None else "UPDATE",
                "user_id": record["user_id"],
                "metadata": record["metadata"],
                "created_at": record["updated_at"],
                "updated_at": record["updated_at"],
            }
        )
        before = record["memory"]
    return told
