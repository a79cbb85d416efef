"""Running it: serve, up, worker, mcp."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from reverie.cli.app import app, configuration, open_store
from reverie.cli.output import Output
from reverie.errors import UsageError

Host = Annotated[str | None, typer.Option(help="Address to listen on; other than loopback needs a key.")]
Port = Annotated[str | None, typer.Option(metavar="NUMBER", help="Port to listen on; 0: any that is free.")]


@app.command()
def serve(host: Host = None, port: Port = None) -> None:
    """Serve REST and MCP, until Ctrl-C. Nobody sleeps unless `reverie worker` runs too: see `up`."""
    config = configuration(host=host, port=port)
    with _server_installed():
        from reverie.server.serve import Hooks, serve

        serve(config=config, hooks=Hooks(ready=_say))


@app.command()
def up(host: Host = None, port: Port = None) -> None:
    """Everything in one command: the server, and the sleeper beside it. Ctrl-C ends both."""
    config = configuration(host=host, port=port)
    with _server_installed():
        from reverie.server.serve import up

        up(config, ready=_say)


def _say(address: str) -> None:
    err = Output(as_json=False).err
    err.print(f"Reverie listens at {address}, its routes are at {address}/docs", soft_wrap=True)
    err.print("Ctrl-C stops it.", style="dim")


@contextmanager
def _server_installed() -> Iterator[None]:
    """The server's packages are an extra; without them the next move is said."""
    try:
        yield
    except ModuleNotFoundError as missing:
        raise UsageError(
            f"the server needs the package {missing.name}", next_move="pip install 'reverie[server]'"
        ) from missing


@app.command()
def worker() -> None:
    """Sleep for all spaces of a store, in this process, until Ctrl-C. Many may run on one Postgres."""
    from reverie.worker import work

    with open_store() as (memory, output):
        output.err.print("The sleeper watches. Ctrl-C stops it at the next batch, a second one at once.", style="dim")
        work(memory)


@app.command()
def mcp() -> None:
    """Serve this memory over stdio, for Claude Code, Cursor and other MCP clients."""
    try:
        from reverie.server.mcp import serve_stdio
    except ImportError as missing:
        raise UsageError(
            f"MCP needs the package {missing.name}", next_move="pip install 'reverie[mcp,server]'"
        ) from missing
    with open_store() as (memory, _output):
        memory.warm()
        serve_stdio(memory)
