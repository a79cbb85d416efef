"""The sleeper beside a process: `python -m reverie.worker` on the same store, under a supervisor."""

import os
import sys

from reverie.config import Config, environment_of
from reverie.triggers.supervise import Supervisor


def sleeper_beside(config: Config, location: str) -> Supervisor:
    """A sleeper in its own process, restarted when it dies, gone with this one."""
    where = {"REVERIE_STORE": location} if "://" in location else {"REVERIE_HOME": location, "REVERIE_STORE": ""}
    env = {**os.environ, **environment_of(config), **where}
    return Supervisor([sys.executable, "-m", "reverie.worker", str(os.getpid())], env)
