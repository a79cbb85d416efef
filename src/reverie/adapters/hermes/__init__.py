"""Reverie as the memory of a Hermes agent: what `reverie install hermes` writes, and the provider that Hermes loads."""
