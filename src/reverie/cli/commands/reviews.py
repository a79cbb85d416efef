"""Reviews: list, show, approve, reject."""

from typing import TYPE_CHECKING, Annotated

import typer

from reverie.cli.app import JsonFlag, SpaceOption, app, open_space
from reverie.cli.output import Output, when

if TYPE_CHECKING:
    from reverie.model.blocks import Review

group = typer.Typer(help="What a night would not decide alone.", no_args_is_help=True)
app.add_typer(group, name="reviews")
ReviewId = Annotated[str, typer.Argument(help="The review's id; `reverie reviews list` shows them.")]


@group.command("list")
def list_reviews(
    every: Annotated[bool, typer.Option("--all", help="Decided ones too.")] = False,
    limit: Annotated[int, typer.Option(min=1)] = 50,
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


@group.command()
def show(id: ReviewId, space: SpaceOption = None, as_json: JsonFlag = False) -> None:
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


@group.command()
def approve(id: ReviewId, space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """Carry it out: write the block, or release a quarantined text."""
    with open_space(as_json, space) as (here, output):
        tell(output, here.approve(id))


@group.command()
def reject(id: ReviewId, space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """Do not; nights will not propose it again."""
    with open_space(as_json, space) as (here, output):
        tell(output, here.reject(id))


def tell(output: Output, review: "Review") -> None:
    output.value(review, f"{review.label}: {review.status}")
