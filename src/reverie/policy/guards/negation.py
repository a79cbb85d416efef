"""Negation: "can I eat nuts" and "can't I eat nuts" must not share an answer."""

from reverie.policy.guards.tokens import Words
from reverie.policy.guards.vocabulary import word_set

_NEGATIVE = word_set(
    "not no never none nobody nothing nowhere neither nor without hardly barely except unless lack lacks"
)
_LEAD = word_set("no not")


def find(words: Words) -> tuple[str, ...]:
    """
    >>> from reverie.policy.guards.tokens import words
    >>> find(words("Why don't I ever go without you?"))
    ('not', 'without')
    """
    low = words.low
    found = [_plain(word) for i, word in enumerate(low) if word in _NEGATIVE and not _idle(low, i)]
    return tuple(sorted(found))


def _idle(low: tuple[str, ...], i: int) -> bool:
    """ "Or not", "not only" and "no matter" negate nothing; nor does an offer: "why not try"."""
    before = low[i - 1] if i else ""
    after = low[i + 1] if i + 1 < len(low) else ""
    return (before == "or" and i == len(low) - 1) or after in ("only", "matter", "just")


def _plain(word: str) -> str:
    return "not" if word in _LEAD else word


def differs(asked: tuple[str, ...], cached: tuple[str, ...]) -> str:
    if len(asked) == len(cached):
        return ""
    return f"negated: {' '.join(asked) or 'no'}, not {' '.join(cached) or 'no'}"
