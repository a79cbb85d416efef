"""How a server is run: where it listens, and what it lets in at once."""

import ipaddress
from dataclasses import dataclass

from reverie.config import Config

LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class ServerSettings:
    host: str = "127.0.0.1"
    port: int = 8283
    max_body: int = 8 * 2**20  # bytes
    requests_per_minute: int = 6_000  # of one key
    max_in_flight: int = 256
    workers: int = 8  # threads that call the library
    talks: int = 64  # exchanges that wait for a model at once
    require_key: bool = False  # on loopback too
    hot: bool = True  # the short way for append, recall and context

    @classmethod
    def of(cls, config: Config) -> "ServerSettings":
        return cls(
            host=config["host"],
            port=config["port"],
            max_body=int(config["max_body_mb"] * 2**20),
            requests_per_minute=config["requests_per_minute"],
        )

    @property
    def loopback(self) -> bool:
        return is_loopback(self.host)


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
