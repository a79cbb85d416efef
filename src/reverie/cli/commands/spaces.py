"""A person's rights over a space: spaces, forget, export, import, settings."""

import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from reverie.cli.app import JsonFlag, SpaceOption, app, open_space, open_store
from reverie.cli.commands.config import value_text
from reverie.cli.output import noun, when
from reverie.config import own_settings
from reverie.errors import BadInput, Conflict
from reverie.files import write_whole
from reverie.model.memories import Forgetting

group = typer.Typer(help="The spaces of the org: list, configure, delete.", no_args_is_help=True)
app.add_typer(group, name="spaces")
SHOWN_LINES, SHOWN_TEXT = 20, 160  # of a dry run
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]


@group.command("list")
def list_spaces(as_json: JsonFlag = False) -> None:
    """List the spaces of the org, in the order they were made."""
    with open_store(as_json) as (memory, output):
        columns = {"name": lambda s: s.name, "id": lambda s: s.id, "when": lambda s: when(s.created_at)}
        found = [space.record for space in memory.spaces(limit=1_000)]
        output.rows(found, columns, empty='No spaces yet. Try: reverie append "hello"')


@group.command("configure")
def configure_space(
    name: Annotated[str, typer.Argument(help="The space's name.")],
    changes: Annotated[
        list[str] | None, typer.Argument(help="SETTING=VALUE; without a value the configuration's holds again.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Say when one space sleeps and what it may spend, where that differs from the configuration."""
    with open_space(as_json, name) as (here, output):
        here.configure(**own_settings(dict(map(_change, changes or ())), here.name, texts=True))
        own = [f"{each} = {value_text(value)}" for each, value in sorted(here.settings.items())]
        listing = "\n".join(own) or "Nothing of its own: the configuration holds (reverie config show)."
        output.value({"space": here.name, "settings": here.settings}, listing)


def _change(text: str) -> tuple[str, str | None]:
    """A setting's name, and its value as it is written; None takes it back."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise BadInput(f"{text!r} sets nothing", next_move="Write SETTING=VALUE, like budget_space_cost=2.")
    return name, value or None


@group.command("delete")
def delete_space(
    name: Annotated[str, typer.Argument(help="The space's name.")], yes: Yes = False, as_json: JsonFlag = False
) -> None:
    """Delete a space with all it holds. This cannot be undone; `reverie export` keeps a copy."""
    with open_store(as_json) as (memory, output):
        if not yes:
            confirm(f"the space {name!r} with all it holds", as_json)
        with output.waiting("deleting"):
            memory.delete_space(name)
        output.value({"deleted": name}, "deleted")


def confirm(what: str, as_json: bool) -> None:
    """Asks a person; a script has to say --yes."""
    if as_json or not sys.stdin.isatty():
        raise BadInput(f"this would delete {what}", next_move="Add --yes to do it.")
    typer.confirm(f"Delete {what}? This cannot be undone.", abort=True)


@app.command()
def forget(
    ids: Annotated[list[str] | None, typer.Argument(help="Ids of memories or turns.")] = None,
    query: Annotated[str | None, typer.Option(help="Everything that contains all these words.")] = None,
    session: Annotated[str | None, typer.Option(help="One conversation.")] = None,
    person: Annotated[str | None, typer.Option(help="All that a person said, or that names them.")] = None,
    everything: Annotated[bool, typer.Option("--everything", help="All turns and memories of the space.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would go, with its text.")] = False,
    purge: Annotated[
        bool, typer.Option("--purge", help="Also rewrite the store's files: no byte stays. Locks Postgres' tables.")
    ] = False,
    receipt: Annotated[Path | None, typer.Option(help="Write down here, as JSON, what went: ids, no text.")] = None,
    yes: Yes = False,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Delete for good, with everything derived. This cannot be undone."""
    with open_space(as_json, space) as (here, output):
        forgetting = partial(
            here.forget, *(ids or ()), query=query, session=session, person=person, everything=everything
        )
        if not (ids or query or session or person or everything):
            raise BadInput("nothing is named", next_move="Name ids, or --query WORDS, --session NAME, --person NAME.")
        plan = forgetting(dry_run=True)
        turns, memories = len(plan.turns), len(plan.memories)
        what = f"{turns} {noun('turns', turns)}, {memories} {noun('memories', memories)}, and what rests on them alone"
        if dry_run:
            output.value(plan, _shown(plan, f"would forget {what}"))
            return
        if not (turns or memories or everything or purge):
            output.value(plan, "There is nothing like that here: nothing was forgotten.")
            return
        if not yes:
            confirm(what, as_json)
        with output.waiting("forgetting"):
            done = forgetting(purge=purge)
        if receipt is not None and done.receipt is not None:
            write_whole(receipt, [done.receipt.as_json() + "\n"])
        went = ", ".join(f"{n} {noun(name, n)}" for name, n in done.counts.items()) or "nothing"
        output.value(done, "\n".join((f"forgotten: {went}", *(f"may still hold it: {place}" for place in done.left))))


def _shown(plan: Forgetting, heading: str) -> str:
    """What a dry run prints: the heading, and the beginning of each text."""
    lines = [f"  {id}  {' '.join(text.split())[:SHOWN_TEXT]}" for id, text in list(plan.texts.items())[:SHOWN_LINES]]
    more = len(plan.turns) + len(plan.memories) - len(lines)
    return "\n".join((heading, *lines, *([f"  and {more} more (--json shows the first thousand)"] if more > 0 else [])))


@app.command("export")
def export_space(
    path: Annotated[Path | None, typer.Argument(help="A file; default: stdout.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
    space: SpaceOption = None,
) -> None:
    """Write a whole space as JSON lines, without loss."""
    from reverie.cli.progress import tracked

    if path is not None and path.is_file() and not force:
        raise Conflict(f"{path} is there already", next_move="Choose another name, or say --force to replace it.")
    if path is not None and not path.absolute().parent.is_dir():
        raise BadInput(f"there is no directory {path.parent}", next_move="Make it, or name a file elsewhere.")
    with open_space(False, space) as (here, output):
        if path is None:
            sys.stdout.writelines(line + "\n" for line in here.export())
        else:
            here.export_to(path, lambda lines: tracked(lines, "exporting", output.err))
            output.say(f"{path}")


@app.command("restore")
def restore_space(
    path: Annotated[Path, typer.Argument(help="What `reverie export` wrote.")],
    name: Annotated[str, typer.Argument(help="The name of the new space.")],
    trust: Annotated[bool, typer.Option("--trust", help="Believe a file that this store did not write.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Make a space from an export. What another store wrote, or somebody altered, needs --trust."""
    if not path.is_file():
        raise BadInput(f"there is no file {path}")
    from reverie.cli.progress import tracked

    with open_store(as_json) as (memory, output), path.open(encoding="utf-8") as lines:
        try:
            made = memory.import_space(name, tracked(lines, "restoring", output.err, quiet=as_json), trust=trust)
        except UnicodeDecodeError as error:
            raise BadInput(f"{path} is not a Reverie export: it is not text") from error
        output.value(made.record, f"{made.name}: {made.id}")
