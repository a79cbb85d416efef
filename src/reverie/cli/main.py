"""The entry point: finds the commands that are asked for, and makes of every error a clear line and an exit code.

Nothing is imported up here that takes time: questions are answered sooner, and Ctrl-C meets no half-loaded program.
"""

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reverie.cli.output import Output

# Which file has which commands. Importing a file registers them.
FILES: dict[str, tuple[str, ...]] = {
    "turns": ("append", "turns", "end-session"),
    "admission": ("exclude", "admit", "admission"),
    "intents": ("intents",),
    "recall": ("recall", "context", "embed"),
    "answers": ("answer", "answers"),
    "chat": ("chat",),
    "models": ("ledger", "models"),
    "setup": ("setup",),
    "nights": ("sleep", "nights", "night", "diary", "undo", "redo", "cancel", "pause", "resume"),
    "memories": ("remember", "memories", "directives", "memory", "correct", "pin", "unpin", "tag", "untag", "explain"),
    "studies": ("study", "studies", "insights"),
    "blocks": ("blocks",),
    "decisions": ("contradictions", "reviews"),
    "spaces": ("spaces", "forget", "export", "restore"),
    "config": ("config", "place"),
    "skill": ("skill",),
    "recovery": ("backup", "rebuild", "salvage"),
    "import_history": ("import",),
    "console": ("console",),
    "server": ("serve", "up", "connect", "worker", "workers", "mcp"),
    "keys": ("keys",),
    "mirror": ("mirror", "dream"),
    "agents": ("install", "uninstall", "statusline"),
    "doctor": ("doctor", "bench"),
    "demo": ("demo",),
}
INTERRUPTED, BROKEN_PIPE = 130, 141  # as a shell counts them
# The exit status of each kind of error, the nearest kind first; 1 for every other.
EXIT_CODES = {"UsageError": 2, "NotFound": 3, "NotAllowed": 4, "ModelError": 5, "BudgetSpent": 6}


def run(arguments: list[str] | None = None) -> None:
    """What the command `reverie` calls."""
    try:
        code = _run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:
        code = INTERRUPTED
    sys.exit(code if _written() else BROKEN_PIPE)


def _written() -> bool:
    """Whether all that was said has reached its reader; if he has left, nothing more is tried when Python ends."""
    whole = True
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            whole = False
        except ValueError:  # it was closed
            continue
    return whole


def load_commands(command: str | None = None) -> Any:
    """The app with one command's file, or with all: help, completion and an unknown word need every command."""
    from reverie.cli.app import app
    from reverie.cli.help import with_help

    holding = [file for file, commands in FILES.items() if command in commands]
    for file in holding or FILES:
        import_module(f"reverie.cli.commands.{file}")
    return with_help(app)


def _run(given: list[str]) -> int:
    if given == ["--version"]:
        from reverie import __version__

        sys.stdout.write(f"reverie {__version__}\n")
        return 0
    from reverie.cli import encoding, quick
    from reverie.cli.output import Output
    from reverie.errors import ReverieError

    encoding.tolerate()
    given = [encoding.as_utf8(word) for word in given] or ["--help"]
    output = Output(as_json="--json" in given)
    try:
        given = _in_front(given)
        if quick.run(given):
            return 0
        stopped = load_commands(_command(given))(given, standalone_mode=False, prog_name="reverie")
    except ReverieError as error:
        output.error(error)
        return _exit_code(error)
    except BrokenPipeError:  # as in `reverie turns | head`: whoever read has enough
        return BROKEN_PIPE
    except SystemExit as ended:  # so typer ends a broken pipe, behind a stream that hides it
        return BROKEN_PIPE if type(sys.stdout).__name__ == "PacifyFlushWrapper" else int(ended.code or 0)
    except Exception as wrong:
        return _wrong(wrong, output)
    return stopped if isinstance(stopped, int) else 0


def _exit_code(error: Exception) -> int:
    return next((EXIT_CODES[kind.__name__] for kind in type(error).__mro__ if kind.__name__ in EXIT_CODES), 1)


def _command(given: list[str]) -> str | None:
    """The first word that is neither a global option nor its value."""
    from reverie.cli.invocation import GLOBAL

    words = iter(given)
    for word in words:
        if not word.startswith("-"):
            return word
        if word in (*GLOBAL, "--space", "-s"):
            next(words, None)
    return None


def _in_front(given: list[str]) -> list[str]:
    """The same words with the global options first: they may stand after the command too."""
    from reverie.cli.invocation import GLOBAL

    front, rest = [], list(given)
    end = rest.index("--") if "--" in rest else len(rest)
    at = 0
    while at < end - 1:
        if rest[at] in GLOBAL:
            front += rest[at : at + 2]
            del rest[at : at + 2]
            end -= 2
        else:
            at += 1
    return [*front, *rest]


def _wrong(wrong: Exception, output: "Output") -> int:
    """What no part of Reverie raised on purpose: a call that typer refuses, a path, or a bug of ours."""
    from reverie.errors import ReverieError, UsageError

    message = getattr(wrong, "format_message", None)  # typer carries click inside, under a private name
    if type(wrong).__name__ == "Abort":
        return INTERRUPTED
    if type(wrong).__name__ == "NoArgsIsHelpError":  # a group without a command
        sys.stdout.write(f"{wrong}\n")
        return 2
    if message is not None:
        context = getattr(wrong, "ctx", None)
        path = context.command_path if context is not None else "reverie"
        said = message()
        quotes = "Put words that belong together in quotes, or see" if "extra argument" in said else "See"
        output.error(UsageError(said, next_move=f"{quotes} `{path} --help`."))
        return 2
    if isinstance(wrong, OSError):
        said = f"{wrong.filename}: {wrong.strerror}" if wrong.filename else str(wrong)
        output.error(UsageError(said, next_move="Check the path and its permissions."))
        return 2
    if os.environ.get("REVERIE_LOG_LEVEL") == "debug":
        raise wrong
    output.error(
        ReverieError(
            f"this should not have happened: {type(wrong).__name__}: {wrong}",
            next_move="This is a bug in Reverie. Run it again with REVERIE_LOG_LEVEL=debug and report what it shows.",
        )
    )
    return 1
