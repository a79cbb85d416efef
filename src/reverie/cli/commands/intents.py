"""Reminders for when something comes up: intents, intents add, intents cancel."""

from typing import Annotated

import typer

from reverie.cli.app import JsonFlag, SpaceOption, app, open_space
from reverie.cli.output import when
from reverie.model.turns import MOST_TIMES, Intent

group = typer.Typer(invoke_without_command=True, help="What to remind of when something comes up.")
app.add_typer(group, name="intents")


Everything = Annotated[bool, typer.Option("--all", help="Also what is over or cancelled.")]


@group.callback()
def intents(
    context: typer.Context, everything: Everything = False, space: SpaceOption = None, as_json: JsonFlag = False
) -> None:
    """What the user wants to be reminded of when something comes up; without more words, the list."""
    if context.invoked_subcommand is None:
        list_intents(everything, space, as_json)


@group.command("list")
def list_intents(everything: Everything = False, space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """Show what the user wants to be reminded of, and when."""
    with open_space(as_json, space) as (here, output):
        columns = {
            "remind of": lambda one: one.remind,
            "when": lambda one: one.trigger,
            "since": lambda one: when(one.made_at),
            "shown": lambda one: f"{one.fired} of {MOST_TIMES}",
            "": _state,
            "id": lambda one: one.id,
        }
        output.rows(here.intents(over=everything), columns, empty="Nothing is to be reminded of.")


@group.command("add")
def add_intent(
    remind: Annotated[str, typer.Argument(help="What to remind of.")],
    trigger: Annotated[str, typer.Option("--when", help="What has to come up: words, or a question.")],
    scope: Annotated[str, typer.Option(help="Only in this session; `*` stands for anything.")] = "",
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Remind of something when a topic comes up: at most three times, a day apart, for ninety days."""
    with open_space(as_json, space, begin=True) as (here, output):
        made = here.intend(remind, trigger, scope=scope, surface="cli")
        output.value(made, f"when {made.trigger} comes up: {made.remind} ({made.id})")


@group.command("cancel")
def cancel_intent(
    id: Annotated[str, typer.Argument(help="Its id, as `reverie intents` shows it.")],
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Cancel a reminder: nothing else does, but the user's own word."""
    with open_space(as_json, space) as (here, output):
        gone = here.cancel_intent(id)
        output.value(gone, f"cancelled: {gone.remind}")


def _state(intent: Intent) -> str:
    return "cancelled" if intent.cancelled_at is not None else "" if intent.live else "done"
