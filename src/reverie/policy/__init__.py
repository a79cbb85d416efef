"""Decisions: pure functions. `now` is an argument; no clock, no chance, no disk, no SQL."""
