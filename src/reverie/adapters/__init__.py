"""Reverie inside other programs: one folder a product, imported only by it."""
