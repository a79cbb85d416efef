"""Memories of a store: texts under paths, with every version. What they say is recalled, and nights read it."""

import hashlib
import unicodedata
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import Field

from reverie.errors import Conflict, NotFound
from reverie.model.spaces import EntryVersion, ShelfEntry
from reverie.server.dependencies import Asking, Id, Routes
from reverie.server.formatting import iso
from reverie.server.gateway.auth import Caller
from reverie.server.letta.shared import TheServer
from reverie.server.memory_stores.shared import (
    Limit,
    PageCursor,
    Shape,
    StoreBody,
    check_writable,
    page,
    refused,
    store_id,
    the_store,
)
from reverie.space import Space
from reverie.verbs.files import MemoryFiles

routes = Routes(prefix="/v1/memory_stores/{memory_store_id}", tags=["memory stores"])
MOST_BYTES, MOST_PATH, MOST_SEGMENTS = 102_400, 1_024, 20
View = Literal["basic", "full"]
Content = Annotated[str, Field(max_length=MOST_BYTES)]
Page = Annotated[PageCursor, Query(alias="page")]


class Precondition(StoreBody):
    type: Literal["content_sha256"] = "content_sha256"
    content_sha256: str = Field(max_length=64)


class StoredMemoryIn(StoreBody):
    path: str
    content: str | None = None


class StoredMemoryPatch(StoreBody):
    path: str | None = None
    content: str | None = None
    precondition: Precondition | None = None


def files_of(space: Space, caller: Caller) -> MemoryFiles:
    return MemoryFiles(space, caller.key or "owner")


def checked_path(path: str) -> str:
    """The path, if it is one that a memory may have."""
    segments = path.split("/")
    whole = path.startswith("/") and all(segments[1:]) and not {".", ".."} & set(segments)
    if not whole or len(segments) - 1 > MOST_SEGMENTS or len(path.encode()) > MOST_PATH or "\x00" in path:
        raise refused(f"A path begins with / and has 1 to {MOST_SEGMENTS} segments, at most {MOST_PATH:,} bytes")
    if unicodedata.normalize("NFC", path) != path:
        raise refused("A path must be in Unicode form NFC")
    return path


def checked_content(content: str | None) -> str:
    if content is not None and len(content.encode("utf-8", "surrogatepass")) > MOST_BYTES:
        raise refused(f"Content has at most {MOST_BYTES:,} bytes")
    return content or ""


def sha256(content: str) -> str:
    return hashlib.sha256(content.encode()).hexdigest()


def memory_shape(space: Space, file: ShelfEntry, view: View) -> Shape:
    content = str(file.value)
    return {
        "id": f"mem_{file.id}",
        "type": "memory",
        "memory_store_id": store_id(space),
        "memory_version_id": f"memver_{file.id}_{file.version}",
        "path": file.key,
        "content": content if view == "full" else None,
        "content_sha256": sha256(content),
        "content_size_bytes": len(content.encode()),
        "created_at": iso(file.created_at),
        "updated_at": iso(file.updated_at),
    }


def the_memory(files: MemoryFiles, id: str) -> ShelfEntry:
    try:
        return files.by_id(id.removeprefix("mem_"))
    except NotFound:
        raise NotFound("memory", id) from None


def check_precondition(file: ShelfEntry, wanted: str | None) -> None:
    if wanted is not None and sha256(str(file.value)) != wanted:
        raise refused("The precondition failed: the content has changed", 409)


@routes.post("/memories")
def create_memory(
    server: TheServer, caller: Asking, memory_store_id: Id, body: StoredMemoryIn, view: View = "basic"
) -> Shape:
    """A memory at a path that has none."""
    space = the_store(server, caller, memory_store_id, "write")
    check_writable(space)
    try:
        made = files_of(space, caller).create(checked_path(body.path), checked_content(body.content))
    except Conflict:
        raise refused(f"There is a memory at the path {body.path} already", 409) from None
    return memory_shape(space, made, view)


@routes.get("/memories")
def list_memories(
    server: TheServer,
    caller: Asking,
    memory_store_id: Id,
    path_prefix: Annotated[str, Query(max_length=MOST_PATH)] = "/",
    depth: Annotated[int, Query(ge=0, le=1)] = 0,
    limit: Limit = 20,
    page_: Page = None,
    view: View = "basic",
) -> Shape:
    """Memories by their paths; at depth 1 those right below the prefix, and the prefixes of the others."""
    space = the_store(server, caller, memory_store_id)
    files = sorted(files_of(space, caller).below(path_prefix), key=lambda file: file.key)
    found: dict[str, Shape] = {}
    for file in files:
        first, slash, _ = file.key.removeprefix(path_prefix).partition("/")
        if depth == 1 and slash:
            below = f"{path_prefix}{first}/"
            found[below] = {"type": "memory_prefix", "path": below}
        else:
            found[file.key] = memory_shape(space, file, view)
    shown, after = page(list(found.values()), min(limit, 20) if view == "full" else limit, page_)
    return {"data": shown, "next_page": after}


