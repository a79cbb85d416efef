"""Four weeks of one person, for `reverie demo`."""
