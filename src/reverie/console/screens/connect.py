"""Connect: for each client the lines to paste, and which keys have been used when."""

from dataclasses import dataclass

from starlette.responses import Response

from reverie.console.shell import Here, Reading, Screens
from reverie.server.connect import connections

routes = Screens()


@dataclass(frozen=True, slots=True)
class ClientLines:
    name: str
    lines: str


@routes.screen("/connect")
def connect(here: Reading) -> Response:
    keys = here.org.keys.list(limit=100) if here.may("admin") and here.caller.space is None else []
    return here.page("connect.html", clients=clients(here), keys=keys)


def clients(here: Here) -> list[ClientLines]:
    """What to paste, with this server's own address and the key that this page was opened with."""
    base = f"{here.request.url.scheme}://{here.request.headers.get('host', '127.0.0.1:8283')}"
    turn = (
        f"curl -X POST {base}/v1/spaces/{here.space.id}/turns -H 'x-reverie-key: {here.session.secret or 'rv_…'}'"
        ' -H \'content-type: application/json\' -d \'{"role": "user", "text": "I moved to Lisbon."}\''
    )
    library = (
        "from reverie import Reverie\n\nwith Reverie.open() as memory:\n"
        f'    memory.space({here.space.name!r}).append("user", "I moved to Lisbon.")'
    )
    lines = {**connections(base, here.session.secret), "one turn over REST": turn, "Python, without a server": library}
    return [ClientLines(name, text) for name, text in lines.items()]
