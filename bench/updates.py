"""Does what is current come first? Short dialogues in which something changes, or does not, asked about after nights.

    python -m bench.updates bench/histories/dev/updates.jsonl [--once] [--show]

Each dialogue is a space of its own, with a night after each of its days (`--once`: one night over all of it, `--awake`:
none). It is right if the first hit that says the old or the new says the new, and, where nothing changed, if what still
holds is not marked. The misses are printed with their hits.
"""

import argparse
import json
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from reverie.model.base import DAY
from reverie.model.hits import Hit
from reverie.reverie import Reverie
from reverie.space import Space

K = 10
MARKS = {"earlier", "superseded"}


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass(frozen=True)
class Outcome:
    """One dialogue and what was found: `right` in the order of its hits, `marked` as it should be."""

    place: int
    dialogue: Mapping[str, Any]
    hits: Sequence[Hit]

    @property
    def telling(self) -> list[tuple[Hit, bool]]:
        """The hits that say the new or only the old, each with whether it is the new."""
        new, old = self.dialogue["new_words"], self.dialogue["old_words"]
        found = ((hit, says(hit.text, new), says(hit.text, old)) for hit in self.hits)
        return [(hit, is_new) for hit, is_new, is_old in found if is_new or is_old]

    @property
    def right(self) -> bool:
        return bool(self.telling) and self.telling[0][1]

    @property
    def first(self) -> bool:
        return bool(self.hits) and says(self.hits[0].text, self.dialogue["new_words"])

    @property
    def marked(self) -> bool:
        if not self.dialogue["change"]:
            return not any(MARKS & set(hit.flags) for hit, is_new in self.telling if is_new)
        return all(MARKS & set(hit.flags) for hit, is_new in self.telling if not is_new)


def says(text: str, words: Iterable[str]) -> bool:
    return any(re.search(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])", text, re.IGNORECASE) for word in words)


def play(space: Space, clock: Clock, turns: Sequence[Mapping[str, Any]], nights: str) -> None:
    """The turns as they were said; `nights` is each, once or none."""
    day: int | None = None
    for turn in turns:
        at = datetime.fromisoformat(turn["at"]).timestamp()
        if nights == "each" and day is not None and int(at // DAY) != day:
            sleep(space, clock, day)
        clock.now, day = at, int(at // DAY)
        space.append(turn["role"], turn["text"], session="dialogue", at=at)
    if nights != "none" and day is not None:
        sleep(space, clock, day)


def sleep(space: Space, clock: Clock, day: int) -> None:
    clock.now = (day + 1) * DAY
    space.sleep(kind="night")


def run(path: Path, nights: str) -> list[Outcome]:
    clock = Clock()
    dialogues = [json.loads(line) for line in path.read_text().splitlines()]
    with tempfile.TemporaryDirectory() as folder, Reverie.open(Path(folder) / "store", clock=clock) as memory:
        outcomes = []
        for place, dialogue in enumerate(dialogues):
            space = memory.space(f"updates-{place}")
            play(space, clock, dialogue["turns"], nights)
            space.embed()
            outcomes.append(Outcome(place, dialogue, space.recall(dialogue["ask"], k=K)))
        return outcomes


def tell(outcome: Outcome) -> str:
    asked = outcome.dialogue
    head = f"{outcome.place} {asked['ask']} (new {asked['new_words']}, old {asked['old_words']})"
    lines = [f"    {hit.kind:8} {','.join(hit.flags):10} {hit.text[:110]}" for hit in outcome.hits[:6]]
    return "\n".join((head, *lines))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("--once", action="store_const", dest="nights", const="once", default="each")
    parser.add_argument("--awake", action="store_const", dest="nights", const="none")
    parser.add_argument("--show", action="store_true", help="what is not marked, too")
    args = parser.parse_args()
    outcomes = run(args.file, args.nights)
    for outcome in outcomes:
        if not outcome.right or (args.show and not outcome.marked):
            print("MISS " if not outcome.right else "MARK ", tell(outcome))
    for change, what in ((True, "changed"), (False, "unchanged")):
        of_kind = [outcome for outcome in outcomes if outcome.dialogue["change"] is change]
        figures = (sum(getattr(outcome, name) for outcome in of_kind) for name in ("right", "first", "marked"))
        right, first, marked = figures
        print(f"{what}: {len(of_kind)}, newest before older {right}, first of all {first}, marked as it is {marked}")


if __name__ == "__main__":
    main()
