"""Anthropic's memory stores and dreams, self-hosted: `Anthropic(base_url=…).beta.memory_stores` and `.beta.dreams`."""