@routes.get("/memories/{memory_id}")
def read_memory(server: TheServer, caller: Asking, memory_store_id: Id, memory_id: Id, view: View = "full") -> Shape:
    """One memory, with its content unless it is left out."""
    space = the_store(server, caller, memory_store_id)
    return memory_shape(space, the_memory(files_of(space, caller), memory_id), view)


@routes.post("/memories/{memory_id}")
def change_memory(
    server: TheServer,
    caller: Asking,
    memory_store_id: Id,
    memory_id: Id,
    body: StoredMemoryPatch,
    view: View = "basic",
) -> Shape:
    """Another content or path, as a new version; with a precondition only where the content is as it was read."""
    space = the_store(server, caller, memory_store_id, "write")
    check_writable(space)
    files = files_of(space, caller)
    file = the_memory(files, memory_id)
    check_precondition(file, body.precondition.content_sha256 if body.precondition else None)
    path = None if body.path is None else checked_path(body.path)
    content = None if body.content is None else checked_content(body.content)
    other = None if path is None else files.get(path)
    if other is not None and other.id != file.id:
        raise refused(f"There is a memory at the path {path} already", 409)
    return memory_shape(space, files.change(file.id, path=path, content=content, expected=file.version), view)


@routes.delete("/memories/{memory_id}")
def delete_memory(
    server: TheServer,
    caller: Asking,
    memory_store_id: Id,
    memory_id: Id,
    expected_content_sha256: Annotated[str | None, Query(max_length=64)] = None,
) -> Shape:
    """Takes a memory away; its versions stay."""
    space = the_store(server, caller, memory_store_id, "write")
    check_writable(space)
    files = files_of(space, caller)
    file = the_memory(files, memory_id)
    check_precondition(file, expected_content_sha256)
    files.delete(file.key)
    return {"id": memory_id, "type": "memory_deleted"}


def version_shape(space: Space, version: EntryVersion, view: View) -> Shape:
    content = None if version.value is None else str(version.value)
    actor = {"type": "api_actor", "api_key_id": version.actor}
    return {
        "id": f"memver_{version.entry}_{version.version}",
        "type": "memory_version",
        "memory_id": f"mem_{version.entry}",
        "memory_store_id": store_id(space),
        "operation": version.operation,
        "path": version.key,
        "content": content if view == "full" else None,
        "content_sha256": None if content is None else sha256(content),
        "content_size_bytes": None if content is None else len(content.encode()),
        "created_at": iso(version.at),
        "created_by": actor,
        "redacted_at": None if version.redacted_at is None else iso(version.redacted_at),
        "redacted_by": None if version.redacted_at is None else actor,
    }


@routes.get("/memory_versions")
def list_versions(
    server: TheServer,
    caller: Asking,
    memory_store_id: Id,
    memory_id: Annotated[str | None, Query(max_length=300)] = None,
    operation: Literal["created", "modified", "deleted"] | None = None,
    api_key_id: Annotated[str | None, Query(max_length=300)] = None,
    created_at_gte: Annotated[datetime | None, Query(alias="created_at[gte]")] = None,
    created_at_lte: Annotated[datetime | None, Query(alias="created_at[lte]")] = None,
    limit: Limit = 20,
    page_: Page = None,
    view: View = "basic",
) -> Shape:
    """Every version of one memory, or of all that the store ever had, newest first."""
    space = the_store(server, caller, memory_store_id)
    history = files_of(space, caller).shelf.history(None if memory_id is None else memory_id.removeprefix("mem_"))
    wanted = [
        version
        for version in reversed(history)
        if operation in (None, version.operation)
        and api_key_id in (None, version.actor)
        and (created_at_gte is None or version.at >= created_at_gte.timestamp())
        and (created_at_lte is None or version.at <= created_at_lte.timestamp())
    ]
    shown, after = page(wanted, min(limit, 20) if view == "full" else limit, page_)
    return {"data": [version_shape(space, version, view) for version in shown], "next_page": after}


def the_version(files: MemoryFiles, id: str) -> EntryVersion:
    entry, _, number = id.removeprefix("memver_").partition("_")
    found = next((one for one in files.shelf.history(entry) if str(one.version) == number), None)
    if found is None:
        raise NotFound("memory version", id)
    return found


@routes.get("/memory_versions/{version_id}")
def read_version(server: TheServer, caller: Asking, memory_store_id: Id, version_id: Id, view: View = "full") -> Shape:
    """One version, with its content unless that was taken out."""
    space = the_store(server, caller, memory_store_id)
    return version_shape(space, the_version(files_of(space, caller), version_id), view)


@routes.post("/memory_versions/{version_id}/redact")
def redact_version(server: TheServer, caller: Asking, memory_store_id: Id, version_id: Id) -> Shape:
    """Takes the content of an older version out for good; the one that stands is refused."""
    space = the_store(server, caller, memory_store_id, "admin")
    files = files_of(space, caller)
    version = the_version(files, version_id)
    standing: Any = files.shelf.by_id(version.entry)
    if standing is not None and standing.version == version.version:
        raise refused("This version stands: change or delete the memory first")
    files.shelf.redact(version.entry, version.version)
    return version_shape(space, the_version(files, version_id), "full")
