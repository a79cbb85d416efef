"""Thinking ahead over HTTP: documents to study, what nights worked out, what that cost and saved."""

from typing import Annotated

from fastapi import Query
from pydantic import Field

from reverie.model.memories import Memory, PonderReport, Studied, Study
from reverie.server.dependencies import Readable, Routes, Writable
from reverie.server.rest.shared import Limit, Page, Strict, page

routes = Routes(prefix="/v1/spaces/{space}", tags=["studies"])
StudyName = Annotated[str, Field(min_length=1, max_length=180)]


class StudyIn(Strict):
    name: StudyName = Field(examples=["prices.md"])
    text: str = Field(min_length=1, examples=["Prices:\n- Pen: $2\n- Bag: $20"])


@routes.post("/studies", status_code=201)
def study(space: Writable, body: StudyIn) -> Studied:
    """Keeps a document under its name, or takes in what has changed of it. The next night thinks about it."""
    return space.study(name=body.name, text=body.text, surface="rest")


@routes.get("/studies")
def list_studies(space: Readable, limit: Limit = 50, after: Annotated[str, Query(max_length=200)] = "") -> Page[Study]:
    """Documents by name; `after` is the name of the last one seen."""
    return page(space.studies(limit=limit + 1, after=after), limit, lambda one: one.name)


@routes.get("/insights")
def list_insights(
    space: Readable, study: Annotated[str | None, Query(max_length=200)] = None, limit: Limit = 50
) -> Page[Memory]:
    """What nights worked out ahead and holds, the newest first."""
    return Page(items=space.insights(study, limit=limit))


@routes.get("/insights/report")
def ponder_report(space: Readable) -> PonderReport:
    """What thinking ahead cost and saved in the last four weeks, and whether a model still does it here."""
    return space.ponder_report()
