"""Orgs own spaces, keys and replies; nothing crosses an org, and no query crosses a space."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from reverie.model.base import JSON, Instant
from reverie.model.blocks import NewBlock

Verb = Literal["read", "write", "review", "admin"]
VERBS: tuple[Verb, ...] = ("read", "write", "review", "admin")
# Who changes something or decides on it must see it; who may make keys could give itself any verb.
BRINGS: Mapping[Verb, tuple[Verb, ...]] = {
    "read": ("read",),
    "write": ("read", "write"),
    "review": ("read", "review"),
    "admin": VERBS,
}
RUNNING = 0  # the status of a reply whose request has begun and not ended
KEY_PREFIX = "rv_"  # how the secret of a key begins


def secret_hash(secret: str) -> str:
    """Plain SHA-256: the secret has 256 bits of chance, so there is nothing to guess slowly."""
    return hashlib.sha256(secret.encode()).hexdigest()


def with_brought(verbs: Iterable[Verb]) -> tuple[Verb, ...]:
    """
    >>> with_brought(["write"]), with_brought(["review", "write"])
    (('read', 'write'), ('read', 'write', 'review'))
    """
    brought = {also for verb in verbs for also in BRINGS[verb]}
    return tuple(verb for verb in VERBS if verb in brought)


@dataclass(frozen=True, slots=True)
class SpaceRecord:
    id: str
    num: int  # prefixes the space's terms in the index
    org: str
    name: str
    watermark: int = 0
    changes: int = 0
    created_at: Instant = 0.0
    settings: Mapping[str, JSON] = field(default_factory=dict)
    metadata: Mapping[str, JSON] = field(default_factory=dict)
    private: Mapping[str, JSON] = field(default_factory=dict)  # what surfaces and nights keep here; no caller sets it


@dataclass(frozen=True, slots=True)
class NewSpace:
    """A space that is yet to be made, with its blocks."""

    name: str
    otherwise: str | None = None  # its name where the first is taken; without one that is a conflict
    settings: Mapping[str, JSON] = field(default_factory=dict)
    metadata: Mapping[str, JSON] = field(default_factory=dict)
    private: Mapping[str, JSON] = field(default_factory=dict)
    default_blocks: bool = True
    blocks: tuple[NewBlock, ...] = ()
    shared: tuple[str, ...] = ()  # ids of blocks of the org that it gets too


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key as it is stored: its hash, never itself."""

    id: str
    org: str
    name: str
    verbs: tuple[Verb, ...]  # what it may do, with all that they bring along
    space: str | None  # for this space only; None: for all of the org
    created_at: Instant
    expires_at: Instant | None = None
    revoked_at: Instant | None = None
    used_at: Instant | None = None

    def live(self, now: Instant) -> bool:
        """Whether it is neither revoked nor expired."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that was just made: `secret` is shown this once."""

    key: ApiKey
    secret: str


@dataclass(frozen=True, slots=True)
class Activity:
    """What the log knows of a space's last turns; triggers look at it."""

    last_seq: int = 0
    last_at: Instant = 0.0
    importance: float = 0.0
    ended_sessions: int = 0
    overflows: int = 0


@dataclass(frozen=True, slots=True)
class StoredReply:
    """What a POST with an idempotency key came to: the same key gives it again, and the work is done once."""

    org: str
    status: int
    digest: str  # of the request's body: the same key with another body is a mistake; of a run: whose it is
    body: str
    at: Instant

    @property
    def running(self) -> bool:
        """Whether its request has begun and not ended."""
        return self.status == RUNNING


@dataclass(frozen=True, slots=True)
class Gauges:
    """The figures of a whole store at one moment, for whoever watches it."""

    spaces: int
    unread_turns: int
    oldest_unread_at: Instant | None
    nights: dict[str, int]  # by status
    step_seconds: dict[str, float]
    leases: int
    failing_spaces: int  # whose last runs have all failed, three or more
    tokens: dict[str, int]  # by regime
    cost: dict[str, float]
    answers_asked: int
    answers_served: int
    sleeper_seen_at: Instant | None
    workers: dict[str, int]  # by state: idle, busy, gone


Operation = Literal["created", "modified", "deleted"]


@dataclass(frozen=True, slots=True)
class ShelfEntry:
    """A JSON value that a client or framework keeps in a space as it gave it, under a key of a shelf."""

    id: str
    space: str
    shelf: str
    key: str
    seq: int  # its place on the shelf; a new value keeps it
    version: int
    value: JSON
    created_at: Instant
    updated_at: Instant
    ref: str | None = None  # the turn or memory that carries its words to recall and to nights
    expires_at: Instant | None = None


@dataclass(frozen=True, slots=True)
class EntryVersion:
    """What an entry was once; the value is None where it was deleted, or taken out since."""

    entry: str
    version: int
    key: str
    operation: Operation
    value: JSON
    at: Instant
    actor: str
    redacted_at: Instant | None = None
