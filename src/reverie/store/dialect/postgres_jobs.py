"""The tables of the job engine: in a schema of their own beside the store's, made once."""

from reverie.store.dialect.postgres import PostgresConnection

SCHEMA = "reverie_jobs"
# Not by to_regclass: in a transaction that waited for a lock, it answers from before.
MADE = "SELECT 1 AS yes FROM pg_tables WHERE schemaname = :schema AND tablename = 'procrastinate_jobs'"
OPTIONS = f"-c search_path={SCHEMA}"  # of every connection of the engine


def prepare(url: str, script: str) -> None:
    """Makes the engine's tables by its own script, unless they are there; of many at once one does it."""
    connection = PostgresConnection(url)
    try:
        if connection.rows(MADE, {"schema": SCHEMA}):
            return
        connection.begin(write=True)
        connection.lock_schema()
        if not connection.rows(MADE, {"schema": SCHEMA}):
            connection.script(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}; SET LOCAL search_path = {SCHEMA};")
            connection.script(script)
        connection.commit()
    finally:
        connection.close()
