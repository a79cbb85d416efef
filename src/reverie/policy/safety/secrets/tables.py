"""Secrets in tables: what stands under "password", in a table of Markdown, CSV or tabs."""

from collections.abc import Iterator, Sequence

from reverie.policy.safety.secrets.cues import CUES, PATTERNS, Cue, cues_of
from reverie.policy.safety.secrets.looks import KEY, NEVER, PASSWORD, POINTS, look_of

BETWEEN = "|\t;,"
MOST_ROWS = 2_000
LONGEST_HEAD, LONGEST_LINE = 40, 1_000
Cell = tuple[int, int]
Column = tuple[int, str, int]  # its place in a row, the kind of what stands in it, what it wants


def cells(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, kind) of the cells that hold secrets.

    >>> text = "user,password\\nana,Crab-Apple-55"
    >>> [text[start:end] for start, end, kind in cells(text)]
    ['Crab-Apple-55']
    """
    sep, columns, rows, width = "", list[Column](), 0, 0
    at = 0
    for line in text.split("\n"):
        row = _cells(line, at, sep) if columns else []
        if columns and len(row) == width and rows < MOST_ROWS:
            rows += 1
            yield from _taken(text, row, columns)
        else:
            sep, columns, width = _heads(text, line, at)
            rows = 0
        at += len(line) + 1


def _heads(text: str, line: str, at: int) -> tuple[str, list[Column], int]:
    """The separator, columns with secrets and width of the table that a line begins, if it does."""
    for sep in BETWEEN:
        if sep in line:
            if len(line) > LONGEST_LINE or not cues_of(line.lower()):
                break
            row = _cells(line, at, sep)
            named = [(n, cue.kind, cue.wants) for n, (a, b) in enumerate(row) for cue in _named(text[a:b].lower())]
            return sep, named if sum(b > a for a, b in row) > 1 else [], len(row)
    return "", [], 0


def _named(head: str) -> list[Cue]:
    """What a column's head says of it: "password", "db password", "API key"."""
    if not 1 < len(head) <= LONGEST_HEAD:
        return []
    head = "password" if head.endswith("pass") else head
    named = [CUES[n] for n in cues_of(head) if any(match.end() == len(head) for match in PATTERNS[n].finditer(head))]
    return [cue for cue in named if cue.wants in (PASSWORD, KEY) and cue.label and cue.points > 0][:1]


def _cells(line: str, at: int, sep: str) -> list[Cell]:
    """Where each cell's text begins and ends, without the blanks, quotes and stars around it."""
    found = []
    for cell in line.split(sep):
        plain = cell.strip(" \r*`\"'")
        start = at + cell.find(plain)
        found.append((start, start + len(plain)))
        at += len(cell) + 1
    return found


def _taken(text: str, row: Sequence[Cell], columns: Sequence[Column]) -> Iterator[tuple[int, int, str]]:
    for n, kind, wants in columns:
        start, end = row[n]
        value = text[start:end]
        if end - start > 2 and not value.startswith("[redacted"):
            points = POINTS[look_of(value)][wants]
            if points > NEVER and (points > 0 or wants == PASSWORD) and value.strip("-: "):
                yield start, end, kind
