"""Deep sleep: core memory is rewritten, one block at a time."""
