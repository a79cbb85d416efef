"""The log as nights read it: turns, and what real queries have returned."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from reverie.model.base import Instant
from reverie.model.memories import Memory
from reverie.model.turns import Turn
from reverie.policy.safety import admission
from reverie.policy.safety.admission import rules_of
from reverie.store.db import Reads, batches
from reverie.store.reader import Reader
from reverie.store.rows import turn_of
from reverie.store.tables import spaces
from reverie.store.tables import turns as table


@dataclass(frozen=True, slots=True)
class Usage:
    """Real recalls of one memory: how many ever, how many lately, and when the last was."""

    uses: int
    recent: int
    last_at: Instant


def watermark(reader: Reader) -> int:
    """The place in the sequence up to which nights have read, this one's finished batches included."""
    return spaces.by_id(reader, reader.space).watermark


def turns_past(reader: Reader, seq: int, *, limit: int) -> list[Turn]:
    """Turns after a place in the sequence, in order, up to the night's own last."""
    return table.past(reader, reader.space, seq, upto=reader.night.upto, limit=limit)


def latest_turns(reader: Reader, limit: int) -> list[Turn]:
    """The last turns that this night has read and that may be shown, oldest first."""
    upto = reader.night.upto
    return table.listed(reader, reader.space, before=upto + 1, descending=True, limit=limit, shown=True)[::-1]


def turns(reader: Reader, ids: Sequence[str]) -> dict[str, Turn]:
    """What is gone is missing. Each is read once for a reader."""
    known: dict[str, Turn | None] = reader.kept.setdefault("turns", {})
    unknown = [id for id in ids if id not in known]
    known.update(dict.fromkeys(unknown))
    known.update(table.by_ids(reader, reader.space, unknown))
    return {id: turn for id in ids if (turn := known[id]) is not None}


def neighbours(reader: Reader, turn: Turn, *, before: int = 2, after: int = 1) -> tuple[list[Turn], list[Turn]]:
    """The turns just before and just after it in its session that may be shown, each in order."""
    part = reader.kept.get(("session", turn.session))
    if part is None or not part.reaches(turn.seq, before, after):
        part = reader.kept["session", turn.session] = _part_around(reader, turn, max(before, AROUND), AROUND)
    at, past = bisect_left(part.seqs, turn.seq), bisect_right(part.seqs, turn.seq)
    return part.turns[max(0, at - before) : at], part.turns[past : past + after]


AROUND = 24  # turns before one and after it that are read together: the next ones ask for them
TOGETHER = 8  # sessions of one statement


@dataclass(frozen=True, slots=True)
class _SessionPart:
    """Some turns of a session that follow one another, and whether they begin and end it."""

    turns: list[Turn]
    seqs: list[int]
    first: bool
    last: bool

    def reaches(self, seq: int, before: int, after: int) -> bool:
        """Whether so many turns before and after that place are among them, or there are no more."""
        at, past = bisect_left(self.seqs, seq), bisect_right(self.seqs, seq)
        inside = bool(self.seqs) and self.seqs[0] <= seq <= self.seqs[-1]
        return inside and (self.first or at >= before) and (self.last or len(self.seqs) - past >= after)


def _part_around(reader: Reader, turn: Turn, before: int, after: int) -> _SessionPart:
    (part,) = _parts_around(reader, [turn], before, after)
    return part


def read_around(reader: Reader, turns: Iterable[Turn], before: int) -> None:
    """Reads what `neighbours` will be asked for these turns, so many before each, for many sessions together."""
    first = {turn.session: turn for turn in reversed(list(turns))}
    new = [turn for turn in first.values() if ("session", turn.session) not in reader.kept]
    for some in batches(new, TOGETHER):
        for turn, part in zip(some, _parts_around(reader, some, max(before, AROUND), AROUND), strict=True):
            reader.kept["session", turn.session] = part


def _parts_around(reader: Reader, turns: Sequence[Turn], before: int, after: int) -> Iterator[_SessionPart]:
    """For each turn those before it and from it on, so many at most."""
    keys: dict[str, Any] = {f"session{i}": turn.session for i, turn in enumerate(turns)}
    keys |= {f"seq{i}": turn.seq for i, turn in enumerate(turns)}
    rows = reader.rows(_around(len(turns)), space=reader.space, before=before, after=after + 1, **keys)
    earlier: list[list[Turn]] = [[] for _ in turns]
    later: list[list[Turn]] = [[] for _ in turns]
    for row in rows:
        (later if row["later"] else earlier)[row["place"]].append(turn_of(row))
    for these, those in zip(earlier, later, strict=True):
        found = sorted([*these, *those], key=lambda turn: turn.seq)
        yield _SessionPart(found, [one.seq for one in found], len(these) < before, len(those) <= after)


