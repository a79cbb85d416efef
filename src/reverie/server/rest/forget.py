"""A person's rights over a space: forget, take everything along, take it away."""

from typing import Annotated

from fastapi import Query, Request
from fastapi.responses import Response
from pydantic import ConfigDict, Field

from reverie.errors import BadInput
from reverie.server.rest.shared import (
    Administered,
    AdministeredOrg,
    Asking,
    Id,
    Readable,
    Routes,
    Strict,
    Writable,
    the_server,
)
from reverie.server.rest.spaces import Name, SpaceOut, shown
from reverie.verbs.keep import Forgetting

routes = Routes(prefix="/v1/spaces", tags=["keeping"])
LINES = "application/x-ndjson"
TEXT = {"schema": {"type": "string"}}


class ForgetIn(Strict):
    """Exactly one of ids, query, session, person or everything."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"session": "s1", "dry_run": True}]})

    ids: tuple[str, ...] = Field((), max_length=1_000)
    query: str | None = Field(None, max_length=1_000)
    session: str | None = Field(None, max_length=200)
    person: str | None = Field(None, max_length=200)
    everything: bool = False
    dry_run: bool = Field(False, description="Says what would go, and deletes nothing.")


@routes.post("/{space}/forget")
def forget(space: Writable, body: ForgetIn) -> Forgetting:
    """Deletes for good, with everything derived. Cannot be undone."""
    given = body.model_dump(exclude={"ids"})
    return space.forget(*body.ids, **given)


@routes.delete("/{space}/memories/{memory}")
def forget_memory(space: Writable, memory: Id) -> Forgetting:
    """Forgets one memory or turn, with everything that rests on it alone."""
    return space.forget(memory)


@routes.get("/{space}/export", response_class=Response, responses={200: {"content": {LINES: {}}}})
def export(space: Readable) -> Response:
    """The whole space as JSON lines."""
    return Response("".join(f"{line.rstrip()}\n" for line in space.export()), media_type=LINES)


@routes.delete("/{space}")
def delete_space(space: Administered, org: AdministeredOrg) -> SpaceOut:
    """Takes a space away with everything in it. Cannot be undone."""
    was = shown(space)
    org.delete_space(space.name)
    return was


@routes.post("/import", status_code=201, openapi_extra={"requestBody": {"content": {LINES: TEXT}, "required": True}})
async def import_space(
    org: AdministeredOrg,
    caller: Asking,
    request: Request,
    name: Annotated[Name, Query()],
) -> SpaceOut:
    """A new space from what export gave."""
    caller.must_see_all()
    try:
        lines = (await request.body()).decode().split("\n")  # texts may hold other line ends
    except UnicodeDecodeError as error:
        raise BadInput("an export is UTF-8 text") from error
    return shown(await the_server(request).run(org.import_space, name, lines))
