"""How a server is run: where it listens, whom it lets in, and how much at once."""

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from reverie.config import Config

MOST_SEARCHERS = 8
LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class ServerSettings:
    host: str = "127.0.0.1"
    port: int = 8283
    max_body: int = 8 * 2**20  # bytes
    max_headers: int = 32 * 2**10  # bytes, the request line included
    header_seconds: float = 10.0  # until a request's headers are there
    body_seconds: float = 30.0  # until its body is
    requests_per_minute: int = 6_000  # of one key
    max_in_flight: int = 256
    max_unfinished: int = 256  # connections whose request has not come in whole
    workers: int = 8  # threads that call the library
    searchers: int = 0  # processes that answer recalls beside it, once several come at a time
    talks: int = 64  # exchanges that wait for a model at once
    require_key: bool = True  # on loopback too: the token of the home, or a key
    token: str | None = field(default=None, repr=False)  # of the home: on this machine it stands for its owner
    providers: Mapping[str, str] = field(default_factory=dict)  # where proxied requests go, by the path they come in at
    proxy_mode: str = "read-write"
    hot: bool = True  # the short way for append, recall and context
    idle_seconds: float = 0.0  # without a request, until it ends by itself; 0: never

    @classmethod
    def of(cls, config: Config, token: str | None = None, *, socket_only: bool = False) -> "ServerSettings":
        """As configured; one that only the home's socket reaches is on this machine, and ends when it is idle."""
        return cls(
            host="127.0.0.1" if socket_only else config["host"],
            idle_seconds=60.0 * config["server_idle_minutes"] if socket_only else 0.0,
            port=config["port"],
            searchers=0 if socket_only else searchers_of(config["processes"], os.cpu_count() or 1),
            max_body=int(config["max_body_mb"] * 2**20),
            requests_per_minute=config["requests_per_minute"],
            require_key=config["require_key"],
            token=token,
            providers={"/openai/v1": config["proxy_openai_url"], "/anthropic": config["proxy_anthropic_url"]},
            proxy_mode=config["proxy_mode"],
        )

    @property
    def loopback(self) -> bool:
        return is_loopback(self.host)

    @property
    def open(self) -> bool:
        """Whether everybody on this machine may call it."""
        return self.loopback and not self.require_key


def is_loopback(host: str) -> bool:
    """
    >>> [is_loopback(host) for host in ("localhost", "127.0.0.1", "::1", "0.0.0.0", "example.org")]
    [True, True, True, False, False]
    """
    if host in LOCAL_NAMES:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def searchers_of(processes: int, cores: int) -> int:
    """How many searchers a server may start: as many as are set, or one a core; none is one process alone.

    >>> searchers_of(0, 2), searchers_of(0, 1), searchers_of(1, 8), searchers_of(3, 2), searchers_of(0, 64)
    (2, 0, 0, 3, 8)
    """
    wanted = processes or min(cores, MOST_SEARCHERS)
    return wanted if wanted > 1 else 0
