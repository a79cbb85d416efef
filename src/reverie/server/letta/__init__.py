"""Letta-compatible: what `letta-client` expects of a server, one file a noun."""
