"""Moving in from another product: import."""

from pathlib import Path
from typing import Annotated

import typer

from reverie.cli.app import JsonFlag, SpaceOption, app, open_space
from reverie.cli.output import noun


@app.command("import")
def import_history(
    source: Annotated[
        str, typer.Argument(help="chatgpt, claude-code, codex, hermes, jsonl, letta, mem0, openclaw or reverie.")
    ],
    path: Annotated[Path, typer.Argument(help="The file or directory to read.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count what is there.")] = False,
    space: SpaceOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Import conversations or memories from another product. Importing again adds only what is new."""
    from reverie.cli.progress import tracked

    with open_space(as_json, space, begin=True) as (here, output):
        done = here.import_from(
            source, path, dry_run=dry_run, through=lambda all: tracked(all, "importing", output.err, quiet=as_json)
        )
        secrets = f", {done.redacted} secrets taken out" if done.redacted else ""
        counted = (f"{n} {noun(name, n)}" for name, n in (("turns", done.turns), ("memories", done.memories)))
        took = f"{'would take in' if dry_run else 'took in'} {', '.join(counted)}"
        output.value(done, f"{took}; {done.known} known already, {done.passed_over} passed over{secrets}")
