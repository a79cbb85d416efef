"""What every group of verbs stands on: the parts, and the space's own record."""

from reverie.model.spaces import SpaceRecord
from reverie.store.db import Database
from reverie.store.tables import spaces
from reverie.wiring.parts import Parts


class Verbs:
    def __init__(self, parts: Parts, record: SpaceRecord) -> None:
        self.parts = parts  # for the sleeper, the doctor and tests; surfaces have verbs for what they need
        self.record = record
        self.only_read = False  # by a caller who may write nothing: what they are shown does not count as shown

    @property
    def id(self) -> str:
        """What the server's routes and keys call it; Letta's clients see it as the agent's id."""
        return self.record.id

    @property
    def name(self) -> str:
        """What you call it."""
        return self.record.name

    @property
    def home(self) -> str:
        """The directory of what is this user's own: the store if it lies in one, and what hooks hand over."""
        return self.parts.home

    @property
    def _db(self) -> Database:
        return self.parts.db

    def _session(self, name: str | None) -> str | None:
        """A session's name as it is stored: one that held a secret has lost it."""
        return name and self._db.redactor.name(name)

    def _now(self) -> float:
        return self.parts.clock()

    def _fresh(self) -> SpaceRecord:
        """The record as it stands now: watermark and settings move."""
        self.record = spaces.by_id(self._db, self.record.id)
        return self.record
