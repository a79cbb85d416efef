"""For coding agents: mcp."""

from reverie.cli.app import app, opened_store
from reverie.errors import UsageError


@app.command()
def mcp() -> None:
    """Serve this memory over stdio, for Claude Code, Cursor and other MCP clients."""
    try:
        from reverie.server.mcp import serve_stdio
    except ImportError as missing:
        raise UsageError(
            f"MCP needs the package {missing.name}", next_move="pip install 'reverie[mcp,server]'"
        ) from missing
    with opened_store() as (memory, _output):
        memory.warm()
        serve_stdio(memory)
