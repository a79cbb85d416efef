"""Context: the exact text that an agent gets for a question, how its tokens are spent, and what was left out."""

from typing import Annotated

from fastapi import Query
from starlette.responses import PlainTextResponse, Response

from reverie.console import charts
from reverie.console.shell import Reading, Screens
from reverie.model.hits import DEFAULT_BUDGET, Injection
from reverie.server.gateway.responder import PAGE_HEADERS

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
    prompt = (
        here.space.for_prompt(q.strip(), session=session.strip() or "console", quiet=True) if q.strip() else Injection()
    )
    return here.page(
        "context.html",
        injected=prompt.text,
        q=q,
        budget=budget,
        session=session,
        context=made,
        bar=charts.shares(dict(made.tokens_of), budget),
    )


@routes.get("/context.txt", response_model=None)
def context_text(
    here: Reading,
    q: Annotated[str, Query(max_length=10_000)] = "",
    budget: Annotated[int, Query(ge=1, le=MOST)] = DEFAULT_BUDGET,
    session: Annotated[str, Query(max_length=300)] = "",
) -> Response:
    """What an agent would get, and nothing else."""
    made = here.space.context(q.strip() or None, budget, session=session.strip() or None, quiet=True)
    return PlainTextResponse(made.text, headers=PAGE_HEADERS)
