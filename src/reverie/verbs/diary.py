"""The diary: each night in its own words."""

from dataclasses import dataclass

from reverie.model.base import Instant
from reverie.store.tables import diary
from reverie.verbs.base import Verbs


@dataclass(frozen=True, slots=True)
class DiaryEntry:
    night: str
    at: Instant
    text: str


class DiaryVerbs(Verbs):
    def diary(self, *, limit: int = 30, before: Instant | None = None) -> list[DiaryEntry]:
        """Newest first; `before` is the moment of the last one seen."""
        return [DiaryEntry(*entry) for entry in diary.listed(self._db, self.id, limit=limit, before=before)]
