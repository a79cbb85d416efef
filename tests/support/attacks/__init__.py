"""Attacks through every surface, lived through for several days, and where each of them got to."""
