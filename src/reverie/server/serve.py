"""Runs the server until it is told to stop, then lets what is being answered come to its end; `up` adds a sleeper."""

import logging
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

import uvicorn
from fastapi import FastAPI

from reverie import telemetry
from reverie.agents.local_server import STARTING
from reverie.config import Config, load
from reverie.errors import UsageError
from reverie.reverie import Reverie
from reverie.server.app import LOCAL_SURFACES, SURFACES, create_app
from reverie.server.gateway.auth import check_start
from reverie.server.gateway.connection import bounded
from reverie.server.local_socket import LocalSocket, claimed, is_free
from reverie.server.settings import ServerSettings
from reverie.server.state import Server
from reverie.token import make_token

DRAIN_SECONDS = 3
SPOOL_TICKS = 50  # tenths of a second between two looks at what hooks kept while no server answered
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

    def __init__(self, app: FastAPI, serving: ServerSettings, hooks: "Hooks", local: LocalSocket | None = None) -> None:
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
        self._local = local
        self._idle_seconds = serving.idle_seconds

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            if self._local is not None:
                self._serve_hooks(self._local)
            self._hooks.ready(Listening(self.address, self._token))

    async def on_tick(self, counter: int) -> bool:
        """Ends a server that only its own user's programs can reach when none of them has asked for long."""
        if self._idle_seconds and time.monotonic() - self._runtime.asked_at > self._idle_seconds:
            self._runtime.drain(MODEL_SECONDS)
            self._hooks.stopping()
            return True
        if self._local is not None and counter % SPOOL_TICKS == SPOOL_TICKS - 1:
            self._runtime.talk_later(self._take_in)
        return await super().on_tick(counter)

    def _serve_hooks(self, local: LocalSocket) -> None:
        """Says where hooks find this server, and takes in what they kept for it."""
        space = self._runtime.reverie.space()
        local.announce(self._runtime.reverie.config, self.address)
        self._runtime.talk_later(lambda: self._runtime.hooks.begin(space, time.time()))

    def _take_in(self) -> None:
        self._runtime.hooks.take_in_spooled(self._runtime.reverie.space())

    @property
    def address(self) -> str:
        """Where it really listens: port 0 means any that is free."""
        name = self.servers[0].sockets[0].getsockname()
        if isinstance(name, str):
            return f"unix:{name}"
        return f"http://{f'[{name[0]}]' if ':' in name[0] else name[0]}:{name[1]}"

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._runtime.drain(MODEL_SECONDS)
        self._hooks.stopping()
        super().handle_exit(sig, frame)


def serve(
    memory: Reverie | str | Path | None = None,
    *,
    config: Config | None = None,
    hooks: Hooks = Hooks(),
    socket_only: bool = False,
) -> None:
    """Serves a store (opened here, unless it is open) until SIGINT or SIGTERM.

    `socket_only`: on the socket of the home alone, until nobody has asked for long; not at all if a server has it.
    """
    with ExitStack() as stack:
        if isinstance(memory, Reverie):
            reverie = memory
        else:
            reverie = stack.enter_context(Reverie.open(memory, config=config or load()))
        local = stack.enter_context(claimed(reverie.home))
        if socket_only and local is None:
            return
        serving = ServerSettings.of(reverie.config, make_token(reverie.home), socket_only=socket_only)
        check_start(reverie, serving)
        own = [] if local is None else [local.bound]
        sockets = own if socket_only else [stack.enter_context(bound(serving)), *own]
        log_plainly(reverie.config["log_level"])
        if socket_only:  # a hook waits: who needs the embedder waits for it, the others need not
            threading.Thread(target=reverie.warm, name="reverie-warm", daemon=True).start()
        else:
            reverie.warm()
        app = create_app(reverie, serving, surfaces=LOCAL_SURFACES if socket_only else SURFACES)
        with _signals_are_heard_once():
            Listener(app, serving, hooks, local).run(sockets=sockets)


def log_plainly(level: str) -> None:
    """One line an event, before the packages that we use choose a look of their own."""
    telemetry.log_plainly()
    logging.getLogger("reverie").setLevel(level.upper())


def bound(serving: ServerSettings) -> socket.socket:
    """A socket at the server's address. Says it plainly when that cannot be had: uvicorn would log it and leave."""
    family = socket.AF_INET6 if ":" in serving.host else socket.AF_INET
    # Said to be TCP: only then asyncio sends small pieces at once, and an answer does not wait 40 ms for a receipt.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((serving.host, serving.port))
    except OSError as error:
        made.close()
        raise UsageError(
            f"cannot listen on {serving.host}:{serving.port}: {error.strerror}",
            next_move="Choose another with --port, or stop what listens there.",
        ) from error
    return made


@contextmanager
def _signals_are_heard_once() -> Iterator[None]:
    """uvicorn raises the signal that ended it again, which would end the process before the store is closed."""
    before = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def up(
    config: Config | None = None,
    *,
    ready: Callable[[Listening], None] = lambda _listening: None,
    socket_only: bool = False,
) -> None:
    """Serves and sleeps until SIGINT or SIGTERM. Makes the store and its token if there is none."""
    with Reverie.open(config=config or load()) as memory:
        check_start(memory, ServerSettings.of(memory.config, socket_only=socket_only))
        if socket_only and not is_free(memory.home):
            (memory.home / STARTING).unlink(missing_ok=True)
            return
        sleepers = [] if socket_only else [memory.start_sleeper()]

        def listening(where: Listening) -> None:
            if socket_only:  # not before: the two would load beside each other while a hook waits
                sleepers.append(memory.start_sleeper())
            ready(where)

        def stopping() -> None:
            """The sleeper ends while the server lets its last requests end: together they take no longer."""
            for sleeper in sleepers:
                threading.Thread(target=sleeper.stop, args=(DRAIN_SECONDS,), name="reverie-stop").start()

        serve(memory, hooks=Hooks(listening, stopping), socket_only=socket_only)
