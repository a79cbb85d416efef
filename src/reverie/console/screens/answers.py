"""Answers: which questions were foreseen, what was served or wrong, what was worked out ahead; whether it pays."""

from typing import Annotated

from fastapi import Query
from starlette.responses import Response

from reverie.console.shell import Form, Reading, Screens, Writing

routes = Screens()
PAGE = 50
SHOWN = 20  # insights


@routes.screen("/answers")
def answers(
    here: Reading, dropped: Annotated[bool, Query()] = False, after: Annotated[str, Query(max_length=300)] = ""
) -> Response:
    found = here.space.answers(live=not dropped, limit=PAGE + 1, after=after or None)
    return here.page(
        "answers.html",
        answers=[one for one in found[:PAGE] if dropped or one.expires_at >= here.now],
        next=found[PAGE - 1].id if len(found) > PAGE else "",
        dropped=dropped,
        report=here.space.answers_report(),
        ahead=here.space.ponder_report(),
        insights=here.space.insights(limit=SHOWN),
    )


@routes.action("/answers/{answer}/drop")
def drop(here: Writing, form: Form, answer: str) -> Response:
    here.space.drop_answer(answer, form.get("why", ""))
    return here.go("answers", told="Dropped: it is never given again as it is.")
