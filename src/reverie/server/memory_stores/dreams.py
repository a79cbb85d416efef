"""Dreams: a night over a store, in place or over a copy of it. What it wrote is in the store's files."""

import uuid
from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import Field

from reverie.errors import NotFound
from reverie.model.night import Night
from reverie.model.spaces import ShelfEntry
from reverie.reverie import Reverie
from reverie.server.dependencies import AdministeredOrg, Asking, Id, Routes, WritableOrg
from reverie.server.formatting import iso
from reverie.server.letta.shared import TheServer
from reverie.server.memory_stores import stores
from reverie.server.memory_stores.shared import Limit, PageCursor, Shape, StoreBody, page, refused, store_id, the_store
from reverie.space import Space
from reverie.verbs.files import MemoryFiles

routes = Routes(prefix="/v1/dreams", tags=["dreams"])
SHELF = "dreams"
STATUS = {"requested": "pending", "running": "running", "done": "completed", "undone": "completed", "failed": "failed"}
NO_USAGE = {
    "input_tokens": 0,
    "output_tokens": 0,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 0,
}


class DreamInput(StoreBody):
    type: Literal["memory_store", "sessions"]
    memory_store_id: str | None = Field(default=None, max_length=300)
    session_ids: list[str] | None = Field(default=None, min_length=1, max_length=100)


class DreamModel(StoreBody):
    id: str = Field(max_length=300)
    speed: Literal["standard", "fast"] | None = None


class OutputBehavior(StoreBody):
    type: Literal["create_new", "update_existing"] = "create_new"
    memory_store_id: str | None = Field(default=None, max_length=300)


class DreamIn(StoreBody):
    inputs: list[DreamInput] = Field(min_length=1, max_length=2)
    model: str | DreamModel = "rules"
    instructions: str | None = Field(default=None, min_length=1, max_length=4_096)
    output_behavior: OutputBehavior = Field(default_factory=OutputBehavior)


@routes.post("")
def create_dream(server: TheServer, org: AdministeredOrg, caller: Asking, body: DreamIn) -> Shape:
    """Asks for a night over the store, or over a copy of it that becomes a store of its own.

    The server's own sleeper and model dream it; a dream in place can be undone like any night.
    """
    named = [one.memory_store_id for one in body.inputs if one.type == "memory_store" and one.memory_store_id]
    if len(named) != 1:
        raise refused("A dream has exactly one memory store as an input")
    source = the_store(server, caller, named[0], "write")
    sessions = [id for one in body.inputs for id in one.session_ids or ()]
    check_sessions(source, sessions)
    in_place = body.output_behavior.type == "update_existing"
    if in_place and body.output_behavior.memory_store_id != store_id(source):
        raise refused("update_existing updates the store that is the input", 403)
    if in_place and source.nights(limit=1, statuses=("requested", "running")):
        raise refused("Another dream is under way on this store", 409)
    target = source if in_place else copy_of(org, source)
    night = target.request_sleep("night")
    model = body.model if isinstance(body.model, DreamModel) else DreamModel(id=body.model)
    value = {
        "inputs": [one.model_dump(exclude_none=True) for one in body.inputs],
        "model": model.model_dump(),
        "instructions": body.instructions,
        "output_behavior": body.output_behavior.model_dump(exclude_none=True),
        "night": night.id,
        "skipped": night.why if night.status == "skipped" else None,
    }
    entry = target.shelf(SHELF).put(f"drm_{uuid.uuid4().hex}", value)
    return dream_shape(target, entry)


def check_sessions(space: Space, wanted: list[str]) -> None:
    missing = [session for session in wanted if not space.turns(session, limit=1)]
    if missing:
        raise refused(f"There is no session {missing[0]} in this store", 404)


def copy_of(org: Reverie, source: Space) -> Space:
    """A store of its own with everything that the source has."""
    name = next(
        f"{source.name[:150]} dream {n}"
        for n in range(1, 10_000)
        if not org.has_space(f"{source.name[:150]} dream {n}")
    )
    copy = org.import_space(name, list(source.export()))
    stores.change(copy, org.now(), name=name, description=f"Dreamed from {store_id(source)}")
    return copy


