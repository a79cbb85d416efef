"""What proxies add to turns is kept, so that the same turn is sent with the same bytes again."""

from collections.abc import Mapping

from reverie.model.turns import AddedBlock
from reverie.store.db import Database
from reverie.store.tables import added_blocks


def note(db: Database, space: str, session: str, made: Mapping[str, AddedBlock]) -> None:
    """Keeps what was added to these turns, each named by its digest."""
    with db.write("log", durable=False) as tx:  # lost with the power, a prompt cache misses once
        added_blocks.put(tx, space, session, made)
