"""Who is calling: a key's owner, or on loopback whoever sits at the machine."""

import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from reverie.errors import ConfigError, NotAllowed
from reverie.model.base import Instant
from reverie.model.spaces import KEY_PREFIX, SCOPES, ApiKey, Scope, secret_hash
from reverie.reverie import Reverie
from reverie.server.errors import NoKey, WrongPlace
from reverie.server.settings import ServerSettings, is_loopback

FRESH = 2.0  # seconds that a key is believed without asking the store: how long a revoked one may still work
KNOWN = 10_000
USED_EVERY = 60.0
FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")
RANK = {scope: rank for rank, scope in enumerate(SCOPES)}


@dataclass(frozen=True, slots=True)
class Caller:
    org: str
    scope: Scope
    space: str | None = None  # a key for one space
    key: str | None = None  # None: nobody had to show one

    def may(self, scope: Scope) -> bool:
        return RANK[self.scope] >= RANK[scope]

    def must(self, scope: Scope) -> None:
        if not self.may(scope):
            raise NotAllowed(
                f"this key may {self.scope}, this needs {scope}", next_move="Use a key with a wider scope."
            )

    def must_see_all(self) -> None:
        """For what concerns the whole org."""
        if self.space is not None:
            raise NotAllowed("this key is for one space only", next_move="Use a key of the whole org.")


class Auth:
    """Looks keys up, and remembers them for a moment."""

    def __init__(self, reverie: Reverie, serving: ServerSettings) -> None:
        self._keys = reverie.keys
        self._now = reverie.now
        self._open = serving.loopback and not serving.require_key
        self._operator = Caller(reverie.org, "admin")
        self._known: OrderedDict[str, tuple[ApiKey, float]] = OrderedDict()
        self._used: dict[str, Instant] = {}

    def cached_caller(self, headers: Mapping[str, str]) -> Caller | None:
        """The caller, if that is known without a look into the store."""
        secret = secret_in(headers)
        if secret is None:
            return self._without_key(headers)
        found = self._known.get(secret_hash(secret))
        if found is None or time.monotonic() - found[1] > FRESH:
            return None
        return self._caller(found[0])

    def stored_caller(self, headers: Mapping[str, str]) -> Caller:
        """The same, from the store; called in a worker thread."""
        secret = secret_in(headers)
        if secret is None:
            return self._without_key(headers)
        hash = secret_hash(secret)
        key = self._keys.by_hash(hash)
        if key is None:
            raise NoKey("this key is not known")
        self._known[hash] = (key, time.monotonic())
        while len(self._known) > KNOWN:
            self._known.popitem(last=False)
        caller = self._caller(key)
        self._note_use(key)
        return caller

    def forget(self) -> None:
        """A key was revoked here: believe nothing remembered."""
        self._known.clear()

    def _without_key(self, headers: Mapping[str, str]) -> Caller:
        if not self._open:
            raise NoKey("this server needs a key")
        if any(name in headers for name in FORWARDED):  # a proxy lets strangers in: they need a key
            raise NoKey("a forwarded request needs a key")
        return self._operator

    def _caller(self, key: ApiKey) -> Caller:
        if not key.live(self._now()):
            raise NoKey("this key has been revoked" if key.revoked_at is not None else "this key has expired")
        return Caller(key.org, key.scope, key.space, key.id)

    def _note_use(self, key: ApiKey) -> None:
        now = self._now()
        if now - self._used.get(key.id, 0.0) > USED_EVERY:
            self._used[key.id] = now
            self._keys.note_use(key)


def secret_in(headers: Mapping[str, str]) -> str | None:
    """Our key, from its own header or as a bearer; other bearers (a provider's key, a placeholder) are not ours."""
    own = headers.get("x-reverie-key")
    if own is not None:
        return own
    kind, _, secret = headers.get("authorization", "").partition(" ")
    secret = secret.strip()
    return secret if kind.lower() == "bearer" and secret.startswith(KEY_PREFIX) else None


def check_place(headers: Mapping[str, str], serving: ServerSettings) -> None:
    """DNS rebinding: a page that resolves its own name to 127.0.0.1 still sends its own name as Host or Origin."""
    host = headers.get("host", "")
    if serving.loopback and not is_loopback(_name(host)):
        raise WrongPlace(f"this server does not answer to the host {_name(host)!r}")
    origin = headers.get("origin")
    if origin is not None and not _is_ours(origin, host, serving):
        raise WrongPlace("pages of other sites may not call this server")


def _is_ours(origin: str, host: str, serving: ServerSettings) -> bool:
    _, _, place = origin.partition("://")
    return place == host or (serving.loopback and is_loopback(_name(place)))


def _name(host: str) -> str:
    """
    >>> _name("[::1]:8283"), _name("[::1"), _name("")
    ('::1', '', '')
    """
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def check_start(reverie: Reverie, serving: ServerSettings) -> None:
    """Bound elsewhere than to loopback, somebody must hold a key."""
    if serving.loopback or reverie.keys.any_live():
        return
    raise ConfigError(
        f"{serving.host} can be reached from other machines, and there is no API key yet",
        next_move="Make one with `reverie keys create NAME`, or serve on 127.0.0.1.",
        host=serving.host,
    )
