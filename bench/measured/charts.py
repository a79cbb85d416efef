"""The report's charts, each from the run of its part that the page shows."""

import math
from typing import Any

from bench.measured.record import Record, Run
from bench.measured.svg import Bar, BarRow, Mark, Series, bars, lines
from bench.peers import OURS

NAMES = {  # of peers that are not written as their module
    "chroma": "Chroma",
    "chroma_own": "Chroma, own collection",
    "langgraph": "LangGraph",
    "lancedb": "LanceDB",
    "sqlite_vec": "sqlite-vec + FTS5",
    "usearch_fts5": "usearch + FTS5",
}
COLOURED = 6  # peers before a colour comes again
HOT = {"recall": ("ours", "recall"), "context": ("third", "context"), "append": ("second", "append")} | {
    "floor: search": ("plain", "scan + FTS5")
}
LEAST = 0.01  # of a night: shorter steps are drawn as one
Figures = dict[str, Any]


def _of(run: Run) -> str:
    """Behind what a chart shows: when it was measured, and how."""
    return f" · {run.kind}, {run.day}"


def sizes(figures: Figures) -> list[int]:
    return sorted(int(size) for size in figures if size.isdigit())


def points(figures: Figures, what: str) -> list[tuple[float, float]]:
    """(memories, p50 in milliseconds) of each size at which it was measured."""
    rows = [(size, figures[str(size)]["ms"].get(what)) for size in sizes(figures)]
    return [(size, row["p50"]) for size, row in rows if row]


def exponent(at: list[tuple[float, float]]) -> float | None:
    """How a time grows with the size, from the first to the last: 0 not at all, 1 in proportion.

    >>> exponent([(1_000, 2.0), (100_000, 20.0)])
    0.5
    """
    if len(at) < 2:
        return None
    (x, y), (far, high) = at[0], at[-1]
    return round(math.log(high / y) / math.log(far / x), 2)


def peers_of(figures: Figures) -> dict[str, str]:
    """Those that searched beside us, with their names."""
    asked = [what for size in sizes(figures) for what in figures[str(size)]["ms"] if what.endswith(": search")]
    return {peer: NAMES.get(peer, peer) for what in asked if (peer := what.partition(":")[0]) != "floor"}


def searched(figures: Figures) -> dict[str, tuple[str, str]]:
    """What can be drawn of a hot path: ours, the floor, and the searches of peers; each with its role and name."""
    peers = {
        f"{peer}: search": (f"peer{n % COLOURED + 1}", name) for n, (peer, name) in enumerate(peers_of(figures).items())
    }
    return {what: style for what, style in (HOT | peers).items() if points(figures, what)}


def latency(run: Run) -> str:
    series = [Series(role, name, points(run.figures, what)) for what, (role, name) in searched(run.figures).items()]
    about = f"p50 in ms by memories stored, both scales logarithmic{_of(run)}"
    return lines("Latency by size", about, series, "ms")


def growth(record: Record) -> str:
    rows = []
    if (hot := record.shown("hotpath")) is not None:
        for what, (role, name) in searched(hot.figures).items():
            if (power := exponent(points(hot.figures, what))) is not None:
                rows.append(BarRow(name, [Bar(role, max(power, 0), f"{power:.2f}")]))
    if (night := record.shown("night")) is not None:
        power = exponent([(one["memories"], one["cpu"] or one["seconds"]) for one in night.figures])
        if power is not None:
            rows.append(BarRow("a night", [Bar("ours", max(power, 0), f"{power:.2f}")]))
    marks = [Mark(0.5, "square root"), Mark(1.0, "in proportion")]
    return bars("How time grows with what is stored", "exponent from the least size to the largest", rows, {}, marks)


def night_steps(run: Run) -> str:
    nights = run.figures
    total = max(sum(one["steps_ms"].values()) for one in nights)
    steps = [
        step for step in nights[-1]["steps_ms"] if max(one["steps_ms"].get(step, 0) for one in nights) >= LEAST * total
    ]
    rows = [BarRow(step, [_step(n, one["steps_ms"].get(step, 0.0)) for n, one in enumerate(nights)]) for step in steps]
    rest = [sum(ms for step, ms in one["steps_ms"].items() if step not in steps) for one in nights]
    rows.append(BarRow("all others", [_step(n, ms) for n, ms in enumerate(rest)]))
    roles = {_role(n): f"{one['memories']:,} memories stored" for n, one in enumerate(nights)}
    return bars("A night, step by step", f"wall seconds; embedder: {run.embedder}{_of(run)}", rows, roles)


