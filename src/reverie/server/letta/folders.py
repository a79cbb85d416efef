"""Folders: texts that agents can search. A folder is an archive whose passages are the parts of its files."""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import File, Path, Query, UploadFile
from fastapi.responses import Response
from pydantic import Field, JsonValue

from reverie.errors import BadInput, Conflict, NotFound
from reverie.language.sentences import sentences
from reverie.model.spaces import ShelfEntry, Verb
from reverie.server.dependencies import MAX_ID, AdministeredOrg, Asking, Id, Routes
from reverie.server.formatting import iso
from reverie.server.gateway.auth import Caller
from reverie.server.letta.agents import Name, new_space
from reverie.server.letta.profile import Profile, change_profile
from reverie.server.letta.shapes import agent_shape
from reverie.server.letta.shared import (
    Body,
    Cursor,
    Shape,
    TheServer,
    WritableAgent,
    cursor,
    folder_id,
    page_of,
    the_space,
    visible,
    visible_agents,
)
from reverie.server.letta.shared import agent_id as agent_of
from reverie.server.state import Server
from reverie.space import Space

routes = Routes(prefix="/v1/folders", tags=["letta"])
FolderId = Annotated[str, Path(max_length=MAX_ID)]
FILES = "letta.files"
PART_CHARS = 1_000  # of a file: what one passage holds
MOST_CHARS = 2_000_000
Duplicate = Literal["skip", "error", "suffix", "replace"]
EMBEDDING = {
    "embedding_dim": 384,
    "embedding_endpoint_type": "hugging-face",
    "embedding_model": "reverie",
    "embedding_chunk_size": PART_CHARS,
}


class FolderPatch(Body):
    name: Name | None = None
    description: str | None = Field(default=None, max_length=5_000)
    instructions: str | None = Field(default=None, max_length=20_000)
    metadata: dict[str, JsonValue] | None = None


class FolderIn(FolderPatch):
    name: Name


def the_folder(server: Server, caller: Caller, id: str, verb: Verb = "read") -> Space:
    caller.must(verb)
    if not id.startswith("source-"):
        raise NotFound("folder", id)
    space = the_space(server, caller, agent_of(id), "folder")
    if Profile.of(space.record).kind != "folder":
        raise NotFound("folder", id)
    return space


def folder_shape(space: Space) -> Shape:
    profile = Profile.of(space.record)
    return {
        "id": folder_id(space.id),
        "name": profile.name or space.name,
        "description": profile.description,
        "instructions": profile.system or None,
        "metadata": dict(space.record.metadata),
        "embedding_config": EMBEDDING,
        "created_at": iso(space.record.created_at),
        "updated_at": iso(space.record.created_at),
    }


def visible_folders(server: Server, caller: Caller) -> Iterator[Space]:
    return (space for space in visible(server, caller) if Profile.of(space.record).kind == "folder")


@routes.post("/")
def create_folder(org: AdministeredOrg, caller: Asking, body: FolderIn) -> Shape:
    """A folder without files."""
    caller.must_see_all()
    profile = Profile(body.name, kind="folder", description=body.description, system=body.instructions or "")
    (folder,) = org.create_spaces(new_space(profile, body.metadata or {}))
    return folder_shape(folder)


@routes.get("/")
def list_folders(
    server: TheServer, caller: Asking, page: Cursor = cursor(50, "asc"), name: str | None = None
) -> list[Shape]:
    """The folders that the key may see."""
    caller.must("read")
    found = [shape for shape in map(folder_shape, visible_folders(server, caller)) if name in (None, shape["name"])]
    return list(page_of(found, page, lambda shape: str(shape["id"])))


@routes.get("/{folder_id}")
def read_folder(server: TheServer, caller: Asking, folder_id: FolderId) -> Shape:
    """One folder."""
    return folder_shape(the_folder(server, caller, folder_id))


@routes.patch("/{folder_id}")
def change_folder(server: TheServer, caller: Asking, folder_id: FolderId, body: FolderPatch) -> Shape:
    """What is given is changed."""
    space = the_folder(server, caller, folder_id, "admin")
    given: dict[str, Any] = body.model_dump(exclude_none=True, include={"name", "description"})
    if body.instructions is not None:
        given["system"] = body.instructions
    change_profile(space, lambda profile: replace(profile, **given), metadata=body.metadata)
    return folder_shape(space)


@routes.delete("/{folder_id}")
def delete_folder(server: TheServer, org: AdministeredOrg, caller: Asking, folder_id: FolderId) -> None:
    """Takes the folder away with its files."""
    org.delete_space(the_folder(server, caller, folder_id, "admin").name)


@routes.get("/{folder_id}/agents")
def agents_of_folder(
    server: TheServer, caller: Asking, folder_id: FolderId, page: Cursor = cursor(100, "asc")
) -> list[str]:
    """The ids of the agents that search it."""
    folder = the_folder(server, caller, folder_id)
    found = [agent.id for agent in visible_agents(server, caller) if folder.id in Profile.of(agent.record).folders]
    return list(page_of(found, page, str))


