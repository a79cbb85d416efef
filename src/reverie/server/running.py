"""The running server of a home, for this user's commands: asked only where it serves just what they would open.

Little is imported here: a command that is answered by a server has no time for more.
"""

from pathlib import Path
from typing import Any

from reverie import __version__
from reverie.agents import local_server
from reverie.config import Config, shown

SAME = ("org", "embedder", "store_secrets")  # settings in which a client must agree with the server that it asks
SECONDS = 30.0


def served(config: Config) -> dict[str, str]:
    """What a server with these settings serves: its version, its store, and what else a client must share."""
    store = shown(config["store"]) or str(Path(config["home"]).expanduser().resolve())
    return {"version": __version__, "store": store, **{name: config[name] for name in SAME}}


def ask(config: Config, method: str, path: str, body: Any = None) -> tuple[int, Any] | None:
    """Status and JSON of the reply; None if no server serves what these settings name, or it does not answer."""
    home = str(Path(config["home"]).expanduser())
    found = local_server.find(home)
    if found is None or found.get("serves") != served(config):
        return None
    reply = local_server.ask(home, method, path, body, SECONDS)
    return None if reply == local_server.NO_ANSWER else reply
