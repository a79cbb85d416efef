"""Which models there are, whether one works, and whether it is worth having."""
