"""What differs between SQLite and Postgres: connections, migrations, full text, copies, repair."""
