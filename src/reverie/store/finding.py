"""Which turns and memories a person means when they say "forget everything about …"."""

from reverie.policy.words import tokens
from reverie.store.db import Database


def containing(db: Database, space: str, query: str) -> tuple[list[str], list[str]]:
    """(turns, memories) that contain every word of a query, whatever its case."""
    words = tokens(query)
    if not words:
        return [], []
    params = {f"w{i}": f"%{word}%" for i, word in enumerate(words)}
    where = " AND ".join(f"lower(text) LIKE :{name}" for name in params)
    turns = db.rows(f"SELECT id FROM turns WHERE space = :space AND {where}", space=space, **params)
    memories = db.rows(f"SELECT id FROM memories WHERE space = :space AND {where}", space=space, **params)
    return [row["id"] for row in turns], [row["id"] for row in memories]


def of_session(db: Database, space: str, session: str) -> tuple[list[str], list[str]]:
    return _where(db, space, "session = :value", session)


def of_person(db: Database, space: str, person: str) -> tuple[list[str], list[str]]:
    """What the person said, what is about them, and every text that names them."""
    said, kept = _where(db, space, "lower(speaker) = lower(:value)", person)
    named_turns, named = containing(db, space, person)
    about = db.rows(
        "SELECT id FROM memories WHERE space = :space AND lower(subject) = lower(:person)"
        " UNION SELECT memory AS id FROM mentions WHERE space = :space AND lower(entity) = lower(:person)",
        space=space,
        person=person,
    )
    return _once(said, named_turns), _once(kept, named, [row["id"] for row in about])


def everything(db: Database, space: str) -> tuple[list[str], list[str]]:
    return _where(db, space, "id <> :value", "")


def _where(db: Database, space: str, where: str, value: str) -> tuple[list[str], list[str]]:
    turns = db.rows(f"SELECT id FROM turns WHERE space = :space AND {where}", space=space, value=value)
    memories = db.rows(f"SELECT id FROM memories WHERE space = :space AND {where}", space=space, value=value)
    return [row["id"] for row in turns], [row["id"] for row in memories]


def _once(*lists: list[str]) -> list[str]:
    return list(dict.fromkeys(ref for part in lists for ref in part))
