"""docs/measured.md and its charts, from the record alone."""

import argparse
import statistics
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from bench import found as peers_found
from bench.measured import readme
from bench.measured.charts import drawn, exponent, peers_of, points, sizes
from bench.measured.parts import COUNTED, PARTS
from bench.measured.record import LOADED, OTHERS, Record, Run, read

DOCS = Path("docs")
OPENING = f"""# Measured

<!-- Made by `reverie bench report` from bench/results/measured.json; not edited by hand. -->

`reverie bench all` runs every part in turn and writes one JSON; this page, its charts and the README's table are made
from that JSON and nothing else. Each part says when it ran and beside what: **loaded** means that the load average was
over {LOADED} when it began, or that other processes took more than {OTHERS:g} of a core meanwhile: take its ratios, not
its times. A quick run has small sizes and few rounds. Of each part the page shows the full run before a quick one, and
the quiet one before a loaded one; the last table has them all.
"""
CHARTS = {
    "hotpath": ("latency", "growth"),
    "night": ("night",),
    "interference": ("interference",),
    "load": ("seed",),
    "retrieval": ("quality",),
    "found": ("found",),
    "backlog": ("bytes",),
}
QUERIES = (1, 5, 10, 50)
Cells = Sequence[Sequence[Any]]


def table(header: Sequence[str], rows: Cells) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines) + "\n"


def hotpath(figures: dict[str, Any]) -> Iterator[str]:
    verbs = list(dict.fromkeys(what for size in sizes(figures) for what in figures[str(size)]["ms"]))
    rows = []
    for what in verbs:
        cells = [_percentiles(figures[str(size)]["ms"].get(what)) for size in sizes(figures)]
        power = exponent(points(figures, what))
        rows.append([what, *cells, "" if power is None else f"{power:.2f}"])
    yield table(["p50 / p95 / p99 in ms", *(f"{size:,}" for size in sizes(figures)), "growth exponent"], rows)


def large(figures: dict[str, Any]) -> Iterator[str]:
    yield (
        f"Among {figures['vectors']:,} synthetic vectors of one space: {figures['search_ms_p50']} ms p50, "
        f"{figures['search_ms_p95']} ms p95, where an exact scan takes {figures['scan_ms_p50']:g} ms; "
        f"{100 * figures['recall_at_10']:.0f}% of the ten nearest are found. The index took "
        f"{figures['build_s']:,.0f} s to build and {figures['file_mb']:,} MB.\n"
    )


def _percentiles(row: dict[str, float] | None) -> str:
    return "" if row is None else " / ".join(f"{row[p]:.3g}" for p in ("p50", "p95", "p99"))


def embedding(figures: dict[str, Any]) -> Iterator[str]:
    yield (
        f"One query: {figures['query_ms']['p50']} ms p50, {figures['query_ms']['p95']} ms p95. A text of a batch, as "
        f"nights embed them: {figures['batched_ms_a_text']} ms, {figures['batched_cpu_ms_a_text']} ms of CPU.\n"
    )


def rest(figures: dict[str, Any]) -> Iterator[str]:
    yield table(list(figures["rows"][0]), [list(row.values()) for row in figures["rows"]])


def console(figures: dict[str, Any]) -> Iterator[str]:
    counts = sorted(figures, key=int)
    rows = []
    for pages in zip(*(figures[count] for count in counts), strict=True):
        growth = pages[-1]["cpu_ms"] / pages[0]["cpu_ms"]
        rows.append(
            [f"`{pages[0]['page']}`", *(page["cpu_ms"] for page in pages), f"{growth:.2f}x", pages[-1]["all_kb"]]
        )
    yield table(["CPU ms of a page", *(f"{int(count):,}" for count in counts), "growth", "KB with its assets"], rows)
    yield (
        "CPU of the server's process, p50; a page's questions are new ones every time. The asking client runs in the "
        "same process: a millisecond or two of each figure are its own.\n"
    )


def night(figures: list[dict[str, Any]]) -> Iterator[str]:
    rows = [
        [f"{one['memories']:,}", f"{one['turns']:,}", one["seconds"], one["cpu"] or "", one["status"], one["peak_mb"]]
        + [one["held_ms"][at] for at in ("p50", "p99", "max")]
        for one in figures
    ]
    head = ["memories", "new turns", "s", "s of CPU", "status", "peak MB", "write lock ms p50", "p99", "max"]
    yield table(head, rows)
    last = figures[-1]
    share = 1_000 * (last["cpu"] or last["seconds"]) / last["turns"]
    spread = ", ".join(f"{share / many:.2g} ms over {many}" for many in QUERIES)
    yield (
        f"Amortized: with {last['memories']:,} stored, a turn's share of the night is {share:.1f} ms of "
        f"{'CPU' if last['cpu'] else 'time'}; spread over the questions that are asked of it later, {spread}. "
        "By the rules no token is spent, awake or asleep.\n"
    )