@cache
def _around(places: int) -> str:
    one = "SELECT t.*, {0} AS place, {1} AS later FROM turns t WHERE space = :space AND session = :session{0}"
    ways = (" AND seq < :seq{0} ORDER BY seq DESC LIMIT :before", " AND seq >= :seq{0} ORDER BY seq LIMIT :after")
    each = (
        f"SELECT * FROM ({one.format(i, way)} AND quarantine IS NULL{ways[way].format(i)}) AS p{2 * i + way}"
        for i in range(places)
        for way in range(2)
    )
    return " UNION ALL ".join(each)


def excluded(reader: Reader, sessions: Iterable[str]) -> dict[str, str]:
    """Those of these sessions that this space leaves out of nights, each with why."""
    return left_out(reader, reader.space, sessions)


def left_out(db: Reads, space: str, sessions: Iterable[str]) -> dict[str, str]:
    """The same for whoever else reads the log."""
    rules = rules_of(spaces.by_id(db, space).private)
    found = ((row["session"], admission.excluded(row, rules)) for row in table.described(db, space, sessions))
    return {session: why for session, why in found if why is not None}


def recalled_since(reader: Reader, since: Instant, *, after: str, limit: int) -> list[str]:
    """Turns and memories that real queries have returned since then, by id."""
    rows = reader.rows(
        "SELECT DISTINCT ref FROM recall_events WHERE space = :space AND at > :since AND at <= :now"
        " AND ref > :after ORDER BY ref LIMIT :limit",
        space=reader.space,
        since=since,
        now=reader.night.now,
        after=after,
        limit=limit,
    )
    return [row["ref"] for row in rows]


def most_recalled(reader: Reader, since: Instant, limit: int) -> list[str]:
    """Turns and memories that real queries returned since then, the most often first."""
    rows = reader.rows(
        "SELECT ref, count(*) AS n FROM recall_events WHERE space = :space AND at > :since AND at <= :now"
        " GROUP BY ref ORDER BY n DESC, ref LIMIT :limit",
        space=reader.space,
        since=since,
        now=reader.night.now,
        limit=limit,
    )
    return [row["ref"] for row in rows]


def usages(reader: Reader, memories: Iterable[Memory], since: Instant) -> dict[str, Usage]:
    """Real recalls of each of these memories that has any, as far as the night knows."""
    return usages_of(reader, reader.space, memories, since, reader.night.now)


def usages_of(db: Reads, space: str, memories: Iterable[Memory], since: Instant, now: Instant) -> dict[str, Usage]:
    """A memory is recalled under any of its names: its own id, its turn's. Days that were rolled up count as long as
    their events have left the log."""
    names = {memory.id: dict.fromkeys((memory.id, *memory.sources)) for memory in memories}
    rows = db.each(
        "SELECT ref, count(*) AS n, max(at) AS last, sum(CASE WHEN at > :since THEN 1 ELSE 0 END) AS recent"
        " FROM recall_events WHERE space = :space AND at <= :now AND ref IN (:keys) GROUP BY ref",
        (name for its in names.values() for name in its),
        space=space,
        since=since,
        now=now,
    )
    lately = {row["ref"]: Usage(int(row["n"]), int(row["recent"]), row["last"]) for row in rows}
    used = {id: its for id, its in names.items() if not lately.keys().isdisjoint(its)}
    old = _rolled_up(db, space, (name for its in used.values() for name in its))
    return {id: _summed(its, lately, old) for id, its in used.items()}


def _rolled_up(db: Reads, space: str, refs: Iterable[str]) -> dict[str, int]:
    """How often each was recalled on days whose events have left the log."""
    rows = db.each(
        "SELECT ref, sum(times) AS n FROM recall_days d WHERE space = :space AND ref IN (:keys) AND NOT EXISTS"
        " (SELECT 1 FROM recall_events e WHERE e.space = d.space AND e.ref = d.ref AND e.day = d.day) GROUP BY ref",
        refs,
        space=space,
    )
    return {row["ref"]: int(row["n"]) for row in rows}


def _summed(names: Iterable[str], lately: Mapping[str, Usage], old: Mapping[str, int]) -> Usage:
    found = [lately[name] for name in names if name in lately]
    uses = sum(one.uses for one in found) + sum(old.get(name, 0) for name in names)
    return Usage(uses, sum(one.recent for one in found), max(one.last_at for one in found))
