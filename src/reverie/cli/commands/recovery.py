"""Keeping a store: backup, rebuild, salvage."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reverie.cli.app import JsonFlag, app, configuration, open_store
from reverie.cli.output import Output, noun, when
from reverie.errors import BadInput

if TYPE_CHECKING:
    from reverie.doctor.recovery import Rebuilt

Keep = Annotated[
    int | None, typer.Option(min=1, help="Make TARGET a folder of backups named by their moment; only so many stay.")
]


@app.command()
def backup(
    target: Annotated[Path | None, typer.Argument(help="A new directory.")] = None,
    keep: Keep = None,
    verify: Annotated[Path | None, typer.Option(help="Check a backup that was made, and make none.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Copy the live store and check the copy; or check one that was made."""
    if verify is not None and target is None:
        _verify(verify, as_json)
        return
    if target is None or verify is not None:
        raise BadInput("give a new directory, or --verify with one that was made")
    with open_store(as_json) as (memory, output):
        with output.waiting("copying"):
            made = str(memory.backup(target, keep=keep))
        output.value({"backup": made}, made)


def _verify(path: Path, as_json: bool) -> None:
    from reverie.doctor.recovery import verify

    output = Output(as_json=as_json)
    with output.waiting("checking"):
        found = verify(path)
    made = f", made {when(found.made_at)}" if found.made_at else ""
    output.value(found, f"{path} is whole: {_counts(found.turns, found.spaces, found.memories)}{made}")


@app.command()
def rebuild(
    keep_memory: Annotated[
        bool, typer.Option("--keep-memory", help="Keep memory.db, with whatever log.db there is.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Make memory.db anew from log.db, by the rules; or join two files that do not belong together."""
    from reverie.cli.progress import NightProgress
    from reverie.doctor import recovery

    output = Output(as_json=as_json)
    if keep_memory:
        _say_joined(output, recovery.keep_memory(configuration()))
        return
    with NightProgress(output.err, quiet=as_json) as progress:
        made = recovery.rebuild(configuration(), time.time(), progress)

    def say() -> None:
        output.say(f"memory.db is new: {_counts(made.turns, made.spaces, made.memories)}")
        taken = ", ".join(f"{n:,} {name.replace('_', ' ')}" for name, n in made.salvaged.items())
        output.say(f"taken over from the old file: {taken or 'nothing, it could not be read'}")
        lost = "decided reviews and contradictions, the diary, prepared answers, what nights with a model had written"
        output.say(f"not taken over: {lost}", "dim")
        if made.nameless:
            output.say(
                f"{made.nameless} {noun('spaces', made.nameless)} without a name: `reverie spaces list`", "yellow"
            )
        if made.old_file:
            output.say(f"the old file is {made.old_file}; delete it when all is well", "dim")

    output.value(made, say)


def _say_joined(output: Output, made: "Rebuilt") -> None:
    """Says what is missing in a pair that was taken as it is."""
    missing = ", ".join(f"{name}: {n:,}" for name, n in made.missing.items())
    said = f"log.db and memory.db are a store again. Turns that were read and are lost: {missing or 'none'}"
    output.value(made, said)


@app.command()
def salvage(
    target: Annotated[Path, typer.Argument(help="A new directory.")],
    as_json: JsonFlag = False,
) -> None:
    """Copy every row of a damaged store that can be read into a new one."""
    from reverie.doctor import recovery

    output = Output(as_json=as_json)
    with output.waiting("reading what can be read"):
        made = recovery.salvage(configuration(), target, time.time())
    lost = ", ".join(f"{n:,} in {name}" for name, n in made.lost.items())
    rows = f"{sum(made.rows.values()):,} rows in {len(made.rows)} tables"
    said = f"{made.target}: {rows}; places that could not be read: {lost or 'none'}"
    output.value(made, f"{said}\nUse it with --home {made.target}; `reverie --home {made.target} doctor` looks at it.")


def _counts(turns: int, spaces: int, memories: int) -> str:
    parts = {"turns": turns, "spaces": spaces, "memories": memories}
    return ", ".join(f"{n:,} {noun(name, n)}" for name, n in parts.items())
