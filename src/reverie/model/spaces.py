"""Orgs own spaces and keys; nothing crosses an org, and no query crosses a space."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from reverie.model.base import JSON, Instant

Scope = Literal["read", "write", "admin"]
SCOPES: tuple[Scope, ...] = ("read", "write", "admin")


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


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key as it is stored: its hash, never itself."""

    id: str
    org: str
    name: str
    scope: Scope
    space: str | None
    created_at: Instant
    expires_at: Instant | None = None
    revoked_at: Instant | None = None
    used_at: Instant | None = None


@dataclass(frozen=True, slots=True)
class Activity:
    """What the log knows of a space's last turns; triggers look at it."""

    last_seq: int = 0
    last_at: Instant = 0.0
    importance: float = 0.0
    ended_sessions: int = 0
    overflows: int = 0
