"""The command line's frame: the app, its global options, and what every command file needs."""

from typing import Annotated

import typer

from reverie.cli.help import Panelled
from reverie.cli.invocation import configuration, give, kinds_of, moment_of, open_space, open_store, text_of
from reverie.cli.output import Output

__all__ = [
    "HowMany",
    "JsonFlag",
    "SpaceOption",
    "app",
    "configuration",
    "kinds_of",
    "moment_of",
    "open_space",
    "open_store",
    "text_of",
]

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
HowMany = Annotated[int, typer.Option("--limit", "-k", min=1, help="How many at most.")]


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
    space: SpaceOption = None,
    _: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")] = False,
) -> None:
    """These may stand before the command or after it."""
    give(home=home, store=store, org=org, embedder=embedder, space=space)
