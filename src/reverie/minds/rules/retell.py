"""Who tells it changes the words: what the speaker said in the third person, what is known said to the user."""

import re
from functools import lru_cache

from reverie.minds.rules.lexicon import words
from reverie.minds.rules.verbs import gerund

_SWAPS = (
    (r"\bI am\b|\bwe are\b", "they are"),
    (r"\bI was\b", "they were"),
    (r"\b(?:I|we)\b", "they"),
    (r"\b(?:my|our)\b", "their"),
    (r"\b(?:me|us)\b(?!-)", "them"),
    (r"\b(?:myself|ourselves)\b", "themselves"),
    (r"\b(?:mine|ours)\b", "theirs"),
)
_LITTLE = words("little_word")


@lru_cache(maxsize=1)
def _swaps() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), new) for pattern, new in _SWAPS)


def third_person(text: str) -> str:
    """
    >>> third_person("with my brother when I was ten")
    'with their brother when they were ten'
    """
    for pattern, new in _swaps():
        text = pattern.sub(new, text)
    return text


def content(text: str) -> int:
    """How many words carry something: not the little ones.

    >>> content("to the pottery class with my friends")
    3
    """
    return sum(1 for word in re.findall(r"[^\W\d_][\w'’-]{2,}", text) if word.lower() not in _LITTLE)


def ing(verb: str) -> str:
    """The -ing form; an unknown verb is known by that form already."""
    return verb if verb.endswith("ing") and len(verb) > 5 else gerund(verb)


def article(noun: str) -> str:
    return "an" if noun[:1].lower() in "aeiou" else "a"
