"""Connect: for each client the lines to paste, and which keys have been used when."""

from dataclasses import dataclass

from starlette.responses import Response

from reverie.console.shell import Here, Reading, Screens

routes = Screens()


@dataclass(frozen=True, slots=True)
class ClientLines:
    name: str
    lines: str
    note: str = ""


@routes.screen("/connect")
def connect(here: Reading) -> Response:
    keys = here.org.keys.list(limit=100) if here.may("admin") and here.caller.space is None else []
    return here.page("connect.html", clients=clients(here), keys=keys)


def clients(here: Here) -> list[ClientLines]:
    """What to paste, with this server's own address and this space's own name."""
    base = f"{here.request.url.scheme}://{here.request.headers.get('host', '127.0.0.1:8283')}"
    name, id = here.space.name, here.space.id
    return [
        ClientLines("REST", f"""curl -X POST {base}/v1/spaces/{id}/turns \\
  -H 'authorization: Bearer $REVERIE_KEY' -H 'content-type: application/json' \\
  -d '{{"role": "user", "text": "I moved to Lisbon."}}'"""),
        ClientLines("Python", f"""from reverie import Reverie

with Reverie.open() as memory:
    memory.space({name!r}).append("user", "I moved to Lisbon.")"""),
        ClientLines("Claude Code", f"claude mcp add reverie -- reverie mcp --space {name!r}"),
        ClientLines("MCP over HTTP", f"""{{"mcpServers": {{"reverie": {{
  "url": "{base}/mcp",
  "headers": {{"authorization": "Bearer $REVERIE_KEY"}}
}}}}}}""", "For Cursor, Codex, Gemini and others: into their file of MCP servers."),
        ClientLines("letta-client", f"""from letta_client import Letta

client = Letta(base_url={base!r}, api_key="$REVERIE_KEY")
client.agents.messages.create({id!r}, messages=[{{"role": "user", "content": "I moved to Lisbon."}}])"""),
    ]  # fmt: skip
