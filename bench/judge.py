"""What nights have written, beside what was said, for a person to judge; and what the judge's verdicts come to.

    python -m bench.judge FOLDER [--locomo PATH] [--stores DIR] [--out worksheet.md]
    python -m bench.judge --verdicts verdicts.tsv [--worksheet worksheet.md]
    python -m bench.judge FOLDER --dump NAME [--ask QUESTION]

The folder holds histories as `bench/histories/dev` does. The same seed draws the same items from the same stores. A
verdict file begins with `# judge NAME` and `# date DATE`; each line is an id of the worksheet, a blank and a verdict.
"""

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.report import table
from bench.told import History, SleptOver, load, load_locomo, slept_over
from reverie.errors import NotFound
from reverie.model.memories import Filter, Kind, Memory

SEED = 20_261_117
SAMPLES = {"fact": 150, "answer": 60, "note": 40}  # of the other kinds all
MOST = 5_000  # memories of a kind in one store
SHOWN = 700  # characters of a source turn
FACT_VERDICTS = ("correct", "imprecise", "wrong", "no fact", "junk")
VERDICTS = {"note": ("useful", "useless", "wrong")}
USAGE = "the verdict on a note is useful, useless or wrong; on all else correct, imprecise, wrong, no fact or junk"


@dataclass(frozen=True, slots=True)
class JudgedItem:
    """One thing that a night wrote, and the turns that it rests on, each with the turn before it."""

    kind: str
    history: str
    text: str
    sources: tuple[str, ...]


def items_of(told: SleptOver) -> list[JudgedItem]:
    """Everything that a store shows and a judge may be asked about."""
    found: list[JudgedItem] = []
    for kind in ("fact", "directive", "note"):
        found += [_item(told, kind, memory.text, memory.sources) for memory in _standing(told, kind)]
    found += [_item(told, "core", line, ids) for line, ids in _core(told)]
    for answer in told.space.answers(limit=1_000):
        found.append(_item(told, "answer", f"{answer.question}\n{answer.answer}", answer.sources))
    return [*found, *_retirements(told)]


def _standing(told: SleptOver, kind: Kind) -> list[Memory]:
    return [m for m in told.space.all(Filter(kinds=(kind,), include_stale=False), limit=MOST) if m.night]


def _core(told: SleptOver) -> Iterator[tuple[str, tuple[str, ...]]]:
    for block in told.space.blocks:
        sources = told.space.blocks[block.label].sources()
        for line in block.value.splitlines():
            if line.strip():
                yield f"{block.label}: {line}", sources.get(line.strip(), ())


def _retirements(told: SleptOver) -> Iterator[JudgedItem]:
    """Pairs of which a night has ended the older."""
    for clash in told.space.contradictions(status=None, limit=1_000):
        if clash.status == "auto" and clash.winner:
            older, newer = told.space.memory(clash.older), told.space.memory(clash.newer)
            text = f"ended: {older.text}\nby: {newer.text}\nwhy: {clash.evidence}"
            yield _item(told, "retirement", text, (*older.sources, *newer.sources))


def _item(told: SleptOver, kind: str, text: str, sources: Sequence[str]) -> JudgedItem:
    places = sorted({place for source in sources for place in _places(told, source)})
    return JudgedItem(kind, told.history.name, text, tuple(_shown(told.history, place) for place in places))


def _places(told: SleptOver, source: str) -> list[int]:
    """Where in the history a source stands; a memory stands where its own sources do."""
    if source in told.places:
        return [told.places[source]]
    try:
        return [told.places[id] for id in told.space.memory(source).sources if id in told.places]
    except NotFound:
        return []


def _shown(history: History, place: int) -> str:
    around = [turn.shown for turn in history.turns[max(0, place - 1) : place + 1]]
    return "\n".join(text if len(text) <= SHOWN else f"{text[:SHOWN]} […]" for text in around)


def drawn(items: Sequence[JudgedItem], seed: int) -> dict[str, JudgedItem]:
    """The sample by id, such as `fact-001`; of each kind as many as `SAMPLES` says, or all."""
    chance = random.Random(seed)
    sample: dict[str, JudgedItem] = {}
    for kind in sorted({item.kind for item in items}):
        of_kind = sorted((item for item in items if item.kind == kind), key=lambda item: (item.history, item.text))
        some = chance.sample(of_kind, min(len(of_kind), SAMPLES.get(kind, len(of_kind))))
        sample |= {f"{kind}-{number:03}": item for number, item in enumerate(some, 1)}
    return sample


def worksheet(sample: dict[str, JudgedItem]) -> str:
    parts = ["# Worksheet", f"For each id one verdict: {USAGE}."]
    for id, item in sample.items():
        sources = "\n\n".join(item.sources) or "(no turn is named)"
        parts.append(f"## {id} ({item.history})\n\n{item.text}\n\n{_indented(sources)}")
    return "\n\n".join(parts) + "\n"


