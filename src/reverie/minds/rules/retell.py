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


_YOU = (
    (r"^The user's\b", "Your"),
    (r"\bthe user's\b", "your"),
    (r"^The user is\b", "You are"),
    (r"^The user was\b", "You were"),
    (r"^The user has\b", "You have"),
    (r"^The user (no longer|always|usually|often) (\w+?)(?:es|s)\b", r"You \1 \2"),
    (r"\bthe user\b", "you"),
    (r"\btheir\b", "your"),
    (r"\bthemselves\b", "yourself"),
)
_KEEP_E = {
    "likes": "like",
    "lives": "live",
    "uses": "use",
    "dislikes": "dislike",
    "drives": "drive",
    "comes": "come",
    "goes": "go",
    "does": "do",
    "studies": "study",
    "makes": "make",
    "practises": "practise",
    "practices": "practice",
    "bakes": "bake",
    "takes": "take",
    "writes": "write",
    "cycles": "cycle",
    "dances": "dance",
    "hikes": "hike",
    "smokes": "smoke",
}


def second_person(text: str) -> str:
    """A fact about the user, said to the user.

    >>> second_person("The user lives in Kiel"), second_person("Anna lives in Bonn")
    ('You live in Kiel.', 'Anna lives in Bonn.')
    """
    verb = re.match(r"The user ((?:no longer |always |usually |often )?)(\w+s)\b", text)
    if verb and verb.group(2) not in ("is", "was", "has"):
        word = verb.group(2)
        base = _KEEP_E.get(word) or (
            re.sub("ies$", "y", word) if word.endswith("ies") else re.sub(r"(?<=ch|sh|ss)es$|(?<!s)s$", "", word)
        )
        text = f"You {verb.group(1)}{base}" + text[verb.end() :]
    for pattern, new in _YOU:
        text = re.sub(pattern, new, text)
    text = re.sub(r"^The user\b", "You", text)
    return text.rstrip(".") + "."
