"""A dream over a coding agent's memory directory: dream."""

from typing import Annotated

import typer

from reverie.cli.app import JsonFlag, SpaceOption, app, opened


@app.command()
def dream(
    directory: Annotated[str, typer.Argument(help="The directory with MEMORY.md and topic files.")],
    transcripts: Annotated[str, typer.Option(help="Where the agent keeps its session files (*.jsonl).")],
    force: Annotated[bool, typer.Option("--force", help="Ignore every gate except the lock.")] = False,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Read new sessions and your edits, sleep, and write the files; for an agent's hook, it asks its gates first."""
    with opened(as_json, space, begin=True) as (here, output):
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
