"""When something was said, as a caller gives it: a moment that a calendar has."""

from reverie.errors import BadInput
from reverie.model.base import Instant

EARLIEST, LATEST = -5e10, 1e11  # the years 385 and 5138


def checked(at: Instant) -> Instant:
    """Refuses what no date can be made of: one such turn would break every recall of its space."""
    if not EARLIEST <= at <= LATEST:
        raise BadInput(f"{at!r} is not a moment", next_move="Give seconds since the epoch, UTC (not milliseconds).")
    return at
