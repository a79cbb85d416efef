"""The README's measured table: every line made from the record, none by hand."""

import re
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bench.measured.parts import COUNTED, TOY
from bench.measured.record import Record
from bench.peers import OURS

README = Path("README.md")
SECTION = re.compile(r"(?<=<!-- measured -->\n)[^\x00]*?(?=<!-- /measured -->)")
SIZE = "14000"
Line = tuple[str, str]  # question, figure


def times(ratio: float) -> str:
    """As often as a reader can use: 9.5x, 32x."""
    return f"{ratio:.1f}x" if ratio < 9.95 else f"{ratio:.0f}x"


def hotpath(figures: dict[str, Any]) -> Iterator[Line]:
    if SIZE not in figures:
        return
    ms, ratios = figures[SIZE]["ms"], figures[SIZE]["ratios"]
    yield (
        "recall among 14,000 memories, without embedding the query: p50, against one matrix scan plus one FTS5 query",
        f"{ms['recall']['p50']:.1f} ms, {ratios['recall / floor: search']:.2f}x",
    )
    peers = ("chroma", "mem0", "langgraph")
    if all(f"{peer}: search / recall" in ratios for peer in peers):
        yield (
            "the same query, filtered, in Chroma / mem0 (Qdrant on disk) / LangGraph's SqliteStore",
            " / ".join(times(ratios[f"{peer}: search / recall"]) for peer in peers) + " slower",
        )
    yield (
        "append, durable: p50, against a bare durable SQLite + FTS5 insert",
        f"{ms['append']['p50']:.1f} ms, {ratios['append / floor: insert']:.2f}x",
    )
    if all(f"{peer}: add / append" in ratios for peer in peers):
        yield (
            "an add in Chroma / mem0 / LangGraph's SqliteStore",
            " / ".join(times(ratios[f"{peer}: add / append"]) for peer in peers) + " slower",
        )
    if "spaces" in figures:
        ratio = figures["spaces"]["ratios"]["recall, one of many / recall, alone"]
        yield "recall in one space of a hundred, against the same space alone", f"{ratio:.2f}x"


def interference(figures: dict[str, Any]) -> Iterator[Line]:
    def over(way: str, verb: str, digits: int = 2) -> str:
        _, p95, p99 = figures["ways"][way][verb]["over_idle"]
        return f"{p95:.{digits}f}x, {p99:.{digits}f}x"

    thread = over("thread", "recall", 1)
    yield "append beside a running night: p95, p99 over idle", over("process", "append")
    yield (
        f"recall beside a running night: p95, p99 over idle (in a thread of the same process: {thread})",
        over("process", "recall"),
    )
    yield "recall beside a night that a person asked for, which does not rest", over("hurried", "recall")


def night(figures: list[dict[str, Any]], embedder: str) -> Iterator[Line]:
    first, last = figures[0], figures[-1]
    cost = "cpu" if first["cpu"] and last["cpu"] else "seconds"
    unit = "s of CPU" if cost == "cpu" else "s"
    model = "with hashed words for an embedder" if embedder == TOY else "with the bundled embedder"
    yield (
        f"a night over {first['turns']:,} new turns, {model}: {last['memories']:,} memories stored against "
        f"{first['memories']:,} ({last[cost]:.1f} {unit}, {first[cost]:.1f} {unit}); write lock held at p99",
        f"{last[cost] / first[cost]:.2f}x; {last['held_ms']['p99']:.0f} ms",
    )


def scale(figures: list[dict[str, Any]]) -> Iterator[Line]:
    rates = [one["nights_a_minute"] for one in figures]
    workers = ", ".join(str(one["workers"]) for one in figures[:-1]) + f" and {figures[-1]['workers']}"
    yield (
        f"nights a minute over one Postgres that wait for a model (300 ms an answer), with {workers} workers",
        ", ".join(f"{rate:.0f}" for rate in rates) + f" ({', '.join(times(rate / rates[0]) for rate in rates[1:])})",
    )


def waiting(figures: list[dict[str, Any]]) -> Iterator[Line]:
    for one in (one for one in figures if one["engine"] == "embedded" and one["store"] == "postgres"):
        yield (
            f"a person's request begins while {min(one['waiting'])} spaces wait for the same worker: p50, longest of "
            f"{len(one['begun_after'])}; that worker over 2,000 spaces with nothing to do",
            f"{statistics.median(one['begun_after']):.1f} s, {max(one['begun_after']):.1f} s; "
            f"{100 * one['idle']:.2f}% of a core",
        )


