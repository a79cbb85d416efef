"""A space as text files: mirror."""

import time
from typing import TYPE_CHECKING, Annotated

import typer

from reverie.cli.app import JsonFlag, SpaceOption, app, opened
from reverie.cli.output import Output

if TYPE_CHECKING:
    from reverie.mirror.mirror import Synced

LOOK_EVERY = 2.0  # seconds


@app.command()
def mirror(
    directory: Annotated[str | None, typer.Argument(help="The directory; default: the setting `mirror`.")] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Keep going until Ctrl-C.")] = False,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Read a person's edits, then write MEMORY.md, topic files and DREAMS.md."""
    with opened(as_json, space, begin=True) as (here, output):
        done = here.mirror(directory)
        output.value(done, lambda: tell(output, done))
        while watch:
            try:
                time.sleep(LOOK_EVERY)
                tell(output, here.mirror(directory), quiet=True)
            except KeyboardInterrupt:
                break


def tell(output: Output, done: "Synced", *, quiet: bool = False) -> None:
    for said in done.taken.said:
        output.say(f"read {said.file}: {said.text}")
    for name, line in done.taken.struck:
        output.say(f"struck out in {name}: {line}")
    for warning in done.warnings:
        output.err.print(f"warning: {warning}", style="yellow")
    if done.files or not quiet:
        output.say(f"wrote {', '.join(done.files) or 'nothing'}")
