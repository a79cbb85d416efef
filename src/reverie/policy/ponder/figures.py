"""What a table or a list comes to: totals, averages, extremes, rankings, differences, products, durations.

Every figure is exact, says how it came about and names the lines it rests on. A column whose numbers cannot be added
(years, ids, ranks, rates) is ranked at most; one that mixes units is left alone.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from reverie.model.thinking import Reasoning, Thought
from reverie.policy.ponder import days
from reverie.policy.ponder.amounts import MONEY, amounts, exact, with_unit
from reverie.policy.ponder.grids import Grid, GridRow, is_series

MOST_PAIRS = 15  # differences between every two rows: of six rows
MOST_SHOWN = 30  # rows that a figure spells out
_NO_AMOUNT = re.compile(
    r"\b(?:years?|id|ids|no|nr|rank|place|position|seed|phone|zip|code|room|floor|page|version|lane|bib|seat|table"
    r"|gate|line|step|age|born|index|order|#)\b|#",
    re.I,
)
_RATE = re.compile(
    r"\b(?:price|rate|per|each|unit|temperature|temp|rating|grade|average|avg|mean|median|p\d{2}|csat|latency|percent"
    r"|share|fee per)\b|%|/",
    re.I,
)
_COUNT = re.compile(
    r"\b(?:qty|quantity|units?|count|number|sold|pieces|amount|hours?|nights|tickets|copies|servings)\b", re.I
)
_UNIT_PRICE = re.compile(
    r"\b(?:price|rate|cost per|unit cost|each|fee|per unit|per hour|hourly|per night|wage)\b", re.I
)
_PLANNED = re.compile(r"\b(?:budget(?:ed)?|planned|plan|target|estimated?|expected|allocated|income|capacity)\b", re.I)
_ACTUAL = re.compile(r"\b(?:actual|spent|used|real|achieved|result|expenses?|sold|booked)\b", re.I)
_TOTAL_ROW = re.compile(r"\s{0,3}(?:grand |sub ?)?(?:total|sum|in all|altogether)\b", re.I)


@dataclass(frozen=True, slots=True)
class RowValue:
    label: str
    value: Fraction
    line: int


@dataclass(frozen=True, slots=True)
class Column:
    """The numbers of one column, of one unit."""

    name: str
    unit: str
    entries: tuple[RowValue, ...]
    title: str = ""
    adds_up: bool = True
    by: str = ""  # what the labels are: the name of their column

    @property
    def lines(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(entry.line for entry in self.entries))

    @property
    def total(self) -> Fraction:
        return sum((entry.value for entry in self.entries), Fraction(0))

    def shown(self, value: Fraction) -> str:
        return days.duration(int(value)) if self.unit == "clock" else with_unit(value, self.unit)

    @property
    def each(self) -> str:
        """The same, with what it tells apart.

        >>> Column("sold", "", (), "Bakery", by="product").each
        'sold by product (Bakery)'
        """
        named = f"{self.name} by {self.by}" if self.by and self.name and self.by != self.name else self.name
        return f"{named} ({self.title})" if named and self.title else named or self.what

    @property
    def what(self) -> str:
        """Its name with what it is a column of.

        >>> Column("cost", "$", (), "Office").what, Column("", "$", (), "Monthly expenses").what
        ('cost (Office)', 'Monthly expenses')
        """
        return f"{self.name} ({self.title})" if self.name and self.title else self.name or self.title or "the list"


def figures(grid: Grid) -> list[Thought]:
    """Everything that one grid comes to.

    >>> from reverie.policy.ponder.grids import grids
    >>> (grid,) = grids(["Rent costs:", "- Flat: $900", "- Garage: $100"])
    >>> [thought.text for thought in figures(grid)][:2]
    ['Total Rent costs: Flat $900 + Garage $100 = $1,000', 'Average Rent costs: $1,000 / 2 = $500']
    """
    found: list[Thought] = []
    columns = [*_columns(grid), *_durations(grid)]
    for column in columns:
        found += of_column(column)
    found += _products(grid, columns)
    found += _gaps(grid, columns)
    found += _across(grid, columns)
    found += _groups(grid, columns) if not grid.listed else ()
    found += _dated(grid)
    found += _counted(grid) if columns or not grid.listed else ()
    return found


def of_column(column: Column) -> list[Thought]:
    """Total, average, extremes, ranking, differences of one column."""
    if len(column.entries) < 2:
        return []
    found = list[Thought]()
    if column.adds_up:
        found += _total(column)
    if len({entry.value for entry in column.entries}) > 1:
        found += [*_extremes(column), _ranking(column), *_differences(column)]
    return found


def _total(column: Column) -> Iterator[Thought]:
    parts = [f"{entry.label} {column.shown(entry.value)}" for entry in column.entries[:MOST_SHOWN]]
    sum_of = " + ".join(parts) if len(column.entries) <= MOST_SHOWN else f"{len(column.entries)} rows"
    total = column.shown(column.total)
    yield _thought("computation", f"Total {column.what}: {sum_of} = {total}", column.lines, total)
    mean = column.total / len(column.entries)
    about = "=" if exact(mean) else "≈"
    yield _thought(
        "computation",
        f"Average {column.what}: {total} / {len(column.entries)} {about} {column.shown(mean)}",
        column.lines,
        column.shown(mean),
    )


def _extremes(column: Column) -> Iterator[Thought]:
    values = [entry.value for entry in column.entries]
    high, low = ("Longest", "Shortest") if column.unit in ("clock", "min", "h") else ("Highest", "Lowest")
    for word, value in ((high, max(values)), (low, min(values))):
        who = [entry.label for entry in column.entries if entry.value == value]
        yield _thought(
            "comparison",
            f"{word} {column.each}: {_and(who)} ({column.shown(value)})",
            column.lines,
            f"{_and(who)} ({column.shown(value)})",
        )


def _ranking(column: Column) -> Thought:
    ordered = sorted(column.entries, key=lambda entry: -entry.value)[:MOST_SHOWN]
    told = ", ".join(f"{n}. {entry.label} ({column.shown(entry.value)})" for n, entry in enumerate(ordered, 1))
    return _thought("comparison", f"Ranking by {column.each}, highest first: {told}", column.lines, told)


def _differences(column: Column) -> Iterator[Thought]:
    pairs = list(combinations(sorted(column.entries, key=lambda entry: -entry.value), 2))
    if len(pairs) > MOST_PAIRS:
        first, last = pairs[0][0], sorted(column.entries, key=lambda entry: entry.value)[0]
        pairs = [(first, last)]
    told = "; ".join(f"{a.label} - {b.label} = {column.shown(a.value - b.value)}" for a, b in pairs)
    yield _thought("computation", f"Difference in {column.each}: {told}", column.lines, told)


def _products(grid: Grid, columns: Sequence[Column]) -> Iterator[Thought]:
    """Quantity times unit price, row by row and in all."""
    priced = [column for column in columns if column.unit in MONEY and (_UNIT_PRICE.search(column.name))]
    counted = [c for c in columns if c.unit in ("", "h", "days") and _COUNT.search(c.name) and c not in priced]
    if len(priced) != 1 or len(counted) != 1 or any(_TOTAL_ROW.search(name) for name in grid.columns):
        return
    (price,), (count,) = priced, counted
    each = {entry.line: entry for entry in price.entries}
    rows = [(entry, each[entry.line]) for entry in count.entries if entry.line in each]
    if len(rows) != len(grid.rows):
        return
    made = tuple(RowValue(n.label, n.value * p.value, n.line) for n, p in rows)
    told = "; ".join(
        f"{n.label} {with_unit(n.value, '')} x {price.shown(p.value)} = {price.shown(n.value * p.value)}"
        for n, p in rows[:MOST_SHOWN]
    )
    cost = Column("cost", price.unit, made, grid.title, by=_by(grid))
    what = f"{cost.title or 'the rows'} ({count.name} x {price.name})"
    yield _thought("computation", f"Cost of each of {what}: {told}", cost.lines, told)
    yield from of_column(cost)


def _across(grid: Grid, columns: Sequence[Column]) -> Iterator[Thought]:
    """What each row comes to where the columns are the same thing again: rounds, weeks, months."""
    alike = len({column.unit for column in columns}) == 1 and all(column.adds_up for column in columns)
    if grid.listed or not is_series(grid.columns[1:]) or len(columns) != len(grid.columns) - 1 or not alike:
        return
    lines = [entry.line for entry in columns[0].entries]
    parts = {line: [entry.value for column in columns for entry in column.entries if entry.line == line]
             for line in lines}  # fmt: skip
    made = tuple(RowValue(e.label, sum(parts[e.line], Fraction(0)), e.line) for e in columns[0].entries)
    sums = Column(f"{columns[0].name} to {columns[-1].name}", columns[0].unit, made, grid.title, by=_by(grid))
    shown = sums.shown
    told = "; ".join(f"{e.label} {' + '.join(map(shown, parts[e.line]))} = {shown(e.value)}" for e in made[:MOST_SHOWN])
    yield _thought("computation", f"Total of each {sums.each}: {told}", sums.lines, told)
    yield from of_column(sums)


def _gaps(grid: Grid, columns: Sequence[Column]) -> Iterator[Thought]:
    """Planned against actual, row by row and in all."""
    for a, b in combinations(columns, 2):
        first, second = (a, b) if _PLANNED.search(a.name) else (b, a)
        if not (_PLANNED.search(first.name) and _ACTUAL.search(second.name)) or first.unit != second.unit:
            continue
        known = {entry.line: entry.value for entry in second.entries}
        made = [RowValue(e.label, e.value - known[e.line], e.line) for e in first.entries if e.line in known]
        told = "; ".join(f"{entry.label} = {first.shown(entry.value)}" for entry in made[:MOST_SHOWN])
        total = first.shown(sum((entry.value for entry in made), Fraction(0)))
        yield _thought(
            "computation",
            f"Difference {first.name} - {second.name}{f' ({grid.title})' if grid.title else ''}: {told};"
            f" in all {first.shown(first.total)} - {second.shown(second.total)} = {total}",
            tuple(entry.line for entry in made),
            f"{told}; in all = {total}",
        )


def _groups(grid: Grid, columns: Sequence[Column]) -> Iterator[Thought]:
    """Totals and counts by a column of words whose values come again."""
    for at, name in enumerate(grid.columns):
        words = {row.line: row.cells[at] for row in grid.rows if not amounts(row.cells[at]) and row.cells[at].strip()}
        kinds = list(dict.fromkeys(words.values()))
        if len(words) < len(grid.rows) or not 1 < len(kinds) < len(words) or days.days(kinds[0]):
            continue
        counts = "; ".join(f"{kind} = {sum(word == kind for word in words.values())}" for kind in kinds)
        where = f" ({grid.title})" if grid.title else ""
        yield _thought("computation", f"Number of rows by {name}{where}: {counts}", tuple(words), counts)
        for column in columns:
            if column.adds_up and name != column.name:
                yield from _group_totals(column, name, words, kinds)


def _group_totals(column: Column, name: str, words: dict[int, str], kinds: Sequence[str]) -> Iterator[Thought]:
    told = []
    for kind in kinds:
        part = [entry.value for entry in column.entries if words.get(entry.line) == kind]
        shown = " + ".join(column.shown(value) for value in part)
        total = column.shown(sum(part, Fraction(0)))
        told.append(f"{kind} {shown} = {total}" if len(part) > 1 else f"{kind} = {total}")
    yield _thought("computation", f"Total {column.what} by {name}: {'; '.join(told)}", column.lines, "; ".join(told))


def _dated(grid: Grid) -> Iterator[Thought]:
    """Days between two columns of dates, or the order of one."""
    all_years = days.years(" ".join(cell for row in grid.rows for cell in row.cells) + grid.title)
    for at, name in enumerate(grid.columns):
        found = [(row, days.days(row.cells[at], all_years)) for row in grid.rows]
        if any(len(one) != 1 for _, one in found):
            continue
        entries = [(row.cells[0] if at else row.cells[-1], one[0], row.line) for row, one in found]
        if all(day.sure for _, day, _ in entries):
            ordered = sorted(entries, key=lambda entry: entry[1].day)
            told = ", ".join(f"{label} ({days.told(day.day)})" for label, day, _ in ordered[:MOST_SHOWN])
            what = f"{name} ({grid.title})" if name and grid.title else name or grid.title
            yield _thought("comparison", f"Order by {what}, earliest first: {told}", _lines(grid.rows), told)
            gap = (ordered[-1][1].day - ordered[0][1].day).days
            yield _thought(
                "computation",
                f"Days from the first to the last {what}: {days.told(ordered[0][1].day)} to"
                f" {days.told(ordered[-1][1].day)} = {gap:,} days",
                _lines(grid.rows),
                f"{gap:,} days",
            )
            yield from _between(what, ordered)


def _between(what: str, ordered: Sequence[tuple[str, days.FoundDay, int]]) -> Iterator[Thought]:
    """Days between every two of a few dates."""
    pairs = list(combinations(ordered, 2))
    if 1 < len(pairs) <= MOST_PAIRS:
        told = "; ".join(f"{a[0]} to {b[0]} = {(b[1].day - a[1].day).days:,} days" for a, b in pairs)
        yield _thought("computation", f"Days between {what}: {told}", tuple(one[2] for one in ordered), told)


def _counted(grid: Grid) -> Iterator[Thought]:
    labels = [row.cells[0] for row in grid.rows if not _TOTAL_ROW.match(row.cells[0])]
    if len(labels) > 2 and all(not amounts(label) for label in labels[:3]):
        what = grid.title or grid.columns[0]
        shown = ", ".join(labels[:MOST_SHOWN])
        yield _thought(
            "computation", f"Number of entries in {what}: {len(labels)} ({shown})", _lines(grid.rows), str(len(labels))
        )


def _columns(grid: Grid) -> Iterator[Column]:
    rows = [row for row in grid.rows if not _TOTAL_ROW.match(row.cells[0])]
    for at, name in enumerate(grid.columns):
        if at == 0:
            continue  # the labels, whatever they look like
        found = [(row, amounts(row.cells[at])) for row in rows]
        kept = [(row, one[0]) for row, one in found if len(one) == 1 and not days.days(row.cells[at])]
        units = {amount.unit for _, amount in kept}
        if len(kept) < 2 or len(units) != 1 or len(kept) < len(rows):
            continue
        entries = tuple(RowValue(_label(grid, row), amount.value, row.line) for row, amount in kept)
        unit = units.pop() or _unit_in(name)
        yield Column(_clean(name), unit, entries, grid.title, _adds_up(name, unit, grid, entries), _by(grid))


def _adds_up(name: str, unit: str, grid: Grid, entries: Sequence[RowValue]) -> bool:
    values = [entry.value for entry in entries]
    looks_like_years = not unit and all(1900 <= value <= 2100 and value.denominator == 1 for value in values)
    looks_like_shares = not unit and all(abs(value) < 1 and value.denominator > 1 for value in values)
    if looks_like_years or looks_like_shares or _NO_AMOUNT.search(name) or unit == "%":
        return False
    if _RATE.search(name):  # a price list: one of each can be bought; with quantities the products add up instead
        return unit in MONEY and not any(_COUNT.search(other) for other in grid.columns if other != name)
    return True


def _durations(grid: Grid) -> Iterator[Column]:
    """Stretches of time: a cell with both ends, or a column for each."""
    for at, name in enumerate(grid.columns):
        spans = [(row, days.span(row.cells[at])) for row in grid.rows]
        if len(spans) > 1 and all(found is not None for _, found in spans):
            made = [RowValue(row.cells[0], Fraction(f[1] - f[0]), row.line) for row, f in spans if f is not None]
            yield Column(_duration_name(name), "clock", tuple(made), grid.title)
            return
    single = [at for at in range(len(grid.columns)) if all(len(days.clocks(row.cells[at])) == 1 for row in grid.rows)]
    if len(single) != 2 or len(grid.rows) < 2:
        return
    begin, end = single
    pairs = [(row, days.clocks(row.cells[begin])[0][0], days.clocks(row.cells[end])[0][0]) for row in grid.rows]
    if all(a < b for _, a, b in pairs):
        yield Column(
            "duration", "clock", tuple(RowValue(r.cells[0], Fraction(b - a), r.line) for r, a, b in pairs), grid.title
        )


def _label(grid: Grid, row: GridRow) -> str:
    """A row's name; a bare number gets its column's name, so that nobody takes it for a value."""
    label = row.cells[0]
    return f"{_clean(grid.columns[0])} {label}" if label[:1].isdigit() and not grid.listed else label


def _by(grid: Grid) -> str:
    return "" if grid.listed else _clean(grid.columns[0])


def _duration_name(name: str) -> str:
    return "duration" if not name or "time" in name.lower() else f"duration of {name}"


def _unit_in(name: str) -> str:
    """The unit that a column's name has in brackets, or its currency.

    >>> _unit_in("price ($)"), _unit_in("length (km)"), _unit_in("qty")
    ('$', 'km', '')
    """
    inside = re.search(r"\(([^()]{1,12})\)", name)
    if inside:
        found = amounts(f"1 {inside[1]}") if inside[1] not in MONEY else []
        return inside[1] if inside[1] in MONEY else found[0].unit if found else ""
    return next((sign for sign in MONEY if sign in name), "")


def _clean(name: str) -> str:
    return re.sub(r"\s{0,3}\([^()]{1,12}\)", "", name).strip().lower()


def _lines(rows: Sequence[GridRow]) -> tuple[int, ...]:
    return tuple(row.line for row in rows)


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _thought(kind: Reasoning, text: str, lines: tuple[int, ...], value: str) -> Thought:
    expression = text.partition(": ")[2] if kind == "computation" else ""
    return Thought(kind, text, lines, value, expression)
