"""The mem0-compatible way in. Its contract is that of mem0's own client, which tests it; it is not in our document."""

from reverie.server.letta.shared import error_detail
from reverie.server.mem0.routes import routes
from reverie.server.state import Server, Surface

PING = "/v1/ping/"  # what its client asks first
BASE = "The host of a mem0 client is this server's address and nothing behind it."
OWNED = ("/v1/memories/", PING, "/v1/entities/", "/v1/batch/", "/v2/", "/v3/", "/memories", "/search")


def surface(_server: Server) -> Surface:
    return Surface(router=routes, owns=OWNED, error_body=error_detail, tails={PING: BASE})
