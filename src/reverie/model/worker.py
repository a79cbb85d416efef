"""A worker: a process that sleeps for the spaces of a store."""

from dataclasses import dataclass
from typing import Literal

from reverie.model.base import Instant


@dataclass(frozen=True, slots=True)
class Job:
    """A space that waits for a run. Who gets it decides again what is due: a job that comes twice is harmless."""

    space: str
    priority: int
    since: Instant


@dataclass(frozen=True, slots=True)
class WorkerRecord:
    """Who works on what, since when, and when it was last heard of."""

    name: str
    host: str
    pid: int
    version: str
    engine: str
    began_at: Instant
    heard_at: Instant
    space: str = ""  # its id; empty: it waits
    step: str = ""
    since: Instant = 0.0
    state: Literal["idle", "busy", "gone"] = "idle"
    space_name: str = ""
