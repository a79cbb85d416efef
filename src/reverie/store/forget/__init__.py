"""A person's forget, the only thing that deletes: what is meant, what was derived from it, where it left traces."""
