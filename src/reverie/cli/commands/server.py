"""Running it: serve, up, connect, worker, workers, mcp."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from reverie.cli import talk
from reverie.cli.app import JsonFlag, app, configuration, open_store
from reverie.cli.output import Output, when
from reverie.errors import UsageError, extra_needed
from reverie.language.calendar import span

if TYPE_CHECKING:
    from reverie.server.serve import Listening

Host = Annotated[str | None, typer.Option(help="Address to listen on; other than loopback needs a key.")]
Port = Annotated[str | None, typer.Option(metavar="NUMBER", help="Port to listen on; 0: any that is free.")]
Open = Annotated[
    bool, typer.Option("--open", help="Ask for no token on loopback: every user of this machine may call it.")
]
SocketOnly = Annotated[
    bool,
    typer.Option("--socket", help="Only for hooks and commands of this home, by its socket; ends when idle for long."),
]
Processes = Annotated[
    str | None,
    typer.Option(metavar="NUMBER", help="Processes that answer recalls when many come at once; 1: the server alone."),
]
OPEN = "No token is asked for: every user and every program of this machine can read and change this memory."


@app.command()
def serve(host: Host = None, port: Port = None, unlocked: Open = False, processes: Processes = None) -> None:
    """Serve REST and MCP, until Ctrl-C. Nobody sleeps unless `reverie worker` runs too: see `up`."""
    config = configuration(host=host, port=port, require_key=False if unlocked else None, processes=processes)
    with _server_installed():
        from reverie.server.serve import Hooks, serve

        serve(config=config, hooks=Hooks(ready=_say))


@app.command()
def up(
    host: Host = None,
    port: Port = None,
    unlocked: Open = False,
    socket_only: SocketOnly = False,
    processes: Processes = None,
) -> None:
    """Everything in one command: the server, and the sleeper beside it. Ctrl-C ends both."""
    config = configuration(host=host, port=port, require_key=False if unlocked else None, processes=processes)
    with _server_installed():
        from reverie.server.serve import up

        up(config, ready=_say, socket_only=socket_only)


def _say(listening: "Listening") -> None:
    """Where it listens, and what to copy. A token is shown to a person, never written into a log."""
    from reverie.server.connect import connections

    err = Output(as_json=False).err
    if listening.address.startswith("unix:"):
        err.print(f"Reverie listens at {listening.address}", soft_wrap=True)
        return
    err.print(f"Reverie listens at {listening.address}, its routes are at {listening.address}/docs", soft_wrap=True)
    if listening.token is None:
        err.print(OPEN, style="bold", soft_wrap=True)
    elif not sys.stderr.isatty():
        err.print("It asks for its token: `reverie connect` prints the lines to copy.", soft_wrap=True)
    else:
        for client, line in connections(listening.address, listening.token).items():
            err.print(f"  {client}: {line}", soft_wrap=True, markup=False, highlight=False)
    err.print("`reverie console` opens the console in a browser. Ctrl-C stops it.", style="dim")


@app.command()
def connect(
    host: Host = None,
    port: Port = None,
    token: Annotated[bool, typer.Option("--token", help="Print the token alone.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """What to copy into a client of `reverie up`: the address where it listens, with the token of this home."""
    from reverie.server.connect import connections
    from reverie.server.local_socket import running_address
    from reverie.token import make_token

    config = configuration(host=host, port=port)
    with open_store(as_json) as (memory, output):
        secret = make_token(memory.home) if config["require_key"] else None
        name = f"[{config['host']}]" if ":" in config["host"] else config["host"]
        running = running_address(config) if host is None and port is None else None
        address = running or f"http://{name}:{config['port']}"
        lines = connections(address, secret)
        shown = (secret or "") if token else "\n".join(f"{client}: {line}" for client, line in lines.items())
        output.value({"address": address, "token": secret, "lines": lines}, shown)


@contextmanager
def _server_installed() -> Iterator[None]:
    """The server's packages are an extra; without them the next move is said."""
    try:
        yield
    except ModuleNotFoundError as missing:
        raise UsageError(f"the server needs the package {missing.name}", next_move=extra_needed("server")) from missing


@app.command()
def worker() -> None:
    """Sleep for all spaces of a store, in this process, until Ctrl-C. Many may run on one Postgres."""
    from reverie.worker import work

    with open_store() as (memory, output):
        output.err.print("The sleeper watches. Ctrl-C stops it at the next batch, a second one at once.", style="dim")
        work(memory)


@app.command()
def workers(as_json: JsonFlag = False) -> None:
    """Who sleeps for this store: on what, since when, and when it was last heard of."""
    with open_store(as_json) as (memory, output):
        now = memory.now()
        columns = {
            "worker": lambda w: w.name,
            "state": lambda w: w.state,
            "space": lambda w: w.space_name or w.space,
            "step": lambda w: w.step,
            "since": lambda w: when(w.since),
            "heard": lambda w: f"{span(max(0.0, now - w.heard_at))} ago",
            "engine": lambda w: w.engine,
            "version": lambda w: w.version,
        }
        output.rows(memory.workers(), columns, empty="Nobody sleeps for this store. Try: reverie worker")


@app.command()
def mcp() -> None:
    """Serve this memory over stdio, for Claude Code, Cursor and other MCP clients."""
    talk.mcp()
