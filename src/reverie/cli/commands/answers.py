"""Answers before the question: answer, answers list, show, explain, drop, report."""

from typing import TYPE_CHECKING, Annotated

import typer

from reverie.cli.app import HowMany, JsonFlag, SpaceOption, app, open_space
from reverie.cli.output import Output, when

if TYPE_CHECKING:
    from reverie.model.answers import Answered, AnswersReport

group = typer.Typer(help="Precomputed answers: what is ready, and what came of it.", no_args_is_help=True)
app.add_typer(group, name="answers")
AnswerId = Annotated[str, typer.Argument(help="The answer's id.")]


@app.command()
def answer(
    query: Annotated[str, typer.Argument(help="The question.")], space: SpaceOption = None, as_json: JsonFlag = False
) -> None:
    """A precomputed answer, or nothing with the reason."""
    with open_space(as_json, space) as (here, output):
        found = here.answer(query)
        output.value(found, lambda: tell(output, found))


@group.command("list")
def list_answers(
    all: Annotated[bool, typer.Option("--all", help="Dropped ones too.")] = False,
    limit: HowMany = 20,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """What is ready."""
    with open_space(as_json, space) as (here, output):
        columns = {
            "question": lambda a: a.question,
            "answer": lambda a: a.answer,
            "id": lambda a: a.id,
            "by": lambda a: a.predictor,
            "hits": lambda a: a.hits,
            "until": lambda a: when(a.expires_at),
            "why": lambda a: a.dropped,
        }
        output.rows(here.answers(live=not all, limit=limit), columns, empty="Nothing is ready. Try: reverie sleep")


@group.command()
def show(id: AnswerId, space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """One answer with what it rests on."""
    with open_space(as_json, space) as (here, output):
        found = here.prepared(id)
        rests = ", ".join(f"{ref} (version {version})" for ref, version in found.rests_on.items())
        said = f"{found.question}\n{found.answer}\n  rests on {rests}\n  bar {found.threshold:.3f}, {found.predictor}"
        output.value(found, said + (f"\n  dropped: {found.dropped}" if found.dropped else ""))


@group.command()
def explain(
    query: Annotated[str, typer.Argument(help="A question.")], space: SpaceOption = None, as_json: JsonFlag = False
) -> None:
    """Which answer is nearest to a question, and what stands in its way."""
    with open_space(as_json, space) as (here, output):
        found = here.explain_answer(query)
        output.value(found, lambda: tell(output, found))


@group.command()
def drop(
    id: AnswerId,
    why: Annotated[str, typer.Option(help="A note on the reason.")] = "",
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Never give this answer again."""
    with open_space(as_json, space) as (here, output):
        here.drop_answer(id, why)
        output.value({"dropped": id}, "dropped")


@group.command()
def report(space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """Hit rate and wrong-hit rate, tokens asleep and saved, per predictor."""
    with open_space(as_json, space) as (here, output):
        found = here.answers_report()
        output.value(found, lambda: tell_report(output, found))


def tell(output: Output, found: "Answered") -> None:
    if found.text is not None:
        output.say(found.text)
        output.say(f"  {found.why}; {found.age or 0:.0f} s old; from {', '.join(found.sources)}", "dim")
        return
    output.say(f"No prepared answer: {found.why}")
    if found.question:
        output.say(f"  nearest: {found.question} (similar by {found.similarity:.3f})", "dim")


def tell_report(output: Output, found: "AnswersReport") -> None:
    output.say(f"{found.live} answers ready, {found.asked} questions asked")
    output.say(f"hit rate {found.hit_rate:.1%}, wrong hits {found.wrong_hit_rate:.1%} of {found.probes} probed")
    spent = f"{found.tokens_asleep} asleep (cost {found.cost_asleep:.4f}), {found.tokens_saved} saved awake"
    output.say(f"tokens: {spent}; {found.tokens_per_query:+.1f} a question")
    for record in found.predictors:
        came = f"{record.made} made, {record.hits} hits, {record.wrong} of {record.probes} probes wrong"
        output.say(f"  {record.predictor:<12} {came}; {record.tokens} tokens asleep, {record.saved} saved")
    if found.off:
        output.say(f"anticipation is off here: {found.off}")
