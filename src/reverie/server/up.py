"""One command for everything: the server in this process, the sleeper beside it, both gone with Ctrl-C."""

import threading
from collections.abc import Callable

from reverie.config import Config, load
from reverie.reverie import Reverie
from reverie.server.auth import check_start
from reverie.server.serve import DRAIN_SECONDS, Hooks, serve
from reverie.server.serving import Serving


def up(config: Config | None = None, *, ready: Callable[[str], None] = lambda _address: None) -> None:
    """Serves and sleeps until SIGINT or SIGTERM. Makes the store if there is none."""
    with Reverie.open(config=config or load()) as memory:
        check_start(memory, Serving.of(memory.config))
        sleeper = memory.start_sleeper()

        def stopping() -> None:
            """The sleeper ends while the server lets its last requests end: together they take no longer."""
            threading.Thread(target=sleeper.stop, args=(DRAIN_SECONDS,), name="reverie-stop").start()

        serve(memory, hooks=Hooks(ready, stopping))
