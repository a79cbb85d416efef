"""The diary of nights: diary."""

from typing import Annotated

import typer

from reverie.cli.app import JsonFlag, SpaceOption, app, opened
from reverie.cli.output import when


@app.command()
def diary(
    limit: Annotated[int, typer.Option(min=1, help="How many nights.")] = 7,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """What each night did, in its own words, newest first."""
    with opened(as_json, space) as (here, output):
        entries = here.diary(limit=limit)

        def say() -> None:
            for entry in entries:
                output.say(f"{when(entry.at)}  {entry.night}", "bold")
                output.say(entry.text + "\n")
            if not entries:
                output.say("No entries yet. Try: reverie sleep")

        output.value(entries, say)
