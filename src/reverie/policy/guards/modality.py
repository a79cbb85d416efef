"""Modality: what I can do, what I should do and what I do are three questions."""

from reverie.policy.guards.tokens import Words
from reverie.policy.guards.vocabulary import word_set

_DUTY = word_set("should must ought shall")
_ABILITY = word_set("can could may might able")
_HAVING = word_set("have has had")
_OPEN = frozenset(("manner", "duration"))  # "how should I …" and "how can I …" ask the same


def find(words: Words, kind: str) -> str:
    """
    >>> from reverie.policy.guards.tokens import words
    >>> find(words("Should I eat nuts?"), "yes"), find(words("Can I eat nuts?"), "yes")
    ('duty', 'ability')
    """
    if kind in _OPEN:
        return ""
    for i, word in enumerate(words.low):
        if word in _DUTY or (word in _HAVING and words.low[i + 1 : i + 2] == ("to",)):
            return "duty"
        if word in _ABILITY:
            return "ability"
    return ""


def differs(asked: str, cached: str) -> str:
    if asked == cached or "duty" not in (asked, cached):
        return ""
    return f"asks about {asked or 'what is'}, not {cached or 'what is'}"
