"""The one row of `seal`: the secret by which a store knows its own exports again."""

import secrets

from reverie.store.db import Database


def secret(db: Database) -> bytes:
    """The store's secret, made when it is first asked for."""
    known = db.value("SELECT key FROM seal")
    if known is None:
        with db.write("memory") as tx:
            row = tx.row("SELECT key FROM seal")
            known = secrets.token_hex(32) if row is None else row["key"]
            if row is None:
                tx.run("INSERT INTO seal (key) VALUES (:key)", key=known)
    return bytes.fromhex(str(known))
