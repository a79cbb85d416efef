"""Each history's most important things: how many stand in core, or among the first hits for a question about them?

    python -m bench.important [DIRECTORY] [NAME…]

A night follows every day of the history. A thing counts as found if lines of core, or the first three hits for its
question, that rest on the turns in which it was said hold all its words. What was missed is printed.
"""

import argparse
import json
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from reverie.model.base import DAY, HOUR
from reverie.reverie import Reverie
from reverie.space import Space

HISTORIES = Path(__file__).parent / "histories" / "dev"
FIRST = 3  # hits
GOAL = 0.9


@dataclass(frozen=True)
class Thing:
    """One thing that somebody who was there would remember."""

    what: str
    ask: str
    turns: frozenset[str]
    words: tuple[str, ...]

    def in_any(self, texts: Iterable[str]) -> bool:
        """Whether these texts, together, hold all its words."""
        said = " ".join(texts).casefold()
        return bool(said) and all(word.casefold() in said for word in self.words)


def lived(home: Path, history: Path) -> tuple[Space, dict[int, str]]:
    """A space that has been told a history, with a night after each of its days; and its turns by their numbers."""
    now = 0.0
    space = Reverie.open(home, clock=lambda: now).space(history.stem)
    turns: dict[int, str] = {}
    for line in history.read_text("utf-8").splitlines():
        turn = json.loads(line)
        at = datetime.fromisoformat(turn["at"]).timestamp()
        if now and at // DAY > now // DAY:
            now = (now // DAY + 1) * DAY - HOUR
            space.sleep()
        now = at
        turns[turn["n"]] = space.append(turn["role"], turn["text"], session=turn["session"], at=at).id
    now = (now // DAY + 1) * DAY
    space.sleep()
    return space, turns


def things(key: Path, turns: dict[int, str]) -> list[Thing]:
    """What the key lists as important; nothing where it has no such list."""
    listed = json.loads(key.read_text("utf-8")).get("important", ())
    return [
        Thing(item["what"], item["ask"], frozenset(turns[n] for n in item["lines"]), tuple(item["words"]))
        for item in listed
    ]


def core_lines(space: Space, thing: Thing) -> Iterator[str]:
    """The lines of core that rest on what was said of a thing."""
    for block in space.blocks:
        for line, sources in space.blocks[block.label].sources().items():
            if any(thing.turns.intersection(space.memory(source).sources) for source in sources):
                yield line


def first_hits(space: Space, thing: Thing) -> Iterator[str]:
    """The texts of the first hits for its question that rest on what was said of it."""
    for hit in space.recall(thing.ask, k=FIRST):
        if thing.turns.intersection((hit.id, *hit.sources)):
            yield hit.text


def report(directory: Path, names: Iterable[str]) -> None:
    for history in sorted(directory.glob("*.jsonl")):
        key = history.with_suffix(".key.json")
        if not key.exists() or (names and history.stem not in names):
            continue
        if not json.loads(key.read_text("utf-8")).get("important"):
            continue
        with tempfile.TemporaryDirectory() as home:
            space, turns = lived(Path(home) / "store", history)
            listed = things(key, turns)
            core = [thing for thing in listed if thing.in_any(core_lines(space, thing))]
            hits = [thing for thing in listed if thing.in_any(first_hits(space, thing))]
            missed = [thing for thing in listed if thing not in core and thing not in hits]
        found = len(listed) - len(missed)
        verdict = "" if found >= GOAL * len(listed) else "  below the goal"
        print(f"{history.stem}: {found} of {len(listed)} (core {len(core)}, first hits {len(hits)}){verdict}")
        for thing in missed:
            print(f"  missed: {thing.what} ({', '.join(thing.words)}) <- {thing.ask}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", nargs="?", type=Path, default=HISTORIES)
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    report(given.directory, given.names)
