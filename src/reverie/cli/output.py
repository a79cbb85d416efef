"""How commands speak: tables or JSON on stdout, progress and errors on stderr, exit codes that scripts can trust."""

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, TextIO

from reverie.cli.encoding import printable, speaks_all
from reverie.errors import ReverieError

if TYPE_CHECKING:
    from rich.table import Table

    from reverie.cli.terminal import Terminal

STYLES = {"dim": "2", "bold": "1", "red": "31", "yellow": "33", "green": "32"}
PAGE = 100  # characters that a line of prose is read in comfort
WIDE = ("text", "value", "help", "why", "marks", "tags", "question", "answer", "evidence")

PLAIN = ("id", "name", "label", "kind", "status", "tier", "when", "who", "session")  # clear without their heading


class Output:
    """One command's voice. With `as_json`, exactly one JSON value goes to stdout."""

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json

    @cached_property
    def out(self) -> "Terminal":
        from reverie.cli.terminal import Terminal

        return Terminal(highlight=False, soft_wrap=True)

    @cached_property
    def err(self) -> "Terminal":
        """Long lines fold at a terminal; in a file or a pipe they stay whole."""
        from reverie.cli.terminal import Terminal

        return Terminal(stderr=True, highlight=False, soft_wrap=not sys.stderr.isatty())

    def value(self, value: Any, say: Callable[[], Any] | str) -> None:
        """The JSON form, or what a person reads."""
        if self.as_json:
            sys.stdout.write(encoded(plain(value), indent=2) + "\n")
        elif isinstance(say, str):
            self.say(say)
        else:
            say()

    def line(self, value: Any) -> None:
        """One JSON value on one line, sent at once: for a program that talks to this one through pipes."""
        sys.stdout.write(encoded(plain(value)) + "\n")
        sys.stdout.flush()

    def say(self, text: str, style: str | None = None) -> None:
        """A line for a person, on stdout; rich is loaded only for tables and bars."""
        _write(sys.stdout, text, style)

    def aside(self, text: str, style: str = "dim") -> None:
        """What belongs to the answer and is none of it: on stderr, folded at a terminal, whole elsewhere."""
        _write(sys.stderr, _folded(text) if sys.stderr.isatty() else text, style)

    def waiting(self, doing: str) -> AbstractContextManager[Any]:
        """Around what may take more than a second: at a terminal it shows that something is done."""
        return nullcontext() if self.as_json or not sys.stderr.isatty() else self.err.status(f"{doing} …")

    def fold(self, text: str, indent: str = "", style: str | None = None) -> None:
        """A paragraph, folded between words; where it is indented, the lines after its first are by two more."""
        import textwrap

        width = max(40, min(self.out.width, PAGE))
        lines = textwrap.wrap(
            text, width, initial_indent=indent, subsequent_indent=f"{indent}  " if indent else ""
        ) or [""]
        self.say("\n".join(lines), style)

    def rows(self, items: Sequence[Any], columns: Mapping[str, Callable[[Any], Any]], *, empty: str) -> None:
        """A list: JSON items, or a table; an empty one says what to do next."""
        if self.as_json:
            self.value(list(items), "")
        elif not items:
            self.say(empty)
        elif _width(items, columns) <= self.out.width:
            self.out.print(table(items, columns))
        else:
            self._cards(items, columns)

    def _cards(self, items: Sequence[Any], columns: Mapping[str, Callable[[Any], Any]]) -> None:
        """What is too wide for a table: the long text first, the rest below it, ids whole."""
        for item in items:
            cells = {name: cell(read(item)) for name, read in columns.items()}
            for name in WIDE:
                if cells.get(name):
                    self.say(cells[name].replace("\n", "\n    "))
            rest = [(name, text) for name, text in cells.items() if text and name not in WIDE]
            self.say("  " + "  ".join(text if name in PLAIN else f"{name} {text}" for name, text in rest), "dim")

    def error(self, error: ReverieError) -> None:
        from reverie.policy.safety.redaction import Redactor

        message, data = Redactor().value((error.message, error.data))  # stderr is often kept as a log
        if self.as_json:
            shape = {"code": error.code, "message": message, "next_move": error.next_move, "data": data}
            sys.stdout.write(encoded({"error": plain(shape)}) + "\n")
        self.aside(f"error: {message}", "red")
        self.aside(error.next_move)


def _write(stream: TextIO, text: str, style: str | None) -> None:
    """Text from the world takes no part in the styling: what a terminal would act on was taken out of it."""
    code = STYLES.get(style or "") if coloured(stream) else None
    said = printable(text)
    stream.write(f"\x1b[{code}m{said}\x1b[0m\n" if code and said else f"{said}\n")


def coloured(stream: TextIO) -> bool:
    """Whether a stream is a terminal that wants colours (NO_COLOR, FORCE_COLOR, TERM=dumb)."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") in ("dumb", "unknown"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


def _folded(text: str) -> str:
    import shutil
    import textwrap

    width = max(40, shutil.get_terminal_size().columns)
    return "\n".join(textwrap.fill(line, width, break_on_hyphens=False) for line in text.split("\n"))


def table(items: Iterable[Any], columns: Mapping[str, Callable[[Any], Any]]) -> "Table":
    from rich.table import Table

    made = Table(box=None, pad_edge=False, header_style="bold")
    for name in columns:
        # Ids are there to be copied: only texts fold.
        made.add_column(name, no_wrap=name not in WIDE, overflow="fold")
    for item in items:
        made.add_row(*(cell(read(item)) for read in columns.values()))
    return made


def _width(items: Sequence[Any], columns: Mapping[str, Callable[[Any], Any]]) -> int:
    """How wide a table would be with no cell folded."""
    widest = (max(len(name), *(len(cell(read(item))) for item in items)) for name, read in columns.items())
    return sum(width + 2 for width in widest)


def cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3g}"
    return str(value)


def when(instant: float | None) -> str:
    return "" if instant is None else datetime.fromtimestamp(instant, UTC).strftime("%Y-%m-%d %H:%M")


def encoded(value: Any, indent: int | None = None) -> str:
    """JSON as it may stand on a terminal: readable in any script that it knows, control characters only as escapes."""
    said = json.dumps(value, ensure_ascii=not speaks_all(sys.stdout), indent=indent)
    return re.sub("[\x7f-\x9f]", lambda found: f"\\u{ord(found[0]):04x}", said)


def plain(value: Any) -> Any:
    """Dataclasses, tuples and bytes as JSON has them, without what a noun leaves out of its own `repr`."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value) if field.repr}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    return value


def noun(name: str, n: int) -> str:
    """A count's name as a person reads it: `notes_written` of one is a "note written".

    >>> noun("notes_written", 1), noun("facts", 2), noun("memories", 1), noun("block_sentences", 1)
    ('note written', 'facts', 'memory', 'block sentence')
    """
    words = name.split("_")
    counted = 1 if len(words) == 2 and not words[0].endswith("s") else 0
    if n == 1:
        words[counted] = _one(words[counted])
    return " ".join(words)


def _one(nouns: str) -> str:
    return f"{nouns[:-3]}y" if nouns.endswith("ies") else nouns.removesuffix("s")
