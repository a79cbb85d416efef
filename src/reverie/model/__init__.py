"""Nouns: frozen dataclasses, standard library only. Times are seconds since the epoch, UTC (`Instant`)."""
