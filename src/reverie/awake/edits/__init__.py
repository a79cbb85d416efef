"""What a person or an agent changes directly: blocks, memories, spaces, keys, decisions. Each is one transaction."""
