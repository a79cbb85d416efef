"""Models: check them, see what they cost, talk to one."""

import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from reverie.cli.app import JsonFlag, Session, SpaceOption, app, opened
from reverie.cli.output import Output

if TYPE_CHECKING:
    from reverie.agent.primary import Reply
    from reverie.minds.llm.check import CheckResult

group = typer.Typer(help="The models that think, if any are set.", no_args_is_help=True)
app.add_typer(group, name="models")


@group.command()
def check(as_json: JsonFlag = False) -> None:
    """Ask each role's model one small question: which modes work, how fast, at what price."""
    from reverie.minds.llm.check import check as check_model
    from reverie.thinkers import environ_of, specs_of

    config = Session.config()
    results = [check_model(spec, environ=environ_of(config)) for spec in specs_of(config)]
    output = Output(as_json=as_json)
    output.value(results, lambda: _tell(output, results))
    if not all(result.works for result in results):
        raise typer.Exit(5)


def _tell(output: Output, results: "list[CheckResult]") -> None:
    if not results:
        output.say("No model is set: the rules do the thinking, and nothing is paid.")
    for result in results:
        output.say(f"{result.spec.role}: {result.spec.name}", style=None if result.works else "red")
        output.fold(result.why, "  ")
        for mode, how in result.modes.items():
            output.say(f"  {mode}: {how}")
        if result.works:
            output.say(f"  first answer after {result.seconds:.1f} s, {result.tokens_per_second:.0f} tokens/s")
        if result.price is not None:
            output.say(f"  ${result.price:.2f} for a million tokens read and 100,000 written")


@app.command()
def ledger(
    by: Annotated[Literal["day", "night", "step", "model"], typer.Option(help="What a line stands for.")] = "day",
    days: Annotated[int, typer.Option(min=1, help="How far back.")] = 30,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """What models have cost, awake and asleep apart, and spread over the questions asked."""
    from reverie.model.base import DAY
    from reverie.store.ledger import amortized

    with opened(as_json, space) as (here, output):
        since = time.time() - days * DAY
        lines, asked = here.costs(by, since), here.questions_asked(since)
        columns = {
            by: lambda line: line.key,
            "regime": lambda line: line.regime,
            "calls": lambda line: line.calls,
            "failed": lambda line: line.failed or "",
            "tokens in": lambda line: f"{line.tokens_in:,}",
            "cached": lambda line: f"{line.tokens_cached:,}",
            "tokens out": lambda line: f"{line.tokens_out:,}",
            "cost": lambda line: f"${line.cost:.4f}" + (f" + {line.unpriced} unpriced" if line.unpriced else ""),
        }
        each = amortized(lines, asked)
        if as_json:
            output.value({"lines": lines, "questions": asked, "cost_per_question": each}, "")
            return
        output.rows(lines, columns, empty="Nothing was spent: no model has been called.")
        if lines and each is not None:
            output.say(f"{asked} questions asked: ${each:.5f} for each, nights included")


@app.command()
def chat(
    text: Annotated[
        str | None, typer.Argument(help="One message; without it, a conversation from standard input.")
    ] = None,
    session: Annotated[str, typer.Option(help="The conversation.")] = "chat",
    thinking: Annotated[bool, typer.Option("--thinking", help="Show the model's own reasoning.")] = False,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Talk to the memory: a precomputed answer, else one model call, else memory alone."""
    with opened(as_json, space, begin=True) as (here, output):
        agent = here.agent()
        for message in [text] if text is not None else _messages(output):
            if as_json:
                output.value(agent.say(message, session), "")
            else:
                _show(output, agent.stream(message, session), thinking)
        if text is None:
            here.end_session(session)


def _messages(output: Output) -> Iterator[str]:
    """Lines from standard input until it ends; at a terminal, with a prompt."""
    while True:
        try:
            line = input("> ") if sys.stdin.isatty() and not output.as_json else input()
        except EOFError:
            return
        if line.strip():
            yield line


def _show(output: Output, events: Any, thinking: bool) -> None:
    for event in events:
        if event.kind == "text":
            output.out.print(event.text, end="")
        elif event.kind == "tool" or (event.kind == "thinking" and thinking):
            output.err.print(event.text, end="\n" if event.kind == "tool" else "", style="dim")
        elif event.reply is not None:
            output.out.print()
            output.err.print(_footer(event.reply), style="dim")


def _footer(reply: "Reply") -> str:
    calls = (
        "no model call" if not reply.model_calls else f"{reply.model_calls} model call" + "s" * (reply.model_calls > 1)
    )
    memories = f"; memories: {', '.join(reply.memories[:5])}" if reply.memories else ""
    return f"[{reply.by}: {reply.why}; {calls}{memories}]"
