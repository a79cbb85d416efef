"""Nights: ask for one, follow it, read what it did and its diary, take it back."""

import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from reverie.config import sleeping_of
from reverie.model.base import Instant
from reverie.model.night import Change, DiaryEntry, Night, NightKind, NightReport, Progress
from reverie.model.rhythm import Sleeping, SleepRequest
from reverie.verbs.base import Verbs

if TYPE_CHECKING:
    from reverie.errors import RestsOn
    from reverie.triggers.admission import GateReport
    from reverie.triggers.inline import Dry

Tell = Callable[[Progress], None]


class SleepVerbs(Verbs):
    def sleep(
        self, kind: NightKind = "night", *, progress: Tell | None = None, reprocess: tuple[str, ...] = ()
    ) -> Night:
        """One night (or nap) now, in this process, past all gates but budget and lease. Answers how it ended."""
        from reverie.mirror.rounds import around_night
        from reverie.store.tables import nights
        from reverie.triggers.admission import check_steps
        from reverie.triggers.inline import sleep

        check_steps(reprocess)
        want = SleepRequest(kind, "manual", _worker(), reprocess)
        with around_night(self.parts.mirror(self.record), self._now) as written:
            night = sleep(self.parts.runner(progress), self.id, want, self.sleeping).night
            written(night)
        return nights.by_id(self._db, self.id, night.id)

    def nap(self, *, progress: Tell | None = None) -> Night:
        """Reads only what is new."""
        return self.sleep("nap", progress=progress)

    def sleep_if_due(self, *, progress: Tell | None = None) -> Night | None:
        """Asks the gates once, for cron and hooks; None if nothing is due."""
        from reverie.mirror.rounds import around_night
        from reverie.store.tables import nights
        from reverie.triggers.inline import sleep_if_due

        with around_night(self.parts.mirror(self.record), self._now) as written:
            asked = sleep_if_due(self.parts.runner(progress), self.id, self.sleeping, _worker())
            if asked is not None:
                written(asked.night)
        return None if asked is None else nights.by_id(self._db, self.id, asked.night.id)

    def request_sleep(self, kind: NightKind = "night") -> Night:
        """Asks the sleeper for a night and returns at once; skipped with the reason if a gate is closed."""
        from reverie.triggers.admission import request

        want = SleepRequest(kind, "manual")
        now = self._now()
        return request(
            self._db, self.id, want, self.sleeping, now, spent=self.parts.spent(self.id, now), claim=False
        ).night

    def request_due_nap(self) -> Night | None:
        """Asks the sleeper for the nap that is due after so many turns; None if it is not, or a gate is closed."""
        from reverie.triggers.admission import request_by_cadence

        now, settings = self._now(), self.sleeping  # read first: that reads the record anew
        spent = partial(self.parts.spent, self.id, now)
        return request_by_cadence(self._db, self.record, settings, now, spent=spent)

    def dry_run(self, kind: NightKind = "night") -> "Dry":
        """The night as it would be, with its diff; nothing is written."""
        from reverie.triggers.inline import dry_run

        want = SleepRequest(kind, "manual", _worker())
        return dry_run(self.parts.runner(), self.id, want, self.sleeping)

    def explain_sleep(self) -> "GateReport":
        """Why it sleeps or does not: every gate's answer."""
        from reverie.triggers.admission import explain

        now = self._now()
        return explain(self._db, self.id, self.sleeping, now, spent=self.parts.spent(self.id, now))

    def nights(
        self,
        *,
        limit: int = 20,
        after: str | None = None,
        statuses: tuple[str, ...] = (),
        kind: NightKind | None = None,
    ) -> list[Night]:
        """Newest first, skipped ones too; `after` is the id of the last one seen."""
        from reverie.store.tables import nights

        return nights.listed(self._db, self.id, limit=limit, before=after, statuses=statuses, kind=kind)

    def night(self, id: str) -> NightReport:
        """One night with its steps; `night_diff` has what it changed."""
        from reverie.store.tables import nights

        found = nights.by_id(self._db, self.id, id)
        return NightReport(found, tuple(nights.steps(self._db, found.id)))

    def night_diff(self, id: str, *, limit: int = 1_000, after: int = -1) -> list[Change]:
        """What a night changed, row by row, in its order."""
        from reverie.store.commit import journal
        from reverie.store.tables import nights

        found = nights.by_id(self._db, self.id, id)
        return journal.of_night(self._db, found.id, limit=limit, after=after)

    def changed_rows(self, night: str) -> int:
        """How many rows a night changed: as many as `night_diff` lists."""
        from reverie.store.commit import journal
        from reverie.store.tables import nights

        return journal.count(self._db, nights.by_id(self._db, self.id, night).id)

    def diary(self, *, limit: int = 30, before: Instant | None = None) -> list[DiaryEntry]:
        """Each night in its own words, newest first; `before` is the moment of the last one seen."""
        from reverie.store.tables import diary

        return [DiaryEntry(*entry) for entry in diary.listed(self._db, self.id, limit=limit, before=before)]

    def undo(self, night: str) -> dict[str, int]:
        """Takes a night back; refused, with its name, if a later one rests on it."""
        from reverie.mirror.rounds import refresh_all
        from reverie.store.undo import undo

        counts = undo.undo(self._db, self.id, night, self._now())
        record = self._fresh()
        refresh_all(self._db, record, self.parts.mirror(record), self._now)
        return counts

    def undo_refusal(self, night: str) -> "RestsOn | None":
        """What rests on a night and keeps it from being taken back, with the next move; None if nothing does."""
        from reverie.store.undo import undo

        return undo.refusal(self._db, self.id, night)

    def redo(self, night: str) -> int:
        """Lets the next night think again about what an undo held back."""
        from reverie.store.undo import undo

        return undo.redo(self._db, self.id, night, self._now())

    def cancel(self, night: str) -> bool:
        """Stops a night at its next batch; what it has done stays and can be undone."""
        from reverie.triggers.admission import cancel

        return cancel(self._db, self.id, night, self._now())

    def pause(self, paused: bool = True) -> None:
        """No trigger fires while a space is paused; a person still may."""
        from reverie.triggers.admission import pause

        pause(self._db, self.id, paused, self._now())

    def sleeper_alive(self) -> bool:
        """Whether a sleeper has lately said that it watches this store."""
        from reverie.triggers.health import sleeper_alive

        return sleeper_alive(self._db, self._now())

    @property
    def sleeping(self) -> Sleeping:
        """When this space sleeps: its own settings over the configuration's."""
        return sleeping_of(self.parts.config, self._fresh().settings)


def _worker() -> str:
    return f"process-{os.getpid()}"
