"""A block one line longer, and how far a full one is condensed. Its limit holds: nothing is ever cut to fit."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    target: float = 0.6  # of its limit, to which a condensed block is brought, so that it does not fill at once


WEIGHTS = Weights()


def with_line(value: str, line: str) -> str:
    """A block with one line more.

    >>> with_line("Anna", " lives in Hamburg "), with_line("", "Anna")
    ('Anna\\nlives in Hamburg', 'Anna')
    """
    return f"{value.rstrip()}\n{line.strip()}" if value.strip() else line.strip()


def condensed_size(limit: int, w: Weights = WEIGHTS) -> int:
    """How long a condensed block may be.

    >>> condensed_size(5_000)
    3000
    """
    return int(w.target * limit)
