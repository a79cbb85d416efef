"""A night as it goes, on stderr: one line a step, with its counts and time."""

from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Self, TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from reverie.cli.output import noun
from reverie.language.calendar import span
from reverie.model.night import Progress as Event

TOLD = 3
MANY = 2_000  # turns, from which on a night says how far it has come
EVERY = 1_000
INPUT = ("considered", "candidates", "asked", "turns", "drafts")  # what a step looked at, not what came of it
UNTOLD = ("sequence", "short_of")


T = TypeVar("T")


def tracked(items: Iterable[T], doing: str, console: Console, *, quiet: bool = False) -> Iterator[T]:
    """Items as they pass, counted at a terminal; silent elsewhere."""
    if quiet or not console.is_terminal:
        yield from items
        return
    columns = (SpinnerColumn(), TextColumn("{task.description} {task.completed:,.0f}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        yield from bar.track(items, description=doing)


class NightProgress:
    """Called with each event of a night. Silent with `--json`, plain lines where there is no terminal."""

    def __init__(self, console: Console, *, quiet: bool = False, steps: int = 0) -> None:
        self._console = console
        self._quiet = quiet
        self._bar = Progress(
            SpinnerColumn(),
            TextColumn("{task.fields[phase]:<8}{task.description:<12}"),
            BarColumn(bar_width=24),
            TextColumn("{task.fields[counts]}"),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=quiet or not console.is_terminal,
        )
        self._task: TaskID | None = None
        self._steps = steps or None
        self._told = ("", 0)

    def __enter__(self) -> Self:
        self._bar.start()
        self._task = self._bar.add_task("", total=self._steps, phase="", counts="")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def __call__(self, event: Event) -> None:
        if self._task is not None and event.what in ("step", "batch"):
            said = estimate(event) or counted(event)
            self._bar.update(self._task, description=event.step, phase=event.phase, counts=said)
            self._estimate(event)
        if event.what == "step" and event.status not in ("running", "waiting"):
            if self._task is not None:
                self._bar.advance(self._task)
            self._line(event)

    def _estimate(self, event: Event) -> None:
        """Where there is no terminal, a line now and then while many turns are read."""
        passed = (event.night, event.turns // EVERY)
        is_news = passed != self._told and (passed[1] or not event.turns)  # none read: it goes on after a break
        if is_news and estimate(event) and not self._quiet and not self._console.is_terminal:
            self._told = passed
            self._console.print(f"  {estimate(event)}")

    def _line(self, event: Event) -> None:
        if self._quiet:
            return
        mark = "✓" if event.status == "done" else "✗" if event.status == "failed" else "·"
        time = f"{event.duration_ms:6.0f} ms"
        start = f"{mark} {event.phase:<8}{event.step:<12}{time}  "
        said = event.why if event.status == "failed" else counted(event, self._console.width - len(start))
        self._console.print(start + said)


def estimate(event: Event) -> str:
    """How far a long night has come, and how long it will still take; nothing of a short one.

    A night that goes on after a break has read none yet, and knows no pace but the last one's.
    """
    if event.of_turns < MANY:
        return ""
    read = f"{event.turns:,} of {event.of_turns:,} turns read" if event.turns else f"{event.of_turns:,} turns to read"
    return f"{read}, about {span(event.seconds_left)} left" if event.seconds_left or event.turns else read


def counted(event: Event, room: int = 40) -> str:
    """The most telling counts, as many as there is room for: what was made before what was looked at.

    `reverie night ID` has them all.
    """
    counts = [(name, n) for name, n in event.counts.items() if n and not name.startswith(UNTOLD)]
    said = ""
    for name, n in sorted(counts, key=lambda count: (count[0] in INPUT, -count[1]))[:TOLD]:
        more = f"{said}, {n} {noun(name, n)}" if said else f"{n} {noun(name, n)}"
        said = more if len(more) <= room else said
    return said
