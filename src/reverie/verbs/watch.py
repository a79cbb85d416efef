"""Looking on: what happened lately, how memories hang together, what nights did to one of them, whether all is well."""

from typing import TYPE_CHECKING

from reverie.model.base import Instant
from reverie.model.memories import MemoryGraph, Tier
from reverie.model.night import Change
from reverie.model.turns import Happening
from reverie.verbs.base import Verbs

if TYPE_CHECKING:
    from reverie.triggers.health import SleepHealth

MOST_NODES = 300


class WatchVerbs(Verbs):
    def happened(self, since: Instant = 0.0, *, limit: int = 50) -> list[Happening]:
        """Turns, questions, served answers and nights after a moment, the newest first."""
        from reverie.store import activity

        return activity.happened(self._db, self.id, since, limit)

    def graph(self, limit: int = MOST_NODES, *, tier: Tier = "hot", about: str = "") -> MemoryGraph:
        """The best linked of a tier's memories that were used last, and the edges among them; `about` one name."""
        from reverie.store import activity

        return activity.graph(self._db, self.id, min(limit, MOST_NODES), tier, about)

    def changes_of(self, memory: str, *, limit: int = 50) -> list[Change]:
        """What nights that can still be undone did to one memory, the newest first."""
        from reverie.store.commit import journal

        return journal.of_memory(self._db, self.id, memory, limit)

    def health(self) -> "SleepHealth":
        """What waits to be read, how the last runs ended, and what is wrong."""
        from reverie.triggers.health import health

        return health(self._db, self.id, self._now())