def _indented(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.splitlines())


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Who judged, when, and what of each id."""

    judge: str
    date: str
    of: dict[str, str]


def read_verdicts(path: Path) -> Verdicts:
    """Raises `ValueError` with the line that is no verdict."""
    head = {"judge": "", "date": ""}
    found: dict[str, str] = {}
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if line.startswith("#"):
            name, _, value = line.lstrip("# ").partition(" ")
            head[name] = value.strip()
        elif line.strip():
            id, _, verdict = line.replace("\t", " ").strip().partition(" ")
            if verdict.strip() not in VERDICTS.get(id.rpartition("-")[0], FACT_VERDICTS):
                raise ValueError(f"{path.name}, line {number}: {line!r}; {USAGE}")
            found[id] = verdict.strip()
    if not head["judge"] or not head["date"]:
        raise ValueError(f"{path.name} must begin with `# judge NAME` and `# date DATE`")
    return Verdicts(head["judge"], head["date"], found)


def shares(verdicts: Verdicts) -> str:
    """Of each kind how many were judged, and the share of each verdict."""
    kinds: dict[str, Counter[str]] = {}
    for id, verdict in verdicts.of.items():
        kinds.setdefault(id.rpartition("-")[0], Counter())[verdict] += 1
    names = list(dict.fromkeys((*FACT_VERDICTS, *VERDICTS["note"])))
    rows = [
        (kind, of.total(), *(f"{100 * of[name] / of.total():.1f}%" if of[name] else "" for name in names))
        for kind, of in sorted(kinds.items())
    ]
    return f"judged by {verdicts.judge}, {verdicts.date}\n\n{table(('kind', 'judged', *names), rows)}"


def dump(told: SleptOver, question: str | None) -> str:
    """The whole text of blocks, directives, profile, answers and notes, and one context."""
    space = told.space
    parts = [f"# {told.history.name}", "## Blocks"]
    parts += [f"### {block.label}\n\n{block.value.strip() or '(empty)'}" for block in space.blocks]
    for kind in ("directive", "profile", "note"):
        parts += [f"## {kind}", *(memory.text for memory in _standing(told, kind))]
    parts += ["## Answers", *(f"{answer.question}\n{answer.answer}" for answer in space.answers(limit=1_000))]
    query = question or next((t.text for t in reversed(told.history.turns) if t.role == "user"), "")
    return "\n\n".join([*parts, f"## Context for: {query}", space.context(query, 1_000).text])


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", help="histories, NAME.jsonl each")
    parser.add_argument("--locomo", type=Path, help="LoCoMo's file, told as well")
    parser.add_argument("--stores", type=Path, help="where stores are kept; those that are there are read as they are")
    parser.add_argument("--only", nargs="*", help="names of the histories to take")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--out", type=Path, default=Path("worksheet.md"))
    parser.add_argument("--dump", metavar="NAME", help="print all that the store of this history shows")
    parser.add_argument("--ask", help="what the dumped context is for; the user's last turn unless told")
    parser.add_argument("--verdicts", type=Path, help="a judge's file: print the shares of each kind")
    parser.add_argument("--worksheet", type=Path, help="with --verdicts: name the ids that have none")
    return parser.parse_args()


def _judged(arguments: argparse.Namespace) -> int:
    try:
        verdicts = read_verdicts(arguments.verdicts)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    print(shares(verdicts))
    if arguments.worksheet:
        lines = arguments.worksheet.read_text("utf-8").splitlines()
        wanted = [line.split()[1] for line in lines if line.startswith("## ")]
        missing = [id for id in wanted if id not in verdicts.of]
        print(f"\nnot judged: {', '.join(missing) or 'none'}")
    return 0


def main() -> int:
    arguments = _arguments()
    if arguments.verdicts:
        return _judged(arguments)
    histories = load(arguments.folder) if arguments.folder else []
    histories += load_locomo(arguments.locomo) if arguments.locomo else []
    wanted = [arguments.dump] if arguments.dump else arguments.only
    items: list[JudgedItem] = []
    with tempfile.TemporaryDirectory() as temporary:
        for history in histories:
            if wanted is None or history.name in wanted:
                with slept_over(history, (arguments.stores or Path(temporary)) / history.name) as told:
                    if arguments.dump:
                        print(dump(told, arguments.ask))
                    items += [] if arguments.dump else items_of(told)
    if not arguments.dump:
        sample = drawn(items, arguments.seed)
        arguments.out.write_text(worksheet(sample), "utf-8")
        counts = Counter(item.kind for item in sample.values())
        print(f"{arguments.out}: " + ", ".join(f"{n} {kind}" for kind, n in sorted(counts.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
