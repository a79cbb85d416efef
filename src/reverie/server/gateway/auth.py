"""Who is calling: a key's owner, or the machine's own user, who can read the token in the home."""

import hmac
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from reverie.errors import ConfigError, NotAllowed
from reverie.model.base import Instant
from reverie.model.spaces import KEY_PREFIX, VERBS, ApiKey, Verb, secret_hash
from reverie.reverie import Reverie
from reverie.server.errors import NoKey, WrongPlace
from reverie.server.settings import ServerSettings, is_loopback

FRESH = 2.0  # seconds that a key is believed without asking the store: how long a revoked one may still work
KNOWN = 10_000
USED_EVERY = 60.0
# What proxies and tunnels put into a request. Such a request is a stranger's, wherever its last hop came from.
FORWARDED = frozenset({"forwarded", "via", "cdn-loop", "x-real-ip", "x-client-ip", "true-client-ip"})
FORWARDED_PREFIXES = ("x-forwarded-", "cf-", "x-original-")
CARRIERS = ("bearer", "token")  # how clients put a key into Authorization


@dataclass(frozen=True, slots=True)
class Caller:
    org: str
    verbs: tuple[Verb, ...]
    space: str | None = None  # a key for one space
    key: str | None = None  # None: the owner of the home

    def may(self, verb: Verb) -> bool:
        return verb in self.verbs

    def must(self, verb: Verb) -> None:
        if not self.may(verb):
            raise NotAllowed(
                f"this key may {', '.join(self.verbs)}; this needs {verb}", next_move=f"Use a key with the verb {verb}."
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
        self._serving = serving
        self._token = secret_hash(serving.token) if serving.token else None
        self._owner = Caller(reverie.org, VERBS)
        self._known: OrderedDict[str, tuple[ApiKey, float]] = OrderedDict()
        self._used: dict[str, Instant] = {}

    def cached_caller(self, headers: Mapping[str, str], peer: str = "") -> Caller | None:
        """The caller, if that is known without a look into the store."""
        secret = secret_in(headers)
        if secret is None:
            return self._without_key(headers, peer)
        hash = secret_hash(secret)
        if self._token is not None and hmac.compare_digest(hash, self._token):
            return self._with_token(headers, peer)
        found = self._known.get(hash)
        if found is None or time.monotonic() - found[1] > FRESH:
            return None
        return self._caller(found[0])

    def stored_caller(self, headers: Mapping[str, str]) -> Caller:
        """Whose key it is, from the store; called in a worker thread."""
        hash = secret_hash(secret_in(headers) or "")
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

    def _without_key(self, headers: Mapping[str, str], peer: str) -> Caller:
        if not self._serving.open:
            raise NoKey("this server needs its token, or a key")
        if not self._is_local(headers, peer):
            raise NoKey("a forwarded request needs a key")
        return self._owner

    def _with_token(self, headers: Mapping[str, str], peer: str) -> Caller:
        """The token says who sits at this machine; it never speaks for somebody behind a proxy."""
        if not self._is_local(headers, peer):
            raise NoKey("the token is for this machine alone", next_move="Make a key with `reverie keys create NAME`.")
        return self._owner

    def _is_local(self, headers: Mapping[str, str], peer: str) -> bool:
        return not was_forwarded(headers) and (self._serving.loopback or is_loopback(peer))

    def _caller(self, key: ApiKey) -> Caller:
        if not key.live(self._now()):
            raise NoKey("this key has been revoked" if key.revoked_at is not None else "this key has expired")
        return Caller(key.org, key.verbs, key.space, key.id)

    def _note_use(self, key: ApiKey) -> None:
        now = self._now()
        if now - self._used.get(key.id, 0.0) > USED_EVERY:
            self._used[key.id] = now
            self._keys.note_use(key)


def was_forwarded(headers: Mapping[str, str]) -> bool:
    """
    >>> was_forwarded({"host": "127.0.0.1"}), was_forwarded({"x-forwarded-host": "a"}), was_forwarded({"via": "1.1 b"})
    (False, True, True)
    """
    return any(name in FORWARDED or name.startswith(FORWARDED_PREFIXES) for name in headers)


def secret_in(headers: Mapping[str, str]) -> str | None:
    """Our key, wherever a client can put it; other keys there (a provider's, a placeholder) are not ours."""
    own = headers.get("x-reverie-key")
    if own is not None:
        return own
    kind, _, secret = headers.get("authorization", "").partition(" ")
    secret = secret.strip() if kind.lower() in CARRIERS else headers.get("x-api-key", "")
    return secret if secret.startswith(KEY_PREFIX) else None


def check_place(headers: Mapping[str, str], serving: ServerSettings) -> None:
    """DNS rebinding: a page that resolves its own name to 127.0.0.1 still sends its own name as Host or Origin."""
    host = headers.get("host", "")
    if serving.loopback and not is_loopback(_name(host)):
        raise WrongPlace(f"this server does not answer to the host {_name(host)!r}")
    origin = headers.get("origin")
    if origin is not None and not _is_ours(origin, host):
        raise WrongPlace("pages of other sites may not call this server")


def check_not_from_a_page(headers: Mapping[str, str]) -> None:
    """What a page of another site makes a browser fetch has no Origin, if it is an image or a link."""
    if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        raise WrongPlace("pages of other sites may not call this server")


def _is_ours(origin: str, host: str) -> bool:
    scheme, _, place = origin.partition("://")
    return scheme in ("http", "https") and place == host != ""


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