def the_dream(org: Reverie, id: str) -> tuple[Space, ShelfEntry]:
    try:
        return org.find_entry(SHELF, id)
    except NotFound:
        raise NotFound("dream", id) from None


def dream_shape(space: Space, entry: ShelfEntry) -> Shape:
    value = entry.value
    night = None if value["skipped"] else space.night(value["night"]).night
    status = "failed" if night is None else STATUS.get(night.status, "canceled")
    if status == "completed" and not value.get("written"):
        write_files(space, entry)
    archived = value.get("archived_at")
    return {
        "id": entry.key,
        "type": "dream",
        "status": status,
        "inputs": value["inputs"],
        "outputs": [{"type": "memory_store", "memory_store_id": store_id(space)}],
        "model": value["model"],
        "instructions": value["instructions"],
        "output_behavior": value["output_behavior"],
        "session_id": None,
        "error": error_of(value, night) if status == "failed" else None,
        "usage": {**NO_USAGE, "input_tokens": night.tokens if night else 0},
        "created_at": iso(entry.created_at),
        "ended_at": iso(night.ended_at) if night and night.ended_at else None,
        "archived_at": None if archived is None else iso(archived),
    }


def error_of(value: dict[str, Any], night: Night | None) -> Shape:
    why = value["skipped"] if night is None else night.error or night.why
    return {"type": "skipped" if night is None else "failed", "message": str(why)}


def write_files(space: Space, entry: ShelfEntry) -> None:
    """Core memory and the diary of the night as files of the store, once."""
    files = MemoryFiles(space, "dream")
    for block in space.blocks:
        if block.value.strip():
            files.shelf.put(f"/core/{block.label.replace('/', ' ')}.md", block.value)
    told = next((one.text for one in space.diary(limit=1)), "")
    if told:
        files.shelf.put("/dreams.md", told)
    space.shelf(SHELF).put(entry.key, {**entry.value, "written": True})


@routes.get("")
def list_dreams(
    caller: Asking,
    org: WritableOrg,
    limit: Limit = 20,
    page_: Annotated[PageCursor, Query(alias="page")] = None,
    include_archived: bool = False,
    statuses: Annotated[list[str], Query(max_length=10)] = [],
) -> Shape:
    """Newest first."""
    found = [one for one in org.entries(SHELF) if caller.space in (None, one.space)][::-1]
    live = [one for one in found if include_archived or not one.value.get("archived_at")]
    shapes = [dream_shape(org.space_by_id(one.space), one) for one in live]
    shown, after = page([one for one in shapes if not statuses or one["status"] in statuses], limit, page_)
    return {"data": shown, "next_page": after}


@routes.get("/{dream_id}")
def read_dream(server: TheServer, caller: Asking, org: WritableOrg, dream_id: Id) -> Shape:
    """One dream as it stands."""
    space, entry = the_dream(org, dream_id)
    the_store(server, caller, store_id(space))
    return dream_shape(space, entry)


@routes.post("/{dream_id}/cancel")
def cancel_dream(server: TheServer, caller: Asking, org: WritableOrg, dream_id: Id) -> Shape:
    """Ends a dream that waits or is under way; what it has done stays, and can be undone."""
    space, entry = the_dream(org, dream_id)
    the_store(server, caller, store_id(space), "write")
    if not entry.value["skipped"]:
        space.cancel(entry.value["night"])
    return dream_shape(space, entry)


@routes.post("/{dream_id}/archive")
def archive_dream(server: TheServer, caller: Asking, org: WritableOrg, dream_id: Id) -> Shape:
    """Lists it no more."""
    space, entry = the_dream(org, dream_id)
    the_store(server, caller, store_id(space), "write")
    value = {**entry.value, "archived_at": entry.value.get("archived_at") or space.now()}
    return dream_shape(space, space.shelf(SHELF).put(entry.key, value))