def interference(figures: dict[str, Any]) -> Iterator[str]:
    names = {"idle": "idle", "process": "a night as it is", "hurried": "asked for", "thread": "in a thread"}
    rows = []
    for way, found in figures["ways"].items():
        for verb in ("append", "recall"):
            pairs = zip(found[verb]["ms"], found[verb]["over_idle"], strict=True)
            cells = [f"{ms:.2f} ms, {over:.2f}x" for ms, over in pairs]
            rows.append([f"{verb}, {names[way]}", *cells, f"{found['batches']:g}"])
    yield table(["over idle", "p50", "p95", "p99", "batches meanwhile"], rows)
    loop = ", ".join(f"{ratio:.2f}x" for ratio in figures["bare_loop_beside_a_busy_process"])
    yield f"{figures['rounds']} rounds. The machine's own, a bare loop beside a busy process: {loop}.\n"


def load(figures: dict[str, Any]) -> Iterator[str]:
    names = {"search": "search, p95 ms", "list": "list, p95 ms", "ingestion": "ingestion, p95 ms"}
    names |= {"waiting": "waiting: turns unread (the seed: jobs)"}
    rows = [[name, *_stages(figures["p95_ms"][verb]), *_stages(figures["seed"][verb])] for verb, name in names.items()]
    stages = ("before", "during", "after")
    yield table(["", *(f"ours {s}" for s in stages), *(f"seed {s}" for s in stages)], rows)
    yield (
        f"Ours: {figures['memories']:,} memories, {figures['turns']:,} turns for the night, the store in the same "
        "process as the user, the night in its own. The seed: 10,000 memories behind a server, as its authors give it. "
        "Compare what a night adds, not the times: they are of two machines.\n"
    )


def _stages(row: dict[str, float]) -> list[str]:
    def cell(stage: str) -> str:
        change = f" ({row[stage] / row['before'] - 1:+.0%})" if stage != "before" and row["before"] else ""
        return f"{row[stage]:.3g}{change}"

    return [cell(stage) for stage in ("before", "during", "after")]


def scale(figures: list[dict[str, Any]]) -> Iterator[str]:
    rows = [[one[name] for name in ("workers", "nights_a_minute", "nights", "doubled", "skipped")] for one in figures]
    yield table(["workers", "nights a minute", "nights that ended", "turns read twice", "skipped rows"], rows)


def waiting(figures: list[dict[str, Any]]) -> Iterator[str]:
    rows = [
        [
            f"{one['store']}, {one['engine']}",
            *(f"{at(one['begun_after']):.2f} s" for at in (statistics.median, max)),
            f"{min(one['waiting'])}",
            f"{100 * one['idle']:.2f}%",
            f"{100 * one['idle_server']:.2f}%",
        ]
        for one in figures
    ]
    head = ["a person's request begins after", "p50", "longest", "spaces that waited"]
    yield table([*head, "idle over 2,000 spaces, of a core", "Postgres for it"], rows)


def retrieval(figures: dict[str, Any]) -> Iterator[str]:
    rows = [
        [f"{stage}, {name}", *(f"{share:.1f}" for share in found[name])]
        for stage, found in figures.items()
        for name in sorted(found, key=lambda name: (name != "all", name))
    ]
    yield table(["evidence recall, %", "@5", "@10", "@25", "@50"], rows)


def found(figures: dict[str, Any]) -> Iterator[str]:
    yield table(["evidence recall, %", *peers_found.COLUMNS[1:]], peers_found.rows(figures))
    yield (
        'Every turn as "speaker: text" with the same vector, one talk a store, no night (what a night adds stands '
        "above). Warm: a search, 50 hits. Cold: a new process, until its first answer. Add: one turn more. How often "
        "an add syncs was counted with strace. Libraries are as they are by default; what is fused by rank was put "
        "together by hand as ours is. mem0 runs without a model: its keywords, not its entities. Of a loaded run "
        "compare the times with each other only. The stores are small: how times grow is shown above.\n"
    )


def sleepgain(figures: dict[str, Any]) -> Iterator[str]:
    rows = [[stage, *(f"{share:.1f}" for share in found["all"])] for stage, found in figures.items()]
    yield table(["evidence recall, % at tokens", "128", "256", "512", "1,024", "2,048"], rows)


def anticipation(figures: dict[str, Any]) -> Iterator[str]:
    rows = [
        [name, f"{figures[key]['bar']:.3f}", f"{100 * figures[key]['hit']:.1f}", f"{100 * figures[key]['wrong']:.1f}"]
        for name, key in (
            ("the shipped bar", "shipped"),
            ("a bar from the other half", "halves"),
            ("similarity alone, likewise", "halves_similarity_alone"),
        )
    ]
    yield table([f"{figures['pairs']:,} pairs", "bar", "hits among true pairs, %", "wrong among hits, %"], rows)


