"""Thinking ahead over a whole context: by the rules, and by a model whose programs code evaluates."""
