"""Is all well, and how fast is it: doctor, bench."""

import subprocess
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from reverie.cli.app import JsonFlag, app, configuration
from reverie.cli.output import Output
from reverie.errors import NotFound, UsageError

MARKS = {"ok": ("✓", None), "warning": ("!", "yellow"), "wrong": ("✗", "red")}
CHECKOUT = Path(__file__).parents[4]


@app.command()
def doctor(
    repair: Annotated[
        bool, typer.Option("--repair", help="Rebuild the indexes, and retry what was set aside.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Look for what is wrong: files, sleeper, backlog, failures, embedder, models, budget. Exit 1 if something is."""
    from reverie.doctor.doctor import examine

    output = Output(as_json=as_json)
    with output.waiting("looking"):
        found = examine(configuration(), time.time(), repair=repair)
    well = all(finding.status != "wrong" for finding in found)

    def say() -> None:
        for finding in found:
            mark, style = MARKS[finding.status]
            output.say(f"{mark} {finding.check:<9}{finding.said}", style)
            if finding.next_move:
                output.say(f"           {finding.next_move}", "dim")

    output.value({"well": well, "findings": found}, say)
    if not well:
        raise typer.Exit(1)


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def bench(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(help="Which one; leave it out to list them all.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Run a benchmark of the checkout; what follows NAME is passed on to it."""
    known = benchmarks()
    output = Output(as_json=as_json)
    if name is None:
        items = [{"name": each, "help": said} for each, said in known.items()]
        output.value(items, lambda: _list(output, known))
        return
    if name not in known:
        raise NotFound("benchmark", name, next_move=f"There are: {', '.join(known)}.")
    done = subprocess.run([sys.executable, "-m", f"bench.{name}", *context.args], cwd=CHECKOUT, check=False)
    raise typer.Exit(1 if done.returncode else 0)


def _list(output: Output, known: dict[str, str]) -> None:
    for name, said in known.items():
        output.say(f"reverie bench {name}")
        output.fold(said, "    ", "dim")


def benchmarks() -> dict[str, str]:
    """Those that can be run, each with its first sentence."""
    folder = CHECKOUT / "bench"
    if not folder.is_dir():
        raise UsageError("benchmarks come with the source, not with the package", next_move="Run it from a checkout.")
    found = {}
    for path in sorted(folder.glob("*.py")):
        text = path.read_text("utf-8")
        if '__name__ == "__main__"' in text:
            found[path.stem] = text.removeprefix('"""').partition("\n")[0].removesuffix('"""')
    return found
