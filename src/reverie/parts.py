"""The parts that a Reverie is wired from, handed to every space."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from reverie.config import Config
from reverie.minds.embed import Embedder, by_name
from reverie.model.base import Instant
from reverie.store.db import Database

if TYPE_CHECKING:
    from reverie.awake.events import Events
    from reverie.retrieve import Retriever


@dataclass
class Parts:
    db: Database
    config: Config
    location: str  # the directory or URL that the store was opened with
    clock: Callable[[], Instant]
    given_embedder: Embedder | None = None
    on_close: list[Callable[[], None]] = field(default_factory=list)

    @cached_property
    def embedder(self) -> Embedder:
        return self.given_embedder or by_name(self.config["embedder"])

    @cached_property
    def retriever(self) -> "Retriever":
        from reverie.retrieve import Retriever

        return Retriever(self.db, self.embedder, cache_bytes=self.config["vector_cache_mb"] * 2**20)

    @cached_property
    def events(self) -> "Events":
        from reverie.awake.events import Events

        events = Events(self.db)
        self.on_close.append(events.close)
        return events
