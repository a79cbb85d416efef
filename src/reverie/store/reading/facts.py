"""Facts by whom they are about, with the profiles, insights and contradictions that come of them."""

from collections.abc import Iterable, Mapping, Sequence

from reverie.model.base import Instant
from reverie.model.memories import Contradiction, Edge, Kind, Memory
from reverie.policy.core.lines import of_health
from reverie.policy.recall.current import what_is_left
from reverie.store.reader import Reader
from reverie.store.reading.memories import in_order
from reverie.store.rows import contradiction_of
from reverie.store.tables import contradictions as clashes
from reverie.store.tables.chores import READ
from reverie.store.tables.memories import by_ids, updates_of

SOUND = "kind = 'fact' AND stale = 0 AND quarantined = 0"


def about(reader: Reader, subject: str, *, limit: int = 200) -> list[Memory]:
    """What is said of somebody or something, the newest first; ended facts too."""
    return in_order(reader, ids_about(reader, subject, limit=limit))


def ids_about(reader: Reader, subject: str, *, limit: int) -> list[str]:
    """The same, by id."""
    rows = reader.rows(
        f"SELECT id FROM memories WHERE space = :space AND subject = :subject AND {SOUND}"
        " ORDER BY created_at DESC, id LIMIT :limit",
        space=reader.space,
        subject=subject,
        limit=limit,
    )
    return [row["id"] for row in rows]


def stated(reader: Reader, subject: str, predicates: Iterable[str], *, limit: int = 100) -> list[Memory]:
    """Facts of one subject with one of these predicates, the last said first."""
    asked = ("stated", subject, tuple(predicates), limit)
    if asked not in reader.kept:  # many facts of a batch are about the same person, and each asks twice
        rows = reader.each(
            f"SELECT id FROM memories WHERE space = :space AND subject = :subject AND predicate IN (:keys) AND {SOUND}"
            " ORDER BY coalesce(said_at, created_at) DESC, id LIMIT :limit",
            asked[2],
            space=reader.space,
            subject=subject,
            limit=limit,
        )
        reader.kept[asked] = in_order(reader, [row["id"] for row in rows])
    return list(reader.kept[asked])


def latest(reader: Reader, limit: int, kind: Kind = "fact") -> list[Memory]:
    """Facts, or directives, that hold, newest first."""
    rows = reader.rows(
        "SELECT id FROM memories WHERE space = :space AND kind = :kind AND valid_until IS NULL AND stale = 0"
        " AND quarantined = 0 ORDER BY created_at DESC, said_at DESC, id LIMIT :limit",
        space=reader.space,
        kind=kind,
        limit=limit,
    )
    return in_order(reader, [row["id"] for row in rows])


def changed_subjects(reader: Reader, since: Instant) -> dict[str, int]:
    """Whom new facts, ended facts or contradictions are about, with how many; the most first."""
    rows = reader.rows(
        "SELECT subject, count(*) AS n FROM ("  # by what is new, through an index each: never a scan of the space
        f" SELECT id, subject FROM memories WHERE space = :space AND {SOUND} AND created_at > :since"
        f" UNION SELECT id, subject FROM memories WHERE {SOUND}"
        " AND id IN (SELECT memory FROM chores WHERE space = :space AND chore = :chore)"
        " UNION ALL SELECT m.id, m.subject FROM contradictions c JOIN memories m ON m.id = c.older"
        " WHERE c.space = :space AND c.created_at > :since"
        ") AS moved WHERE subject IS NOT NULL GROUP BY subject ORDER BY n DESC, subject",
        space=reader.space,
        since=since,
        chore=READ,
    )
    return {row["subject"]: int(row["n"]) for row in rows}


def current(reader: Reader, found: Iterable[Memory]) -> list[Memory]:
    """Those of these memories that are the last word on their matter: no later statement overtakes them, in whole, in
    part or perhaps. What is said of health gives way only to what is said of health: an allergy told in one breath
    with a deadline does not go with the deadline."""
    known = {memory.id: memory for memory in found}
    overtaken = _overtaken(reader, known)
    return [memory for memory in known.values() if memory.id not in overtaken]


def in_force(reader: Reader, found: Iterable[Memory]) -> list[Memory]:
    """The same, and what still holds of those that are overtaken in part: "I'm Mara, […] and work at Brightloop"."""
    known = {memory.id: memory for memory in found}
    overtaken = _overtaken(reader, known)
    left = (what_is_left(memory, overtaken.get(memory.id, ())) for memory in known.values())
    return [memory for memory in left if memory is not None]


def _overtaken(reader: Reader, known: Mapping[str, Memory]) -> dict[str, list[Edge]]:
    edges = updates_of(reader, reader.space, known)
    later = by_ids(reader, reader.space, {edge.a for edge in edges if of_health(known[edge.b])})
    found: dict[str, list[Edge]] = {}
    for edge in edges:
        if edge.a not in later or of_health(later[edge.a]):
            found.setdefault(edge.b, []).append(edge)
    return found


def profiles(reader: Reader, subjects: Sequence[str]) -> list[Memory]:
    """The current profiles of these subjects."""
    rows = reader.each(
        "SELECT id FROM memories WHERE space = :space AND kind = 'profile' AND stale = 0 AND subject IN (:keys)",
        subjects,
        space=reader.space,
    )
    return in_order(reader, [row["id"] for row in rows])


def outdated_profiles(reader: Reader) -> list[str]:
    """Subjects whose profile tells of a day that has passed."""
    rows = reader.rows(
        "SELECT subject FROM memories WHERE space = :space AND kind = 'profile' AND stale = 0"
        " AND valid_until <= :now ORDER BY subject",
        space=reader.space,
        now=reader.night.now,
    )
    return [row["subject"] for row in rows]


def outdated_insights(reader: Reader, limit: int) -> list[Memory]:
    """Insights one of whose premises has ended or gone stale."""
    rows = reader.rows(
        "SELECT DISTINCT i.id AS id FROM memories i JOIN sources s ON s.memory = i.id"
        " JOIN memories p ON p.id = s.source WHERE i.space = :space AND i.kind = 'insight' AND i.stale = 0"
        " AND (p.stale = 1 OR p.valid_until <= :now) ORDER BY i.id LIMIT :limit",
        space=reader.space,
        now=reader.night.now,
        limit=limit,
    )
    return in_order(reader, [row["id"] for row in rows])


def contradictions(reader: Reader, ids: Iterable[str]) -> list[Contradiction]:
    """Records that have one of these memories on a side."""
    return clashes.of_memories(reader, reader.space, ids)


def contradictions_since(reader: Reader, since: Instant) -> list[Contradiction]:
    """Records made after a moment, in their order; without facts that only say more than others."""
    rows = reader.rows(
        "SELECT * FROM contradictions WHERE space = :space AND created_at > :since AND kind <> 'extends'"
        " ORDER BY created_at, id",
        space=reader.space,
        since=since,
    )
    return [contradiction_of(row) for row in rows]


def count_contradictions(reader: Reader) -> int:
    """How many contradictions this night has recorded; a fact that only says more than another is not counted."""
    sql = "SELECT count(*) AS n FROM contradictions WHERE space = :space AND night = :night AND kind <> 'extends'"
    return int(reader.value(sql, space=reader.space, night=reader.night.id))
