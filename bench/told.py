"""Histories told to a store turn by turn, with a night after each day and a clock that follows.

A history is a file NAME.jsonl with a turn a line: `n`, `session`, `at`, `role`, `text`, and `speaker` if it has a name.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bench import locomo
from reverie.model.base import DAY, HOUR
from reverie.reverie import Reverie
from reverie.space import Space

NIGHT = 22 * HOUR  # of each day


@dataclass(frozen=True, slots=True)
class HistoryTurn:
    """One turn of a history."""

    id: str
    session: str
    at: float
    role: str
    text: str
    speaker: str | None = None

    @property
    def shown(self) -> str:
        when = datetime.fromtimestamp(self.at, UTC).strftime("%Y-%m-%d")
        return f"{self.id} {self.speaker or self.role}, {when}: {self.text}"


@dataclass(frozen=True, slots=True)
class History:
    name: str
    turns: tuple[HistoryTurn, ...]


@dataclass(frozen=True, slots=True)
class SleptOver:
    """A history that has been slept over, and which of its lines each stored turn is."""

    history: History
    space: Space
    places: dict[str, int]


def load(folder: Path) -> list[History]:
    """The histories of a folder, by name; files of another shape (sentences that are labelled) are left out."""
    found = []
    for path in sorted(folder.glob("*.jsonl")):
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
        if rows and {"at", "role", "text", "session"} <= rows[0].keys():
            found.append(History(path.stem, tuple(_turn(row) for row in rows)))
    return found


def _turn(row: dict[str, str]) -> HistoryTurn:
    at = datetime.fromisoformat(row["at"]).timestamp()
    return HistoryTurn(str(row["n"]), row["session"], at, row["role"], row["text"], row.get("speaker"))


def load_locomo(path: Path) -> list[History]:
    return [
        History(talk.name, tuple(HistoryTurn(s.id, s.session, s.at, "user", s.text, s.speaker) for s in talk.turns))
        for talk in locomo.load(path)
    ]


@contextmanager
def slept_over(history: History, place: Path) -> Iterator[SleptOver]:
    """A history in a store of its own, slept over night by night; a store that is there already is read as it is."""
    clock = [history.turns[-1].at + DAY]
    done = place.exists()
    with Reverie.open(place, clock=lambda: clock[0]) as memory:
        space = memory.space(history.name)
        if not done:
            _tell(space, history.turns, clock)
        turns = space.turns(limit=len(history.turns))
        yield SleptOver(history, space, {turn.id: number for number, turn in enumerate(turns)})


def _tell(space: Space, turns: Sequence[HistoryTurn], clock: list[float]) -> None:
    for turn, following in zip(turns, (*turns[1:], None), strict=True):
        clock[0] = turn.at
        space.append(turn.role, turn.text, turn.session, speaker=turn.speaker, at=turn.at)
        if following is None or following.at // DAY > turn.at // DAY:
            clock[0] = max(turn.at, turn.at // DAY * DAY + NIGHT)
            space.sleep(kind="night")
