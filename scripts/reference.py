"""Writes docs/reference/ from the program itself: every command, every setting, every route.

    python scripts/reference.py

`tests/test_docs.py` fails while what is written there is not what this would write.
"""

import inspect
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

if __name__ == "__main__":  # run as a file: its neighbours are found from the project's folder
    sys.path.insert(0, str(Path(__file__).parents[1]))

from reverie.cli.help import EXAMPLES
from scripts import json_keys

FOLDER = Path(__file__).parents[1] / "docs" / "reference"
NOTE = "Made by `python scripts/reference.py` from the program itself; do not edit.\n"
CLI = """Global options come before the command: `--home DIR`, `--store URL`, `--org NAME`, `--embedder NAME`,
`--version`. Values go to stdout, progress and errors to stderr. With `--json`, exactly one JSON value goes to stdout,
also for an error. `NO_COLOR` is honoured; `reverie --install-completion` completes commands in your shell. Commands
that work on one space take `--space NAME`, by default the setting `space`.

| exit code | means |
|---|---|
| 0 | ok |
| 1 | failure (the store, a conflict, a failed night, a doctor's finding) |
| 2 | wrong use: an unknown command or setting, a value out of range |
| 3 | not found |
| 4 | not allowed: a limit, a read-only block, a key |
| 5 | a model could not be reached or made no sense |
| 6 | the budget is spent |
"""
JSON = """The keys of what each command writes with `--json`, found by running the examples of its help. Keys are
added, never renamed or taken away, without a line in the changelog. An error is
`{"error": {code, message, next_move, data}}`.
"""
SETTINGS_NOTE = """The first of these that names a setting wins: a flag (`--home`), the environment variable
(`REVERIE_HOME`), `reverie.toml` in the working directory, `~/.config/reverie/config.toml`, the default. A TOML file has
one `name = value` a line. `reverie config show --origin` says where each value comes from. `Reverie.open(…)` takes the
same names as arguments.

A value that a setting may not have is an error, and so is an unknown name (in the environment: one that is nearly a
setting's); both say where it stands.
"""
SPACE_NOTE = """## What a space may set for itself

`reverie spaces configure NAME SETTING=VALUE`, `space.configure(…)` and `PATCH /v1/spaces/{space}/settings` set when one
space sleeps and what it may spend. What a space does not set comes from the configuration where that has a setting of
the same name (`enabled`: `sleep`), else it is the default.
"""


def cli_page() -> str:
    parts = ["# Commands", NOTE, CLI]
    for path, command in commands():
        words = " ".join(["reverie", *path, *(_argument(p) for p in command.params if p.param_type_name == "argument")])
        parts += [f"## `{words}`", inspect.cleandoc(command.help or ""), ""]
        lines = [f"- `{_spelling(p)}`: {_help(p)}" for p in command.params if p.name not in ("as_json", "space")]
        parts += [*lines, ""] if lines else []
        parts += ["```sh", *EXAMPLES[" ".join(path)], "```", ""]
    return _joined(parts)


def commands(group: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command with the words that call it, by name."""
    import typer

    from reverie.cli.main import load_commands

    command = group or typer.main.get_command(load_commands())
    inner = getattr(command, "commands", None)
    if inner is None:
        yield path, command
    for name, each in sorted((inner or {}).items()):
        yield from commands(each, (*path, name))


def settings_page() -> str:
    from reverie.config import SETTINGS, step_names
    from reverie.policy.sleep.settings import table

    head = "| setting | default | {}may be | meaning |\n|---|---|{}---|---|"
    common = [f"| `{s.name}` | {_default(s.default)} | `{s.env}` | {s.wants} | {s.help} |" for s in SETTINGS]
    own = [f"| `{s.name}` | {_default(s.default)} | {s.wants} | {s.help} |" for s in table(step_names()).values()]
    intro = ["# Settings", NOTE, SETTINGS_NOTE]
    return _joined([*intro, head.format("variable | ", "---|"), *common, "", SPACE_NOTE, head.format("", ""), *own])


def _default(value: Any) -> str:
    return "(empty)" if value in ("", (), {}) else "`none`" if value is None else f"`{value}`"


def rest_page() -> str:
    told = (
        (path, method, _first_sentence(_described(operation)), answers) for path, method, operation, answers in routes()
    )
    rows = [f"| `{method} {path}` | {summary} | {answers} |" for path, method, summary, answers in told]
    intro = "[The server](../guides/server.md) tells how to use them; the whole of it is at `/openapi.json`.\n"
    return _joined(["# Routes", NOTE, intro, "| route | does | answers with |\n|---|---|---|", *rows])


def json_page() -> str:
    rows = [f"| `reverie {name} --json` | {keys} |" for name, keys in sorted(json_keys.of_commands().items())]
    return _joined(["# JSON", NOTE, JSON, "| command | writes |\n|---|---|", *rows])


@cache
def routes() -> list[tuple[str, str, dict[str, Any], str]]:
    """(path, method, operation, keys of the answer) of every documented route."""
    import tempfile

    from reverie.reverie import Reverie
    from reverie.server.app import create_app

    with tempfile.TemporaryDirectory() as home, Reverie.open(home, embedder="none", store="") as memory:
        schema = create_app(memory).openapi()
    return [
        (path, method.upper(), operation, json_keys.of_route(schema, operation))
        for path, operations in schema["paths"].items()
        for method, operation in operations.items()
    ]


def _described(operation: dict[str, Any]) -> str:
    return str(operation.get("description") or operation.get("summary", ""))


def _argument(parameter: Any) -> str:
    name = parameter.name.upper() + ("…" if parameter.nargs != 1 else "")
    return name if parameter.required else f"[{name}]"


def _spelling(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return str(parameter.name.upper())
    value = "" if parameter.is_flag else f" {parameter.name.upper()}"
    return ", ".join(parameter.opts) + value


def _help(parameter: Any) -> str:
    default = parameter.default
    shown = default is not None and default is not False and default != "" and parameter.param_type_name == "option"
    return (parameter.help or "How many at most.") + (f" Default: {default}." if shown else "")


def _first_sentence(text: str) -> str:
    return (
        re.split(r"(?<=[.:;])\s|\n\n", text.strip(), maxsplit=1)[0].replace("\n", " ").replace("|", "\\|").rstrip(":;")
    )


def _joined(parts: list[str]) -> str:
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).rstrip() + "\n"


PAGES = {"cli.md": cli_page, "json.md": json_page, "settings.md": settings_page, "rest.md": rest_page}


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
