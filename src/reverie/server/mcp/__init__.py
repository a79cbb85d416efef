"""MCP: how coding agents attach memory. `front.py` answers at once over stdio; the SDK's server stands behind it."""
