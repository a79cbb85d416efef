"""Thinking ahead: study (give a document), studies, insights (what nights worked out)."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reverie.cli.app import HowMany, JsonFlag, SpaceOption, app, open_space, text_of
from reverie.cli.output import when

if TYPE_CHECKING:
    from reverie.model.memories import PonderReport, Studied
    from reverie.space import Space


@app.command()
def study(
    files: Annotated[list[str], typer.Argument(help="Files of text; `-` reads standard input and needs `--name`.")],
    name: Annotated[str | None, typer.Option(help="What it is called; by default the file's name.")] = None,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Keep a document: found at once, thought about ahead by the next night, never taken for what somebody said."""
    with open_space(as_json, space, begin=True) as (here, output):
        done = [_studied(here, file, name) for file in files]
        output.value(done, "\n".join(_told(one) for one in done))


@app.command()
def studies(space: SpaceOption = None, as_json: JsonFlag = False) -> None:
    """List the documents that are kept, and how far nights have thought about them."""
    with open_space(as_json, space) as (here, output):
        columns = {
            "name": lambda one: one.name,
            "lines": lambda one: one.lines,
            "changed": lambda one: when(one.updated_at),
            "pondered": lambda one: "waits for a night" if one.waits else when(one.pondered_at),
        }
        output.rows(here.studies(limit=1_000), columns, empty="Nothing is studied yet. Try: reverie study FILE")


@app.command()
def insights(
    study: Annotated[str | None, typer.Option(help="Of this document only.")] = None,
    limit: HowMany = 50,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Show what nights worked out ahead, with the lines it rests on, and whether thinking ahead pays here."""
    with open_space(as_json, space) as (here, output):
        found, report = here.insights(study, limit=limit), here.ponder_report()
        if as_json:
            output.value({"insights": found, "report": report}, "")
            return
        columns = {
            "id": lambda m: m.id,
            "kind": lambda m: m.marks.get("insight", ""),
            "from": lambda m: m.marks.get("study", ""),
            "lines": lambda m: ", ".join(map(str, m.marks.get("lines", ()))),
            "text": lambda m: m.text,
        }
        output.rows(found, columns, empty="Nothing worked out yet. Try: reverie study FILE, then reverie sleep")
        if found:
            output.say(_paid(report))


def _studied(here: "Space", file: str, name: str | None) -> "Studied":
    if file == "-":
        return here.study(text=text_of(file), name=name, surface="cli")
    return here.study(Path(file), name, surface="cli")


def _told(one: "Studied") -> str:
    if not one.added and not one.gone:
        return f"{one.study.name}: as it was"
    changed = f"{one.study.name}: {one.study.lines:,} lines, {one.added:,} passages new, {one.gone:,} gone"
    return f"{changed}, {one.stale:,} insights no longer hold" if one.stale else changed


def _paid(report: "PonderReport") -> str:
    told = (
        f"{report.insights:,} insights from {report.contexts:,} contexts; {report.questions:,} questions served,"
        f" {report.tokens_saved:,} tokens saved awake for {report.tokens_asleep:,} spent asleep"
    )
    return f"{told}; no model ponders here: {report.off}" if report.off else told
