"""Connect: for each client the lines to paste, and who has connected when and from where."""

from starlette.responses import Response

from reverie.console.clients import groups
from reverie.console.shell import Here, Reading, Screens, sessions_of
from reverie.model.turns import Turn

routes = Screens()
RECENT = 200  # turns that are looked through for those who spoke


@routes.screen("/connect")
def connect(here: Reading) -> Response:
    keys = here.org.keys.list(limit=100) if here.may("admin") and here.caller.space is None else []
    return here.page(
        "connect.html",
        groups=groups(here),
        keys=keys,
        signed_in=[
            {"at": here.now - one.idle, "peer": one.peer, "own": one is here.session}
            for one in (sessions_of(here.request).listed() if here.owner else [])
        ],
        heard=list(_last_of_each(here).values())[:20],
    )


def _last_of_each(here: Here) -> dict[str, Turn]:
    """The last turn of each conversation that spoke lately, the newest first."""
    found: dict[str, Turn] = {}
    for one in here.space.turns(newest_first=True, limit=RECENT):
        found.setdefault(one.session, one)
    return found
