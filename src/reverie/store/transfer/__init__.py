"""A space as JSON lines, out and in, and its deletion."""
