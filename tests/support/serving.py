"""A server in the test's own process, and keys to call it with."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from starlette.testclient import TestClient

from reverie import Reverie
from reverie.server.app import create_app
from reverie.server.settings import ServerSettings

HERE = "http://127.0.0.1:8283"
TOKEN = "rv_" + "t" * 43  # of the machine's owner


@contextmanager
def running(memory: Reverie, **serving: Any) -> Iterator[TestClient]:
    """The app with its lifespan: its threads have ended when this is left, and the store may be closed.

    The client has the token of the owner, unless the test says what is required, and brings its own.
    """
    own = {} if "require_key" in serving else {"authorization": f"Bearer {TOKEN}"}
    with TestClient(
        create_app(memory, ServerSettings(**{"token": TOKEN, **serving})),
        base_url=HERE,
        headers=own,
        raise_server_exceptions=False,
    ) as client:
        yield client


def bearer(memory: Reverie, verbs: str = "read,write", **key: Any) -> dict[str, str]:
    return {"authorization": f"Bearer {memory.keys.create('test', verbs, **key).secret}"}


def error_of(reply: Any) -> dict[str, Any]:
    body = reply.json()
    assert set(body) == {"error"}, body
    assert set(body["error"]) == {"code", "message", "next_move", "data"}
    said: dict[str, Any] = body["error"]
    return said