def retrieval(figures: dict[str, Any]) -> Iterator[Line]:
    before, after = figures["before any night"], figures["after a night"]
    yield (
        "LoCoMo development split, share of evidence turns among the first 5 / 10 / 25 / 50, before any night",
        " / ".join(f"{share:.1f}" for share in before["all"]),
    )
    yield "the same, after one night by the rules", " / ".join(f"{share:.1f}" for share in after["all"])
    yield (
        "of these, questions that need several turns, among the first 10: before, after",
        f"{before['multi-hop'][1]:.1f}, {after['multi-hop'][1]:.1f}",
    )


def found(figures: dict[str, Any]) -> Iterator[Line]:
    named = {"mem0": "mem0 with its keywords", "sqlite_vec": "sqlite-vec + FTS5", "pgvector": "pgvector + full text"}
    named |= {"lancedb": "LanceDB", "chroma": "Chroma", "langgraph": "LangGraph's SqliteStore"}
    peers = [(name, figures[peer]["found"][1]) for peer, name in named.items() if peer in figures]
    yield (
        "evidence turns among the first 10, the same embedder, turns embedded, before any night: "
        + " / ".join(["here", *(name for name, _ in peers)]),
        " / ".join(f"{share:.1f}" for share in (figures[OURS]["found"][1], *(share for _, share in peers))),
    )


def anticipation(figures: dict[str, Any]) -> Iterator[Line]:
    def percent(part: dict[str, float]) -> str:
        return f"{100 * part['hit']:.1f}%, {100 * part['wrong']:.1f}%"

    hard, plain = figures["hard_negatives"]["0.02"], figures["paraphrases"]["0.02"]
    yield (
        f"{figures['pairs']:,} question pairs (QQP) as prepared and asked: hits among true pairs, wrong among hits, "
        f"target {100 * figures['target']:.0f}%",
        percent(figures["shipped"]),
    )
    yield "similarity alone, its bar learned on the other half", percent(figures["halves_similarity_alone"])
    yield (
        f"{hard['pairs']} pairs that differ in one small thing: hits / {plain['pairs']} plain paraphrases: hits, "
        "at the default target",
        f"{hard['hits']} / {plain['hits']}",
    )


def archive(figures: list[dict[str, Any]]) -> Iterator[Line]:
    fewer = [100 * one["fewer"] for one in figures]
    yield "archived text of 200 to 2,000 characters: fewer bytes", f"{min(fewer):.0f}-{max(fewer):.0f}%"


def embedding(figures: dict[str, Any]) -> Iterator[Line]:
    yield "embedding one query, one thread: p50", f"{figures['query_ms']['p50']:.1f} ms"


MAKERS: dict[str, Callable[[Any], Iterator[Line]]] = {
    "hotpath": hotpath,
    "interference": interference,
    "scale": scale,
    "waiting": waiting,
    "retrieval": retrieval,
    "found": found,
    "anticipation": anticipation,
    "archive": archive,
    "embedding": embedding,
}
ORDER = (
    "hotpath", "interference", "night", "scale", "waiting", "retrieval", "found", "anticipation", "archive",
    "embedding",
)  # fmt: skip


def lines(record: Record) -> list[Line]:
    """The questions that have been measured, each with its figure; loaded and quick runs say so."""
    found: list[Line] = []
    for part in ORDER:
        run = record.shown(part)
        if run is None:
            continue
        made = night(run.figures, run.embedder) if part == "night" else MAKERS[part](run.figures)
        marked = run.quick or (run.loaded and part not in COUNTED)
        found += [(question, f"{figure} ({run.kind})" if marked else figure) for question, figure in made]
    return found


def table(record: Record) -> str:
    rows = [f"| {question} | {figure} |" for question, figure in lines(record)]
    return "\n".join(["| question | figure |", "|---|---|", *rows]) + "\n"


def place(record: Record, path: Path = README) -> None:
    """Writes the table between the README's two marks."""
    made = table(record)
    path.write_text(SECTION.sub(lambda _: made, path.read_text("utf-8")), "utf-8")
