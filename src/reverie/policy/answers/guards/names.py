"""Names: capitalised spans inside a sentence, and acronyms; a named thing must be named in both questions."""

from functools import lru_cache

from reverie.language.vocabulary import word_set
from reverie.policy.answers.guards.lexicon import FUNCTION_WORDS
from reverie.policy.answers.guards.tokens import Words

_MANY = 4  # content words that a question may well consist of names alone
_JOINING = word_set("of de van von der la le")


def find(words: Words) -> tuple[str, ...]:
    """
    >>> from reverie.policy.answers.guards.tokens import words
    >>> find(words("Does Anna Berg live near New York in the USA?"))
    ('anna berg', 'new york', 'usa')
    """
    if _headline(words):
        return ()
    spans: list[list[str]] = []
    last = -2
    for i, word in enumerate(words.cased):
        if not _is_name(words, i, word):
            continue
        if i == last + 1 and spans and last not in words.owners:
            spans[-1].append(words.low[i])
        else:
            spans.append([words.low[i]])
        last = i
    return tuple(sorted({" ".join(span) for span in spans}))


def _is_name(words: Words, i: int, word: str) -> bool:
    if not word[0].isupper() or word == "I":
        return False
    if words.low[i] in FUNCTION_WORDS:
        return len(word) == 2 and word.isupper() and not _shouted(words)  # IN, IT, OR, US
    if i not in words.starts:
        return True
    # A sentence's first word is a name only if it owns something, or is written like no plain word is.
    return i in words.owners or (len(word) > 1 and word.isupper())


def _shouted(words: Words) -> bool:
    return all(word.isupper() for word in words.cased if word[0].isalpha())


def _headline(words: Words) -> bool:
    """Capitals on grammar ("What Is The Best …"), or on every one of many words, name nothing."""
    rest = [i for i, word in enumerate(words.cased) if i not in words.starts and word[0].isalpha() and word != "I"]
    grammar = [i for i in rest if words.low[i] in FUNCTION_WORDS]
    if sum(1 for i in grammar if words.cased[i].istitle()) >= 2:
        return True
    content = [i for i in rest if words.low[i] not in FUNCTION_WORDS]
    return len(content) > _MANY and all(words.cased[i][0].isupper() for i in content)


def capitals(words: Words) -> frozenset[str]:
    """Every capitalised word but a sentence's first and the function words."""
    return frozenset(
        words.low[i]
        for i, word in enumerate(words.cased)
        if word[0].isupper() and i not in words.starts and words.low[i] not in FUNCTION_WORDS
    )


def exchanged(asked: frozenset[str], cached: frozenset[str]) -> str:
    """Each side has a capitalised word that the other lacks: one name in the place of another, also in a headline."""
    roots = {_root(word) for word in cached}
    if asked and cached and not any(_root(word) in roots for word in asked):
        return f"{min(asked)!r} in the place of {min(cached)!r}"
    return ""


def differs(asked: tuple[str, ...], cached: tuple[str, ...], asked_low: frozenset[str], low: frozenset[str]) -> str:
    """Each name must be in the other question: as a span, as part of one, as its initials, or in small letters."""
    for names, others, words, side in ((asked, cached, low, "asked"), (cached, asked, asked_low, "cached")):
        for name in names:
            if name not in others and not _held(name, others, words):
                return f"only the {side} question names {name!r}"
    return ""


def _held(name: str, others: tuple[str, ...], words: frozenset[str]) -> bool:
    parts = frozenset(name.split())
    if parts <= words or {_root(part) for part in parts} <= {_root(word) for word in words}:
        return True
    return any(parts >= frozenset(other.split()) or _initials(name, other) for other in others)


@lru_cache(maxsize=4_096)
def _root(name: str) -> str:
    """Without what makes a people of a country, or one of many: "Russians", "Russian" and "Russia" share it."""
    if name in _COUNTRIES:
        return _COUNTRIES[name]
    return next((name[: -len(ending)] for ending in _ENDINGS if name.endswith(ending) and len(name) > 4), name)


_ENDINGS = ("ians", "ian", "ans", "an", "ia", "is", "a", "s", "n", "i")
_COUNTRIES = {"us": "america", "usa": "america", "american": "america", "americans": "america", "america": "america"}
_COUNTRIES |= {"uk": "britain", "britain": "britain", "british": "britain", "nyc": "new york"}


def _initials(name: str, other: str) -> bool:
    """ "NYC" and "New York City"; "U.S." and "United States"."""
    short, full = sorted((name.replace(".", ""), other.replace(".", "")), key=lambda n: n.count(" "))
    return " " not in short and "".join(part[0] for part in full.split() if part not in _JOINING) == short
