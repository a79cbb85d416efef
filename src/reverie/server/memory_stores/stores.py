"""Memory stores: made, listed, changed, archived, deleted."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import Query
from pydantic import Field

from reverie.model.base import Instant
from reverie.model.spaces import NewSpace, SpaceRecord
from reverie.server.dependencies import AdministeredOrg, Asking, Id, Routes
from reverie.server.formatting import iso
from reverie.server.letta.shared import TheServer, visible
from reverie.server.memory_stores.shared import (
    KEY,
    Limit,
    PageCursor,
    Shape,
    StoreBody,
    details,
    page,
    store_id,
    the_store,
)
from reverie.space import Space

routes = Routes(prefix="/v1/memory_stores", tags=["memory stores"])
Name = Annotated[str, Field(min_length=1, max_length=255)]
Metadata = Annotated[dict[str, str | None], Field(max_length=16)]
When = Annotated[datetime | None, Query()]


class MemoryStoreIn(StoreBody):
    name: Name
    description: str | None = Field(default=None, max_length=1_024)
    metadata: Metadata | None = None


class MemoryStorePatch(StoreBody):
    name: Name | None = None
    description: str | None = Field(default=None, max_length=1_024)
    metadata: Metadata | None = None


def store_shape(space: Space) -> Shape:
    own, made = details(space), iso(space.record.created_at)
    archived = own.get("archived_at")
    return {
        "id": store_id(space),
        "type": "memory_store",
        "name": own.get("name") or space.name,
        "description": own.get("description") or "",
        "metadata": own.get("metadata") or {},
        "created_at": made,
        "updated_at": iso(own["updated_at"]) if "updated_at" in own else made,
        "archived_at": None if archived is None else iso(archived),
    }


def change(space: Space, now: Instant, **given: Any) -> Shape:
    """The store with other details; of two edits at once both stay."""

    def edited(record: SpaceRecord) -> dict[str, Any]:
        known = record.private.get(KEY)
        return {KEY: {**(known if isinstance(known, dict) else {}), **given, "updated_at": now}}

    space.change(private=edited)
    return store_shape(space)


@routes.post("")
def create_store(org: AdministeredOrg, caller: Asking, body: MemoryStoreIn) -> Shape:
    """A store without memories: a space of that name, or of one like it where the name is taken."""
    caller.must_see_all()
    return store_shape(made(org, body.model_dump()))


def made(org: Any, given: dict[str, Any]) -> Space:
    name = given["name"].strip()[:170] or "store"
    private = {KEY: {**given, "metadata": {k: v for k, v in (given.get("metadata") or {}).items() if v is not None}}}
    plain = "".join(char if char.isprintable() else " " for char in name)
    new = NewSpace(plain, otherwise=f"{plain} {len(org.spaces(limit=1_000)) + 1}", private=private)
    (space,) = org.create_spaces(new)
    return space  # type: ignore[no-any-return]


@routes.get("")
def list_stores(
    server: TheServer,
    caller: Asking,
    limit: Limit = 20,
    page_: Annotated[PageCursor, Query(alias="page")] = None,
    include_archived: bool = False,
    created_at_gte: Annotated[When, Query(alias="created_at[gte]")] = None,
    created_at_lte: Annotated[When, Query(alias="created_at[lte]")] = None,
) -> Shape:
    """The stores that were made as such, newest first."""
    caller.must("read")
    found = [space for space in visible(server, caller) if details(space)][::-1]
    wanted = [
        space
        for space in found
        if (include_archived or not details(space).get("archived_at"))
        and (created_at_gte is None or space.record.created_at >= created_at_gte.timestamp())
        and (created_at_lte is None or space.record.created_at <= created_at_lte.timestamp())
    ]
    shown, after = page(wanted, limit, page_)
    return {"data": [store_shape(space) for space in shown], "next_page": after}


@routes.get("/{memory_store_id}")
def read_store(server: TheServer, caller: Asking, memory_store_id: Id) -> Shape:
    """One store; every space is one, by its id."""
    return store_shape(the_store(server, caller, memory_store_id))


@routes.post("/{memory_store_id}")
def change_store(server: TheServer, caller: Asking, memory_store_id: Id, body: MemoryStorePatch) -> Shape:
    """What is given is changed; metadata is merged, and null takes a key out."""
    space = the_store(server, caller, memory_store_id, "admin")
    given = body.model_dump(exclude_unset=True)
    if given.get("metadata") is not None:
        merged = {**(details(space).get("metadata") or {}), **given["metadata"]}
        given["metadata"] = {key: value for key, value in merged.items() if value is not None}
    return change(space, server.reverie.now(), **given)


@routes.post("/{memory_store_id}/archive")
def archive_store(server: TheServer, caller: Asking, memory_store_id: Id) -> Shape:
    """The store can only be read from now on."""
    space = the_store(server, caller, memory_store_id, "admin")
    now = server.reverie.now()
    return change(space, now, archived_at=details(space).get("archived_at") or now)


@routes.delete("/{memory_store_id}")
def delete_store(server: TheServer, org: AdministeredOrg, caller: Asking, memory_store_id: Id) -> Shape:
    """Takes the store away with everything in it."""
    space = the_store(server, caller, memory_store_id, "admin")
    org.delete_space(space.name)
    return {"id": memory_store_id, "type": "memory_store_deleted"}
