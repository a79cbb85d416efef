"""Client-side access tokens are keys for one agent; and what Reverie does not do, refused with a reason."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import Field

from reverie.errors import BadInput, NotFound
from reverie.model.base import DAY, Instant
from reverie.model.spaces import ApiKey, secret_hash
from reverie.server.dependencies import AdministeredOrg, Asking, Id, Routes
from reverie.server.formatting import iso
from reverie.server.letta.shared import Body, Moment, Shape, TheServer, the_agent

routes = Routes(prefix="/v1/client-side-access-tokens", tags=["letta"])
Access = Literal["read_messages", "write_messages", "read_agent", "write_agent"]
PREFIX = "letta "  # of the name of such a key; its host follows
LASTS = 5 * 60.0  # seconds, where nothing is said: as Letta has it
WRITES = ("write_messages", "write_agent")


class Policy(Body):
    id: str = Field(max_length=300)
    access: list[Access]
    type: Literal["agent"] = "agent"


class TokenIn(Body):
    hostname: str = Field(min_length=1, max_length=150)
    policy: list[Policy] = Field(min_length=1, max_length=1)
    expires_at: Moment | None = None


@routes.post("")
def create_token(server: TheServer, org: AdministeredOrg, caller: Asking, body: TokenIn) -> Shape:
    """A key for one agent. Its secret is shown this once."""
    caller.must_see_all()
    wanted = body.policy[0]
    agent = the_agent(server, caller, wanted.id)
    writes = any(access in WRITES for access in wanted.access)
    until = body.expires_at or server.reverie.now() + LASTS
    days = max(1.0, until - server.reverie.now()) / DAY
    made = org.keys.create(f"{PREFIX}{body.hostname}", ("write",) if writes else ("read",), space=agent.id, days=days)
    return token_shape(made.key, made.secret)


def token_shape(key: ApiKey, token: str) -> Shape:
    access = ["read_messages", "read_agent", *(WRITES if "write" in key.verbs else ())]
    return {
        "token": token,
        "hostname": key.name.removeprefix(PREFIX),
        "expiresAt": iso(_until(key)),
        "policy": {"version": "1", "data": [{"id": key.space, "type": "agent", "access": access}]},
    }


def _until(key: ApiKey) -> Instant:
    return key.expires_at or key.created_at + LASTS


@routes.get("")
def list_tokens(
    server: TheServer,
    org: AdministeredOrg,
    agent_id: str | None = None,
    limit: Annotated[float, Query(ge=1)] = 50,
    offset: Annotated[float, Query(ge=0)] = 0,
) -> Shape:
    """The keys that were made so and still hold, under their ids: secrets are not stored."""
    now = server.reverie.now()
    held = [
        key
        for key in org.keys.list(limit=1_000)
        if key.name.startswith(PREFIX) and key.live(now) and agent_id in (None, key.space)
    ]
    shown = held[int(offset) : int(offset + limit)]
    return {"tokens": [token_shape(key, key.id) for key in shown], "hasNextPage": len(held) > offset + limit}


@routes.delete("/{token}")
def delete_token(org: AdministeredOrg, token: Id) -> None:
    """Ends a key, by its id or its secret."""
    known = org.keys.by_hash(secret_hash(token))
    held = {key.id for key in org.keys.list(limit=1_000) if key.name.startswith(PREFIX)}
    id = known.id if known is not None and known.org == org.org else token
    if id not in held:  # whose it is, or whether it is anybody's, is not told
        raise NotFound("access token", "that was given")
    org.keys.revoke(id)


# What Letta has and Reverie has not, each with the way to go instead.
REFUSED = {
    "mcp-servers": "Reverie calls no MCP servers: connect your agent to them, and to Reverie at /mcp.",
    "templates": "Templates are Letta Cloud's: export an agent and import it as often as needed.",
    "environments": "Environments are Letta Cloud's: Reverie runs no code.",
    "identities": "There are no identities: give each user a space, and a key of its own.",
}
refusals = APIRouter(include_in_schema=False)
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]


def _refusing(why: str) -> Any:
    async def refuse() -> None:
        said, _, instead = why.partition(": ")
        raise BadInput(said, next_move=f"{instead[0].upper()}{instead[1:]}")

    return refuse


for _noun, _why in REFUSED.items():
    for _path in (f"/v1/{_noun}", f"/v1/{_noun}/{{rest:path}}"):
        refusals.add_api_route(_path, _refusing(_why), methods=METHODS, response_model=None)
_SCHEDULED = "Messages are not scheduled here: a cron job that calls `messages.create` does it."
for _path, _why in (
    ("schedule", _SCHEDULED),
    ("schedule/{rest:path}", _SCHEDULED),
    ("identities/{rest:path}", REFUSED["identities"]),
):
    refusals.add_api_route(f"/v1/agents/{{agent_id}}/{_path}", _refusing(_why), methods=METHODS, response_model=None)
