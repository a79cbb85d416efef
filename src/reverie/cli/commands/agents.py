"""Where agents live: install, uninstall, statusline."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reverie.cli.app import JsonFlag, app, configuration
from reverie.cli.output import Output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reverie.agents.edits import Edited
    from reverie.agents.installs import InstallPlace

Agent = Annotated[str, typer.Argument(help="claude-code, codex, gemini, cursor or hermes.")]
Project = Annotated[bool, typer.Option("--project", help="For this directory alone, not for all of yours.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and do nothing.")]
SAID = {
    "made": "written",
    "changed": "merged",
    "unchanged": "as it was",
    "restored": "as it was before",
    "removed": "gone",
}


@app.command()
def install(agent: Agent, project: Project = False, dry_run: DryRun = False, as_json: JsonFlag = False) -> None:
    """Give an agent this memory: hooks and an MCP server. Your own settings stay; doing it again changes nothing."""
    from reverie.agents import edits, installs

    home, place = _place(project)
    done = edits.install(home, agent, installs.edits_for(agent, place), time.time(), dry_run=dry_run)
    _say(agent, done, dry_run, as_json)


@app.command()
def uninstall(agent: Agent, project: Project = False, dry_run: DryRun = False, as_json: JsonFlag = False) -> None:
    """Take it out again: an agent's files are left as they were. What is remembered stays; see `forget`."""
    from reverie.agents import edits, installs

    home, place = _place(project)
    done = edits.uninstall(home, installs.edits_for(agent, place), dry_run=dry_run)
    _say(agent, done, dry_run, as_json)


@app.command()
def statusline(
    session: Annotated[str, typer.Option(help="The session that is shown.")] = "", as_json: JsonFlag = False
) -> None:
    """One line for an agent's status bar: memories loaded, turns captured, the last night, what models have cost."""
    from reverie.agents.hook import status_line

    line = status_line(str(agents_home()), {"session_id": session})
    Output(as_json=as_json).value({"line": line}, line)


def agents_home() -> Path:
    """The home that agents share: as configured, else one of the user's own, whatever directory they work in."""
    config = configuration()
    chosen = Path(config["home"]) if config.origins["home"] != "default" else Path("~/.reverie")
    return chosen.expanduser().absolute()


def _place(project: bool) -> "tuple[Path, InstallPlace]":
    from reverie.agents.installs import InstallPlace

    home = agents_home()
    return home, InstallPlace(Path.home(), home, Path.cwd() if project else None)


def _say(agent: str, done: "Sequence[Edited]", dry_run: bool, as_json: bool) -> None:
    output = Output(as_json=as_json)

    def say() -> None:
        for one in done:
            backup = f" (what was there: {one.backup})" if one.backup else ""
            output.say(f"{SAID[one.done]:<17}{one.path}{backup}")
        if dry_run:
            output.say("Nothing was done: this was a dry run.", "dim")

    output.value({"agent": agent, "dry_run": dry_run, "files": list(done)}, say)
