"""Pages of bare arrays: the client asks again with the last id as `after` until it gets an empty one."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar

from fastapi import Depends, Query

from reverie.server.rest.shared import MAX_ID

T = TypeVar("T")
Order = Literal["asc", "desc"]
MOST = 1_000


@dataclass(frozen=True, slots=True)
class Cursor:
    """`after` and `before` are places in the order that is asked for."""

    limit: int
    order: Order = "asc"
    after: str | None = None
    before: str | None = None


def cursor(limit: int, order: Order) -> Any:
    """A dependency with a list's own defaults."""
    default_limit, default_order = limit, order

    def given(
        limit: Annotated[int | None, Query(ge=1)] = None,
        order: Order | None = None,
        ascending: bool | None = None,  # how older lists say it
        after: Annotated[str | None, Query(max_length=MAX_ID)] = None,
        before: Annotated[str | None, Query(max_length=MAX_ID)] = None,
    ) -> Cursor:
        named: Order | None = None if ascending is None else "asc" if ascending else "desc"
        return Cursor(min(limit or default_limit, MOST), order or named or default_order, after, before)

    return Depends(given)


def sliced(found: Iterable[T], page: Cursor, id_of: Callable[[T], str]) -> Sequence[T]:
    """One page of things given oldest first.

    A cursor that is gone starts over: `for agent in agents.list(): agents.delete(agent.id)` comes to its end.

    >>> sliced("abcde", Cursor(2, "desc", after="d"), str)
    ['c', 'b']
    >>> sliced("abcde", Cursor(2, before="d"), str)
    ['b', 'c']
    """
    listed = list(found)
    if page.order == "desc":
        listed.reverse()
    places = {id_of(item): place for place, item in enumerate(listed)}
    start = places.get(page.after, -1) + 1 if page.after else 0
    if page.before in places:
        end = places[page.before]
        return listed[max(start, end - page.limit) : end]
    return listed[start : start + page.limit]
