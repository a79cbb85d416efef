"""Tables and lists in a text: rows with a label, columns with a name. What only looks like one is left alone."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from reverie.language.calendar import MONTHS, WEEKDAYS
from reverie.policy.ponder import days
from reverie.policy.ponder.amounts import Amount, amounts

_BULLET = re.compile(r"\s{0,8}(?:[-*•·+]|\d{1,3}[.)])\s{1,4}")
_RULE = re.compile(r"[\s|:+=-]{3,300}")
_BREAK = re.compile(r":\s|—|–| - ")
_HEAD = re.compile(r"\s{0,3}#{1,6}\s{1,3}(.{1,120}?)\s{0,3}#{0,6}\s{0,3}$")
_AT_EACH = re.compile(r"^(.{0,60}?)\s?(?:at|@|x|×|for)\s{0,2}$", re.I)
_EMPHASIS = re.compile(r"[*`]{1,3}|(?<!\w)_{1,2}|_{1,2}(?!\w)")
_BEFORE = re.compile(r"^(?:(?:here|these|those|this|following) (?:are|is) |(?:my|our|the|following) ){1,2}", re.I)
_AFTER = re.compile(r" (?:are|is|were|was|include|includes|as follows|(?:is|are) as follows)$", re.I)
_SENTENCE = re.compile(r"[.!?]\s+[A-Z]")
QUANTITY, PRICE, ITEM = "quantity", "price", "item"
LEAST = 2  # rows
LONGEST_TITLE = 60
Split = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True)
class GridRow:
    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of cells under named columns; `title` is the line that announces it."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[GridRow, ...]
    listed: bool = False  # a list: its columns have no names of their own


def grids(lines: Sequence[str]) -> list[Grid]:
    """Every table and list, in order.

    >>> found = grids(["Prices:", "- Pen: $2", "- Bag: $20", "", "| item | qty |", "|---|---|", "| tea | 3 |",
    ...     "| salt | 1 |"])
    >>> [(grid.title, grid.columns, [row.cells for row in grid.rows]) for grid in found]
    [('Prices', ('item', ''), [('Pen', '$2'), ('Bag', '$20')]), ('', ('item', 'qty'), [('tea', '3'), ('salt', '1')])]
    """
    found: list[Grid] = []
    at = 0
    while at < len(lines):
        end, grid = _grid(lines, at)
        if grid is not None:
            found.append(grid)
        at = max(end, at + 1)
    return found


def _grid(lines: Sequence[str], at: int) -> tuple[int, Grid | None]:
    for split in (_pipes, _tabs, _gaps, _commas):
        end, rows = _block(lines, at, split)
        if len(rows) > LEAST:
            return end, _table(lines, at, rows)
    end, items = _items(lines, at)
    return end, _list(lines, at, items) if len(items) >= LEAST else None


def _block(lines: Sequence[str], at: int, split: Split) -> tuple[int, list[GridRow]]:
    rows: list[GridRow] = []
    for n in range(at, len(lines)):
        if rows and _RULE.fullmatch(lines[n]) and lines[n].strip():
            continue
        cells = split(lines[n])
        if len(cells) < 2 or (rows and len(cells) != len(rows[0].cells)):
            return n, rows
        rows.append(GridRow(n + 1, tuple(_EMPHASIS.sub("", cell).strip() for cell in cells)))
    return len(lines), rows


def _pipes(line: str) -> list[str]:
    return line.strip().strip("|").split("|") if line.count("|") >= 1 and len(line) < 1_000 else []


def _tabs(line: str) -> list[str]:
    return line.strip().split("\t") if "\t" in line.strip() else []


def _gaps(line: str) -> list[str]:
    return re.split(r" {2,40}", line.strip())[:20] if "  " in line.strip() and len(line) < 400 else []


def _commas(line: str) -> list[str]:
    cells = line.strip().split(",")
    plain = all(0 < len(cell.strip()) <= 40 for cell in cells) and not _SENTENCE.search(line) and line[-1:] != "."
    return cells if len(cells) > 1 and plain and not re.search(r", (?:and|or) ", line) else []


def _table(lines: Sequence[str], at: int, rows: Sequence[GridRow]) -> Grid | None:
    """A first row without numbers names the columns; without such a row nobody can say what they mean."""
    head, body = rows[0], rows[1:]
    valued = any(_is_value(cell) for cell in head.cells) and not is_series(head.cells[1:])
    if valued or not all(cell.strip() for cell in head.cells[1:]):
        return None
    return Grid(_title(lines, at), head.cells, tuple(body))


def _items(lines: Sequence[str], at: int) -> tuple[int, list[GridRow]]:
    """Consecutive items of a list: a label and what stands behind it, or a number and what there is of it."""
    rows: list[GridRow] = []
    bulleted = bool(_BULLET.match(lines[at]))
    for n in range(at, len(lines)):
        bullet = _BULLET.match(lines[n])
        if bool(bullet) != bulleted or not lines[n].strip() or lines[n].lstrip().startswith(">"):
            return n, rows
        cells = _item(_EMPHASIS.sub("", lines[n][bullet.end() if bullet else 0 :]).strip(), bulleted)
        if cells is None:
            return max(n, at + 1), rows
        rows.append(GridRow(n + 1, cells))
    return len(lines), rows


def _item(text: str, bulleted: bool) -> tuple[str, ...] | None:
    head, value = _labelled(text)
    if head:
        return (head, value)
    found = amounts(text) if bulleted and len(text) <= 120 and not days.clocks(text) else []
    if len(found) == 1:
        return _one(text, found[0])
    return _priced(text, found) if len(found) == 2 else None


def _labelled(text: str) -> tuple[str, str]:
    """A label of few words and what stands behind it; two empty texts if there is none.

    >>> _labelled("Rent: $900"), _labelled("12 - 3")
    (('Rent', '$900'), ('', ''))
    """
    found = _BREAK.search(text)
    head, value = (text[: found.start()].strip(), text[found.end() :].strip()) if found else ("", "")
    return (head, value) if 0 < len(head) <= 80 and 0 < len(value) <= 200 and not head[0].isdigit() else ("", "")


def _one(text: str, amount: Amount) -> tuple[str, ...] | None:
    """ "2 kg flour", "flour 2 kg", "Tea ($3)": the words around the number are its label."""
    start = amount.begin - (1 if amount.unit in "$€£¥" and amount.unit else 0)
    label = f"{text[:start]} {text[amount.end :]}".strip(" ()-–—:,.=")
    label = re.sub(r"^of ", "", " ".join(label.split()))
    return (label, text[start : amount.end]) if 0 < len(label) <= 60 else None


def _priced(text: str, found: Sequence[Amount]) -> tuple[str, ...] | None:
    """ "3 notebooks at $2.50 each" is a quantity and a price; no other two numbers are read together."""
    first, second = found
    between = _AT_EACH.fullmatch(text[first.end : second.begin - 1]) if second.unit in ("$", "€", "£", "¥") else None
    rest = text[second.end :].strip(" .,()").lower()
    if not between or first.begin != 0 or rest not in ("", "each", "apiece", "per piece", "a piece") or first.unit:
        return None
    return (between[1].strip(), text[: first.end], text[second.begin - 1 : second.end])


def _list(lines: Sequence[str], at: int, items: Sequence[GridRow]) -> Grid | None:
    widths = {len(item.cells) for item in items}
    if widths == {2}:
        return Grid(_title(lines, at), (ITEM, ""), tuple(items), listed=True)
    return Grid(_title(lines, at), (ITEM, QUANTITY, PRICE), tuple(items), listed=True) if widths == {3} else None


_NUMBERED = re.compile(r"([A-Za-z]{1,20}) ?(\d{1,2})")
_MONTHS = frozenset(month[:3].lower() for month in MONTHS)
_DAYS = frozenset(day[:3].lower() for day in WEEKDAYS)


def is_series(names: Sequence[str]) -> bool:
    """Whether columns are the same thing again and again: numbered, or months, or days of the week.

    >>> is_series(["round 1", "round 2"]), is_series(["Jan", "Feb", "March"]), is_series(["price", "sold"])
    (True, True, False)
    """
    numbered = [found for name in names if (found := _NUMBERED.fullmatch(name.strip()))]
    if len(numbered) == len(names) > 1:
        return len({found[1].lower() for found in numbered}) == 1 and len({found[2] for found in numbered}) > 1
    short = [name.strip()[:3].lower() for name in names]
    plain = len(set(short)) == len(names) > 1 and all(name.strip().isalpha() for name in names)
    return plain and (set(short) <= _MONTHS or set(short) <= _DAYS)


def _is_value(cell: str) -> bool:
    return bool(amounts(cell) or days.clocks(cell) or days.days(cell))


def _title(lines: Sequence[str], at: int) -> str:
    """The heading or the announcing line above, without its marks; empty where there is none."""
    for line in _above(lines, at):
        head = _HEAD.match(line)
        if head:
            return _named(head[1])
        announced = _EMPHASIS.sub("", line).strip()
        return _named(announced) if announced.endswith(":") and len(announced) <= 120 else ""
    return ""


def _named(line: str) -> str:
    """What a heading or an announcing line calls what follows.

    >>> _named("**My monthly costs are:**"), _named("Here are the prices:")
    ('monthly costs', 'prices')
    """
    last = re.split(r"[.;!?] ", _EMPHASIS.sub("", line).strip(" :"))[-1]
    name = _AFTER.sub("", _BEFORE.sub("", last))
    return name if len(name) <= LONGEST_TITLE else ""


def _above(lines: Sequence[str], at: int) -> Iterator[str]:
    for n in range(at - 1, max(-1, at - 4), -1):
        if lines[n].strip():
            yield lines[n]
