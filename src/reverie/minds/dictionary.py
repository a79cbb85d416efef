"""Whether a word is an ordinary English one: by the whole words of the embedder's vocabulary, and their plain forms."""

import json
from functools import cache, lru_cache
from pathlib import Path

VOCABULARY = Path(__file__).parent / "model" / "wordpiece.json"
_ENDINGS = ("s", "es", "ed", "d", "ing", "er", "ers", "ly", "y", "ation", "ations", "ment", "ness", "al", "able", "ion")
_BEGINNINGS = ("re", "un", "non", "pre", "over", "out", "sub", "in", "dis", "mis")
SHORTEST = 3  # letters of a word that others are made of


@lru_cache(4_096)
def is_ordinary(word: str) -> bool:
    """
    >>> [is_ordinary(word) for word in ("hiking", "tabs", "refactoring", "quillaine", "fastjsonx")]
    [True, True, True, False, False]
    """
    forms = {word, *(word.removeprefix(start) for start in _BEGINNINGS)}
    bases = {form.removesuffix(end) for form in forms for end in _ENDINGS} | forms
    doubled = {base[:-1] for base in bases if len(base) > SHORTEST and base[-1] == base[-2]}
    return any(len(base) >= SHORTEST and (base in _known() or f"{base}e" in _known()) for base in bases | doubled)


@cache
def _known() -> frozenset[str]:
    pieces = json.loads(VOCABULARY.read_text("utf-8"))["pieces"]
    return frozenset(piece for piece in pieces if piece.isalpha())