def file_shape(folder: Space, file: ShelfEntry, *, content: bool = False) -> Shape:
    value = file.value
    return {
        "id": file.key,
        "source_id": folder_id(folder.id),
        "file_name": value["name"],
        "original_file_name": value["name"],
        "file_size": value["size"],
        "file_type": value["type"],
        "processing_status": "completed",
        "total_chunks": len(value["parts"]),
        "chunks_embedded": len(value["parts"]),
        "content": value["text"] if content else None,
        "created_at": iso(file.created_at),
        "updated_at": iso(file.updated_at),
    }


@routes.get("/{folder_id}/files")
def list_files(
    server: TheServer,
    caller: Asking,
    folder_id: FolderId,
    page: Cursor = cursor(100, "asc"),
    include_content: bool = False,
) -> list[Shape]:
    """The files of a folder; with their texts only where asked for."""
    folder = the_folder(server, caller, folder_id)
    found = page_of(folder.shelf(FILES), page, lambda file: file.key)
    return [file_shape(folder, file, content=include_content) for file in found]


@routes.post("/{folder_id}/upload")
async def upload_file(
    server: TheServer,
    caller: Asking,
    folder_id: FolderId,
    file: Annotated[UploadFile, File()],
    name: Annotated[str | None, Query(max_length=500)] = None,
    duplicate_handling: Duplicate = "suffix",
) -> Shape:
    """A text file, findable at once by every agent that the folder is attached to."""
    folder = await server.run(the_folder, server, caller, folder_id, "write")
    raw = await file.read()
    named = name or file.filename or "file"
    return await server.run(stored, folder, named, raw, file.content_type, duplicate_handling)


def stored(folder: Space, name: str, raw: bytes, kind: str | None, duplicates: Duplicate) -> Shape:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput("only text files are kept here", next_move="Send UTF-8 text: Markdown, code, CSV.") from error
    if len(text) > MOST_CHARS:
        raise BadInput(f"the file has {len(text):,} characters", next_move=f"Send at most {MOST_CHARS:,}.")
    shelf = folder.shelf(FILES)
    known = next((file for file in shelf if file.value["name"] == name), None)
    if known is not None and duplicates == "skip":
        return file_shape(folder, known)
    if known is not None and duplicates == "error":
        raise Conflict(f"there is a file {name!r} already", next_move="Replace it: duplicate_handling=replace.")
    if known is not None and duplicates == "replace":
        removed(folder, known)
    taken = {file.value["name"] for file in shelf}
    free = next(n for n in numbered(name) if n not in taken)
    kept = [folder.remember(part, origin="file", metadata={"file": free}).id for part in parts_of(text)]
    value = {"name": free, "size": len(raw), "type": kind or "text/plain", "text": text, "parts": kept}
    return file_shape(folder, shelf.put(f"file-{uuid.uuid4()}", value))


def numbered(name: str) -> Iterator[str]:
    """
    >>> names = numbered("a.md"); next(names), next(names)
    ('a.md', 'a_(1).md')
    """
    yield name
    stem, dot, ending = name.rpartition(".")
    for n in range(1, 1_000):
        yield f"{stem or ending}_({n}){dot if stem else ''}{ending if stem else ''}"


def parts_of(text: str) -> list[str]:
    """A text in passages of whole sentences."""
    parts: list[str] = []
    for sentence in sentences(text):
        for piece in (sentence[at : at + PART_CHARS] for at in range(0, len(sentence), PART_CHARS)):
            if parts and len(parts[-1]) + len(piece) < PART_CHARS:
                parts[-1] += f" {piece}"
            elif piece.strip():
                parts.append(piece)
    return parts


def removed(folder: Space, file: ShelfEntry) -> None:
    folder.shelf(FILES).delete(file.key)
    folder.retract(*file.value["parts"])


def the_file(folder: Space, id: str) -> ShelfEntry:
    found = folder.shelf(FILES).get(id)
    if found is None:
        raise NotFound("file", id)
    return found


@routes.get("/{folder_id}/files/{file_id}")
def read_file(
    server: TheServer, caller: Asking, folder_id: FolderId, file_id: Id, include_content: bool = False
) -> Shape:
    """One file; with its text where asked for."""
    folder = the_folder(server, caller, folder_id)
    return file_shape(folder, the_file(folder, file_id), content=include_content)


@routes.delete("/{folder_id}/{file_id}", status_code=204, response_class=Response)
def delete_file(server: TheServer, caller: Asking, folder_id: FolderId, file_id: Id) -> None:
    """The file is found no more."""
    folder = the_folder(server, caller, folder_id, "write")
    removed(folder, the_file(folder, file_id))


def with_folders(agent: Space, ids: Sequence[str]) -> Shape:
    change_profile(agent, lambda profile: replace(profile, folders=tuple(dict.fromkeys(ids))))
    return agent_shape(agent)


def attach(server: Server, caller: Caller, agent: Space, folder: str) -> Shape:
    found = the_folder(server, caller, folder)
    return with_folders(agent, [*Profile.of(agent.record).folders, found.id])


def detach(agent: Space, folder: str) -> Shape:
    return with_folders(agent, [id for id in Profile.of(agent.record).folders if id != agent_of(folder)])


def attached(server: Server, caller: Caller, agent: WritableAgent) -> list[Space]:
    """The folders that an agent searches, as far as the caller may see them."""
    wanted = Profile.of(agent.record).folders
    return [space for space in visible_folders(server, caller) if space.id in wanted]
