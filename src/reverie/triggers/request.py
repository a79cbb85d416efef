"""Asking for a night: gates once, cheapest first; the answer is in the history either way."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reverie.model.base import Instant, new_id
from reverie.model.night import Lease, Night
from reverie.model.rhythm import Due, GateAnswer, Sleeping, SleepRequest
from reverie.model.spaces import SpaceRecord
from reverie.policy import due, gates
from reverie.store import leases, nights, rhythm, spaces
from reverie.store.db import Database


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of asking: the night in the history, and the lease if it may be run here and now."""

    night: Night
    lease: Lease | None = None
    answers: list[GateAnswer] = field(default_factory=list)

    @property
    def skipped(self) -> bool:
        return self.night.status == "skipped"


@dataclass(frozen=True, slots=True)
class Explained:
    """Why a space sleeps or does not: what is due, what every gate says, when to look again."""

    due: Due | None
    next: Due | None
    answers: list[GateAnswer]
    retry_at: Instant | None


def request(
    db: Database,
    space: str,
    want: SleepRequest,
    settings: Sleeping,
    now: Instant,
    *,
    claim: bool = True,
    more: Mapping[str, Any] | None = None,
    id: str | None = None,
) -> Asked:
    """Asks all gates and writes the night down, as one decision: of a hundred at once, one gets it.

    `claim`: the caller will run it itself and gets the lease; otherwise it waits for a sleeper.
    """
    with db.write("memory") as tx:
        record = spaces.locked(tx, space, db.for_update)
        answers = _ask(db, record, want, settings, now)
        closed = gates.first_closed(answers)
        if closed is not None:
            night = _night(
                db, record, want, now, id, status="skipped", why=f"{closed.code}: {closed.why}", ended_at=now
            )
            nights.insert(tx, night)
            return Asked(night, None, answers)
        night = _night(
            db, record, want, now, id, why=want.trigger, settings=_kept(db, record, want, settings, now, more)
        )
        nights.insert(tx, night)
        lease = leases.acquire_in(tx, space, want.worker or night.id, now) if claim else None
        return Asked(night, lease, answers)


def explain(db: Database, space: str, settings: Sleeping, now: Instant, worker: str = "") -> Explained:
    """Every gate's answer for what is due, or for a nap if nothing is. Writes nothing."""
    record = spaces.by_id(db, space)
    state = rhythm.read(db, record, settings, now)
    found = due.decide(state, settings, now)
    want = SleepRequest(found.kind, found.trigger, worker) if found else SleepRequest("nap", "idle", worker)
    answers = _ask(db, record, want, settings, now)
    return Explained(found, due.next_due(state, settings, now), answers, gates.opens_at(answers))


def _ask(db: Database, record: SpaceRecord, want: SleepRequest, settings: Sleeping, now: Instant) -> list[GateAnswer]:
    answers = gates.decide(want, rhythm.read(db, record, settings, now), settings, now)
    waiting = nights.unfinished(db, record.id)
    if waiting and gates.first_closed(answers) is None:
        return [*answers[:-1], GateAnswer("lease", False, f"{waiting[0].id} is {waiting[0].status}", "active_run")]
    return answers


def _kept(
    db: Database,
    record: SpaceRecord,
    want: SleepRequest,
    settings: Sleeping,
    now: Instant,
    more: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """What a resumed night must not learn anew."""
    state = rhythm.read(db, record, settings, now)
    return {
        "sleeping": settings.changes(),
        "since": nights.last_done(db, record.id),
        "mark": rhythm.mark(db, record.id).saved(),
        "full": want.kind == "night" and due.is_full(state, settings, now),
        **(more or {}),
    }


def _night(db: Database, record: SpaceRecord, want: SleepRequest, now: Instant, id: str | None, **more: Any) -> Night:
    upto = rhythm.mark(db, record.id).seq
    return Night(id or new_id("night"), record.id, want.kind, want.trigger, now, now, upto=upto, **more)
