"""Nouns to rows and back: the one place that knows which column holds what."""

import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from reverie.errors import BadInput
from reverie.model.answers import Answer
from reverie.model.base import JSON, Trust
from reverie.model.blocks import Block, Review
from reverie.model.memories import Contradiction, Edge, Glimpse, Memory
from reverie.model.night import Night, NightStep
from reverie.model.turns import Turn
from reverie.store.db import Row
from reverie.store.dialect.dialect import BETWEEN

BOOLEANS = {"pinned", "stale", "correction", "asked", "quarantined", "read_only", "protected"}
LISTS = {"auto_tags", "manual_tags", "tags"}
MAPPINGS = {"settings", "counts", "marks"}

# Columns of `memories` that a Memory does not hold itself, or that are kept in a table of their own.
MEMORY_COLUMNS: tuple[str, ...] = tuple(f.name for f in fields(Memory) if f.name != "sources")
_FLAGS, _LISTS, _MAPPINGS = (
    tuple(place for place, name in enumerate(MEMORY_COLUMNS) if name in among)
    for among in (BOOLEANS, LISTS, {"metadata", "marks"})
)
_TRUST, _TEXT = MEMORY_COLUMNS.index("trust"), MEMORY_COLUMNS.index("text")
_SOURCES = [f.name for f in fields(Memory)].index("sources")
GLIMPSE_COLUMNS = (*Glimpse._fields, "packed")
_SEEN_TEXT, _SEEN_SOURCES, _SEEN_STALE, _SEEN_QUARANTINED, _SEEN_TRUST, _SEEN_MARKS = map(
    GLIMPSE_COLUMNS.index, ("text", "sources", "stale", "quarantined", "trust", "marks")
)
_TRUSTS = {int(trust): trust for trust in Trust}
_SETTERS = tuple(getattr(Memory, f.name).__set__ for f in fields(Memory))


def dumps(value: JSON) -> str:
    """Compact JSON; the same value gives the same text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True, default=_plain)


def dumps_given(value: JSON) -> str:
    """The JSON of what a caller gave. Raises BadInput if it would not come back as it is."""
    try:
        return json.dumps(
            value, ensure_ascii=False, separators=(",", ":"), sort_keys=True, default=_plain, allow_nan=False
        )
    except (TypeError, ValueError, RecursionError) as error:
        raise BadInput(
            f"metadata that JSON has no word for: {error}",
            next_move="Give texts, finite numbers, true, false, null, lists and objects; NaN and Infinity are none.",
        ) from error


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (set, frozenset, tuple)):
        return list(value)
    raise TypeError(f"{type(value).__name__} is not JSON")


def pack(text: str) -> bytes:
    """A text as an archived memory keeps it: compressed."""
    return zlib.compress(text.encode(), 9)


def unpack(packed: bytes) -> str:
    return zlib.decompress(bytes(packed)).decode()


def _list(text: str) -> tuple[Any, ...]:
    return () if text == "[]" else tuple(json.loads(text))  # most are empty, and a recall reads dozens


def _mapping(text: str) -> dict[str, Any]:
    return {} if text == "{}" else json.loads(text)


def insertion(relation: str, columns: Iterable[str]) -> str:
    """An INSERT of these columns, each from the parameter of its name.

    >>> insertion("sources", ("memory", "source"))
    'INSERT INTO sources (memory, source) VALUES (:memory, :source)'
    """
    names = list(columns)
    return f"INSERT INTO {relation} ({', '.join(names)}) VALUES ({', '.join(f':{name}' for name in names)})"


def column(name: str, value: Any) -> Any:
    """A field's value as its column holds it."""
    if name in BOOLEANS:
        return int(bool(value))
    if name in LISTS:
        return dumps(list(value))
    if name == "metadata":
        return dumps_given(dict(value))
    if name in MAPPINGS:
        return dumps(dict(value))
    if name == "trust":
        return int(value)
    return value


def memory_row(memory: Memory) -> dict[str, Any]:
    return {name: column(name, getattr(memory, name)) for name in MEMORY_COLUMNS}


def by_name(row: Row) -> dict[str, Any]:
    """A row as a dict: SQLite's own looks through all its columns for each name, and a memory has fifty."""
    return row if isinstance(row, dict) else dict(zip(row.keys(), row, strict=True))


def memory_of(found: Row, sources: tuple[str, ...] = ()) -> Memory:
    """`found` has all columns of `memories`; an archived text is unpacked."""
    row = by_name(found)
    return memory_from([row[name] for name in MEMORY_COLUMNS], row["packed"], sources)


def memory_from(values: list[Any], packed: bytes | None, sources: tuple[str, ...] = ()) -> Memory:
    """A memory from its columns in the order of its fields (a hot path: a recall reads dozens, of fifty columns)."""
    for place in _FLAGS:
        values[place] = bool(values[place])
    for place in _LISTS:
        values[place] = _list(values[place])
    for place in _MAPPINGS:
        values[place] = _mapping(values[place])
    values[_TRUST] = _TRUSTS[values[_TRUST]]
    if packed is not None:
        values[_TEXT] = unpack(packed)
    values.insert(_SOURCES, sources)
    memory = Memory.__new__(Memory)
    for set_field, value in zip(_SETTERS, values, strict=True):  # as a frozen noun's own init does, in half the time
        set_field(memory, value)
    return memory


