"""What all REST routes share: strict bodies, and pages with cursors."""

from collections.abc import Callable, Sequence
from typing import Annotated, Generic, TypeVar

from fastapi import Query
from pydantic import BaseModel, ConfigDict

from reverie.server.dependencies import MAX_ID

T = TypeVar("T")


class Strict(BaseModel):
    """A request body: a field that is not known is refused, and so is a value of another type, such as `at: false`."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Page(BaseModel, Generic[T]):
    """A part of a list. `next` goes into `after` for the part that follows; null at the end."""

    items: list[T]
    next: str | None = None


def page(found: Sequence[T], limit: int, cursor: Callable[[T], str]) -> Page[T]:
    """`found` was asked with `limit + 1`, so that the last page is known to be the last."""
    items = list(found[:limit])
    return Page(items=items, next=cursor(items[-1]) if len(found) > limit else None)


Limit = Annotated[int, Query(ge=1, le=200, description="How many items at most.")]
After = Annotated[str | None, Query(max_length=MAX_ID, description="`next` of the page before.")]
