"""Secrets taken out, orders to the agent noticed, and how far a text of each origin may reach."""
