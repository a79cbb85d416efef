"""A night taken back: its journal read backwards, and what stands in the way."""
