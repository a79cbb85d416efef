"""API keys: made once, shown once, kept as a hash."""

import hashlib
import secrets
from dataclasses import dataclass

from reverie.errors import BadInput, NotFound
from reverie.model.base import DAY, Instant, new_id
from reverie.model.spaces import SCOPES, ApiKey, Scope
from reverie.reverie import Reverie
from reverie.store.tables import keys, spaces

PREFIX = "rv_"


@dataclass(frozen=True, slots=True)
class NewKey:
    """`secret` is shown this once."""

    key: ApiKey
    secret: str


def hashed(secret: str) -> str:
    """Plain SHA-256: the secret has 256 bits of chance, so there is nothing to guess slowly."""
    return hashlib.sha256(secret.encode()).hexdigest()


def create_key(
    reverie: Reverie, name: str, scope: Scope = "write", *, space: str | None = None, days: float | None = None
) -> NewKey:
    """A key of the org that `reverie` works in; with `space` (id or name), for that space only."""
    if scope not in SCOPES:
        raise BadInput(f"scope must be one of {', '.join(SCOPES)}, not {scope!r}")
    if not name.strip() or len(name) > 200:
        raise BadInput("a key's name has 1 to 200 characters")
    if days is not None and not 0 < days < 36_500:
        raise BadInput("a key lives for more than 0 days and less than 100 years")
    now = reverie.parts.clock()
    key = ApiKey(
        id=new_id("key"),
        org=reverie.org,
        name=name.strip(),
        scope=scope,
        space=None if space is None else _space_id(reverie, space),
        created_at=now,
        expires_at=None if days is None else now + days * DAY,
    )
    secret = PREFIX + secrets.token_urlsafe(32)
    keys.create(reverie.parts.db, key, hashed(secret))
    return NewKey(key, secret)


def list_keys(reverie: Reverie, *, limit: int = 50, after: str | None = None) -> list[ApiKey]:
    return keys.listed(reverie.parts.db, reverie.org, limit=limit, after=after)


def revoke_key(reverie: Reverie, id: str) -> None:
    if not keys.revoke(reverie.parts.db, reverie.org, id, reverie.parts.clock()):
        raise NotFound("key", id, next_move="`reverie keys list` shows the keys of an org.")


def is_live(key: ApiKey, now: Instant) -> bool:
    return key.revoked_at is None and (key.expires_at is None or now < key.expires_at)


def _space_id(reverie: Reverie, space: str) -> str:
    found = spaces.named(reverie.parts.db, reverie.org, space)
    return found.id if found else reverie.space_by_id(space).id
