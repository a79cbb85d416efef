"""One invocation: its global options, the store that it opens, and what its words mean. No framework is loaded here."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from reverie.cli.encoding import as_utf8
from reverie.cli.output import Output
from reverie.errors import BadInput, NotFound

if TYPE_CHECKING:
    from reverie.config import Config
    from reverie.reverie import Reverie
    from reverie.space import Space

GLOBAL = {"--home": "home", "--store": "store", "--org": "org", "--embedder": "embedder"}  # each takes a value
_GIVEN: ContextVar[dict[str, Any]] = ContextVar("given")  # the global options of this invocation


def give(**options: Any) -> None:
    """The global options, for the rest of this invocation."""
    _GIVEN.set(options)


def configuration(**flags: Any) -> "Config":
    """All settings, those first that were given as options of the command or before it."""
    from reverie.config import load

    return load({**_GIVEN.get({}), **flags})


def named_space(space: str | None) -> str | None:
    """The space that was named, after the command or before it."""
    given: str | None = space or _GIVEN.get({}).get("space")
    return given


@contextmanager
def open_store(as_json: bool = False, *, brief: bool = False, **settings: Any) -> Iterator[tuple["Reverie", Output]]:
    """The whole store and the output; closed at the end."""
    from reverie.reverie import Reverie

    with Reverie.open(config=configuration(), brief=brief, **settings) as memory:
        yield memory, Output(as_json=as_json)


@contextmanager
def open_space(as_json: bool, space: str | None, *, begin: bool = False) -> Iterator[tuple["Space", Output]]:
    """A space and the output; closed at the end.

    A space that is named and not there is a slip of the pen, unless the command may `begin` one.
    """
    wanted = named_space(space)
    with open_store(as_json, brief=True) as (memory, output):
        if wanted and not begin and not memory.has_space(wanted):
            raise _no_such_space(wanted, [known.name for known in memory.spaces(limit=1_000)])
        yield memory.space(wanted), output


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
    from reverie.model.base import instant_of

    try:
        return instant_of(given)
    except ValueError as error:
        raise BadInput(f"{given!r} is not a date", next_move="Write 2026-05-01, or 2026-05-01T12:00+02:00.") from error


def text_of(given: str) -> str:
    """What stands on the command line; `-` is standard input, for what is too long to stand there."""
    return as_utf8(sys.stdin.read()) if given == "-" else given