def split_sources(gathered: str | None) -> tuple[str, ...]:
    """The sources of a memory, from where a query has gathered them."""
    return tuple(gathered.split(BETWEEN)) if gathered else ()


def glimpse_from(values: list[Any]) -> Glimpse:
    """A memory as recall reads it, from `GLIMPSE_COLUMNS` (a hot path, as above)."""
    packed = values.pop()
    if packed is not None:
        values[_SEEN_TEXT] = unpack(packed)
    values[_SEEN_STALE] = bool(values[_SEEN_STALE])
    values[_SEEN_QUARANTINED] = bool(values[_SEEN_QUARANTINED])
    values[_SEEN_TRUST] = _TRUSTS[values[_SEEN_TRUST]]
    values[_SEEN_MARKS] = _mapping(values[_SEEN_MARKS])
    values[_SEEN_SOURCES] = split_sources(values[_SEEN_SOURCES])
    return Glimpse._make(values)


def turn_of(row: Row) -> Turn:
    return Turn(
        id=row["id"],
        space=row["space"],
        seq=row["seq"],
        session=row["session"],
        role=row["role"],
        text=row["text"],
        at=row["at"],
        origin=row["origin"],
        trust=Trust(row["trust"]),
        speaker=row["speaker"],
        metadata=_mapping(row["metadata"]),
        key=row["key"],
        redacted=row["redacted"],
        block=row["block"],
        quarantine=row["quarantine"],
    )


def block_row(block: Block) -> dict[str, Any]:
    return {
        "id": block.id,
        "org": block.org,
        "label": block.label,
        "value": block.value,
        "size_limit": block.limit,
        "description": block.description,
        "read_only": int(block.read_only),
        "protected": int(block.protected),
        "tags": dumps(list(block.tags)),
        "metadata": dumps_given(dict(block.metadata)),
        "version": block.version,
        "owner": block.owner,
        "session": block.session,
        "created_at": block.created_at,
        "updated_at": block.updated_at,
    }


def block_of(row: Row) -> Block:
    return Block(
        id=row["id"],
        org=row["org"],
        label=row["label"],
        value=row["value"],
        limit=row["size_limit"],
        description=row["description"],
        read_only=bool(row["read_only"]),
        protected=bool(row["protected"]),
        tags=tuple(json.loads(row["tags"])),
        metadata=_mapping(row["metadata"]),
        version=row["version"],
        owner=row["owner"],
        session=row["session"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


def review_row(review: Review) -> dict[str, Any]:
    row = {f.name: getattr(review, f.name) for f in fields(Review)}
    return {**row, "evidence": dumps(list(review.evidence))}


def review_of(row: Row) -> Review:
    values = {f.name: row[f.name] for f in fields(Review)}
    return Review(**{**values, "evidence": tuple(json.loads(row["evidence"]))})


def contradiction_row(record: Contradiction) -> dict[str, Any]:
    return {f.name: getattr(record, f.name) for f in fields(Contradiction)}


def contradiction_of(row: Row) -> Contradiction:
    return Contradiction(**{f.name: row[f.name] for f in fields(Contradiction)})


def edge_row(edge: Edge) -> dict[str, Any]:
    return {f.name: getattr(edge, f.name) for f in fields(Edge)}


_EDGE = tuple(f.name for f in fields(Edge))


def edge_of(row: Row) -> Edge:
    """An edge (a hot path: a picture of a space reads thousands)."""
    values = by_name(row)
    return Edge(*[values[name] for name in _EDGE])


def night_row(night: Night) -> dict[str, Any]:
    return {f.name: column(f.name, getattr(night, f.name)) for f in fields(Night)}


def night_of(row: Row) -> Night:
    values = {f.name: row[f.name] for f in fields(Night)}
    return Night(**{**values, "settings": json.loads(row["settings"]), "counts": json.loads(row["counts"])})


def step_of(row: Row) -> NightStep:
    values = {f.name: row[f.name] for f in fields(NightStep)}
    return NightStep(**{**values, "counts": json.loads(row["counts"])})


def answer_row(answer: Answer) -> dict[str, Any]:
    """All columns but `changed`, which the writer sets from the space's change sequence."""
    row = {f.name: getattr(answer, f.name) for f in fields(Answer) if f.name != "rests_on"}
    return {**row, "sources": dumps(list(answer.sources)), "parsed": dumps(answer.parsed), "trust": int(answer.trust)}


def answer_of(row: Row, rests_on: Mapping[str, int]) -> Answer:
    values = {f.name: row[f.name] for f in fields(Answer) if f.name != "rests_on"}
    values["sources"] = tuple(json.loads(row["sources"]))
    values["parsed"] = json.loads(row["parsed"])
    values["trust"] = Trust(row["trust"])
    values["vec"] = bytes(row["vec"] or b"")
    return Answer(**values, rests_on=rests_on)
