"""Live: what comes in, what is asked and what nights do, as it happens: is it working?"""

import asyncio
from collections.abc import AsyncIterator

from starlette.responses import Response, StreamingResponse

from reverie.console.shell import Here, Reading, Screens
from reverie.server.streams import EVENT_STREAM, check_room, counted_stream, event

routes = Screens()
SHOWN = 60
LOOK_EVERY = 1.0  # seconds
BREATHE_EVERY = 15


@routes.screen("/live")
def live(here: Reading) -> Response:
    return here.page("live.html", happened=here.space.happened(limit=SHOWN), sleeper=here.space.sleeper_alive())


@routes.get("/live/events", response_model=None)
async def live_events(here: Reading) -> Response:
    """One event whenever something new has happened: the page then reads itself anew."""
    check_room(here.server)
    return StreamingResponse(_news(here), media_type=EVENT_STREAM)


async def _news(here: Here) -> AsyncIterator[str]:
    with counted_stream(here.server):
        seen = None
        looks = 0
        while not here.server.draining:
            newest = await here.server.run(here.space.happened, limit=1)
            mark = [(one.at, one.ref, one.what, one.who) for one in newest]
            if seen is not None and mark != seen:
                yield event({"happened": len(newest)}, "news")
            elif looks % BREATHE_EVERY == 0:
                yield ": still here\n\n"
            seen = mark
            looks += 1
            await asyncio.sleep(LOOK_EVERY)
