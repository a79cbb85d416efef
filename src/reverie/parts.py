"""The parts that a Reverie is wired from, handed to every space."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from reverie.config import Config
from reverie.minds.embed import Embedder, by_name
from reverie.model.base import Instant
from reverie.store.db import Database


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
