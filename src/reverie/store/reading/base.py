"""What all reads of a night share."""

from reverie.model.night import Night
from reverie.model.spaces import SpaceRecord
from reverie.store import spaces
from reverie.store.db import Database


class Reading:
    def __init__(self, db: Database, space: str, night: Night) -> None:
        self.db = db
        self.space = space
        self.night = night

    def record(self) -> SpaceRecord:
        """The space itself: its number, settings and watermark."""
        return spaces.by_id(self.db, self.space)
