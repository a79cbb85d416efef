"""Who is spoken of: I, you, he, she, they; and who does what to whom."""

from reverie.policy.guards.tokens import Words
from reverie.policy.guards.vocabulary import word_set

_PERSON = {
    "i": "i", "me": "i", "my": "i", "mine": "i", "myself": "i", "we": "we", "us": "we", "our": "we", "ours": "we",
    "you": "you", "your": "you", "yours": "you", "yourself": "you", "he": "he", "him": "he", "his": "he",
    "she": "she", "her": "she", "hers": "she", "they": "they", "them": "they", "their": "they", "theirs": "they",
}  # fmt: skip
_ANYONE = word_set("i you we")
_ASKS_HOW = word_set("do can could should would did will to")


def find(words: Words, kind: str) -> tuple[str, ...]:
    """The persons in the order in which they are spoken of, each once.

    In "how do I boil an egg?" anyone may stand for "I": such a person is left out.

    >>> from reverie.policy.guards.tokens import words
    >>> find(words("Did I tell you about her?"), "yes"), find(words("How can I boil an egg?"), "manner")
    (('i', 'you', 'she'), ())
    """
    low = words.low
    found = [_PERSON[word] for i, word in enumerate(low) if word in _PERSON and not _is_country(words, i)]
    if kind == "manner" and _generic(low):
        found = found[1:] if found and found[0] in _ANYONE and found.count(found[0]) == 1 else found
    return tuple(dict.fromkeys(found))


def _is_country(words: Words, i: int) -> bool:
    return words.cased[i] == "US"


def _generic(low: tuple[str, ...]) -> bool:
    return any(word in ("how", "what", "way", "ways") for word in low[:3]) and any(w in _ASKS_HOW for w in low[:5])


def differs(asked: tuple[str, ...], cached: tuple[str, ...]) -> str:
    """Persons must agree where both name some; their order too, or "did I call him" answers "did he call me"."""
    if not asked or not cached or asked == cached:
        return ""
    return f"speaks of {' and '.join(asked)}, not {' and '.join(cached)}"
