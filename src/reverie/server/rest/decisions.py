"""What waits for a person's decision: contradictions and reviews."""

from typing import Literal

from pydantic import BaseModel, Field

from reverie.errors import NotFound
from reverie.model.blocks import Review
from reverie.model.memories import Contradiction, Memory, Side
from reverie.server.dependencies import Id, Readable, Reviewed, Routes, Writable
from reverie.server.rest.shared import After, Limit, Page, Strict, page
from reverie.space import Space

routes = Routes(prefix="/v1/spaces/{space}", tags=["records"])


class ContradictionOut(BaseModel):
    contradiction: Contradiction
    sides: list[Memory] = Field(description="Older first; a forgotten one is not there.")


class Word(Strict):
    holds: Side = Field(description="Which side is true, or both.", examples=["newer"])


@routes.get("/contradictions")
def list_contradictions(
    space: Readable,
    status: Literal["open", "auto", "resolved", "dismissed"] | None = None,
    limit: Limit = 50,
    after: After = None,
) -> Page[Contradiction]:
    """Memories that cannot both hold, oldest first."""
    if after is not None:
        space.contradiction(after)
    return page(space.contradictions(status=status, limit=limit + 1, after=after), limit, lambda record: record.id)


@routes.get("/contradictions/{contradiction}")
def read_contradiction(space: Readable, contradiction: Id) -> ContradictionOut:
    """One record with both sides."""
    return with_sides(space, space.contradiction(contradiction))


@routes.post("/contradictions/{contradiction}/resolve")
def resolve_contradiction(space: Writable, contradiction: Id, body: Word) -> ContradictionOut:
    """A person's word. The last one counts; nothing is deleted."""
    return with_sides(space, space.resolve(contradiction, body.holds))


@routes.post("/contradictions/{contradiction}/reopen")
def reopen_contradiction(space: Writable, contradiction: Id) -> ContradictionOut:
    """Both hold again, and the record waits for a decision."""
    return with_sides(space, space.reopen(contradiction))


@routes.get("/reviews")
def list_reviews(
    space: Readable,
    status: Literal["open", "approved", "rejected", "superseded"] | None = None,
    limit: Limit = 50,
    after: After = None,
) -> Page[Review]:
    """Proposed changes, oldest first; `status=open` are those that wait."""
    if after is not None:
        space.review(after)
    return page(space.reviews(status, limit=limit + 1, after=after), limit, lambda review: review.id)


@routes.get("/reviews/{review}")
def read_review(space: Readable, review: Id) -> Review:
    """One proposal with its diff and its evidence."""
    return space.review(review)


@routes.post("/reviews/{review}/approve")
def approve_review(space: Reviewed, review: Id) -> Review:
    """The block takes the proposed text, if it still is as the night saw it; a quarantined text may be used."""
    return space.approve(review)


@routes.post("/reviews/{review}/reject")
def reject_review(space: Reviewed, review: Id) -> Review:
    """Nothing changes, and nights do not propose it again."""
    return space.reject(review)


def with_sides(space: Space, record: Contradiction) -> ContradictionOut:
    sides = []
    for id in (record.older, record.newer):
        try:
            sides.append(space.memory(id))
        except NotFound:  # a person had it forgotten
            continue
    return ContradictionOut(contradiction=record, sides=sides)
