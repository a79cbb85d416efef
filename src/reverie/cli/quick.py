"""The short way to a command that is called often: its plain words are read here, everything else is left to typer.

Loading typer takes longer than a server takes to answer. What is not understood here (help, a mistake) is no error: the
long way understands it, or says what is wrong. `tests/contract/test_cli_quick.py` compares both.
"""

import gc
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reverie.cli.invocation import GLOBAL, give


@dataclass(frozen=True, slots=True)
class Quick:
    """One command's words: its argument, its options with a value, its flags, and what each parameter is by default."""

    argument: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    flags: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    numbers: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    required: bool = True  # the argument


COMMON = {"--space": "space", "-s": "space"}
JSON = {"--json": "as_json"}
_TURN = ("role", "session", "key", "origin", "speaker", "kind", "channel", "source")
QUICK: Mapping[str, Quick] = {
    "append": Quick(
        "text",
        {**{f"--{name}": name for name in _TURN}, **COMMON},
        JSON,
        {"role": "user", "session": "default"},
    ),
    "recall": Quick(
        "query",
        {
            "--limit": "limit",
            "-k": "limit",
            **{f"--{name}": name for name in ("session", "kind", "tag", "after", "before")},
            "--as-of": "as_of",
            **COMMON,
        },
        {"--raw": "raw", "--include-stale": "include_stale", "--explain": "explain", **JSON},
        {"limit": 10},
        numbers=("limit",),
        lists=("kind", "tag"),
    ),
    "context": Quick(
        "query",
        {"--budget": "budget", "--session": "session", **COMMON},
        JSON,
        {"budget": 4_000},
        numbers=("budget",),
        required=False,
    ),
    "mcp": Quick(required=False),
}


def run(given: list[str]) -> bool:
    """Does a plain call of one of these commands; False, and nothing done, where the long way has to read it."""
    options, rest = global_options(given)
    if not rest or rest[0] not in QUICK:
        return False
    parameters: dict[str, Any] | None = read(QUICK[rest[0]], rest[1:])
    if parameters is None:
        return False
    if rest[0] != "mcp":  # it is over before there would be garbage worth a look at everything that was imported
        gc.disable()
    from reverie.cli import talk

    give(**options)
    getattr(talk, rest[0])(**parameters)
    return True


def global_options(given: list[str]) -> tuple[dict[str, str | None], list[str]]:
    """The options that stand before the command, and what comes after them."""
    found: dict[str, str | None] = dict.fromkeys((*GLOBAL.values(), "space"))
    names = {**GLOBAL, **COMMON}
    words = list(given)
    while len(words) > 1 and words[0] in names:
        found[names[words[0]]] = words[1]
        words = words[2:]
    return found, words


def read(command: Quick, words: list[str]) -> dict[str, Any] | None:
    """The parameters of a call; None for anything but known options, their values and one argument."""
    found: dict[str, Any] = dict.fromkeys(command.options.values()) | dict.fromkeys(command.flags.values(), False)
    found |= command.defaults
    left = list(words)
    while left:
        word = left.pop(0)
        if word in command.flags:
            found[command.flags[word]] = True
        elif word in command.options and left and not _is_option(left[0]):
            name, value = command.options[word], left.pop(0)
            if name in command.numbers and not (value.isdecimal() and value.isascii() and int(value) >= 1):
                return None
            read_value: Any = int(value) if name in command.numbers else value
            found[name] = [*(found[name] or ()), value] if name in command.lists else read_value
        elif _is_option(word) or command.argument is None or command.argument in found:
            return None
        else:
            found[command.argument] = word
    return found if command.argument in found or not command.required else None


def _is_option(word: str) -> bool:
    return word.startswith("-") and word != "-"
