"""What a coding agent's hooks tell: one route for every moment of a session."""

from typing import Annotated, Literal

from fastapi import Query, Request
from pydantic import BaseModel, Field

from reverie.agents.events import HookCall
from reverie.model.hits import Injection, SessionFigures
from reverie.model.turns import SessionKind
from reverie.server.dependencies import Asking, Readable, Routes, Writable, the_server
from reverie.server.rest.shared import Strict
from reverie.server.rest.turns import Moment, Session

routes = Routes(prefix="/v1/spaces/{space}", tags=["hooks"])


class HookIn(Strict):
    """One moment of an agent's session. `reverie-hook` sends it; turns are stored once, whoever tells them again."""

    agent: str = Field(min_length=1, max_length=40, examples=["claude-code"])
    moment: Literal["start", "prompt", "answer", "compact", "end"]
    session: Session
    prompt: str = Field("", max_length=100, description="The agent's id of the prompt that is being answered.")
    text: str = Field("", max_length=4_000_000, description="What was said: the prompt, or the answer.")
    transcript: str = Field("", max_length=4_000, description="The agent's own file of this session.")
    project: str = Field("", max_length=200, description="Which project it is: its `origin`, or the path of its root.")
    kind: SessionKind | None = Field(None, description="What the session is; nights leave out all but interactive.")
    at: Moment | None = None
    seen: list[Annotated[str, Field(max_length=200)]] = Field(
        default_factory=list, max_length=5_000, description="What the session has been shown."
    )


class HookOut(BaseModel):
    """What to put into the agent's context, and what that shows."""

    text: str
    seen: tuple[str, ...]


@routes.post("/hooks")
def tell_moment(request: Request, caller: Asking, space: Writable, body: HookIn) -> HookOut:
    """Stores what was said and answers what the agent should see: nothing, where nothing surely belongs there.

    A file is read for the owner of this machine's home alone, who could read it anyway.
    """
    given = {**body.model_dump(), "seen": tuple(body.seen), "transcript": "" if caller.key else body.transcript}
    call = HookCall(**given)
    found: Injection = the_server(request).hooks.serve(space, call)
    return HookOut(text=found.text, seen=found.seen)


@routes.get("/hooks/status")
def session_status(space: Readable, session: Annotated[str, Query(max_length=200)] = "") -> SessionFigures:
    """What a status line shows: memories, turns of the session that are kept, the last night, what models have cost."""
    return space.session_figures(session)