def _step(n: int, ms: float) -> Bar:
    return Bar(_role(n), ms, f"{ms / 1_000:.2f} s")


def _role(n: int) -> str:
    return ("second", "ours", "third", "plain")[n % 4]


def interference(run: Run) -> str:
    ways = {"process": ("ours", "a night as it is"), "hurried": ("second", "asked for by hand")}
    ways |= {"thread": ("plain", "in a thread, as the seed")}
    rows = [
        BarRow(f"{verb}, p{(50, 95, 99)[at]}", [
            Bar(role, (over := run.figures["ways"][way][verb]["over_idle"][at]), f"{over:.2f}x")
            for way, (role, _) in ways.items()
        ])
        for verb in ("append", "recall")
        for at in (1, 2)
    ]  # fmt: skip
    about = f"times over those of an idle store; medians over the rounds{_of(run)}"
    return bars("Beside a running night", about, rows, dict(ways.values()), [Mark(1.0, "idle")])


def quality(run: Run) -> str:
    stages = {"before any night": "plain", "tail embedded": "second", "after a night": "ours"}
    rows = [
        BarRow(f"{name} @{k}", [
            Bar(role, (share := run.figures[stage][group][at]), f"{share:.1f}%")
            for stage, role in stages.items() if stage in run.figures
        ])
        for group, name in (("all", "all"), ("multi-hop", "several turns"))
        for at, k in enumerate((5, 10, 25, 50))
        if group in run.figures["before any night"]
    ]  # fmt: skip
    about = f"LoCoMo development split: share of a question's evidence turns among the first k{_of(run)}"
    return bars("What is found", about, rows, {role: stage for stage, role in stages.items()})


def stored_bytes(run: Run) -> str:
    parts = {name: size for name, size in run.figures["bytes_a_turn"].items() if " " in name}
    rows = [
        BarRow(name.split()[1].removeprefix("sqlite_autoindex_"), [Bar(_file(name), size, f"{size:,.0f}")])
        for name, size in sorted(parts.items(), key=lambda part: -part[1])[:14]
    ]
    about = f"bytes a turn after its night, the largest tables and indexes; {run.figures['turns']:,} turns{_of(run)}"
    return bars("Bytes", about, rows, {"ours": "memory.db", "second": "log.db"}, left=190)


def _file(name: str) -> str:
    return "second" if name.startswith("log.db") else "ours"


def found_by_peers(run: Run) -> str:
    roles = {"plain": "@5", "ours": "@10", "second": "@50"}
    places = dict(zip(roles, (0, 1, 3), strict=True))
    rows = [
        BarRow(
            "reverie" if name == OURS else "reverie, a night later" if name.startswith(OURS) else NAMES.get(name, name),
            [Bar(role, (share := one["found"][at]), f"{share:.1f}%") for role, at in places.items()],
        )
        for name, one in sorted(run.figures.items(), key=lambda pair: -pair[1]["found"][1])
    ]
    about = f"LoCoMo development split, share of evidence turns among the first k; the same embedder{_of(run)}"
    return bars("What peers find", about, rows, roles, left=190)


def seed(run: Run) -> str:
    ours, theirs = run.figures["p95_ms"], run.figures["seed"]
    rows = [
        BarRow(f"{verb}, {stage}", [Bar("ours", *_over(ours[verb], stage)), Bar("plain", *_over(theirs[verb], stage))])
        for verb in ("search", "list", "ingestion")
        for stage in ("during", "after")
    ]
    about = f"p95 during a night and after it, over before; {run.figures['memories']:,} memories{_of(run)}"
    return bars("The seed's load table", about, rows, {"ours": "ours", "plain": "the seed"}, [Mark(1.0, "before")])


def _over(row: Figures, stage: str) -> tuple[float, str]:
    over = row[stage] / row["before"]
    return over, f"{row[stage]:.3g} ms, {over:.2f}x"


def drawn(record: Record) -> dict[str, str]:
    """Every chart whose part was measured, by the name of its file."""
    of = {
        "latency": ("hotpath", latency),
        "night": ("night", night_steps),
        "interference": ("interference", interference),
    }
    of |= {"found": ("found", found_by_peers)}
    of |= {"quality": ("retrieval", quality), "bytes": ("backlog", stored_bytes), "seed": ("load", seed)}
    found = {name: chart(run) for name, (part, chart) in of.items() if (run := record.shown(part)) is not None}
    return found | {"growth": growth(record)}
