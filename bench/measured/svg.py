"""Two charts, lines and bars, as small SVG files that follow the reader's light or dark mode."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

WIDTH = 760
COLOURS = {  # a series' role -> on light, on dark
    "ours": ("#4c5bd4", "#93a0ff"),
    "second": ("#0f9d8a", "#45d6c0"),
    "third": ("#8a5cd0", "#bd9cff"),
    "peer1": ("#d9822b", "#ffb366"),
    "peer2": ("#c4407f", "#ff8fc0"),
    "peer3": ("#a3862a", "#e3c766"),
    "peer4": ("#3b8fc4", "#7cc4f2"),
    "peer5": ("#7d9b3c", "#b5d66b"),
    "peer6": ("#b5563b", "#f09a80"),
    "plain": ("#98a1b3", "#6c778d"),
}
INK = {"text": ("#1d2333", "#e8ebf4"), "soft": ("#697287", "#97a1b8")}
PAPER = {"card": ("#ffffff", "#141823"), "rule": ("#e5e8ef", "#2a3144")}
HEAD = 64  # above the plot: title, and what is measured
GAP = 15  # least pixels between two labels of lines


@dataclass(frozen=True)
class Bar:
    role: str
    value: float
    text: str  # what stands at its end


@dataclass(frozen=True)
class BarRow:
    label: str
    bars: Sequence[Bar]


@dataclass(frozen=True)
class Mark:
    """A line across all bars, such as 1.0 for "as without"."""

    value: float
    text: str


@dataclass
class Drawing:
    """Pieces of SVG over a card of a title and a line of explanation."""

    title: str
    about: str
    height: int
    pieces: list[str] = field(default_factory=list)

    def text(self, x: float, y: float, said: str, css: str = "soft", anchor: str = "start") -> None:
        self.pieces.append(f'<text x="{x:.1f}" y="{y:.1f}" class="{css}" text-anchor="{anchor}">{escape(said)}</text>')

    def line(self, x1: float, y1: float, x2: float, y2: float, css: str = "rule") -> None:
        self.pieces.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{css}"/>')

    def bar(self, x: float, y: float, width: float, height: float, role: str) -> None:
        self.pieces.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 1.5):.1f}" height="{height:.1f}" rx="2.5"'
            f' class="f-{role}"/>'
        )

    def path(self, points: Sequence[tuple[float, float]], role: str) -> None:
        joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.pieces.append(f'<polyline points="{joined}" class="l-{role}"/>')
        self.pieces += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.4" class="f-{role}"/>' for x, y in points]

    def legend(self, roles: Mapping[str, str], x: float = 24) -> None:
        """Names of the series in one row below the title; role -> name."""
        for role, name in roles.items():
            self.bar(x, HEAD + 2, 10, 10, role)
            self.text(x + 15, HEAD + 11, name)
            x += 36 + 6.4 * len(name)

    def __str__(self) -> str:
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.height}" width="{WIDTH}"'
            f' height="{self.height}" role="img" aria-label="{escape(f"{self.title}. {self.about}", quote=True)}">'
        )
        card = f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{self.height - 1}" rx="12" class="card"/>'
        title = f'<text x="24" y="32" class="title">{escape(self.title)}</text>'
        about = f'<text x="24" y="51" class="soft">{escape(self.about)}</text>'
        return "\n".join([head, f"<style>{style()}</style>", card, title, about, *self.pieces, "</svg>"]) + "\n"


def style() -> str:
    """Sizes once, colours for light, and again for dark."""
    sizes = (
        "text{font:12px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}"
        ".title{font-size:16px;font-weight:600}.small{font-size:11px;paint-order:stroke;stroke-width:3px}polyline{fill:none;stroke-width:2.2;"
        "stroke-linejoin:round}.mark{stroke-dasharray:4 4}"
    )
    return f"{sizes}{_colours(0)}@media(prefers-color-scheme:dark){{{_colours(1)}}}"


def _colours(mode: int) -> str:
    series = "".join(f".f-{r}{{fill:{c[mode]}}}.l-{r}{{stroke:{c[mode]}}}" for r, c in COLOURS.items())
    ink, soft = INK["text"][mode], INK["soft"][mode]
    card, rule = PAPER["card"][mode], PAPER["rule"][mode]
    return (
        f".card{{fill:{card};stroke:{rule}}}.rule{{stroke:{rule}}}.mark{{stroke:{soft}}}"
        f".title,.text{{fill:{ink}}}.soft,.small{{fill:{soft}}}.small{{stroke:{card}}}{series}"
    )


def bars(
    title: str,
    about: str,
    rows: Sequence[BarRow],
    roles: Mapping[str, str],
    marks: Sequence[Mark] = (),
    left: int = 150,
) -> str:
    """Rows of bars from left to right on one scale from zero; `roles` is the legend."""
    thick = 13 if max((len(row.bars) for row in rows), default=1) > 1 else 15
    step = [thick * len(row.bars) + 2 * (len(row.bars) - 1) + 11 for row in rows]
    top = HEAD + (30 if len(roles) > 1 else 8) + (16 if marks else 0)
    drawing = Drawing(title, about, top + sum(step) + 16)
    most = max([bar.value for row in rows for bar in row.bars] + [mark.value for mark in marks] + [1e-9])
    scale = (WIDTH - left - 110) / most
    if len(roles) > 1:
        drawing.legend(roles)
    _marks(drawing, marks, left, scale, top)
    y = float(top)
    for row, height in zip(rows, step, strict=True):
        drawing.text(left - 10, y + (height - 11) / 2 + 4, row.label, "text", "end")
        for n, bar in enumerate(row.bars):
            at = y + n * (thick + 2)
            drawing.bar(left, at, bar.value * scale, thick, bar.role)
            drawing.text(left + max(bar.value * scale, 1.5) + 7, at + thick - 2.5, bar.text, "small")
        y += height
    return str(drawing)


def _marks(drawing: Drawing, marks: Sequence[Mark], left: int, scale: float, top: int) -> None:
    for mark in marks:
        x = left + mark.value * scale
        drawing.line(x, top - 4, x, drawing.height - 14, "mark")
        drawing.text(x, top - 8, mark.text, "small", "middle")


@dataclass(frozen=True)
class Series:
    role: str
    name: str
    points: Sequence[tuple[float, float]]


def lines(title: str, about: str, series: Sequence[Series], unit: str) -> str:
    """Both scales are logarithmic: a straight line is a power, a flat one does not grow."""
    drawing = Drawing(title, about, 400)
    left, right, top, bottom = 70, WIDTH - 175, HEAD + 14, 362
    xs = [x for one in series for x, _ in one.points]
    ys = [y for one in series for _, y in one.points]
    low, high = math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys)))
    first, last = math.log10(min(xs)), math.log10(max(xs))

    def place(x: float, y: float) -> tuple[float, float]:
        across = (math.log10(x) - first) / ((last - first) or 1)
        return left + across * (right - left), bottom - (math.log10(y) - low) / ((high - low) or 1) * (bottom - top)

    for power in range(low, high + 1):
        _, y = place(min(xs), 10.0**power)
        drawing.line(left, y, right, y)
        drawing.text(left - 10, y + 4, f"{10.0**power:g} {unit}", "small", "end")
    for x in sorted(set(xs)):
        drawing.text(place(x, 1)[0], bottom + 22, f"{x:,.0f}", "small", "middle")
    for one in series:
        drawing.path([place(x, y) for x, y in one.points], one.role)
    for one, y in _apart([(one, place(*one.points[-1])[1]) for one in series]):
        drawing.text(place(*one.points[-1])[0] + 12, y + 4, f"{one.name} {one.points[-1][1]:.3g}", f"f-{one.role}")
    return str(drawing)


def _apart(labels: Sequence[tuple[Series, float]]) -> list[tuple[Series, float]]:
    """Labels from above to below, moved down where they would lie on each other."""
    placed: list[tuple[Series, float]] = []
    for one, y in sorted(labels, key=lambda label: label[1]):
        placed.append((one, max(y, placed[-1][1] + GAP) if placed else y))
    return placed
