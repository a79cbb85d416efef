"""What a person decides: contradictions list, show, resolve, reopen; reviews list, show, approve, reject."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from reverie.cli.app import HowMany, JsonFlag, SpaceOption, app, open_space
from reverie.cli.output import Output, when

if TYPE_CHECKING:
    from reverie.model.blocks import Review


contradictions = typer.Typer(help="Two memories that cannot both hold.", no_args_is_help=True)
app.add_typer(contradictions, name="contradictions")
Status = Literal["open", "auto", "resolved", "dismissed"]
Side = Literal["older", "newer", "both"]
Id = Annotated[str, typer.Argument(help="The record's id.")]


@contradictions.command("list")
def list_records(
    status: Annotated[Status | None, typer.Option(help="Only those with this status.")] = None,
    limit: HowMany = 50,
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


@contradictions.command("show")
def show_contradiction(id: Id, space: SpaceOption = None, as_json: JsonFlag = False) -> None:
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


@contradictions.command()
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


@contradictions.command()
def reopen(id: Id, space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """Both hold again until somebody decides."""
    with open_space(as_json, space) as (here, output):
        output.value(here.reopen(id), "open again")


reviews = typer.Typer(help="What a night would not decide alone.", no_args_is_help=True)
app.add_typer(reviews, name="reviews")
ReviewId = Annotated[str, typer.Argument(help="The review's id; `reverie reviews list` shows them.")]


@reviews.command("list")
def list_reviews(
    every: Annotated[bool, typer.Option("--all", help="Decided ones too.")] = False,
    limit: HowMany = 50,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Proposed changes of blocks and quarantined texts, oldest first."""
    with open_space(as_json, space) as (here, output):
        columns = {
            "id": lambda r: r.id,
            "kind": lambda r: r.kind,
            "about": lambda r: r.label,
            "when": lambda r: when(r.created_at),
            "status": lambda r: r.status,
            "why": lambda r: r.why,
        }
        output.rows(here.reviews(None if every else "open", limit=limit), columns, empty="Nothing waits for you.")


@reviews.command("show")
def show_review(id: ReviewId, space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """One review with its diff and its evidence."""
    with open_space(as_json, space) as (here, output):
        review = here.review(id)
        known = {ref: here.memory(ref).text for ref in review.evidence if ref.startswith("mem-")}

        def say() -> None:
            output.say(f"{review.kind} {review.label}: {review.status}, {when(review.created_at)}", "bold")
            output.say(review.why)
            output.say(review.diff or review.proposal)
            for ref in review.evidence:
                output.say(f"  because {ref}: {known.get(ref, '')}", "dim")

        output.value(review, say)


@reviews.command()
def approve(id: ReviewId, space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """Carry it out: write the block, release a quarantined text, or forget what an agent wanted forgotten."""
    with open_space(as_json, space) as (here, output):
        tell(output, here.approve(id))


@reviews.command()
def reject(id: ReviewId, space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """Do not; nights will not propose it again."""
    with open_space(as_json, space) as (here, output):
        tell(output, here.reject(id))


def tell(output: Output, review: "Review") -> None:
    output.value(review, f"{review.label}: {review.status}")
