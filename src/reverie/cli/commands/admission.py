"""Which sessions nights read: exclude, admit, admission."""

from typing import Annotated

import typer

from reverie.cli.app import JsonFlag, SpaceOption, app, open_space
from reverie.cli.output import when

Session = Annotated[str | None, typer.Argument(help="The session's name; `*` stands for anything.")]
Kind = Annotated[str | None, typer.Option(help="All of a kind: interactive, cron, heartbeat or subagent.")]
Channel = Annotated[str | None, typer.Option(help="All of a channel.")]
Source = Annotated[str | None, typer.Option(help="All that a program appended.")]
Why = Annotated[str, typer.Option(help="The reason, kept with each.")]


@app.command()
def exclude(
    session: Session = None,
    kind: Kind = None,
    channel: Channel = None,
    source: Source = None,
    why: Why = "",
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Keep sessions out of nights: they stay searchable, and nothing lasting is drawn from them."""
    with open_space(as_json, space) as (here, output):
        rule = here.exclude(session, kind=kind, channel=channel, source=source, why=why)
        output.value(rule, f"left out from now on: {rule.by} {rule.value!r}")


@app.command()
def admit(
    session: Session = None,
    kind: Kind = None,
    channel: Channel = None,
    source: Source = None,
    why: Why = "",
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Let nights read sessions that were left out."""
    with open_space(as_json, space) as (here, output):
        rule = here.admit(session, kind=kind, channel=channel, source=source, why=why)
        output.value(rule, f"read by the next night: {rule.by} {rule.value!r}")


@app.command()
def admission(space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """Show which sessions nights read and which not; of rules alike, the last holds."""
    with open_space(as_json, space) as (here, output):
        columns = {
            "sessions": lambda r: f"{r.by} {r.value}",
            "nights": lambda r: "read" if r.admit else "left out",
            "since": lambda r: when(r.at) if r.at else "always",
            "why": lambda r: r.why,
        }
        output.rows(here.admission(), columns, empty="Nights read every session.")