def backlog(figures: dict[str, Any]) -> Iterator[str]:
    first = figures["first"]
    yield (
        f"{figures['bytes_a_turn']['all']:,} bytes a turn in all, with the undo journal of the night and free pages. "
        f"{figures['cpu']:.1f} s of CPU for {figures['turns']:,} turns; first recall of a new process after it: "
        f"{first['cpu']} s of CPU, {first['peak_mb']} MB.\n"
    )


def archive(figures: list[dict[str, Any]]) -> Iterator[str]:
    rows = [[one["characters"], one["whole"], one["archived"], f"{100 * one['fewer']:.0f}%"] for one in figures]
    yield table(["characters", "bytes of text", "in the archive", "fewer"], rows)


def ponder(figures: dict[str, Any]) -> Iterator[str]:
    found = figures["rules"]["all"]
    yield (
        f"{figures['problems']} contexts, {found['questions']} questions: the right value was worked out for "
        f"{found['worked_out']}, {found['answered']} answered, {found['right']} of them rightly.\n"
    )


TABLES: dict[str, Callable[[Any], Iterator[str]]] = {
    "hotpath": hotpath,
    "large": large,
    "embedding": embedding,
    "rest": rest,
    "console": console,
    "night": night,
    "interference": interference,
    "load": load,
    "scale": scale,
    "waiting": waiting,
    "retrieval": retrieval,
    "found": found,
    "sleepgain": sleepgain,
    "anticipation": anticipation,
    "backlog": backlog,
    "archive": archive,
    "ponder": ponder,
}


def noted(run: Run) -> str:
    """One line: what kind of run, when, beside what load, how it is run again."""
    kind = run.kind.replace("loaded", "**loaded**")
    if run.part in COUNTED:
        kind += " (shares and counts: load does not change them)" if run.loaded else ""
    loads = "" if run.load_before is None else f"{run.load_before:g} before, "
    others = "" if run.others is None else f", others took {run.others:g} cores"
    return (
        f"{kind} · {run.day} · load {loads}{run.load_after:g} after{others} · embedder: {run.embedder} · "
        f"`{run.command}`\n"
    )


def peers(record: Record, run: Run) -> Iterator[str]:
    """The last run with peers, if the one that is shown has none."""
    if peers_of(run.figures):
        return
    for other in record.parts["hotpath"].values():
        ratios = {f"{size:,}": other.figures[str(size)]["ratios"] for size in sizes(other.figures)}
        rows = [
            [name, size, *(f"{found[f'{peer}: {pair}']:.2f}x" for pair in ("search / recall", "add / append"))]
            for peer, name in peers_of(other.figures).items()
            for size, found in ratios.items()
            if f"{peer}: search / recall" in found
        ]
        if rows:
            yield f"Peers in an earlier run, {noted(other)}"
            yield table(["", "memories", "search over recall", "add over append"], rows)
            return


def section(record: Record, name: str, title: str, charts: dict[str, str]) -> list[str]:
    run = record.shown(name)
    if run is None:
        return [f"## {title}\n", f"Not measured yet: `reverie bench all --only {name}`.\n"]
    shown = [f"![{title}: {chart}](measured/{chart}.svg)\n" for chart in CHARTS.get(name, ()) if chart in charts]
    more = list(peers(record, run)) if name == "hotpath" else []
    return [f"## {title}\n", noted(run), *shown, *TABLES[name](run.figures), *more]


def machines(record: Record) -> list[str]:
    """Every run that is kept, and what it ran on."""
    rows = [
        [run.part, run.kind, run.at.replace("T", " ")[:16], *_numbers(run), _versions(run)] for run in record.runs()
    ]
    return ["## Every run\n", table(["part", "run", "at", "load before", "after", "s", "machine"], rows)]


def _numbers(run: Run) -> list[str]:
    return ["" if value is None else f"{value:g}" for value in (run.load_before, run.load_after, run.seconds)]


def _versions(run: Run) -> str:
    found = run.machine
    named = [
        f"{name} {found[name]}" for name in ("reverie", "python", "sqlite", "numpy", "onnxruntime") if name in found
    ]
    return ", ".join([f"{found['system']}, {found['cores']} cores", *named])


def pages(record: Record) -> dict[Path, str]:
    """Every file of the report and what stands in it."""
    charts = drawn(record)
    text = [OPENING, "## In short\n", readme.table(record)]
    for part in PARTS:
        text += section(record, part.name, part.title, charts)
    text += machines(record)
    return {DOCS / "measured.md": "\n".join(text)} | {
        DOCS / "measured" / f"{name}.svg": svg for name, svg in sorted(charts.items())
    }


def written(record: Record) -> list[Path]:
    """Writes the report; answers its files."""
    made = pages(record)
    for path, text in made.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return list(made)


def main() -> None:
    parser = argparse.ArgumentParser(prog="reverie bench report", description=__doc__)
    parser.add_argument("--readme", action="store_true", help="also the table between the README's two marks")
    chosen = parser.parse_args()
    record = read()
    for path in written(record):
        print(f"written: {path}")
    if chosen.readme:
        readme.place(record)
        print(f"written: {readme.README}")
