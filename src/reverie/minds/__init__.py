"""Thinking: reasoners, embedder, meter. Imports no store."""
