"""Why a memory stands where it does: explain."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from reverie.cli.app import JsonFlag, SpaceOption, app, opened
from reverie.cli.output import Output

if TYPE_CHECKING:
    from reverie.verbs.explain import Explanation


@app.command()
def explain(
    id: Annotated[str, typer.Argument(help="A memory's id.")], space: SpaceOption = None, as_json: JsonFlag = False
) -> None:
    """A memory's evidence against every gate, its tier, and what would change either."""
    with opened(as_json, space) as (here, output):
        found = here.explain(id)
        output.value(found, lambda: tell(output, found))


def tell(output: Output, found: "Explanation") -> None:
    memory, verdict = found.memory, found.verdict
    output.say(f"{memory.kind} {memory.id}: {memory.text}", "bold")
    if found.core:
        output.say(f"in core: {', '.join(found.core)} (promoted by {found.promoted})")
    output.say(f"{'passes' if verdict.promoted else 'does not pass'}: {verdict.why}")
    for gate in verdict.gates:
        output.say(f"  {'ok  ' if gate.ok else 'LOW '} {gate.gate:<17}{gate.value:8.2f}  needs {gate.needed:g}")
    for name, value in asdict(verdict.signals).items():
        output.say(f"       {name:<17}{value:8.2f}", "dim")
    output.say(f"       {'candidate truth':<17}{verdict.truth:8.2f}", "dim")
    for missing in found.would_change:
        output.say(f"  would help: {missing}")
    where = found.placement
    output.say(f"tier {memory.tier}: belongs in {where.tier}, {where.reason} ({where.why})")
