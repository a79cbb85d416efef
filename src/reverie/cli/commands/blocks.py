"""Core memory: list, show, append, replace, set, create, history, diff, restore."""

from typing import TYPE_CHECKING, Annotated

import typer

from reverie.cli.app import JsonFlag, SpaceOption, app, open_space
from reverie.cli.output import Output, when

if TYPE_CHECKING:
    from reverie.model.blocks import BlockWrite

group = typer.Typer(help="Core memory: blocks with limits and versions.", no_args_is_help=True)
app.add_typer(group, name="blocks")
Label = Annotated[str, typer.Argument(help="The block's label, such as human.")]


@group.command("list")
def list_blocks(space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """All blocks of a space, in the order of the prompt."""
    with open_space(as_json, space) as (here, output):
        columns = {
            "label": lambda b: b.label,
            "used": lambda b: f"{len(b.value)}/{b.limit}",
            "version": lambda b: b.version,
            "marks": lambda b: ", ".join(n for n in ("read_only", "protected", "near_limit") if getattr(b, n)),
            "value": lambda b: b.value,
        }
        output.rows(list(here.blocks), columns, empty="No blocks.")


@group.command()
def show(label: Label, space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """One block's text."""
    with open_space(as_json, space) as (here, output):
        block = here.blocks[label].read()
        output.value(block, block.value or "(empty)")


@group.command()
def create(
    label: Label,
    value: Annotated[str, typer.Argument(help="Its initial text.")] = "",
    limit: Annotated[int, typer.Option(min=1, help="Characters it may hold.")] = 5_000,
    description: Annotated[str, typer.Option(help="Tells a model when to edit it.")] = "",
    read_only: Annotated[bool, typer.Option(help="No agent may change it.")] = False,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Make a block."""
    with open_space(as_json, space) as (here, output):
        block = here.blocks.create(label, value, limit=limit, description=description, read_only=read_only)
        output.value(block, block.id)


@group.command("append")
def append_line(
    label: Label,
    text: Annotated[str, typer.Argument(help="The line to add.")],
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Add a line; past the limit it waits for the next night."""
    with open_space(as_json, space) as (here, output):
        tell(output, here.blocks[label].append(text))


@group.command()
def replace(
    label: Label,
    old: Annotated[str, typer.Argument(help="Text that occurs exactly once.")],
    new: Annotated[str, typer.Argument(help="The text to put in its place.")],
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Replace one passage."""
    with open_space(as_json, space) as (here, output):
        tell(output, here.blocks[label].replace(old, new))


@group.command("set")
def set_value(
    label: Label,
    value: Annotated[str, typer.Argument(help="The whole new text.")],
    expected: Annotated[int | None, typer.Option(help="Only if the block is still at this version.")] = None,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Write the whole block."""
    with open_space(as_json, space) as (here, output):
        tell(output, here.blocks[label].set(value, expected=expected))


@group.command()
def history(label: Label, space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """Every version with who, why and its diff."""
    with open_space(as_json, space) as (here, output):
        versions = here.blocks[label].history()

        def say() -> None:
            for version in versions:
                output.say(f"version {version.version}  {when(version.at)}  {version.actor}: {version.reason}", "bold")
                output.say(version.diff or "(no change)")

        output.value(versions, say)


@group.command()
def diff(
    label: Label,
    older: Annotated[int, typer.Argument(help="A version.")],
    newer: Annotated[int, typer.Argument(help="Another version.")],
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """What changed between two versions."""
    with open_space(as_json, space) as (here, output):
        changed = here.blocks[label].diff(older, newer)
        output.value({"diff": changed}, changed or "(no change)")


@group.command()
def restore(
    label: Label,
    version: Annotated[int, typer.Argument(help="The version to go back to.")],
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Make a new version with an older one's text."""
    with open_space(as_json, space) as (here, output):
        tell(output, here.blocks[label].restore(version))


def tell(output: Output, written: "BlockWrite") -> None:
    output.value(written, f"{written.label}: {written.status} (version {written.version}) {written.why}".rstrip())
