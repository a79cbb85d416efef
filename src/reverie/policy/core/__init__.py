"""Core memory: what has earned a place, in which block, and how a block is rewritten without harm."""
