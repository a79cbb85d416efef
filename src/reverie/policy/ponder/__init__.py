"""Thinking ahead over a context: what its numbers, dates and kin come to, worked out by code."""
