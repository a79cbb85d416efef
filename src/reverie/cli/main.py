"""The entry point: all commands, one file a group, and every error as a clear line and an exit code."""

import os
import sys
from importlib import import_module

import typer

from reverie.cli.app import app
from reverie.cli.output import Output, exit_code
from reverie.errors import ReverieError, UsageError

__all__ = ["app", "run"]
# One file a group, in the order of `--help`; importing one registers its commands.
GROUPS = (
    "answers",
    "blocks",
    "chat",
    "contradictions",
    "demo",
    "diary",
    "doctor",
    "dream",
    "explain",
    "keeping",
    "keys",
    "mcp",
    "memories",
    "mirror",
    "models",
    "nights",
    "recall",
    "reviews",
    "server",
    "turns",
    "worker",
)
for group in GROUPS:
    import_module(f"reverie.cli.{group}")


def run(arguments: list[str] | None = None) -> None:
    """What the command `reverie` calls."""
    given = sys.argv[1:] if arguments is None else arguments
    output = Output(as_json="--json" in given)
    try:
        stopped = app(given, standalone_mode=False, prog_name="reverie")
    except ReverieError as error:
        output.error(error)
        sys.exit(exit_code(error))
    except typer.Abort:
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as wrong:
        output.error(_unreadable(wrong))
        sys.exit(2)
    except Exception as wrong:
        _misused(wrong, output)
        sys.exit(2)
    sys.exit(stopped if isinstance(stopped, int) else 0)


def _unreadable(wrong: OSError) -> UsageError:
    """A path that was given and does not lead where it should; the store's own files have errors of their own."""
    said = f"{wrong.filename}: {wrong.strerror}" if wrong.filename else str(wrong)
    return UsageError(said, next_move="Check the path and its permissions.")


def _misused(wrong: Exception, output: Output) -> None:
    """Typer's own errors (it carries click inside, under a private name) say what was wrong with the call."""
    told = getattr(wrong, "format_message", None)
    if told is None:
        raise wrong
    context = getattr(wrong, "ctx", None)
    path = context.command_path if context is not None else "reverie"
    output.error(UsageError(told(), next_move=f"See `{path} --help`."))
