"""Search indexes, made again from their own rows."""

import sqlite3
from contextlib import closing
from pathlib import Path

from reverie.errors import StoreBroken
from reverie.store.db import SIDES, Database
from reverie.store.dialect.sqlite import BUSY_SECONDS, file_of, uri_of


def version(db: Database) -> int:
    """The schema that the store has; both its sides move together."""
    return int(db.value("SELECT max(version) AS version FROM schema_version"))


def rebuild(home: Path) -> list[str]:
    """Makes every index of the embedded store anew; says what was done. No row of a table is touched."""
    for side in SIDES:
        try:
            with closing(sqlite3.connect(uri_of(file_of(home, side)), uri=True, timeout=BUSY_SECONDS)) as connection:
                connection.execute("REINDEX")
                if side == "memory":
                    connection.execute("INSERT INTO document_words (document_words) VALUES ('rebuild')")
                connection.commit()
        except sqlite3.Error as error:
            raise StoreBroken(
                f"{side}.db cannot be mended: {error}", next_move="Go back to your last `reverie backup`."
            ) from error
    gone = sorted(path for path in (home / "indexes").glob("*") if path.is_file())
    for path in gone:
        path.unlink(missing_ok=True)
    return [f"{side}.db indexed anew" for side in SIDES] + [f"{path.name} dropped, to be made anew" for path in gone]
