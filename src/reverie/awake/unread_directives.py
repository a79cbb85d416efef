"""Directives that the user gave since a night last read: `context` shows them until the next nap writes their block."""

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from reverie.language import quoting
from reverie.language.detect import is_english
from reverie.language.speech import utterances
from reverie.minds.rules.directives.directives import standings
from reverie.model.base import Trust
from reverie.model.turns import Turn
from reverie.policy.care.episodes import is_to_agent
from reverie.policy.core.directives import names_matter, on_matter_of
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
    """What was found in the turns past `floor` up to `seq`."""

    floor: int
    seq: int
    lines: tuple["UnreadLine", ...] = ()  # oldest first


@dataclass(frozen=True, slots=True)
class UnreadLine:
    """A directive, or words that take one back, as they were said."""

    turn: str
    day: str
    said: str
    ends: str = ""

    @property
    def text(self) -> str:
        return f"- user, {self.day}: {self.said}"


@dataclass
class UnreadDirectives:
    """Each turn is read once; a finished nap or night empties what was found."""

    db: Database
    _known: OrderedDict[str, FoundDirectives] = field(default_factory=OrderedDict)
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def of(self, space: str) -> tuple[Item, ...]:
        """One line a directive, the newest first."""
        return tuple(Item(f"directive of {line.turn}", line.text) for line in self.lines(space))

    def lines(self, space: str) -> list[UnreadLine]:
        """The directives themselves, the newest first."""
        floor = direct_edits.read_up_to(self.db, space)
        with self._guard:
            known = self._known.get(space)
        if known is None or known.floor != floor:
            known = FoundDirectives(floor, floor)
        new = turns.past(self.db, space, known.seq, limit=MOST)
        if new:
            found = self._admitted(space, new, list(_found(new)))
            known = FoundDirectives(floor, new[-1].seq, tuple(_in_force([*known.lines, *found])))
        self._keep(space, known)
        there = turns.by_ids(self.db, space, [line.turn for line in known.lines]) if known.lines else {}
        return [line for line in reversed(known.lines) if line.turn in there]  # not forgotten

    def _admitted(self, space: str, new: Sequence[Turn], found: Sequence[UnreadLine]) -> list[UnreadLine]:
        """Without those of sessions that nights leave out."""
        session = {turn.id: turn.session for turn in new}
        left_out = log.left_out(self.db, space, {session[line.turn] for line in found}) if found else {}
        return [line for line in found if session[line.turn] not in left_out]

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


def _found(new: Sequence[Turn]) -> Iterator[UnreadLine]:
    earlier: dict[str, list[str]] = {}  # by session: what the user said last
    for turn, around in _with_neighbours(new):
        said = _speech(turn) if is_to_agent(turn, around) else []
        if not said:
            continue
        before = next((one.text for one in around if one.seq < turn.seq and one.role != turn.role), "")
        for text, one in zip(said, standings(said, before, earlier.get(turn.session, ())), strict=True):
            if one.holds:
                yield UnreadLine(turn.id, quoting.day(turn.at), " ".join(text.split()), one.ends)
        earlier[turn.session] = said


def _speech(turn: Turn) -> list[str]:
    """Only the user's own speech counts: no quotations, no code, nothing that was recalled. Of a turn in several lines
    the next nap finds out whose words they are."""
    if turn.role != "user" or turn.trust < Trust.USER or len(turn.text) > LONGEST or "\n" in turn.text.strip():
        return []
    return [one.text for one in utterances(strip_recalled(turn.text)) if is_english(one.text)]


def _in_force(lines: Sequence[UnreadLine]) -> list[UnreadLine]:
    """Without what a later line takes back; words that end something older stay, until the nap has ended it."""
    standing: list[UnreadLine] = []
    for line in lines:
        given = [one for one in standing if not one.ends]
        ended: list[UnreadLine] = []
        if line.ends:
            ended = (
                [one for one in given if on_matter_of(line.said, one.said)] if names_matter(line.said) else given[-1:]
            )
        standing = [one for one in standing if one not in ended]
        if not ended:
            standing.append(line)
    return standing
