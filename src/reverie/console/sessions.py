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
LASTS = 12 * 3600.0  # seconds since it was last used
MOST = 1_000


@dataclass
class ConsoleSession:
    """`secret` is the key or token that signed in, checked anew at each request; None where none is needed."""

    id: str
    secret: str | None = None
    mark: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    told: list[str] = field(default_factory=list)  # what the next page says first
    used_at: float = field(default_factory=time.monotonic)

    def check(self, mark: str) -> None:
        """Raises NotAllowed for a form that did not come from a page of this session."""
        if not hmac.compare_digest(mark.encode(), self.mark.encode()):
            raise NotAllowed("this form is not from a page of this session", next_move="Reload the page and try again.")


class Sessions:
    """Held in memory: a restarted server asks to sign in again."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, ConsoleSession] = OrderedDict()

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

    def begin(self, secret: str | None) -> ConsoleSession:
        made = ConsoleSession(secrets.token_urlsafe(32), secret)
        self._known[made.id] = made
        while len(self._known) > MOST:
            self._known.popitem(last=False)
        return made

    def end(self, session: ConsoleSession) -> None:
        self._known.pop(session.id, None)


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
