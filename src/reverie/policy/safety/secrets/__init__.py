"""How secrets are told: by their shape, or by how a word looks and what is said near it."""
