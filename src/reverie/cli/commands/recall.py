"""Questions: recall, context; and embed, so that fresh turns are found by meaning too."""

from typing import Annotated

import typer

from reverie.cli import talk
from reverie.cli.app import HowMany, JsonFlag, SpaceOption, app, open_space


@app.command()
def recall(
    query: Annotated[str, typer.Argument(help="What to look for.")],
    limit: HowMany = 10,
    session: Annotated[str | None, typer.Option(help="Only this conversation.")] = None,
    kind: Annotated[
        list[str] | None, typer.Option(help="turn, episode, fact, note, insight, profile or summary.")
    ] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Has this tag.")] = None,
    after: Annotated[str | None, typer.Option(help="Said on or after this date, such as 2026-05-01.")] = None,
    before: Annotated[str | None, typer.Option(help="Said before this date.")] = None,
    as_of: Annotated[str | None, typer.Option("--as-of", help="What was believed at that moment.")] = None,
    raw: Annotated[bool, typer.Option("--raw", help="Only what was said, word for word.")] = False,
    include_stale: Annotated[bool, typer.Option("--include-stale", help="Superseded memories too, marked.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Show what each score is made of.")] = False,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Ask the memory. Milliseconds, no model."""
    said = {"session": session, "kind": kind, "tag": tag, "after": after, "before": before, "as_of": as_of}
    how = {"raw": raw, "include_stale": include_stale, "explain": explain}
    talk.recall(query, limit=limit, space=space, as_json=as_json, **said, **how)


@app.command()
def context(
    query: Annotated[str | None, typer.Argument(help="What the next answer is about.")] = None,
    budget: Annotated[int, typer.Option(min=1, help="Tokens.")] = 4_000,
    session: Annotated[str | None, typer.Option(help="The conversation it is meant for.")] = None,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """The prompt section: blocks, relevant memories, recent turns, within a token budget."""
    talk.context(query, budget=budget, session=session, space=space, as_json=as_json)


@app.command()
def embed(space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """Embed fresh turns now: found by words at once, by meaning after this or the next nap."""
    with open_space(as_json, space) as (here, output), output.waiting("embedding"):
        done = here.embed()
        output.value({"embedded": done}, f"{done} turns embedded")
