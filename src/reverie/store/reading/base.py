"""What all reads of a night share."""

from collections.abc import Sequence

from reverie.model.memories import Memory
from reverie.model.night import Night
from reverie.model.spaces import SpaceRecord
from reverie.store.db import Database
from reverie.store.tables import memories, spaces


class Reading:
    def __init__(self, db: Database, space: str, night: Night) -> None:
        self.db = db
        self.space = space
        self.night = night

    def record(self) -> SpaceRecord:
        """The space itself: its number, settings and watermark."""
        return spaces.by_id(self.db, self.space)

    def in_order(self, ids: Sequence[str]) -> list[Memory]:
        """The memories of these ids as they follow each other here; what is gone is left out."""
        found = memories.by_ids(self.db, self.space, ids)
        return [found[id] for id in ids if id in found]
