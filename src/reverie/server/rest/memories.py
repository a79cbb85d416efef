"""Archival memory over HTTP: remember, list, correct, pin, tag."""

from typing import Annotated

from fastapi import Query
from pydantic import Field, JsonValue

from reverie.model.base import Origin
from reverie.model.memories import Edge, Filter, Kind, Memory, Tier
from reverie.model.turns import is_turn
from reverie.policy.core.hints import Explanation
from reverie.server.dependencies import Id, Readable, Routes, Writable
from reverie.server.rest.shared import After, Limit, Page, Strict, page
from reverie.server.rest.turns import Moment, Session

routes = Routes(prefix="/v1/spaces/{space}/memories", tags=["memories"])
Tag = Annotated[str, Field(min_length=1, max_length=100)]
Time = Annotated[float | None, Query(ge=0, le=1e11, allow_inf_nan=False)]


class MemoryIn(Strict):
    text: str = Field(min_length=1, examples=["The spare key is with Ana."])
    tags: list[Tag] = Field(default_factory=list, max_length=100, examples=[["keys"]])
    metadata: dict[str, JsonValue] = Field(default_factory=dict)
    origin: Origin = "user"
    session: Session | None = None
    at: Moment | None = None


class Correction(Strict):
    text: str = Field(min_length=1, examples=["The spare key is with Ben."])


class Tags(Strict):
    tags: list[Tag] = Field(min_length=1, max_length=100, examples=[["keys", "home"]])


class Metadata(Strict):
    metadata: dict[str, JsonValue] = Field(examples=[{"room": "hall"}])


@routes.post("", status_code=201)
def remember(space: Writable, body: MemoryIn) -> Memory:
    """Keeps a text, findable at once."""
    return space.remember(
        body.text,
        tags=tuple(body.tags),
        metadata=body.metadata,
        origin=body.origin,
        session=body.session,
        at=body.at,
        surface="rest",
    )


@routes.get("")
def list_memories(
    space: Readable,
    kind: Annotated[list[Kind], Query()] = [],
    tag: Annotated[list[str], Query()] = [],
    tier: Annotated[list[Tier], Query()] = [],
    session: Annotated[str | None, Query(max_length=200)] = None,
    subject: Annotated[str | None, Query(max_length=200)] = None,
    said_after: Time = None,
    said_before: Time = None,
    include_stale: bool = True,
    limit: Limit = 50,
    after: After = None,
) -> Page[Memory]:
    """Memories in the order they were made. Everything that is given must hold; of tags, all."""
    wanted = Filter(
        kinds=tuple(kind),
        tags=tuple(tag),
        tiers=tuple(tier),
        session=session,
        subject=subject,
        after=said_after,
        before=said_before,
        include_stale=include_stale,
    )
    if after is not None:
        space.memory(after)
    return page(space.all(wanted, limit=limit + 1, after=after), limit, lambda memory: memory.id)


@routes.get("/directives")
def list_directives(space: Readable) -> Page[Memory]:
    """How the user wants to be served, in their words: all that still hold, the newest first."""
    return Page(items=space.directives())


@routes.get("/{memory}")
def read_memory(space: Readable, memory: Id) -> Memory:
    return space.memory(memory)


@routes.patch("/{memory}")
def change_metadata(space: Writable, memory: Id, body: Metadata) -> Memory:
    """Merges metadata."""
    return space.set_metadata(memory, **body.metadata)


@routes.post("/{memory}/correct", status_code=201)
def correct_memory(space: Writable, memory: Id, body: Correction) -> Memory:
    """Says what is true instead of a memory or turn. The correction wins; the old one stays, superseded."""
    return space.correct(memory, body.text, surface="rest")


@routes.post("/{memory}/pin")
def pin_memory(space: Writable, memory: Id) -> Memory:
    return space.pin(memory)


@routes.delete("/{memory}/pin")
def unpin_memory(space: Writable, memory: Id) -> Memory:
    return space.unpin(memory)


@routes.post("/{memory}/tags")
def tag_memory(space: Writable, memory: Id, body: Tags) -> Memory:
    """Adds manual tags, which no night touches."""
    return space.tag(memory, *body.tags)


@routes.delete("/{memory}/tags")
def untag_memory(space: Writable, memory: Id, tag: Annotated[list[str], Query(min_length=1)]) -> Memory:
    return space.untag(memory, *tag)


@routes.get("/{memory}/explain")
def explain_memory(space: Readable, memory: Id) -> Explanation:
    """Why it stands where it does: its evidence against every gate, its tier, and what would change either."""
    return space.explain(memory)


@routes.get("/{memory}/links")
def list_links(space: Readable, memory: Id) -> Page[Edge]:
    return Page(items=space.links(memory))


@routes.get("/{memory}/derived")
def list_derived(space: Readable, memory: Id) -> Page[Memory]:
    """What was made of a turn or memory."""
    _ = space.turn(memory) if is_turn(memory) else space.memory(memory)
    return Page(items=space.derived(memory))
