"""mem0's REST, as its hosted platform and its self-hosted server have it: `MemoryClient` works unchanged."""
