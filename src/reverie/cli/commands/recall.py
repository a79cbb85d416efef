"""Questions: recall, context; and embed, so that fresh turns are found by meaning too."""

from typing import TYPE_CHECKING, Annotated

import typer

from reverie.cli.app import JsonFlag, SpaceOption, app, kinds_of, moment_of, open_space
from reverie.cli.output import Output, when

if TYPE_CHECKING:
    from reverie.model.hits import Context, Hit

FRESH = 64  # turns that a question at the terminal embeds first, so that they are found by meaning too


@app.command()
def recall(
    query: Annotated[str, typer.Argument(help="What to look for.")],
    k: Annotated[int, typer.Option(min=1, help="How many hits.")] = 10,
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
    with open_space(as_json, space) as (here, output):
        here.embed(FRESH)
        hits = here.recall(
            query,
            k,
            session=session,
            after=moment_of(after),
            before=moment_of(before),
            as_of=moment_of(as_of),
            kinds=kinds_of(kind, "turn"),
            tags=tuple(tag or ()),
            mode="raw" if raw else "all",
            include_stale=include_stale,
            explain=explain,
        )
        output.value(hits, lambda: tell_hits(output, hits))


@app.command()
def context(
    query: Annotated[str | None, typer.Argument(help="What the next answer is about.")] = None,
    budget: Annotated[int, typer.Option(min=1, help="Tokens.")] = 4_000,
    session: Annotated[str | None, typer.Option(help="The conversation it is meant for.")] = None,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """The prompt section: blocks, relevant memories, recent turns, within a token budget."""
    with open_space(as_json, space) as (here, output):
        here.embed(FRESH)
        made = here.context(query, budget, session=session)
        output.value(made, lambda: tell_context(output, made))


@app.command()
def embed(space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """Embed fresh turns now: found by words at once, by meaning after this or the next nap."""
    with open_space(as_json, space) as (here, output), output.waiting("embedding"):
        done = here.embed()
        output.value({"embedded": done}, f"{done} turns embedded")


def tell_hits(output: Output, hits: "list[Hit]") -> None:
    from reverie.policy.recall.lines import flag_words, says_who, who
    from reverie.policy.safety.trust import unwrap_recalled

    if not hits:
        output.say("Nothing found.")
    for hit in hits:
        said = "" if says_who(hit) else f"{who(hit)}: "
        text = unwrap_recalled(hit.text).replace("\n", "\n      ")  # below its score: no line of it passes for a hit
        output.say(f"{hit.relevance:.2f}  {said}{text}{flag_words(hit.flags)}")
        output.say(f"      {hit.kind}  {when(hit.said_at)}  {hit.id}", "dim")
        if hit.parts:
            output.say("      " + "  ".join(f"{name} {value:.3g}" for name, value in hit.parts.items()), "dim")


def tell_context(output: Output, made: "Context") -> None:
    output.say(made.text)
    output.err.print(f"{made.tokens} tokens; {len(made.left_out)} left out", style="dim")
