"""Content words: the stems that carry the question, words of one meaning made one, opposites never alike."""

from reverie.policy.guards.lexicon import FUNCTION_WORDS, LIGHT_WORDS, OPPOSITES, PREFIXES, root
from reverie.policy.guards.tokens import Words


def find(words: Words) -> tuple[str, ...]:
    """In the order in which they stand, as often as they stand.

    >>> from reverie.policy.guards.tokens import words
    >>> find(words("What is the best way to purchase a film?"))
    ('buy', 'movi')
    """
    carrying = (root(word) for word in words.low if word not in FUNCTION_WORDS and word[0].isalnum())
    return tuple(word for word in carrying if word not in LIGHT_WORDS)


def overlap(asked: tuple[str, ...], cached: tuple[str, ...]) -> float:
    """Jaccard of the content words; two questions without any are alike in this.

    >>> overlap(("buy", "movi"), ("buy", "car"))
    0.3333333333333333
    """
    together = len({*asked, *cached})
    return len(set(asked) & set(cached)) / together if together else 1.0


def differs(asked: frozenset[str], cached: frozenset[str]) -> str:
    """A word on one side whose opposite is on the other; each side given as words and stems together."""
    more, fewer = asked - cached, cached - asked
    for word in more:
        for other in OPPOSITES.get(word, ()):
            if other in fewer:
                return f"{word} is not {other}"
    return _prefixed(more, fewer) or _prefixed(fewer, more)


def _prefixed(bare: frozenset[str], longer: frozenset[str]) -> str:
    """ "Happy" against "unhappy"."""
    for word in longer:
        for prefix in PREFIXES:
            if word.startswith(prefix) and len(word) > len(prefix) + 3 and word[len(prefix) :] in bare:
                return f"{word} is not {word[len(prefix) :]}"
    return ""
