"""mem0's paths: the platform's, which `MemoryClient` calls, and those of its self-hosted server."""

from typing import Annotated, Any, Literal

from fastapi import Depends, Query, Request
from pydantic import Field, JsonValue

from reverie.server.dependencies import Id, Routes, the_caller, the_server
from reverie.server.mem0.entities import IDS, Owner
from reverie.server.mem0.records import Shape
from reverie.server.mem0.verbs import AddIn, ChangeIn, Lenient, Mem0, pending

DELETED = {"message": "Memory deleted successfully!"}
MOST_IN_A_BATCH = 1_000


def the_store(request: Request) -> Mem0:
    return Mem0(the_server(request), the_caller(request))


Store = Annotated[Mem0, Depends(the_store)]
OwnerId = Annotated[str | None, Query(max_length=300)]


def the_owner(
    user_id: OwnerId = None, agent_id: OwnerId = None, app_id: OwnerId = None, run_id: OwnerId = None
) -> Owner:
    return Owner.of({"user_id": user_id, "agent_id": agent_id, "app_id": app_id, "run_id": run_id})


Named = Annotated[Owner, Depends(the_owner)]


class AllIn(Lenient):
    filters: dict[str, JsonValue] = Field(default_factory=dict)


class Mem0SearchIn(Lenient):
    query: str = Field(min_length=1, max_length=100_000)
    filters: dict[str, JsonValue] | None = None
    top_k: int | None = Field(None, ge=1, le=1_000)
    limit: int | None = Field(None, ge=1, le=1_000)
    threshold: float | None = Field(None, ge=0, le=1)
    user_id: str | None = Field(None, max_length=300)
    agent_id: str | None = Field(None, max_length=300)
    app_id: str | None = Field(None, max_length=300)
    run_id: str | None = Field(None, max_length=300)

    @property
    def wanted(self) -> dict[str, Any]:
        """The filter, with whom a self-hosted client names beside it."""
        named = {name: getattr(self, name) for name in IDS if getattr(self, name) is not None}
        return {**(self.filters or {}), **named}


class BatchItem(ChangeIn):
    memory_id: str = Field(max_length=300)


class BatchIn(Lenient):
    memories: list[BatchItem] = Field(min_length=1, max_length=MOST_IN_A_BATCH)


routes = Routes(tags=["mem0"], include_in_schema=False)


@routes.get("/v1/ping/")
def ping(store: Store) -> Shape:
    """What a client asks first: whose key it is."""
    org = store.caller.org
    return {"status": "ok", "org_id": org, "project_id": org, "user_email": None}


@routes.post("/v3/memories/add/")
@routes.post("/v1/memories/")
def add(store: Store, body: AddIn) -> Shape:
    return pending(store.add(body))


@routes.post("/v3/memories/")
@routes.post("/v2/memories/")
def list_all(
    store: Store,
    request: Request,
    body: AllIn,
    page: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
    page_size: Annotated[int, Query(ge=1, le=1_000)] = 100,
) -> Shape:
    found = store.all(body.filters)
    begin, end = (page - 1) * page_size, page * page_size
    here = request.url.path
    following = f"{here}?page={page + 1}&page_size={page_size}" if end < len(found) else None
    before = f"{here}?page={page - 1}&page_size={page_size}" if page > 1 else None
    return {"count": len(found), "next": following, "previous": before, "results": found[begin:end]}


@routes.post("/v3/memories/search/")
@routes.post("/v2/memories/search/")
@routes.post("/search")
def search(store: Store, body: Mem0SearchIn) -> Shape:
    return {"results": store.search(body.query, body.wanted, body.top_k or body.limit or 10, body.threshold or 0.0)}


@routes.get("/v1/memories/{memory}/")
@routes.get("/memories/{memory}")
def get(store: Store, memory: Id) -> Shape:
    return store.get(memory)


@routes.put("/v1/memories/{memory}/")
def update(store: Store, memory: Id, body: ChangeIn) -> Shape:
    return store.update(memory, body)


@routes.delete("/v1/memories/{memory}/")
@routes.delete("/memories/{memory}")
def delete(store: Store, memory: Id) -> Shape:
    store.delete([memory])
    return DELETED


@routes.get("/v1/memories/{memory}/history/")
@routes.get("/memories/{memory}/history")
def history(store: Store, memory: Id) -> list[Shape]:
    return store.history(memory)


@routes.delete("/v1/memories/")
@routes.delete("/memories")
def delete_all(store: Store, owner: Named) -> Shape:
    store.delete_all(owner)
    return {"message": "Memories deleted successfully!"}


@routes.put("/v1/batch/")
def batch_update(store: Store, body: BatchIn) -> Shape:
    for item in body.memories:
        store.get(item.memory_id)  # all of them are there, or none is changed
    for item in body.memories:
        store.update(item.memory_id, item)
    return {"message": f"Successfully updated {len(body.memories)} memories"}


@routes.delete("/v1/batch/")
def batch_delete(store: Store, body: BatchIn) -> Shape:
    store.delete([item.memory_id for item in body.memories])
    return {"message": f"Successfully deleted {len(body.memories)} memories"}


@routes.get("/v1/entities/")
def entities(store: Store) -> Shape:
    found = store.entities()
    return {"count": len(found), "next": None, "previous": None, "results": found}


@routes.delete("/v2/entities/{kind}/{name}/")
def delete_entity(store: Store, kind: Literal["user", "agent", "app", "run"], name: Id) -> Shape:
    store.delete_entity(kind, name)
    return {"message": "Entity deleted successfully!"}


# As the self-hosted server answers


@routes.post("/memories")
def add_here(store: Store, body: AddIn) -> Shape:
    return {"results": store.add(body)}


@routes.get("/memories")
def list_here(store: Store, owner: Named) -> Shape:
    return {"results": store.all(dict(owner.ids))}


@routes.put("/memories/{memory}")
def update_here(store: Store, memory: Id, body: ChangeIn) -> Shape:
    store.update(memory, body)
    return {"message": "Memory updated successfully!"}
