"""Runs the server until it is told to stop, then lets what is being answered come to its end; `up` adds a sleeper."""

import logging
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

import uvicorn
from fastapi import FastAPI

from reverie import telemetry
from reverie.config import Config, load
from reverie.errors import UsageError
from reverie.reverie import Reverie
from reverie.server import running
from reverie.server.app import create_app
from reverie.server.gateway.auth import check_start
from reverie.server.gateway.connection import bounded
from reverie.server.running import Running
from reverie.server.settings import ServerSettings
from reverie.server.state import Server
from reverie.token import make_token

DRAIN_SECONDS = 3
MODEL_SECONDS = 2  # of them: then an answer comes from memory, in time to be sent


@dataclass(frozen=True, slots=True)
class Listening:
    """Where a server listens, and what a client of this machine shows it; None: nothing."""

    address: str
    token: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Hooks:
    """What else happens when the server listens, and when it is told to stop."""

    ready: Callable[[Listening], None] = lambda _listening: None
    stopping: Callable[[], None] = lambda: None


class Listener(uvicorn.Server):
    """Tells the app as soon as it is to stop, so that streams end and /readyz says no."""

    def __init__(self, app: FastAPI, serving: ServerSettings, hooks: "Hooks") -> None:
        super().__init__(
            uvicorn.Config(
                app,
                host=serving.host,
                port=serving.port,
                http=bounded(serving),
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
        self._hooks = hooks
        self._token = None if serving.open else serving.token

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._hooks.ready(Listening(self.address, self._token))

    @property
    def address(self) -> str:
        """Where it really listens: port 0 means any that is free."""
        host, port = self.servers[0].sockets[0].getsockname()[:2]
        return f"http://{f'[{host}]' if ':' in host else host}:{port}"

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._runtime.drain(MODEL_SECONDS)
        self._hooks.stopping()
        super().handle_exit(sig, frame)


def serve(memory: Reverie | str | Path | None = None, *, config: Config | None = None, hooks: Hooks = Hooks()) -> None:
    """Serves a store (opened here, unless it is open) until SIGINT or SIGTERM."""
    with ExitStack() as stack:
        if isinstance(memory, Reverie):
            reverie = memory
        else:
            reverie = stack.enter_context(Reverie.open(memory, config=config or load()))
        serving = ServerSettings.of(reverie.config, make_token(reverie.home))
        check_start(reverie, serving)
        check_free(serving)
        log_plainly(reverie.config["log_level"])
        reverie.warm()
        with _signals_are_heard_once(), _noted(reverie, serving, hooks) as noting:
            Listener(create_app(reverie, serving), serving, noting).run()


@contextmanager
def _noted(reverie: Reverie, serving: ServerSettings, hooks: Hooks) -> Iterator[Hooks]:
    """The hooks, with a note in the home while the server listens: commands and hooks of this user find it there."""

    def ready(listening: Listening) -> None:
        if serving.loopback:
            running.note(reverie.home, Running(os.getpid(), listening.address, running.served(reverie.config)))
        hooks.ready(listening)

    try:
        yield Hooks(ready, hooks.stopping)
    finally:
        running.leave(reverie.home, os.getpid())


def log_plainly(level: str) -> None:
    """One line an event, before the packages that we use choose a look of their own."""
    telemetry.log_plainly()
    logging.getLogger("reverie").setLevel(level.upper())


def check_free(serving: ServerSettings) -> None:
    """Says it plainly when the address cannot be listened on: uvicorn would log it and leave."""
    family = socket.AF_INET6 if ":" in serving.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((serving.host, serving.port))
        except OSError as error:
            raise UsageError(
                f"cannot listen on {serving.host}:{serving.port}: {error.strerror}",
                next_move="Choose another with --port, or stop what listens there.",
            ) from error


@contextmanager
def _signals_are_heard_once() -> Iterator[None]:
    """uvicorn raises the signal that ended it again, which would end the process before the store is closed."""
    before = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def up(config: Config | None = None, *, ready: Callable[[Listening], None] = lambda _listening: None) -> None:
    """Serves and sleeps until SIGINT or SIGTERM. Makes the store and its token if there is none."""
    with Reverie.open(config=config or load()) as memory:
        check_start(memory, ServerSettings.of(memory.config))
        sleeper = memory.start_sleeper()

        def stopping() -> None:
            """The sleeper ends while the server lets its last requests end: together they take no longer."""
            threading.Thread(target=sleeper.stop, args=(DRAIN_SECONDS,), name="reverie-stop").start()

        serve(memory, hooks=Hooks(ready, stopping))
