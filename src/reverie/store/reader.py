"""The read side of the store as a step sees it: one space, one night, no way to write."""

from reverie.model.night import Night
from reverie.store.db import Database
from reverie.store.reading.ahead import AheadReads
from reverie.store.reading.care import CareReads
from reverie.store.reading.deep import DeepReads
from reverie.store.reading.facts import FactReads
from reverie.store.reading.memories import MemoryReads
from reverie.store.reading.turns import TurnReads
from reverie.store.reading.work import WorkReads


class Reader(WorkReads, AheadReads, CareReads, FactReads, MemoryReads, TurnReads, DeepReads):
    """Queries live by topic in `reading/`; a new one is a method there.

    `db`, `space` and `night` are open, so that a step can call any other read of the store with them.
    """

    def __init__(self, db: Database, night: Night) -> None:
        super().__init__(db, night.space, night)
