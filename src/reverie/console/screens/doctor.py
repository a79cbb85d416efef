"""Doctor: what `reverie doctor` finds in this store, each finding with its next move."""

import time
from weakref import WeakKeyDictionary

from starlette.responses import Response

from reverie.console.shell import Here, Reading, Screens
from reverie.doctor.doctor import examine
from reverie.server.state import Server

routes = Screens()
FRESH = 60.0  # seconds: a look at every file of a large store is not made for each page
_looked: "WeakKeyDictionary[Server, tuple[float, list[object]]]" = WeakKeyDictionary()


@routes.screen("/doctor")
def doctor(here: Reading) -> Response:
    """The findings name paths and other spaces, so they are for whoever has the home's token."""
    return here.page("doctor.html", findings=findings(here) if here.owner else [])


def findings(here: Here) -> list[object]:
    known = _looked.get(here.server)
    if known is None or time.monotonic() - known[0] > FRESH:
        known = (time.monotonic(), list(examine(here.server.reverie.config, here.now)))
        _looked[here.server] = known
    return known[1]
