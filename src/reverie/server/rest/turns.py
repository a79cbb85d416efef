"""The log over HTTP: append, read, end a session."""

from typing import Annotated, Any

from fastapi import Header, Query
from pydantic import BaseModel, Field, JsonValue

from reverie.model.base import Instant, Origin, Role
from reverie.model.turns import Appended, Draft, SessionKind, SessionNote, Turn
from reverie.policy.safety.admission import AdmissionRule
from reverie.server.dependencies import Administered, Id, Readable, Routes, Writable, WritableOrg
from reverie.server.rest.shared import After, Limit, Page, Strict, page
from reverie.space import Space

routes = Routes(prefix="/v1/spaces/{space}", tags=["turns"])
Session = Annotated[str, Field(min_length=1, max_length=200)]
Key = Annotated[str, Field(min_length=1, max_length=200)]
Moment = Annotated[Instant, Field(ge=0, le=1e11, allow_inf_nan=False, description="Seconds since the epoch, UTC.")]


class TurnIn(Strict):
    """One message of a conversation."""

    role: Role = Field(examples=["user"])
    text: str = Field(min_length=1, examples=["I moved to Hamburg last week"])
    session: Session = "default"
    key: Key | None = Field(None, description="The same key twice stores once.")
    origin: Origin | None = Field(None, description="Which channel it came by; from the role if not given.")
    speaker: str | None = Field(None, max_length=200)
    at: Moment | None = None
    metadata: dict[str, JsonValue] = Field(default_factory=dict)
    kind: SessionKind | None = Field(None, description="What its session is; nights leave out all but interactive.")
    channel: str | None = Field(None, max_length=200, description="How its session reaches the agent.")
    source: str | None = Field(None, max_length=200, description="Which program appends it.")


class TurnsIn(Strict):
    turns: list[TurnIn] = Field(min_length=1, max_length=1_000)


class TurnsOut(BaseModel):
    appended: list[Appended]


class SessionOut(BaseModel):
    session: str
    first_seq: int
    last_seq: int
    began_at: Instant
    last_at: Instant
    turns: int
    ended_at: Instant | None
    kind: SessionKind
    channel: str | None
    source: str | None
    excluded: str | None = Field(description="Why nights leave it out.")


class Sessions(Strict):
    """Which sessions are meant: by exactly one of these; `*` stands for anything."""

    session: str | None = Field(None, max_length=200, examples=["scratch-*"])
    kind: SessionKind | None = None
    channel: str | None = Field(None, max_length=200)
    source: str | None = Field(None, max_length=200)
    why: str = Field("", max_length=500)


class Ended(BaseModel):
    ended: bool = Field(description="False: there is no such session, or it had already ended.")


def append(space: Space, turn: TurnIn) -> Appended:
    return space.append(
        turn.role,
        turn.text,
        turn.session,
        turn.key,
        origin=turn.origin,
        speaker=turn.speaker,
        at=turn.at,
        metadata=turn.metadata,
        kind=turn.kind,
        channel=turn.channel,
        source=turn.source,
    )


def draft_of(turn: TurnIn) -> Draft:
    """The turn as the library takes it."""
    note = SessionNote(turn.kind, turn.channel, turn.source)
    return Draft(turn.role, turn.text, turn.session, turn.key, turn.origin, turn.speaker, turn.at, turn.metadata, note)


def with_key(turn: Any, key: str) -> Any:
    """An Idempotency-Key is the turn's own key, unless it has one."""
    return turn if turn.key is not None else turn.model_copy(update={"key": key})


@routes.post("/turns", status_code=201)
def append_turn(
    space: Writable, body: TurnIn, idempotency_key: Annotated[str | None, Header(min_length=1, max_length=200)] = None
) -> Appended:
    """Stores one turn, durably, before it answers. Secrets are taken out before that."""
    return append(space, body if idempotency_key is None else with_key(body, idempotency_key))


@routes.post("/turns/batch", status_code=201)
def append_turns(space: Writable, org: WritableOrg, body: TurnsIn) -> TurnsOut:
    """Many turns in order, all of them or none; give each a `key` to be able to send them again."""
    return TurnsOut(appended=org.append_all([(space, draft_of(turn)) for turn in body.turns]))


@routes.get("/turns")
def list_turns(
    space: Readable,
    session: Annotated[str | None, Query(max_length=200)] = None,
    newest_first: bool = False,
    limit: Limit = 50,
    after: After = None,
) -> Page[Turn]:
    """The log, oldest first unless asked otherwise."""
    place = {"before" if newest_first else "after": after}
    found = space.turns(session, newest_first=newest_first, limit=limit + 1, **place)
    return page(found, limit, lambda turn: turn.id)


@routes.get("/turns/{turn}")
def read_turn(space: Readable, turn: Id) -> Turn:
    return space.turn(turn)


@routes.get("/sessions")
def list_sessions(
    space: Readable, limit: Limit = 50, after: Annotated[int, Query(ge=0, le=2**62)] = 0
) -> Page[SessionOut]:
    """Conversations in the order they began."""
    found = [SessionOut(**row) for row in space.sessions(limit=limit + 1, after=after)]
    return page(found, limit, lambda session: str(session.first_seq))


@routes.post("/sessions/{session:path}/end")
def end_session(space: Writable, session: Id) -> Ended:
    """Says that a conversation is over: the space may sleep."""
    return Ended(ended=space.end_session(session))


@routes.post("/exclude")
def exclude_sessions(space: Administered, body: Sessions) -> AdmissionRule:
    """Keeps sessions out of nights: they stay searchable, and nothing lasting is drawn from them."""
    return space.exclude(**body.model_dump())


@routes.post("/admit")
def admit_sessions(space: Administered, body: Sessions) -> AdmissionRule:
    """Lets nights read sessions that were left out."""
    return space.admit(**body.model_dump())


@routes.get("/admission")
def list_admission_rules(space: Readable) -> Page[AdmissionRule]:
    """Which sessions nights read and which not; of rules alike, the last holds."""
    return Page(items=space.admission())
