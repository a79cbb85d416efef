"""The hot path's questions over HTTP: recall, context."""

from typing import Annotated

from pydantic import BaseModel, Field, JsonValue, TypeAdapter

from reverie.model.hits import DEFAULT_BUDGET, Context, Hit, HitKind, Mode
from reverie.model.memories import Tier
from reverie.server.dependencies import Readable, Routes
from reverie.server.rest.shared import Strict
from reverie.server.rest.turns import Moment, Session
from reverie.space import Space

routes = Routes(prefix="/v1/spaces/{space}", tags=["recall"])
Query = Annotated[str, Field(min_length=1, max_length=100_000, examples=["where does she live?"])]


class RecallIn(Strict):
    """What to look for. Times bound what was said; `as_of` asks what was believed at that moment."""

    query: Query
    k: int = Field(10, ge=1, le=1_000)
    session: Session | None = None
    after: Moment | None = None
    before: Moment | None = None
    as_of: Moment | None = None
    kinds: tuple[HitKind, ...] = Field((), strict=False)  # JSON has no tuples
    tags: tuple[str, ...] = Field((), strict=False)
    metadata: dict[str, JsonValue] = Field(default_factory=dict)
    tiers: tuple[Tier, ...] = Field((), strict=False)
    min_confidence: float = Field(0.0, ge=0.0, le=1.0, allow_inf_nan=False)
    include_stale: bool = False
    mode: Mode = "all"
    explain: bool = False


class Hits(BaseModel):
    hits: list[Hit]


class ContextIn(Strict):
    query: str | None = Field(None, max_length=100_000, examples=["plan my commute"])
    budget: int = Field(DEFAULT_BUDGET, ge=1, le=1_000_000, description="Tokens.")
    session: Session | None = None
    k: int | None = Field(None, ge=1, le=1_000, description="Hits to look for; more for a larger budget if not given.")


RECALL_REPLY = TypeAdapter(Hits)


def recall(space: Space, asked: RecallIn, *, quiet: bool = False) -> Hits:
    given = {name: getattr(asked, name) for name in RecallIn.model_fields}
    return Hits.model_construct(hits=space.recall(**given, quiet=quiet))  # made by us just now: nothing to validate


def context(space: Space, asked: ContextIn) -> Context:
    return space.context(asked.query, asked.budget, session=asked.session, k=asked.k)


@routes.post("/recall")
def recall_memories(space: Readable, body: RecallIn) -> Hits:
    """What the space knows about a query, best first, each hit with its sources, dates and score."""
    return recall(space, body)


@routes.post("/context")
def make_context(space: Readable, body: ContextIn) -> Context:
    """The prompt section: blocks first, then memories and recent turns, within a token budget."""
    return context(space, body)
