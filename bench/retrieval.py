"""Evidence recall on LoCoMo: the share of a question's evidence turns among the first k turns that recall returns.

A hit that is not a turn stands for its source turns, in their order, at its rank, cut at k turns.
"""
