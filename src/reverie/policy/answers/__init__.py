"""Prepared answers: which are worth preparing, and whether one may be served now."""
