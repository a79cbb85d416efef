"""What models have cost, and what a space holds."""

from typing import Annotated, Literal

from fastapi import Query
from pydantic import BaseModel, Field

from reverie.model.ledger import Line, cost_per_question
from reverie.server.dependencies import Readable, Routes

routes = Routes(prefix="/v1/spaces/{space}", tags=["ledger"])
Since = Annotated[float, Query(ge=0, le=1e11, allow_inf_nan=False, description="Seconds since the epoch, UTC.")]
By = Literal["day", "night", "step", "model"]


class LedgerOut(BaseModel):
    lines: list[Line]
    questions: int = Field(description="How many were asked awake.")
    cost_per_question: float | None = Field(description="Dollars, nights included; null before the first.")


class UsageOut(BaseModel):
    turns: int
    unread: int = Field(description="Turns that no night has read.")
    memories: dict[str, int]
    blocks: int
    questions: int
    tokens_awake: int
    tokens_asleep: int
    cost_awake: float
    cost_asleep: float


@routes.get("/ledger")
def read_ledger(space: Readable, by: By = "day", since: Since = 0.0) -> LedgerOut:
    """Model calls added up, awake and asleep apart."""
    lines, asked = space.costs(by, since), space.questions_asked(since)
    return LedgerOut(lines=lines, questions=asked, cost_per_question=cost_per_question(lines, asked))


@routes.get("/usage")
def read_usage(space: Readable, since: Since = 0.0) -> UsageOut:
    """What the space holds, and what it has used of models."""
    lines = space.costs("day", since)
    last = space.turns(newest_first=True, limit=1)

    def spent(regime: str) -> tuple[int, float]:
        own = [line for line in lines if line.regime == regime]
        return sum(line.tokens_in + line.tokens_out for line in own), sum(line.cost for line in own)

    awake, asleep = spent("awake"), spent("asleep")
    return UsageOut(
        turns=last[0].seq if last else 0,
        unread=space.unread(),
        memories=space.count(),
        blocks=len(list(space.blocks)),
        questions=space.questions_asked(since),
        tokens_awake=awake[0],
        tokens_asleep=asleep[0],
        cost_awake=awake[1],
        cost_asleep=asleep[1],
    )
