"""What an agent needs to know to use this memory: skill."""

from pathlib import Path
from typing import Annotated

import typer

from reverie import agents
from reverie.cli.app import JsonFlag, app
from reverie.cli.output import Output
from reverie.errors import Conflict
from reverie.files import write_whole

NAME = "SKILL.md"
SKILL = Path(agents.__file__).with_name("plugin") / "skills" / "memory" / NAME  # the plugins carry the same


@app.command()
def skill(
    directory: Annotated[Path, typer.Argument(help="Where to write it, such as .claude/skills/memory.")] = Path("."),
    stdout: Annotated[bool, typer.Option("--stdout", help="Only print it.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace another file of that name.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Write a SKILL.md that teaches an agent blocks, sleep, the safety rules and how to cite."""
    text, path = SKILL.read_text("utf-8"), directory.expanduser() / NAME
    output = Output(as_json=as_json)
    if stdout:
        output.value({"text": text}, text.rstrip("\n"))
        return
    if path.exists() and path.read_text("utf-8") != text and not force:
        raise Conflict(f"{path} is there already", next_move="Choose another directory, or say --force to replace it.")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, [text])
    path.chmod(0o644)  # no secret: other programs of this machine read it
    output.value({"path": str(path)}, str(path))
