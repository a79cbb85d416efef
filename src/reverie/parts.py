"""The parts that a Reverie is wired from, each made when first needed, handed to every space."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from reverie import wiring
from reverie.awake.context import Assembler
from reverie.awake.events import Events
from reverie.awake.recall import Recaller
from reverie.config import Config
from reverie.minds.embed import Embedder, by_name
from reverie.model.base import Instant
from reverie.retrieve import Retriever
from reverie.store.db import Database
from reverie.store.indexes import Indexes, Limits

if TYPE_CHECKING:
    from reverie.asleep.runner import Runner
    from reverie.asleep.step import Minds
    from reverie.minds.llm.opening import Models
    from reverie.model.night import Progress


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
    def retriever(self) -> Retriever:
        folder = None if self.db.name == "postgres" else Path(self.location).expanduser() / "indexes"
        limits = Limits(bytes=self.config["vector_cache_mb"] * 2**20, folder=folder)
        return Retriever(self.db, Indexes(self.db, limits), self.embedder)

    @cached_property
    def events(self) -> Events:
        events = Events(self.db)
        self.on_close.append(events.close)
        return events

    @cached_property
    def recaller(self) -> Recaller:
        return Recaller(self.retriever, self.events)

    @cached_property
    def assembler(self) -> Assembler:
        return Assembler(self.db, self.recaller, self.events)

    @cached_property
    def models(self) -> "Models | None":
        return wiring.models(self.config, self.db)

    @cached_property
    def minds(self) -> "Minds":
        """Loaded when the first night needs them, never on the hot path."""
        return wiring.minds(self.embedder, self.models, self.on_close.append)

    def runner(self, tell: "Callable[[Progress], None] | None" = None) -> "Runner":
        from reverie.asleep.runner import Runner, tell_nobody

        return Runner(self.db, self.minds, tell or tell_nobody, clock=self.clock)
