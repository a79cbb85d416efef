"""A reply is what a POST with an idempotency key came to: the same key gives it again, and the work is done once."""

from dataclasses import dataclass

from reverie.model.base import Instant

RUNNING = 0  # the status of a reply whose request has begun and not ended


@dataclass(frozen=True, slots=True)
class StoredReply:
    org: str
    status: int
    digest: str  # of the request's body: the same key with another body is a mistake; of a run: whose it is
    body: str
    at: Instant

    @property
    def running(self) -> bool:
        """Whether its request has begun and not ended."""
        return self.status == RUNNING
