"""Context: the exact text that an agent gets for a question, how its tokens are spent, and what was left out."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Query
from starlette.responses import PlainTextResponse, Response

from reverie.console import charts
from reverie.console.shell import Reading, Screens
from reverie.errors import NotFound
from reverie.model.hits import DEFAULT_BUDGET, Injection
from reverie.server.gateway.responder import PAGE_HEADERS
from reverie.space import Space

routes = Screens()
MOST = 200_000  # tokens
SHOWN = 30  # of what was left out


@dataclass(frozen=True, slots=True)
class LeftOutLine:
    """What an agent does not get although it was found: of which part of the text, and why."""

    part: str
    id: str
    why: str
    text: str = ""


def _left_out(space: Space, line: str) -> LeftOutLine:
    part, _, rest = line.partition(" ")
    id, _, why = rest.partition(": ")
    try:
        return LeftOutLine(part, id, why, space.named(id).text)
    except NotFound:  # a block, a reminder
        return LeftOutLine(part, id, why)


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
        briefing=here.space.briefing(write=False).text,
        left_out=[_left_out(here.space, line) for line in made.left_out[:SHOWN]],
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
