"""One INSERT in the log, counters bumped, answered. Nothing else happens while the user waits."""

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from reverie.errors import BadInput
from reverie.language.words import turn_terms
from reverie.model.base import JSON, ORIGINS, ROLES, TRUST_OF, Instant, Origin, Role, new_id
from reverie.model.spaces import SpaceRecord
from reverie.model.turns import Appended, Turn
from reverie.policy.safety.redaction import redact
from reverie.store.db import Database
from reverie.store.rows import dumps_given
from reverie.store.tables import turns

MAX_TEXT = 1_000_000
ORIGIN_OF: Mapping[Role, Origin] = {"user": "user", "assistant": "assistant", "tool": "tool", "system": "unknown"}


@dataclass(frozen=True, slots=True)
class Draft:
    """A turn as a caller gives it."""

    role: str
    text: str
    session: str = "default"
    key: str | None = None
    origin: str | None = None
    speaker: str | None = None
    at: Instant | None = None
    metadata: Mapping[str, JSON] = field(default_factory=dict)


def append(db: Database, space: SpaceRecord, draft: Draft) -> Appended:
    """Durable when it returns. The same key twice stores once."""
    turn = _turn(space.id, draft)
    words, digest, weight = turn_terms(space.num, turn), _digest(draft), importance(turn)
    with db.write("log") as tx:
        return turns.insert(tx, turn, words=words, digest=digest, importance=weight)


def importance(turn: Turn) -> float:
    """A guess from the outside, for the event trigger: people's words weigh, and more of them weigh more."""
    base = 0.5 if turn.role == "user" else 0.2
    return min(1.0, base + len(turn.text) / 2_000)


def _turn(space: str, draft: Draft) -> Turn:
    role = ROLES.get(draft.role)
    if role is None:
        raise BadInput(f"role must be one of {', '.join(ROLES)}, not {draft.role!r}")
    origin = ORIGINS.get(draft.origin) if draft.origin else ORIGIN_OF[role]
    if origin is None:
        raise BadInput(f"origin must be one of {', '.join(ORIGINS)}, not {draft.origin!r}")
    if not draft.text.strip():
        raise BadInput("a turn needs text")
    if len(draft.text) > MAX_TEXT:
        raise BadInput(f"a turn has at most {MAX_TEXT:,} characters, this has {len(draft.text):,}")
    if not draft.session or len(draft.session) > 200:
        raise BadInput("a session's name has 1 to 200 characters")
    clean = redact(draft.text.replace("\x00", ""))
    return Turn(
        id=new_id("turn"),
        space=space,
        seq=0,
        session=draft.session,
        role=role,
        text=clean.text,
        at=time.time() if draft.at is None else checked_instant(draft.at),
        origin=origin,
        trust=TRUST_OF[origin],
        speaker=draft.speaker,
        metadata=draft.metadata,
        key=draft.key,
        redacted=clean.count,
    )


def _digest(draft: Draft) -> str:
    if draft.key is None:
        return ""
    said = dumps_given([draft.role, draft.text, draft.session, draft.origin, draft.speaker, dict(draft.metadata)])
    return hashlib.blake2b(said.encode(), digest_size=16).hexdigest()


EARLIEST, LATEST = -5e10, 1e11  # the years 385 and 5138


def checked_instant(at: Instant) -> Instant:
    """Refuses what no date can be made of: one such turn would break every recall of its space."""
    if not EARLIEST <= at <= LATEST:
        raise BadInput(f"{at!r} is not a moment", next_move="Give seconds since the epoch, UTC (not milliseconds).")
    return at
