"""Archives: passages that several agents share. An archive is a space that nobody talks to; every agent is one too."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from fastapi import Path
from fastapi.responses import Response
from pydantic import Field

from reverie.errors import NotAllowed, NotFound
from reverie.model.spaces import Verb
from reverie.server.dependencies import MAX_ID, AdministeredOrg, Asking, Id, Routes
from reverie.server.gateway.auth import Caller
from reverie.server.letta.agents import Name, new_space
from reverie.server.letta.passages import PassageIn, archives_of, forget, insert
from reverie.server.letta.profile import Profile, change_profile
from reverie.server.letta.shapes import archive_shape
from reverie.server.letta.shared import (
    AdministeredAgent,
    Body,
    Cursor,
    Shape,
    TheServer,
    cursor,
    page_of,
    the_agent,
    the_space,
    visible,
)
from reverie.server.letta.shared import agent_id as agent_of
from reverie.server.state import Server
from reverie.space import Space

routes = Routes(prefix="/v1", tags=["letta"])
ArchiveId = Annotated[str, Path(max_length=MAX_ID)]


class ArchivePatch(Body):
    name: Name | None = None
    description: str | None = Field(default=None, max_length=5_000)


class ArchiveIn(ArchivePatch):
    name: Name


class PassagesIn(Body):
    passages: list[PassageIn] = Field(min_length=1, max_length=1_000)


def the_archive(server: Server, caller: Caller, id: str, verb: Verb = "read") -> Space:
    caller.must(verb)
    if not id.startswith("archive-"):
        raise NotFound("archive", id)
    return the_space(server, caller, agent_of(id), "archive")


@routes.post("/archives/")
def create_archive(org: AdministeredOrg, caller: Asking, body: ArchiveIn) -> Shape:
    caller.must_see_all()
    profile = Profile(body.name, kind="archive", description=body.description)
    (archive,) = org.create_spaces(new_space(profile, {}))
    return archive_shape(archive)


@routes.get("/archives/")
def list_archives(
    server: TheServer,
    caller: Asking,
    page: Cursor = cursor(50, "desc"),
    agent_id: str | None = None,
    name: str | None = None,
) -> list[Shape]:
    caller.must("read")
    found: Sequence[Space] = [space for space in visible(server, caller) if Profile.of(space.record).kind != "folder"]
    if agent_id is not None:
        found = archives_of(server, caller, the_agent(server, caller, agent_id))
    shapes = [shape for shape in map(archive_shape, found) if name in (None, shape["name"])]
    return list(page_of(shapes, page, lambda shape: str(shape["id"])))


@routes.get("/archives/{archive_id}")
def read_archive(server: TheServer, caller: Asking, archive_id: ArchiveId) -> Shape:
    return archive_shape(the_archive(server, caller, archive_id))


@routes.patch("/archives/{archive_id}")
def change_archive(server: TheServer, caller: Asking, archive_id: ArchiveId, body: ArchivePatch) -> Shape:
    space = the_archive(server, caller, archive_id, "admin")
    given = body.model_dump(exclude_none=True)
    change_profile(space, lambda profile: replace(profile, **given))
    return archive_shape(space)


@routes.delete("/archives/{archive_id}", status_code=204, response_class=Response)
def delete_archive(server: TheServer, org: AdministeredOrg, caller: Asking, archive_id: ArchiveId) -> None:
    space = the_archive(server, caller, archive_id, "admin")
    if Profile.of(space.record).kind == "agent":
        raise NotAllowed("this archive is an agent's own memory", next_move="Delete the agent, or its passages.")
    org.delete_space(space.name)


@routes.post("/archives/{archive_id}/passages")
def insert_into_archive(server: TheServer, caller: Asking, archive_id: ArchiveId, body: PassageIn) -> Shape:
    return insert(the_archive(server, caller, archive_id, "write"), body)


@routes.post("/archives/{archive_id}/passages/batch")
def insert_many(server: TheServer, caller: Asking, archive_id: ArchiveId, body: PassagesIn) -> list[Shape]:
    archive = the_archive(server, caller, archive_id, "write")
    return [insert(archive, passage) for passage in body.passages]


@routes.delete("/archives/{archive_id}/passages/{passage_id}", status_code=204, response_class=Response)
def delete_from_archive(server: TheServer, caller: Asking, archive_id: ArchiveId, passage_id: Id) -> None:
    forget([the_archive(server, caller, archive_id, "write")], passage_id)


@routes.patch("/agents/{agent_id}/archives/attach/{archive_id}")
def attach_archive(server: TheServer, agent: AdministeredAgent, caller: Asking, archive_id: ArchiveId) -> None:
    """The agent finds what is in the archive; what it is told to keep goes into its own memory."""
    caller.must_see_all()
    archive = the_archive(server, caller, archive_id)
    if archive.id != agent.id:
        change_profile(agent, lambda profile: with_archives(profile, [*profile.archives, archive.id]))


@routes.patch("/agents/{agent_id}/archives/detach/{archive_id}")
def detach_archive(agent: AdministeredAgent, archive_id: ArchiveId) -> None:
    gone = agent_of(archive_id)
    if gone not in Profile.of(agent.record).archives:
        raise NotFound("archive", archive_id)
    change_profile(agent, lambda profile: with_archives(profile, [id for id in profile.archives if id != gone]))


def with_archives(profile: Profile, ids: Sequence[str]) -> Profile:
    return replace(profile, archives=tuple(dict.fromkeys(ids)))
