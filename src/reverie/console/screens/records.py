"""Diary and ledger: each night in its own words, and the money by day, model and step, awake against asleep."""

from typing import Annotated, Literal

from fastapi import Query
from starlette.responses import Response

from reverie.console.shell import Reading, Screens
from reverie.model.base import DAY
from reverie.model.ledger import cost_per_question

routes = Screens()
PAGE = 20
DAYS = 90


@routes.screen("/diary")
def diary(here: Reading, before: Annotated[float | None, Query(ge=0, le=1e11, allow_inf_nan=False)] = None) -> Response:
    found = here.space.diary(limit=PAGE + 1, before=before)
    return here.page("diary.html", entries=found[:PAGE], next=found[PAGE - 1].at if len(found) > PAGE else None)


@routes.screen("/ledger")
def ledger(here: Reading, by: Literal["day", "model", "step", "night"] = "day") -> Response:
    since = here.now - DAYS * DAY
    lines = here.space.costs(by, since)
    asked = here.space.questions_asked(since)
    return here.page(
        "ledger.html", by=by, lines=lines, asked=asked, a_question=cost_per_question(lines, asked), days=DAYS
    )
