"""Directives that the user gave since a night last read: `context` shows them until the next nap writes their block."""

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from reverie.language import quoting
from reverie.language.detect import is_english
from reverie.language.speech import utterances
from reverie.minds.rules.reading.directives import standings
from reverie.model.base import Trust
from reverie.model.turns import Turn
from reverie.policy.care.episodes import is_to_agent
from reverie.policy.recall.packing import Item
from reverie.policy.safety.trust import strip_recalled
from reverie.store.db import Database
from reverie.store.reading import log
from reverie.store.tables import direct_edits, turns

MOST = 200  # unread turns that are looked at; past that a night is long due
LONGEST = 2_000  # characters of a turn: a longer one is pasted, and the nap reads it
SPACES = 256  # whose directives are kept, the least recently asked out


@dataclass(frozen=True, slots=True)
class FoundDirectives:
    """What was found in the turns past `floor` up to `seq`: each line with its turn."""

    floor: int
    seq: int
    lines: tuple[tuple[str, str], ...] = ()


@dataclass
class UnreadDirectives:
    """Each turn is read once; a finished nap or night empties what was found."""

    db: Database
    _known: OrderedDict[str, FoundDirectives] = field(default_factory=OrderedDict)
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def of(self, space: str) -> tuple[Item, ...]:
        """One line a directive, the newest first."""
        floor = direct_edits.read_up_to(self.db, space)
        with self._guard:
            known = self._known.get(space)
        if known is None or known.floor != floor:
            known = FoundDirectives(floor, floor)
        new = turns.past(self.db, space, known.seq, limit=MOST)
        if new:
            meant = [turn for turn, around in _with_neighbours(new) if is_to_agent(turn, around)]
            fresh = self._admitted(space, [(turn, line) for turn in meant for line in _lines(turn)])
            known = FoundDirectives(floor, new[-1].seq, (*reversed(fresh), *known.lines))
        self._keep(space, known)
        there = turns.by_ids(self.db, space, [turn for turn, _ in known.lines]) if known.lines else {}
        return tuple(Item(f"directive of {turn}", line) for turn, line in known.lines if turn in there)  # not forgotten

    def _admitted(self, space: str, found: Sequence[tuple[Turn, tuple[str, str]]]) -> list[tuple[str, str]]:
        """Without those of sessions that nights leave out."""
        left_out = log.left_out(self.db, space, {turn.session for turn, _ in found}) if found else {}
        return [line for turn, line in found if turn.session not in left_out]

    def _keep(self, space: str, found: FoundDirectives) -> None:
        with self._guard:
            self._known[space] = found
            self._known.move_to_end(space)
            while len(self._known) > SPACES:
                self._known.popitem(last=False)


def _with_neighbours(found: Sequence[Turn]) -> Iterator[tuple[Turn, list[Turn]]]:
    """Each turn with the one before and the one after it in its session, as far as they are among these."""
    for i, turn in enumerate(found):
        yield turn, [one for one in (*found[max(0, i - 1) : i], *found[i + 1 : i + 2]) if one.session == turn.session]


def _lines(turn: Turn) -> list[tuple[str, str]]:
    """Only the user's own speech counts: no quotations, no code, nothing that was recalled."""
    if turn.role != "user" or turn.trust < Trust.USER or len(turn.text) > LONGEST:
        return []
    said = [one.text for one in utterances(strip_recalled(turn.text)) if is_english(one.text)]
    held = (text for text, one in zip(said, standings(said), strict=True) if one.holds)
    return [(turn.id, f"- user, {quoting.day(turn.at)}: {' '.join(text.split())}") for text in held]
