"""A server that really listens, in a thread of the test's own process: what it calls can be made slow, or broken."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI

from reverie import Reverie
from reverie.server.app import create_app
from reverie.server.settings import ServerSettings
from tests.support.serving import TOKEN
from tests.support.waiting import until


@contextmanager
def live(memory: Reverie, **serving: Any) -> Iterator[str]:
    """Its address; the owner's token is `serving.TOKEN`."""
    with listening(create_app(memory, ServerSettings(**{"token": TOKEN, **serving}))) as address:
        yield address


@contextmanager
def listening(app: FastAPI) -> Iterator[str]:
    """An app's address while it is served."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_config=None, access_log=False, lifespan="on", ws="none"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        assert until(lambda: server.started, 20)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(20)
