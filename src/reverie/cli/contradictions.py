"""Contradictions: list, show, resolve, reopen."""

from typing import Annotated

import typer

from reverie.cli.app import JsonFlag, SpaceOption, app, opened
from reverie.cli.output import Output, when
from reverie.model.memories import Contradiction, Memory

group = typer.Typer(help="Facts that cannot both hold.", no_args_is_help=True)
app.add_typer(group, name="contradictions")
ContradictionId = Annotated[str, typer.Argument(help="The record's id; `reverie contradictions list` shows them.")]


@group.command("list")
def list_contradictions(
    status: Annotated[str | None, typer.Option(help="open, auto, resolved or dismissed; by default all.")] = None,
    limit: Annotated[int, typer.Option(min=1)] = 50,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """What nights found to clash, oldest first; open ones wait for a person."""
    with opened(as_json, space) as (here, output):
        columns = {
            "id": lambda r: r.id,
            "kind": lambda r: r.kind,
            "status": lambda r: r.status,
            "by": lambda r: r.resolved_by or "",
            "when": lambda r: when(r.created_at),
            "evidence": lambda r: r.evidence,
        }
        output.rows(here.contradictions(status, limit=limit), columns, empty="Nothing contradicts anything.")


@group.command()
def show(id: ContradictionId, space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """Both sides of one record, and how it stands."""
    with opened(as_json, space) as (here, output):
        both = here.contradiction(id)

        def say() -> None:
            output.say(_state(both.record), "bold")
            output.say(both.record.evidence)
            for name, side in (("older", both.older), ("newer", both.newer)):
                output.say(f"  {name} {side.id}: {side.text} ({_held(side)})")

        output.value(both, say)


@group.command()
def resolve(
    id: ContradictionId,
    winner: Annotated[str | None, typer.Option(help="The memory that holds: older, newer, or its id.")] = None,
    dismiss: Annotated[bool, typer.Option("--dismiss", help="Both hold: this is no contradiction.")] = False,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Decide which side holds. `reopen` takes it back."""
    if dismiss == (winner is not None):
        raise typer.BadParameter("either --winner or --dismiss")
    with opened(as_json, space) as (here, output):
        record = here.contradiction(id).record
        sides = {"older": record.older, "newer": record.newer}
        _tell(output, here.resolve(id, None if winner is None else sides.get(winner, winner)))


@group.command()
def reopen(id: ContradictionId, space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """Take a decision back, a person's or a night's: both sides hold again."""
    with opened(as_json, space) as (here, output):
        _tell(output, here.reopen(id))


def _tell(output: Output, record: Contradiction) -> None:
    output.value(record, _state(record))


def _state(record: Contradiction) -> str:
    decided = f" by {record.resolved_by}" if record.resolved_by else ""
    holds = f"; {record.winner} holds" if record.winner else ""
    return f"{record.kind}, {record.status}{decided}{holds}"


def _held(side: Memory) -> str:
    said = f"said {when(side.said_at)}" if side.said_at is not None else "undated"
    return said if side.valid_until is None else f"{said}, until {when(side.valid_until)}"
