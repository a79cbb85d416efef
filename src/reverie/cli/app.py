"""The command line's frame: global options, one open_space store, errors in one place."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reverie.cli.encoding import as_utf8
from reverie.cli.help import Panelled
from reverie.cli.output import Output
from reverie.config import Config, load
from reverie.errors import BadInput, NotFound
from reverie.model.base import instant_of

if TYPE_CHECKING:
    from reverie.reverie import Reverie
    from reverie.space import Space

app = typer.Typer(
    name="reverie",
    help="Sleep-time compute for AI agents: a memory that gets better while nobody is waiting.",
    epilog='Begin with `reverie demo`, or: reverie append "I moved to Hamburg"; reverie recall "where do I live?"',
    cls=Panelled,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # drawn boxes would triple the time until help is there
    context_settings={"help_option_names": ["-h", "--help"]},
)

JsonFlag = Annotated[bool, typer.Option("--json", help="One JSON value on stdout.")]
SpaceOption = Annotated[str | None, typer.Option("--space", "-s", help="The space; default: the setting `space`.")]
_GIVEN: ContextVar[dict[str, Any]] = ContextVar("given")  # the global options of this invocation


def configuration(**flags: Any) -> Config:
    """All settings, those first that were given as options of the command or before it."""
    return load({**_GIVEN.get(), **flags})


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
    _: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")] = False,
) -> None:
    """Global options come before the command."""
    _GIVEN.set({"home": home, "store": store, "org": org, "embedder": embedder})


@contextmanager
def open_store(as_json: bool = False, **settings: Any) -> Iterator[tuple["Reverie", Output]]:
    """The whole store and the output; closed at the end."""
    from reverie.reverie import Reverie

    with Reverie.open(config=configuration(), **settings) as memory:
        yield memory, Output(as_json=as_json)


@contextmanager
def open_space(as_json: bool, space: str | None, *, begin: bool = False) -> Iterator[tuple["Space", Output]]:
    """A space and the output; closed at the end.

    A space that is named and not there is a slip of the pen, unless the command may `begin` one.
    """
    with open_store(as_json) as (memory, output):
        if space and not begin and not memory.has_space(space):
            raise _no_such_space(space, [known.name for known in memory.spaces(limit=1_000)])
        yield memory.space(space), output


def _no_such_space(space: str, known: list[str]) -> NotFound:
    import difflib

    near = difflib.get_close_matches(space, known, n=1)
    hint = f"Did you mean {near[0]!r}? " if near else ""
    return NotFound("space", space, next_move=f"{hint}`reverie spaces list` shows all; `reverie append` begins one.")


def kinds_of(given: list[str] | None, *more: str) -> tuple[Any, ...]:
    """What was given with `--kind`; a slip of the pen is an error, not an empty answer."""
    from reverie.model.memories import KINDS

    for kind in given or ():
        if kind not in (*more, *KINDS):
            known = ", ".join((*more, *KINDS))
            raise BadInput(f"kind must be one of {known}, not {kind!r}", next_move="Correct it and ask again.")
    return tuple(given or ())


def moment_of(given: str | None) -> float | None:
    """A date or a moment as it is written; without a zone it is UTC, as everything that is shown."""
    if given is None:
        return None
    try:
        return instant_of(given)
    except ValueError as error:
        raise BadInput(f"{given!r} is not a date", next_move="Write 2026-05-01, or 2026-05-01T12:00+02:00.") from error


def text_of(given: str) -> str:
    """What stands on the command line; `-` is standard input, for what is too long to stand there."""
    return as_utf8(sys.stdin.read()) if given == "-" else given
