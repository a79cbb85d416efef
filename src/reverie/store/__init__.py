"""SQL, the only SQL, written once for SQLite and Postgres."""
