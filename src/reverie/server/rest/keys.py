"""API keys over HTTP: made, listed, revoked by an admin of the org."""

from typing import Annotated

from fastapi import Request
from pydantic import BaseModel, Field

from reverie.model.spaces import ApiKey, Verb
from reverie.server.dependencies import Administered, AdministeredOrg, Asking, Id, Routes, the_server
from reverie.server.rest.shared import After, Limit, Page, Strict, page

routes = Routes(tags=["keys"])
Days = Annotated[float, Field(gt=0, lt=36_500, allow_inf_nan=False)]


class KeyIn(Strict):
    name: str = Field(min_length=1, max_length=200, pattern=r"\S", examples=["laptop"])
    verbs: list[Verb] = Field(
        ["read", "write"],
        min_length=1,
        max_length=4,
        description="`write` and `review` (approving what waits) also read; `admin` may do all.",
    )
    days: Days | None = Field(None, description="Days until it expires; by default it never does.")


class KeyMade(BaseModel):
    key: ApiKey
    secret: str = Field(description="Shown this once.")


@routes.post("/v1/keys", status_code=201)
def create_org_key(org: AdministeredOrg, caller: Asking, body: KeyIn) -> KeyMade:
    """A key of the whole org."""
    caller.must_see_all()
    made = org.keys.create(body.name, body.verbs, days=body.days)
    return KeyMade(key=made.key, secret=made.secret)


@routes.post("/v1/spaces/{space}/keys", status_code=201)
def create_space_key(space: Administered, org: AdministeredOrg, body: KeyIn) -> KeyMade:
    """A key for this space only."""
    made = org.keys.create(body.name, body.verbs, space=space.id, days=body.days)
    return KeyMade(key=made.key, secret=made.secret)


@routes.get("/v1/keys")
def list_org_keys(org: AdministeredOrg, caller: Asking, limit: Limit = 50, after: After = None) -> Page[ApiKey]:
    """All keys of the org, without their secrets."""
    caller.must_see_all()
    return page(org.keys.list(limit=limit + 1, after=after), limit, lambda key: key.id)


@routes.delete("/v1/keys/{key}")
def revoke_org_key(org: AdministeredOrg, caller: Asking, key: Id, request: Request) -> ApiKey:
    """Works at once in this server, and within two seconds in others."""
    caller.must_see_all()
    revoked = org.keys.revoke(key)
    the_server(request).auth.forget()
    return revoked
