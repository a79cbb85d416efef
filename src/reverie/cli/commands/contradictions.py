"""Two memories that cannot both hold: list, show, resolve, reopen."""

from typing import Annotated, Literal

import typer

from reverie.cli.app import JsonFlag, SpaceOption, app, open_space
from reverie.cli.output import when

group = typer.Typer(help="Two memories that cannot both hold.", no_args_is_help=True)
app.add_typer(group, name="contradictions")
Status = Literal["open", "auto", "resolved", "dismissed"]
Side = Literal["older", "newer", "both"]
Id = Annotated[str, typer.Argument(help="The record's id.")]


@group.command("list")
def list_records(
    status: Annotated[Status | None, typer.Option(help="Only those with this status.")] = None,
    limit: Annotated[int, typer.Option(min=1)] = 50,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """All records, oldest first."""
    with open_space(as_json, space) as (here, output):
        columns = {
            "id": lambda r: r.id,
            "kind": lambda r: r.kind,
            "status": lambda r: r.status,
            "when": lambda r: when(r.created_at),
            "evidence": lambda r: r.evidence,
        }
        found = here.contradictions(status=status, limit=limit)
        output.rows(found, columns, empty="No contradictions found.")


@group.command()
def show(id: Id, space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """Both sides, the evidence, and who settled it."""
    with open_space(as_json, space) as (here, output):
        record = here.contradiction(id)
        older, newer = here.memory(record.older), here.memory(record.newer)

        def say() -> None:
            output.say(f"{record.kind}, {record.status}: {record.evidence}")
            for name, side in (("older", older), ("newer", newer)):
                mark = "  holds" if record.winner == side.id else ""
                until = f"  until {when(side.valid_until)}" if side.valid_until else ""
                output.say(f"  {name}: {side.text}  ({when(side.said_at)}){until}{mark}")
                output.say(f"         {side.id}", "dim")

        output.value({"record": record, "older": older, "newer": newer}, say)


@group.command()
def resolve(
    id: Id,
    holds: Annotated[Side, typer.Argument(help="older, newer or both.")],
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Say which side holds. Nothing is deleted; `reopen` takes it back."""
    with open_space(as_json, space) as (here, output):
        record = here.resolve(id, holds)
        output.value(record, f"{record.status}: {holds}")


@group.command()
def reopen(id: Id, space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """Both hold again until somebody decides."""
    with open_space(as_json, space) as (here, output):
        output.value(here.reopen(id), "open again")
