"""Stylesheet, scripts and icon, all in the package: read once, named by their content, packed for the way."""

import gzip
import hashlib
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from fastapi import Request
from starlette.responses import Response

from reverie.errors import NotFound

TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
NAMES = ("console.css", "console.js", "htmx.min.js", "uPlot.iife.min.js", "uPlot.min.css", "icon.svg")
ROOT = "/console/static"


@dataclass(frozen=True, slots=True)
class Asset:
    body: bytes
    packed: bytes
    kind: str
    digest: str


@lru_cache
def asset(name: str) -> Asset:
    if name not in NAMES:
        raise NotFound("file", name)
    body = (resources.files("reverie.console") / "static" / name).read_bytes()
    packed = gzip.compress(body, 9, mtime=0)
    return Asset(body, packed, TYPES[name.rpartition(".")[2]], hashlib.sha256(body).hexdigest()[:16])


def address(name: str) -> str:
    """With a part of its hash, so that a browser may keep it for good."""
    return f"{ROOT}/{name}?v={asset(name).digest}"


async def read_asset(name: str, request: Request) -> Response:
    found = asset(name)
    headers = {"cache-control": "public, max-age=31536000, immutable", "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(found.packed, media_type=found.kind, headers=headers | {"content-encoding": "gzip"})
    return Response(found.body, media_type=found.kind, headers=headers)
