"""What the routes share: ids with Anthropic's prefixes, pages, errors. A store is a space, its memories are files."""

import uuid
from collections.abc import Sequence
from typing import Annotated, Any, TypeVar

from fastapi import HTTPException, Query
from pydantic import BaseModel, ConfigDict

from reverie.errors import NotFound
from reverie.model.base import OURS
from reverie.model.spaces import Verb
from reverie.server.errors import Problem
from reverie.server.gateway.auth import Caller
from reverie.server.state import Server
from reverie.space import Space

KEY = "memory_store"  # in what is private of a space
Shape = dict[str, Any]
T = TypeVar("T")
TYPES = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    503: "overloaded_error",
}
CONFLICTS = {"path": "memory_path_conflict_error", "precondition": "memory_precondition_failed_error"}
Limit = Annotated[int, Query(ge=1, le=100)]
PageCursor = Annotated[str | None, Query(max_length=300)]


class StoreBody(BaseModel):
    model_config = ConfigDict(extra="ignore")


def error_reply(problem: Problem) -> Shape:
    """
    >>> error_reply(Problem(404, "not_found", "no memory 'x'", "Check the id."))["error"]["type"]
    'not_found_error'
    """
    said = f"{problem.message.rstrip('.')}. {problem.next_move}".strip()
    kind = TYPES.get(problem.status, "invalid_request_error")
    if problem.status == 409:
        kind = next((name for word, name in CONFLICTS.items() if word in problem.message), "invalid_request_error")
    return {"type": "error", "error": {"type": kind, "message": said}}


def refused(message: str, status: int = 400) -> HTTPException:
    return HTTPException(status, message)


def store_id(space: Space) -> str:
    """
    >>> from types import SimpleNamespace
    >>> store_id(SimpleNamespace(id="agent-0f8fad5b-d9cb-469f-a165-70867728950e"))
    'memstore_0f8fad5bd9cb469fa16570867728950e'
    """
    return f"memstore_{space.id.partition('-')[2].replace('-', '')}"


def the_store(server: Server, caller: Caller, id: str, verb: Verb = "read") -> Space:
    """The space of a store; what the caller may not see is not there."""
    caller.must(verb)
    try:
        return server.space(caller, _space_id(id.removeprefix("memstore_")))
    except (ValueError, NotFound):
        raise NotFound("memory store", id) from None


def _space_id(rest: str) -> str:
    """
    >>> _space_id("0f8fad5bd9cb469fa16570867728950e"), _space_id("4k2xr9b7d")
    ('agent-0f8fad5b-d9cb-469f-a165-70867728950e', 'agent-4k2xr9b7d')
    """
    return f"agent-{rest}" if OURS.fullmatch(rest) else f"agent-{uuid.UUID(rest)}"


def details(space: Space) -> dict[str, Any]:
    found = space.record.private.get(KEY)
    return dict(found) if isinstance(found, dict) else {}


def check_writable(space: Space) -> None:
    if details(space).get("archived_at"):
        raise refused("This memory store is archived: it can only be read")


def page(found: Sequence[T], limit: int, cursor: str | None) -> tuple[Sequence[T], str | None]:
    """One page, and what to ask for the next with."""
    start = int(cursor) if cursor and cursor.isdecimal() and len(cursor) < 12 else 0
    end = start + limit
    return found[start:end], str(end) if end < len(found) else None
