"""Answers before the question, over HTTP: ask for one, see what is prepared and what came of it."""

from typing import Annotated

from pydantic import BaseModel, Field

from reverie.model.answers import Answer, Answered, AnswersReport
from reverie.model.base import Instant
from reverie.server.dependencies import Id, Readable, Routes, Writable
from reverie.server.rest.shared import After, Limit, Page, Strict, page
from reverie.space import Space

routes = Routes(prefix="/v1/spaces/{space}", tags=["answers"])


class AnswerIn(Strict):
    query: Annotated[str, Field(min_length=1, max_length=10_000, examples=["where do I live?"])]
    explain: bool = Field(default=False, description="Only says what would be answered and why; leaves no trace.")


class AnswerOut(BaseModel):
    """An answer that is prepared."""

    id: str
    question: str
    answer: str
    confidence: float
    threshold: float = Field(description="How close a question must come; learned from accepted and rejected hits.")
    predictor: str
    sources: list[str]
    rests_on: dict[str, int] = Field(description="Ids with the versions they must still have.")
    model: str
    tokens: int
    hits: int
    accepted: int
    rejected: int
    dropped: str | None = Field(description="Why it is no longer served.")
    night: str | None
    created_at: Instant
    expires_at: Instant
    last_hit_at: Instant | None


class Dropped(BaseModel):
    dropped: str


def answer(space: Space, asked: AnswerIn) -> Answered:
    return space.explain_answer(asked.query) if asked.explain else space.answer(asked.query)


def answer_out(found: Answer) -> AnswerOut:
    return AnswerOut(**{name: getattr(found, name) for name in AnswerOut.model_fields})


@routes.post("/answer")
def ask_question(space: Readable, body: AnswerIn) -> Answered:
    """A precomputed answer with its sources and age; or `text` is null, and `why` has the reason."""
    return answer(space, body)


@routes.get("/answers")
def list_answers(space: Readable, live: bool = True, limit: Limit = 50, after: After = None) -> Page[AnswerOut]:
    """What is prepared, newest first; with `live=false`, what is no longer served too."""
    if after is not None:
        space.prepared(after)
    found = [answer_out(answer) for answer in space.answers(live=live, limit=limit + 1, after=after)]
    return page(found, limit, lambda answer: answer.id)


@routes.get("/answers/report")
def answers_report(space: Readable) -> AnswersReport:
    """Hits and wrong hits, tokens spent asleep and saved awake, per predictor."""
    return space.answers_report()


@routes.get("/answers/{answer}")
def read_answer(space: Readable, answer: Id) -> AnswerOut:
    return answer_out(space.prepared(answer))


@routes.delete("/answers/{answer}")
def drop_answer(space: Writable, answer: Id) -> Dropped:
    """It is never served again."""
    space.drop_answer(answer)
    return Dropped(dropped=answer)
