"""The command line's frame: global options, one opened store, errors in one place."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, ClassVar

import typer

from reverie.cli.output import Output, exit_code
from reverie.config import Config, load
from reverie.errors import ReverieError, UsageError

app = typer.Typer(
    name="reverie",
    help="Sleep-time compute for AI agents: a memory that gets better while nobody is waiting.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

JsonFlag = Annotated[bool, typer.Option("--json", help="One JSON value on stdout.")]
SpaceOption = Annotated[str | None, typer.Option("--space", "-s", help="The space; default: the setting `space`.")]


class Session:
    """What one invocation has: configuration, output, and a store that is opened when first needed."""

    flags: ClassVar[dict[str, Any]] = {}

    @classmethod
    def config(cls) -> Config:
        return load(cls.flags)


def _version(asked: bool) -> None:
    if asked:
        from reverie import __version__

        Output(as_json=False).say(f"reverie {__version__}")
        raise typer.Exit


@app.callback()
def options(
    home: Annotated[str | None, typer.Option(help="Directory of the embedded store.")] = None,
    store: Annotated[str | None, typer.Option(help="postgresql://… instead of a directory.")] = None,
    org: Annotated[str | None, typer.Option(help="The org.")] = None,
    embedder: Annotated[str | None, typer.Option(help="minilm, fastembed:NAME, openai:NAME or none.")] = None,
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Say it.")] = False,  # noqa: ARG001
) -> None:
    """Global options come before the command."""
    Session.flags = {"home": home, "store": store, "org": org, "embedder": embedder}


@contextmanager
def opened(as_json: bool = False, space: str | None = None, **settings: Any) -> Iterator[tuple[Any, Output]]:
    """A space (or, with `space=""`, the whole Reverie) and the output; closed at the end."""
    from reverie.reverie import Reverie

    output = Output(as_json=as_json)
    with Reverie.open(config=Session.config(), **settings) as memory:
        yield (memory if space == "" else memory.space(space)), output


def run(arguments: list[str] | None = None) -> None:
    """The entry point: every error becomes a clear line and an exit code."""
    from reverie.cli import main  # noqa: F401  registers the commands

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


def text_of(given: str) -> str:
    """What stands on the command line; `-` is standard input, for what is too long to stand there."""
    return sys.stdin.read() if given == "-" else given


def _misused(wrong: Exception, output: Output) -> None:
    """Typer's own errors (it carries click inside, under a private name) say what was wrong with the call."""
    told = getattr(wrong, "format_message", None)
    if told is None:
        raise wrong
    context = getattr(wrong, "ctx", None)
    path = context.command_path if context is not None else "reverie"
    output.error(UsageError(told(), next_move=f"See `{path} --help`."))
