"""The HTTP server: REST, Letta-compatible and MCP routes behind one gateway."""
