"""A space as text files, and a dream over a coding agent's memory directory: mirror, dream."""

import time
from typing import TYPE_CHECKING, Annotated

import typer

from reverie.cli.app import JsonFlag, SpaceOption, app, open_space
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
    with open_space(as_json, space, begin=True) as (here, output):
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


@app.command()
def dream(
    directory: Annotated[str, typer.Argument(help="The directory with MEMORY.md and topic files.")],
    transcripts: Annotated[str, typer.Option(help="Where the agent keeps its session files (*.jsonl).")],
    force: Annotated[bool, typer.Option("--force", help="Ignore every gate except the lock.")] = False,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Read new sessions and your edits, sleep, and write the files; for an agent's hook, it asks its gates first."""
    with open_space(as_json, space, begin=True) as (here, output):
        done = here.dream(directory, transcripts, force=force)

        def say() -> None:
            for gate, answer in done.gates:
                output.say(f"{'open  ' if answer else 'closed'} {gate:<9} {answer.why}")
            if done.night is not None:
                output.say(f"{done.turns} new turns; {done.night.kind} {done.night.id} {done.night.status}")
            if done.synced is not None:
                output.say(f"wrote {', '.join(done.synced.files) or 'nothing'}")

        output.value(done, say)
        if done.night is not None and done.night.status == "failed":
            raise typer.Exit(1)
