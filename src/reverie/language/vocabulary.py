"""Word lists are written as running text, so that they stay readable and a diff shows one word."""


def listed(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def word_set(text: str) -> frozenset[str]:
    """
    >>> sorted(word_set("to be or not to be"))
    ['be', 'not', 'or', 'to']
    """
    return frozenset(text.split())
