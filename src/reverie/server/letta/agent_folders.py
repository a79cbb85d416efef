"""An agent's folders, and the files in them that it keeps open: those stand in its context."""

from collections.abc import Iterator

from reverie.errors import NotFound
from reverie.model.spaces import ShelfEntry
from reverie.server.dependencies import Asking, Id, Routes
from reverie.server.formatting import iso
from reverie.server.gateway.auth import Caller
from reverie.server.letta import folders
from reverie.server.letta.profile import Profile
from reverie.server.letta.shared import (
    Cursor,
    ReadableAgent,
    Shape,
    TheServer,
    WritableAgent,
    cursor,
    folder_id,
    page_of,
)
from reverie.server.state import Server
from reverie.space import Space

routes = Routes(prefix="/v1/agents/{agent_id}", tags=["letta"])
OPEN = "letta.open_files"


@routes.get("/folders")
def list_agent_folders(
    server: TheServer, caller: Asking, agent: ReadableAgent, page: Cursor = cursor(100, "asc")
) -> list[Shape]:
    """The folders that this agent searches."""
    found = [folders.folder_shape(folder) for folder in folders.attached(server, caller, agent)]
    return list(page_of(found, page, lambda shape: str(shape["id"])))


@routes.patch("/folders/attach/{folder_id}")
def attach_folder(server: TheServer, caller: Asking, agent: WritableAgent, folder_id: Id) -> Shape:
    """The agent finds what is in the folder's files."""
    return folders.attach(server, caller, agent, folder_id)


@routes.patch("/folders/detach/{folder_id}")
def detach_folder(agent: WritableAgent, folder_id: Id) -> Shape:
    """The agent no longer finds it."""
    return folders.detach(agent, folder_id)


def files_of(server: Server, caller: Caller, agent: Space) -> Iterator[tuple[Space, ShelfEntry]]:
    for folder in folders.attached(server, caller, agent):
        yield from ((folder, file) for file in folder.shelf(folders.FILES))


@routes.get("/files")
def list_agent_files(
    server: TheServer,
    caller: Asking,
    agent: ReadableAgent,
    page: Cursor = cursor(20, "asc"),
    is_open: bool | None = None,
) -> Shape:
    """The files of the agent's folders, and which of them are open."""
    opened = {entry.key: entry for entry in agent.shelf(OPEN)}
    found = [
        {
            "id": file.key,
            "file_id": file.key,
            "file_name": file.value["name"],
            "folder_id": folder_id(folder.id),
            "folder_name": Profile.of(folder.record).name or folder.name,
            "is_open": file.key in opened,
            "last_accessed_at": iso(opened[file.key].updated_at) if file.key in opened else None,
            "visible_content": file.value["text"] if file.key in opened else None,
        }
        for folder, file in files_of(server, caller, agent)
        if is_open in (None, file.key in opened)
    ]
    shown = list(page_of(found, page, lambda shape: str(shape["id"])))
    more = len(shown) == page.limit and shown[-1] is not found[-1]
    return {"files": shown, "has_more": more, "next_cursor": shown[-1]["id"] if more else None}


@routes.patch("/files/{file_id}/open")
def open_file(server: TheServer, caller: Asking, agent: WritableAgent, file_id: Id) -> list[str]:
    """Keeps a file open; answers the names of files that had to be closed for it: none."""
    file = next((file for _, file in files_of(server, caller, agent) if file.key == file_id), None)
    if file is None:
        raise NotFound("file", file_id)
    agent.shelf(OPEN).put(file_id, {"name": file.value["name"]})
    return []


@routes.patch("/files/{file_id}/close")
def close_file(agent: WritableAgent, file_id: Id) -> None:
    """Closes a file."""
    agent.shelf(OPEN).delete(file_id)


@routes.patch("/files/close-all")
def close_files(agent: WritableAgent) -> list[str]:
    """Closes all files; answers their names."""
    closed = agent.shelf(OPEN).delete(*(entry.key for entry in agent.shelf(OPEN)))
    return [str(entry.value["name"]) for entry in closed]
