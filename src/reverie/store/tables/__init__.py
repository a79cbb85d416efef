"""One file a table, with every write to it."""
