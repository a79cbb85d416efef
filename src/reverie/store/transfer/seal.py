"""Whether an export is this store's own, as it wrote it: its last line is a seal over all before it.

A file from elsewhere may say of any text that the user said it, that a person asked for it, that it stands in core.
Without a seal nothing of that is believed, unless a person says that the file is to be trusted.
"""

import hashlib
import hmac
import json
from collections.abc import Iterator, Sequence

from reverie.errors import UntrustedExport
from reverie.store.db import Database
from reverie.store.tables import seal


def sealed(db: Database, org: str, lines: Iterator[str]) -> Iterator[str]:
    """The lines of an export of an org, and their seal as the last."""
    made = _begin(db, org)
    for line in lines:
        made.update(_bytes(line))
        yield line
    yield json.dumps({"seal": made.hexdigest()})


def unsealed(db: Database, org: str, lines: Sequence[str], *, trust: bool) -> list[str]:
    """The lines without their seal. Raises UntrustedExport if this org's seal is not on them and nobody trusts them."""
    kept = [line for line in lines if line.strip()]
    said = _seal_in(kept[-1]) if kept else None
    rows = kept if said is None else kept[:-1]
    made = _begin(db, org)
    for line in rows:
        made.update(_bytes(line))
    if not trust and not hmac.compare_digest(said or "", made.hexdigest()):
        raise UntrustedExport()
    return rows


def _begin(db: Database, org: str) -> "hmac.HMAC":
    return hmac.new(seal.secret(db), org.encode() + b"\n", hashlib.sha256)


def _bytes(line: str) -> bytes:
    return line.rstrip("\r\n").encode("utf-8", "surrogatepass") + b"\n"


def _seal_in(line: str) -> str | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    said = found.get("seal") if isinstance(found, dict) and len(found) == 1 else None
    return said if isinstance(said, str) and said.isascii() else None
