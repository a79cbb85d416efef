"""Who is signed in at the console: a cookie names a session of this server, and every form carries its mark."""

import hmac
import secrets
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie

from reverie.errors import NotAllowed

COOKIE = "reverie_console"
PAGES = "/console"  # where the cookie counts, and the only place that a browser sends it to
LASTS = 12 * 3600.0  # seconds since it was last used
CODE_LASTS = 60.0  # seconds
MOST = 1_000


@dataclass
class ConsoleSession:
    """`secret` is the key or token that signed in, checked anew at each request; None where none is needed."""

    id: str
    secret: str | None = None
    mark: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    told: list[str] = field(default_factory=list)  # what the next page says first
    used_at: float = field(default_factory=time.monotonic)
    peer: str = ""  # the address it was begun from

    @property
    def idle(self) -> float:
        """Seconds since it was last used."""
        return time.monotonic() - self.used_at

    def check(self, mark: str) -> None:
        """Raises NotAllowed for a form that did not come from a page of this session."""
        if not hmac.compare_digest(mark.encode(), self.mark.encode()):
            raise NotAllowed("this form is not from a page of this session", next_move="Reload the page and try again.")


class ConsoleSessions:
    """Held in memory: a restarted server asks to sign in again."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, ConsoleSession] = OrderedDict()
        self._codes: OrderedDict[str, tuple[str | None, float]] = OrderedDict()

    def of(self, headers: Mapping[str, str]) -> ConsoleSession | None:
        """The session that a request's cookie names, if it still lasts."""
        found = self._known.get(_cookie(headers.get("cookie", "")))
        if found is None:
            return None
        if time.monotonic() - found.used_at > LASTS:
            self.end(found)
            return None
        found.used_at = time.monotonic()
        self._known.move_to_end(found.id)
        return found

    def begin(self, secret: str | None, peer: str = "") -> ConsoleSession:
        made = ConsoleSession(secrets.token_urlsafe(32), secret, peer=peer)
        self._known[made.id] = made
        while len(self._known) > MOST:
            self._known.popitem(last=False)
        return made

    def listed(self, limit: int = 50) -> list[ConsoleSession]:
        """Those that last, the one used last first."""
        lasting = [one for one in self._known.values() if one.idle <= LASTS]
        return lasting[::-1][:limit]

    def end(self, session: ConsoleSession) -> None:
        self._known.pop(session.id, None)

    def key_of(self, path: str, headers: Mapping[str, str]) -> str | None:
        """The key or token that the request's session was begun with; a cookie counts for pages alone."""
        found = self.of(headers) if path.startswith(PAGES) else None
        return None if found is None else found.secret

    def code_for(self, secret: str | None) -> str:
        """A word that lets a browser in once, within a minute: it may stand in an address, a key may not."""
        code = secrets.token_urlsafe(24)
        self._codes[code] = (secret, time.monotonic() + CODE_LASTS)
        while len(self._codes) > MOST:
            self._codes.popitem(last=False)
        return code

    def enter(self, code: str, peer: str = "") -> ConsoleSession | None:
        """The session that a code begins; None if it was used or is too old."""
        secret, until = self._codes.pop(code, (None, 0.0))
        return self.begin(secret, peer) if time.monotonic() < until else None


def _cookie(header: str) -> str:
    """
    >>> _cookie("a=b; reverie_console=xyz"), _cookie("bad=\\x01;;")
    ('xyz', '')
    """
    try:
        found = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found is not None else ""
