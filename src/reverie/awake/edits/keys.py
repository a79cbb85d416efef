"""API keys: made once, shown once, stored as a hash."""

import secrets
from collections.abc import Iterable

from reverie.errors import BadInput, NotFound
from reverie.model.base import DAY, Instant, new_id
from reverie.model.spaces import KEY_PREFIX, VERBS, ApiKey, NewKey, Verb, secret_hash, with_brought
from reverie.store.db import Database
from reverie.store.tables import keys


def create(
    db: Database,
    org: str,
    name: str,
    verbs: str | Iterable[str],
    now: Instant,
    *,
    space: str | None,
    days: float | None,
) -> NewKey:
    """A key of the org; with `space`, an id, for that space only."""
    if not name.strip() or len(name) > 200:
        raise BadInput("a key's name has 1 to 200 characters")
    if days is not None and not 0 < days < 36_500:
        raise BadInput("a key lives for more than 0 days and less than 100 years")
    key = ApiKey(
        id=new_id("key"),
        org=org,
        name=name.strip(),
        verbs=checked_verbs(verbs),
        space=space,
        created_at=now,
        expires_at=None if days is None else now + days * DAY,
    )
    secret = KEY_PREFIX + secrets.token_urlsafe(32)
    keys.create(db, key, secret_hash(secret))
    return NewKey(key, secret)


def checked_verbs(given: str | Iterable[str]) -> tuple[Verb, ...]:
    """What a key may do, from a list or from words with commas between them."""
    words = [word.strip() for word in (given.split(",") if isinstance(given, str) else given)]
    known: dict[str, Verb] = {verb: verb for verb in VERBS}
    if not words or not all(word in known for word in words):
        raise BadInput(f"verbs are some of {', '.join(VERBS)}, not {', '.join(words) or 'none'!r}")
    return with_brought(known[word] for word in words)


def revoke(db: Database, org: str, id: str, now: Instant) -> ApiKey:
    """The key as it is afterwards; one that was revoked before stays as it was."""
    known = keys.revoke(db, org, id, now)
    found = keys.by_id(db, org, id) if known else None
    if found is None:
        raise NotFound("key", id, next_move="`reverie keys list` shows the keys of an org.")
    return found
