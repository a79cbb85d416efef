"""Models: check them, see what they cost."""

import time
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from reverie.cli.app import JsonFlag, SpaceOption, app, configuration, open_space
from reverie.cli.output import Output

if TYPE_CHECKING:
    from reverie.config import Config
    from reverie.minds.llm.selection.check import CheckResult, QualityCheck
    from reverie.model.ledger import Line

group = typer.Typer(help="The models that think, if any are set.", no_args_is_help=True)
app.add_typer(group, name="models")


@group.command()
def check(
    quick: Annotated[bool, typer.Option("--quick", help="Only whether it works, not whether it is any good.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Which modes of each role's model work, how fast, at what price; and whether the rules are better without it."""
    from reverie.minds.llm.selection.check import check as check_model
    from reverie.minds.llm.selection.check import quality, rules_with
    from reverie.minds.prices import written
    from reverie.wiring.models import environ_of, specs_of

    config = configuration()
    prices = written(config["model_prices"])
    results = [check_model(spec, prices, environ_of(config)) for spec in specs_of(config)]
    judged = {
        result.spec.name: quality(result.spec, rules_with(config["embedder"]), prices, environ_of(config))
        for result in ([] if quick else results)
        if result.works and result.spec.role == "sleeper"
    }
    output = Output(as_json=as_json)
    output.value({"models": results, "quality": judged}, lambda: _tell(output, results, config, judged))
    if not all(result.works for result in results):
        raise typer.Exit(5)


def _tell(output: Output, results: "list[CheckResult]", config: "Config", judged: "dict[str, QualityCheck]") -> None:
    from reverie.wiring.models import money_only

    if not results:
        output.say("No model is set: the rules do the thinking, and nothing is paid.")
    for result in results:
        output.say(f"{result.spec.role}: {result.spec.name}", style=None if result.works else "red")
        output.fold(result.why, "  ")
        for mode, how in result.modes.items():
            output.say(f"  {mode}: {how}")
        if result.works:
            output.say(f"  first answer after {result.seconds:.1f} s, {result.tokens_per_second:.0f} tokens/s")
        if result.price is not None:
            output.say(f"  ${result.price:.2f} for a million tokens read and 100,000 written")
        elif blind := money_only(config):
            output.fold(f"{' and '.join(blind)} cannot hold it: set tokens beside, or its `model_prices`.", "  ", "red")
        if (quality := judged.get(result.spec.name)) is not None and result.spec.role == "sleeper":
            _tell_quality(output, quality)


def _tell_quality(output: Output, quality: "QualityCheck") -> None:
    spent = f"{quality.tokens_in:,} tokens in and {quality.tokens_out:,} out, {quality.seconds:.1f} s"
    cost = "" if quality.cost is None else f", ${quality.cost:.4f}"
    output.say(f"  thirty planted turns: {spent}{cost}")
    for who, marks in (("the rules", quality.rules), ("with it", quality.model)):
        output.say(f"  {who}: {marks.right} right, {marks.wrong} wrong, {marks.missed} missed")
    output.fold(quality.verdict, "  ", None if quality.use_it else "red")


def _spread(lines: "list[Line]", asked: int, each: float) -> str:
    """What a question has cost; where no price is known, dollars alone would look like a gift."""
    from reverie.language.calendar import counted

    tokens = sum(line.tokens_in + line.tokens_out for line in lines) / asked
    unpriced = sum(line.unpriced for line in lines)
    said = f"{counted(asked, 'question')} asked: {tokens:,.0f} tokens and ${each:.5f} for each, nights included"
    return said + (f"; no price is known for {counted(unpriced, 'call')}" if unpriced else "")


@app.command()
def ledger(
    by: Annotated[Literal["day", "night", "step", "model"], typer.Option(help="What a line stands for.")] = "day",
    days: Annotated[int, typer.Option(min=1, help="How far back.")] = 30,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """What models have cost, awake and asleep apart, and spread over the questions asked."""
    from reverie.model.base import DAY
    from reverie.model.ledger import cost_per_question

    with open_space(as_json, space) as (here, output):
        since = time.time() - days * DAY
        lines, asked = here.costs(by, since), here.questions_asked(since)
        columns = {
            by: lambda line: line.key,
            "regime": lambda line: line.regime,
            "calls": lambda line: line.calls,
            "failed": lambda line: line.failed or "",
            "tokens in": lambda line: f"{line.tokens_in:,}",
            "cached": lambda line: f"{line.tokens_cached:,}",
            "tokens out": lambda line: f"{line.tokens_out:,}",
            "thinking": lambda line: f"{line.tokens_thinking:,}" if line.tokens_thinking else "",
            "cost": lambda line: f"${line.cost:.4f}" + (f" + {line.unpriced} unpriced" if line.unpriced else ""),
        }
        each = cost_per_question(lines, asked)
        if as_json:
            output.value({"lines": lines, "questions": asked, "cost_per_question": each}, "")
            return
        output.rows(lines, columns, empty="Nothing was spent: no model has been called.")
        if lines and each is not None:
            output.say(_spread(lines, asked, each))
