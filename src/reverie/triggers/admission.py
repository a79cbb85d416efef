"""Asking for a night: gates once, cheapest first; the answer is in the history either way."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reverie.asleep.pipeline import STEPS
from reverie.errors import BadInput
from reverie.model.base import Instant, new_id
from reverie.model.night import Lease, Night
from reverie.model.rhythm import Due, Exhausted, GateAnswer, Rhythm, Sleeping, SleepRequest
from reverie.model.spaces import SpaceRecord
from reverie.policy.sleep import due, gates
from reverie.store.db import Database
from reverie.store.tables import leases, nights, rhythm, spaces, turns

HELD = ("active_run", "local_lock")  # why a gate is closed while another run is under way


@dataclass(frozen=True, slots=True)
class Admission:
    """What came of asking: the night in the history, and the lease if it may be run here and now."""

    night: Night
    lease: Lease | None = None
    answers: list[GateAnswer] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class GateReport:
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
    spent: Exhausted | None = None,
    claim: bool = True,
    quiet: bool = False,
) -> Admission:
    """Asks all gates and writes the night down, as one decision: of a hundred at once, one gets it.

    `spent` is the budget that allows no model call; None while all do.
    `claim`: the caller will run it itself and gets the lease; otherwise it waits for a sleeper.
    `quiet`: a closed gate leaves no line in the history. The asker found all open a moment ago; another was quicker.
    """
    with db.write("memory") as tx:
        asking = _Asking(db, spaces.locked(tx, space), want, settings, now, spent)
        answers = asking.answers()
        closed = gates.first_closed(answers)
        if closed is not None:
            night = asking.night(status="skipped", why=f"{closed.code}: {closed.why}", ended_at=now)
            if not quiet:
                nights.insert_skipped(tx, night)
            return Admission(night, None, answers)
        night = asking.night(why=want.trigger, settings=asking.kept())
        nights.insert(tx, night)
        lease = leases.acquire_in(tx, space, want.worker or night.id, now) if claim else None
        return Admission(night, lease, answers)


def request_by_cadence(
    db: Database, space: SpaceRecord, settings: Sleeping, now: Instant, *, spent: Callable[[], Exhausted | None]
) -> Night | None:
    """Asks the sleeper for the nap that is due after so many turns; None if it is not, or a gate is closed.

    `spent` is asked only where a nap is due: it adds up the ledger.
    """
    waiting = turns.activity(db, space.id).last_seq - space.watermark
    if not settings.enabled or not 0 < settings.cadence_turns <= waiting:
        return None
    if not all(answer.open for answer in explain(db, space.id, settings, now, spent=spent()).answers):
        return None
    return request(db, space.id, SleepRequest("nap", "cadence"), settings, now, claim=False).night


def cancel(db: Database, space: str, night: str, now: Instant) -> bool:
    """A running night stops at its next batch. False if it had already ended."""
    nights.by_id(db, space, night)
    with db.write("memory") as tx:
        return nights.cancel(tx, space, night, now)


def pause(db: Database, space: str, paused: bool, now: Instant) -> None:
    """While a space is paused no trigger fires; a person still may ask for a night."""
    with db.write("memory") as tx:
        rhythm.set_paused(tx, space, paused, now)


def check_steps(names: Sequence[str]) -> None:
    """Raises BadInput for a step that nights do not have."""
    known = [step.name for step in STEPS]
    for name in names:
        if name not in known:
            raise BadInput(f"a night has no step {name!r}", next_move=f"Its steps are {', '.join(known)}.")


def explain(
    db: Database, space: str, settings: Sleeping, now: Instant, *, spent: Exhausted | None = None
) -> GateReport:
    """Every gate's answer for what is due, or for a nap if nothing is. Writes nothing."""
    record = spaces.by_id(db, space)
    state = rhythm.read(db, record, settings, now)
    found = due.decide(state, settings, now)
    want = SleepRequest(found.kind, found.trigger) if found else SleepRequest("nap", "idle")
    answers = _Asking(db, record, want, settings, now, spent).answers()
    return GateReport(found, due.next_due(state, settings, now), answers, gates.opens_at(answers))


@dataclass(frozen=True, slots=True)
class _Asking:
    """Who asks for what, of which space, and when."""

    db: Database
    record: SpaceRecord
    want: SleepRequest
    settings: Sleeping
    now: Instant
    spent: Exhausted | None

    def answers(self) -> list[GateAnswer]:
        answers = gates.decide(self.want, self._state(), self.settings, self.now)
        waiting = nights.unfinished(self.db, self.record.id)
        if waiting and gates.first_closed(answers) is None:
            return [*answers[:-1], GateAnswer("lease", False, f"{waiting[0].id} is {waiting[0].status}", "active_run")]
        return answers

    def kept(self) -> dict[str, Any]:
        """What a resumed night must not learn anew."""
        waiting = rhythm.mark(self.db, self.record.id).seq - self.record.watermark
        return {
            "sleeping": self.settings.changes(),
            "take": due.turns_to_take(self.settings, waiting),
            "since": nights.last_done(self.db, self.record.id),
            "mark": rhythm.mark(self.db, self.record.id).saved(),
            "full": self.want.kind == "night" and due.is_full(self._state(), self.settings, self.now),
            **({"reprocess": list(self.want.reprocess)} if self.want.reprocess else {}),
        }

    def night(self, **more: Any) -> Night:
        space, want = self.record.id, self.want
        upto = rhythm.mark(self.db, space).seq
        return Night(new_id("night"), space, want.kind, want.trigger, self.now, self.now, upto=upto, **more)

    def _state(self) -> Rhythm:
        return replace(rhythm.read(self.db, self.record, self.settings, self.now), spent=self.spent)
