"""Spaces: made, listed, configured, exported, imported, taken away."""

import json
from typing import Annotated, Any

from fastapi import Query, Request
from fastapi.responses import Response
from pydantic import AfterValidator, BaseModel, Field, RootModel

from reverie.config import step_names
from reverie.errors import BadInput
from reverie.model.base import Instant
from reverie.model.settings import Setting, SettingType
from reverie.model.spaces import NewSpace
from reverie.policy.sleep.settings import table
from reverie.server.dependencies import (
    Administered,
    AdministeredOrg,
    Asking,
    Readable,
    ReadableOrg,
    Routes,
    Writable,
    the_server,
)
from reverie.server.rest.shared import After, Limit, Page, Strict, page
from reverie.space import Space

routes = Routes(prefix="/v1/spaces", tags=["spaces"])
keeping = Routes(prefix="/v1/spaces", tags=["keeping"])
LINES = "application/x-ndjson"
TEXT = {"schema": {"type": "string"}}
MONEY = ("budget_space_tokens", "budget_space_cost")


def _fits_a_path(name: str) -> str:
    if not name.strip(" ."):
        raise ValueError("a name of dots and blanks cannot stand in a path")
    return name


Name = Annotated[
    str,
    Field(min_length=1, max_length=200, pattern=r"^[^/\x00-\x1f]+$", examples=["alice"]),
    AfterValidator(_fits_a_path),
]


SCHEMAS: dict[SettingType, dict[str, Any]] = {
    "flag": {"type": "boolean"},
    "whole": {"type": "integer"},
    "number": {"type": "number"},
    "text": {"type": "string"},
    "choice": {"type": "string"},
    "cron": {"type": "string"},
    "timezone": {"type": "string"},
    "steps": {"type": "array"},
    "caps": {"type": "object"},
}


def _schema(setting: Setting) -> dict[str, Any]:
    """A setting as JSON schema has it; null takes it back to the configuration's value."""
    schema = dict(SCHEMAS[setting.type])
    if setting.type in ("whole", "number"):
        schema |= {"minimum": setting.least} | ({} if setting.most is None else {"maximum": setting.most})
    if setting.type == "choice":
        schema["enum"] = list(setting.choices)
    if setting.type == "steps":
        schema["items"] = {"type": "string", "enum": list(setting.choices)}
    if setting.type == "caps":
        whole = {"type": "integer", "minimum": setting.least}
        schema |= {"properties": dict.fromkeys(setting.choices, whole), "additionalProperties": False}
    meaning = f"{setting.help} (default: {json.dumps(setting.default)})"
    return {"anyOf": [schema, {"type": "null"}], "description": meaning}


class ShownSettings:
    """Documents a space's settings from their table, not before somebody asks for the document."""

    def __get_pydantic_json_schema__(self, _schema_: Any, _handler: Any) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": {name: _schema(setting) for name, setting in table(step_names()).items()},
            "additionalProperties": False,
            "examples": [{"idle_seconds": 600, "cron": "0 4 * * *"}],
        }


OwnSettings = Annotated[dict[str, Any], ShownSettings()]


class SleepSettings(RootModel[OwnSettings]):
    """When the space sleeps: only what differs from the configuration."""


class SpaceIn(Strict):
    name: Name
    settings: OwnSettings = Field(default_factory=dict, description="Sleep settings that differ from the defaults.")
    metadata: dict[str, Any] = Field(default_factory=dict)
    default_blocks: bool = True


class SpacePatch(Strict):
    """What is given is changed; null takes a setting back to its default."""

    name: Name | None = None
    settings: OwnSettings = Field(default_factory=dict, examples=[{"cadence_turns": 10}])
    metadata: dict[str, Any] = Field(default_factory=dict)


class SpaceOut(BaseModel):
    id: str
    name: str
    settings: dict[str, Any]
    metadata: dict[str, Any]
    watermark: int = Field(description="Turns up to here have been read by a night.")
    created_at: Instant


def space_out(space: Space) -> SpaceOut:
    record = space.record
    return SpaceOut(
        id=record.id,
        name=record.name,
        settings=dict(record.settings),
        metadata=dict(record.metadata),
        watermark=record.watermark,
        created_at=record.created_at,
    )


@routes.post("", status_code=201)
def create_space(org: AdministeredOrg, caller: Asking, body: SpaceIn) -> SpaceOut:
    """Makes a space with its default blocks."""
    caller.must_see_all()
    given = NewSpace(body.name, settings=body.settings, metadata=body.metadata, default_blocks=body.default_blocks)
    (made,) = org.create_spaces(given)
    return space_out(made)


@routes.get("")
def list_spaces(org: ReadableOrg, caller: Asking, limit: Limit = 50, after: After = None) -> Page[SpaceOut]:
    """Spaces in the order they were made; a key for one space sees that one."""
    if caller.space is not None:
        return Page(items=[space_out(org.space_by_id(caller.space))])
    if after is not None:
        org.space_by_id(after)
    found = [space_out(space) for space in org.spaces(limit=limit + 1, after=after)]
    return page(found, limit, lambda space: space.id)


@routes.get("/{space}")
def read_space(space: Readable) -> SpaceOut:
    return space_out(space)


@routes.patch("/{space}")
def change_space(space: Administered, caller: Asking, body: SpacePatch) -> SpaceOut:
    """Renames it (with a key of the whole org: a name that is taken tells of another space), merges the rest."""
    if body.name not in (None, space.name):
        caller.must_see_all()
    space.change(name=body.name, settings=body.settings, metadata=body.metadata)
    return space_out(space)


@routes.get("/{space}/settings")
def read_settings(space: Readable) -> SleepSettings:
    """The space's own settings; what is not there comes from the configuration."""
    return SleepSettings(space.settings)


@routes.patch("/{space}/settings")
def change_settings(space: Writable, caller: Asking, body: SleepSettings) -> SleepSettings:
    """Merges sleep settings; null takes one back to the configuration's value. A budget is for an admin to set."""
    if any(name in MONEY for name in body.root):
        caller.must("admin")
    space.configure(**body.root)
    return SleepSettings(space.settings)


@keeping.get("/{space}/export", response_class=Response, responses={200: {"content": {LINES: {}}}})
def export_space(space: Readable) -> Response:
    """The whole space as JSON lines."""
    return Response("".join(f"{line.rstrip()}\n" for line in space.export()), media_type=LINES)


@keeping.delete("/{space}")
def delete_space(space: Administered, org: AdministeredOrg) -> SpaceOut:
    """Takes a space away with everything in it. Cannot be undone."""
    was = space_out(space)
    org.delete_space(space.name)
    return was


@keeping.post("/import", status_code=201, openapi_extra={"requestBody": {"content": {LINES: TEXT}, "required": True}})
async def import_space(
    org: AdministeredOrg,
    caller: Asking,
    request: Request,
    name: Annotated[Name, Query()],
    trust: Annotated[bool, Query(description="Believe an export that this store did not write.")] = False,
) -> SpaceOut:
    """A new space from what export gave. What another store wrote, or somebody altered, needs `trust`."""
    caller.must_see_all()
    try:
        lines = (await request.body()).decode().split("\n")  # texts may hold other line ends
    except UnicodeDecodeError as error:
        raise BadInput("an export is UTF-8 text") from error
    return space_out(await the_server(request).run(org.import_space, name, lines, trust=trust))
