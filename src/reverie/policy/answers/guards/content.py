"""Content words: the stems that carry the question, words of one meaning made one, opposites never alike."""

from reverie.policy.answers.guards.kind import KIND_WORDS
from reverie.policy.answers.guards.lexicon import FUNCTION_WORDS, LIGHT_WORDS, OPPOSITES, PREFIXES, root
from reverie.policy.answers.guards.tokens import Words


def find(words: Words, kind: str) -> tuple[str, ...]:
    """In the order in which they stand, as often as they stand.

    >>> from reverie.policy.answers.guards.tokens import words
    >>> find(words("What is the best way to purchase a film?"), "manner")
    ('buy', 'movi')
    """
    idle = KIND_WORDS.get(kind, frozenset()) | FUNCTION_WORDS
    carrying = (root(word) for word in words.low if word not in idle and word[0].isalnum())
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
    """Happy against unhappy."""
    for word in longer:
        if word.startswith(PREFIXES):
            plain = next((p for p in PREFIXES if len(word) > len(p) + 3 and word.removeprefix(p) in bare), "")
            if plain:
                return f"{word} is not {word.removeprefix(plain)}"
    return ""
