"""What steps may read of a space, by topic."""
