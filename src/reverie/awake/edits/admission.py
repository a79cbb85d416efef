"""A person decides which sessions nights read. It holds for what has been said already, too."""

from collections.abc import Mapping
from typing import Any

from reverie.model.base import Instant
from reverie.model.spaces import SpaceRecord
from reverie.policy.safety.admission import KEY, AdmissionRule, excluded, new_rule, rules_of, saved
from reverie.store.db import Database
from reverie.store.tables import chores, memories, spaces, turns

PAGE = 1_000


def decide(
    db: Database, space: SpaceRecord, named: Mapping[str, str | None], admit: bool, why: str, now: Instant
) -> AdmissionRule:
    """The new rule. Episodes of the sessions that it names are marked, or read by the next night."""
    rule = new_rule(named, admit, why, now)
    with db.write("memory") as tx:
        current = spaces.locked(tx, space.id)
        spaces.update(db, space.id, private={KEY: saved(rules_of(current.private), rule)})
    rules = rules_of(spaces.by_id(db, space.id).private)
    after = 0
    while page := turns.sessions(db, space.id, limit=PAGE, after=after):
        after = page[-1]["first_seq"]
        found = {row["session"]: excluded(row, rules) for row in page if rule.fits(row)}
        with db.write("memory") as tx:
            for session, reason in found.items():
                freed = memories.set_excluded(tx, space.id, session, reason)
                chores.add(tx, space.id, freed, chores.READ, now)
    return rule


def sessions(db: Database, space: SpaceRecord, *, limit: int, after: int) -> list[dict[str, Any]]:
    """Sessions in the order they began, each with why nights leave it out."""
    rules = rules_of(space.private)
    return [{**row, "excluded": excluded(row, rules)} for row in turns.sessions(db, space.id, limit=limit, after=after)]
