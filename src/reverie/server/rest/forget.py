"""Forgetting over HTTP: by id, words, session or person, with everything derived."""

from pydantic import ConfigDict, Field

from reverie.model.memories import Forgetting
from reverie.server.dependencies import Asking, Id, Routes, Writable
from reverie.server.rest.shared import Strict

routes = Routes(prefix="/v1/spaces", tags=["keeping"])


class ForgetIn(Strict):
    """Exactly one of ids, query, session, person or everything."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"session": "s1", "dry_run": True}]})

    ids: tuple[str, ...] = Field((), max_length=1_000, strict=False)
    query: str | None = Field(None, max_length=1_000)
    session: str | None = Field(None, max_length=200)
    person: str | None = Field(None, max_length=200)
    everything: bool = False
    dry_run: bool = Field(False, description="Says what would go, with its texts, and deletes nothing.")
    purge: bool = Field(False, description="Also rewrites the store's files; needs an admin key, locks tables.")


@routes.post("/{space}/forget")
def forget_memories(space: Writable, caller: Asking, body: ForgetIn) -> Forgetting:
    """Deletes for good, with everything derived. Cannot be undone. Answers with a receipt."""
    if body.purge:
        caller.must("admin")
    given = body.model_dump(exclude={"ids"})
    return space.forget(*body.ids, **given)


@routes.delete("/{space}/memories/{memory}")
def forget_memory(space: Writable, memory: Id) -> Forgetting:
    """Forgets one memory or turn, with everything that rests on it alone."""
    return space.forget(memory)
