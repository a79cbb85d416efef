"""What people read: contradictions, reviews, the diary."""

from typing import Annotated, Literal

from fastapi import Query
from pydantic import BaseModel, Field

from reverie.model.base import Instant
from reverie.model.blocks import Review
from reverie.model.memories import Contradiction, Memory
from reverie.server.rest.shared import After, Id, Limit, Page, Readable, ReadableOrg, Routes, page
from reverie.store import memories, records

routes = Routes(prefix="/v1/spaces/{space}", tags=["records"])
Before = Annotated[float | None, Query(ge=0, le=1e11, allow_inf_nan=False, description="`next` of the page before.")]


class Entry(BaseModel):
    """The story of one night."""

    night: str
    at: Instant
    text: str


class ContradictionOut(BaseModel):
    contradiction: Contradiction
    sides: list[Memory] = Field(description="Older first; a forgotten one is not there.")


@routes.get("/contradictions")
def list_contradictions(
    space: Readable,
    org: ReadableOrg,
    status: Literal["open", "auto", "resolved", "dismissed"] | None = None,
    limit: Limit = 50,
    after: After = None,
) -> Page[Contradiction]:
    """Memories that cannot both hold, oldest first."""
    db = org.parts.db
    if after is not None:
        records.contradiction(db, space.id, after)
    found = records.contradictions(db, space.id, status=status, limit=limit + 1, after=after)
    return page(found, limit, lambda record: record.id)


@routes.get("/contradictions/{contradiction}")
def read_contradiction(space: Readable, org: ReadableOrg, contradiction: Id) -> ContradictionOut:
    """One record with both sides."""
    db = org.parts.db
    record = records.contradiction(db, space.id, contradiction)
    known = memories.by_ids(db, space.id, (record.older, record.newer))
    sides = [known[id] for id in (record.older, record.newer) if id in known]
    return ContradictionOut(contradiction=record, sides=sides)


@routes.get("/reviews")
def list_reviews(
    space: Readable,
    org: ReadableOrg,
    status: Literal["open", "approved", "rejected", "superseded"] | None = None,
    limit: Limit = 50,
    after: After = None,
) -> Page[Review]:
    """Proposed changes that wait for an approval, oldest first."""
    db = org.parts.db
    if after is not None:
        records.review(db, space.id, after)
    found = records.reviews(db, space.id, status=status, limit=limit + 1, after=after)
    return page(found, limit, lambda review: review.id)


@routes.get("/reviews/{review}")
def read_review(space: Readable, org: ReadableOrg, review: Id) -> Review:
    """One proposal with its diff and its evidence."""
    return records.review(org.parts.db, space.id, review)


@routes.get("/diary")
def read_diary(space: Readable, org: ReadableOrg, limit: Limit = 30, after: Before = None) -> Page[Entry]:
    """The story of each night, newest first."""
    found = records.diary(org.parts.db, space.id, limit=limit + 1, before=after)
    entries = [Entry(night=night, at=at, text=text) for night, at, text in found]
    return page(entries, limit, lambda entry: repr(entry.at))
