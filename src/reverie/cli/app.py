"""The command line's frame: global options, one opened store, errors in one place."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, ClassVar

import typer

from reverie.cli.output import Output
from reverie.config import Config, load

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


def text_of(given: str) -> str:
    """What stands on the command line; `-` is standard input, for what is too long to stand there."""
    return sys.stdin.read() if given == "-" else given
