"""Context: the exact text that an agent gets for a question, how its tokens are spent, and what was left out."""

from typing import Annotated

from fastapi import Query
from starlette.responses import Response

from reverie.console import charts
from reverie.console.shell import Reading, Screens
from reverie.model.hits import DEFAULT_BUDGET

routes = Screens()
MOST = 200_000  # tokens


@routes.screen("/context")
def context(
    here: Reading,
    q: Annotated[str, Query(max_length=10_000)] = "",
    budget: Annotated[int, Query(ge=1, le=MOST)] = DEFAULT_BUDGET,
    session: Annotated[str, Query(max_length=300)] = "",
) -> Response:
    made = here.space.context(q.strip() or None, budget, session=session.strip() or None, quiet=True)
    return here.page(
        "context.html",
        q=q,
        budget=budget,
        session=session,
        context=made,
        bar=charts.shares(dict(made.tokens_of), budget),
    )
