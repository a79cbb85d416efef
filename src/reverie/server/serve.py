"""Runs the server until it is told to stop, then lets what is being answered come to its end."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import FrameType

import uvicorn
from fastapi import FastAPI

from reverie.config import Config, load
from reverie.reverie import Reverie
from reverie.server.app import create_app
from reverie.server.auth import check_start
from reverie.server.runtime import Server
from reverie.server.serving import Serving

DRAIN_SECONDS = 4


class Listener(uvicorn.Server):
    """Tells the app as soon as it is to stop, so that streams end and /readyz says no."""

    def __init__(self, app: FastAPI, serving: Serving, ready: Callable[[str], None] | None = None) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                host=serving.host,
                port=serving.port,
                http="httptools",
                ws="none",
                lifespan="on",
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=DRAIN_SECONDS,
                backlog=512,
            )
        )
        self._runtime: Server = app.state.server
        self._ready = ready

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        await super().startup(sockets)  # type: ignore[arg-type]
        if self.started and self._ready is not None:
            self._ready(self.address)

    @property
    def address(self) -> str:
        """Where it really listens: port 0 means any that is free."""
        host, port = self.servers[0].sockets[0].getsockname()[:2]
        return f"http://{f'[{host}]' if ':' in host else host}:{port}"

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._runtime.draining = True
        super().handle_exit(sig, frame)


def serve(
    memory: Reverie | str | Path | None = None,
    *,
    host: str | None = None,
    port: int | None = None,
    config: Config | None = None,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serves a store (opened here, unless it is open) until SIGINT or SIGTERM. `ready` is called with the address."""
    given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    with ExitStack() as stack:
        if isinstance(memory, Reverie):
            reverie = memory
        else:
            reverie = stack.enter_context(Reverie.open(memory, config=(config or load())))
        serving = Serving.of(reverie.config.with_values(**given))
        check_start(reverie, serving)
        reverie.warm()
        Listener(create_app(reverie, serving), serving, ready).run()
