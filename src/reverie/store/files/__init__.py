"""The two files of an embedded store: that they belong together, copies of them, damage and what can be saved."""
