"""Who is spoken of and who owns what; and questions that point at what was just shown ("what is this insect?")."""

from reverie.language.vocabulary import word_set
from reverie.policy.answers.guards.lexicon import FUNCTION_WORDS, RELATIONS, root
from reverie.policy.answers.guards.tokens import Words

_PERSON = {
    "i": "i", "me": "i", "my": "i", "mine": "i", "myself": "i", "we": "we", "us": "we", "our": "we", "ours": "we",
    "you": "you", "your": "you", "yours": "you", "yourself": "you", "he": "he", "him": "he", "his": "he",
    "she": "she", "her": "she", "hers": "she", "they": "they", "them": "they", "their": "they", "theirs": "they",
}  # fmt: skip
_ANYONE = word_set("i you we")
_ASKS_HOW = word_set("do can could should would did will to")


def persons_in(words: Words, kind: str) -> tuple[str, ...]:
    """The persons in the order in which they are spoken of, each once.

        In "how do I boil an egg?" anyone may stand for "I": such a person is left out.

    >>> from reverie.policy.answers.guards.tokens import words
    >>> persons_in(words("Did I tell you about her?"), "yes"), persons_in(words("How can I boil an egg?"), "manner")
    (('i', 'you', 'she'), ())
    """
    low = words.low
    found = [_PERSON[word] for i, word in enumerate(low) if word in _PERSON and not _is_country(words, i)]
    if kind == "manner" and _generic(low):
        found = found[1:] if found and found[0] in _ANYONE and found.count(found[0]) == 1 else found
    return tuple(dict.fromkeys(found))


_DOING = word_set("do does did will would should can could have has had am are is was were")
_ACTING = {
    "i": "i", "me": "i", "you": "you", "he": "he", "him": "he", "she": "she", "her": "she", "we": "we", "us": "we",
    "they": "they", "them": "they",
}  # fmt: skip


def participants(words: Words) -> tuple[str, ...]:
    """Who takes part, in order: pronouns, names, whoever stands to me as somebody does, and who is asked for.

    Where it asks for the one that something is done to ("who did I call?"), that one comes last.

    >>> from reverie.policy.answers.guards.tokens import words
    >>> participants(words("Did my boss thank me?")), participants(words("Did Tom call Anna?"))
    (('boss', 'i'), ('tom', 'anna'))
    """
    low = words.low
    found = [who for i in range(len(low)) if (who := _participant(words, i))]
    if "who" in low[:2] or "whom" in low[:2]:
        asked = next(i for i, word in enumerate(low) if word in ("who", "whom"))
        done_to = low[asked + 1 : asked + 2] and low[asked + 1] in _DOING and len(low) > asked + 3
        found = [*found, "who"] if done_to else ["who", *found]
    return tuple(dict.fromkeys(found))


def _participant(words: Words, i: int) -> str:
    word = words.low[i]
    if word in _ACTING:
        possessive = word == "her" and i + 1 < len(words.low) and words.low[i + 1] not in FUNCTION_WORDS
        return "" if possessive or _is_country(words, i) else _ACTING[word]
    if i in words.owners:
        return ""
    if words.cased[i][0].isupper() and i not in words.starts and word not in FUNCTION_WORDS:
        return word
    possessed = i > 0 and words.low[i - 1] in ("my", "your", "his", "her", "our", "their")
    return root(word) if possessed and root(word) in RELATIONS else ""


def _is_country(words: Words, i: int) -> bool:
    return words.cased[i] == "US"


def _generic(low: tuple[str, ...]) -> bool:
    return any(word in ("how", "what", "way", "ways") for word in low[:3]) and any(w in _ASKS_HOW for w in low[:5])


def persons_differ(asked: tuple[str, ...], cached: tuple[str, ...]) -> str:
    """Persons must agree where both name some; their order too, or "did I call him" answers "did he call me"."""
    if not asked or not cached or asked == cached:
        return ""
    return f"speaks of {' and '.join(asked)}, not {' and '.join(cached)}"


def owners(words: Words) -> frozenset[str]:
    """People who own what is asked about: "Anna's boss" and "the boss of Anna".

    >>> from reverie.policy.answers.guards.tokens import words
    >>> owners(words("Who is my sister's husband?")) == owners(words("Who is the husband of my sister?"))
    True
    """
    low = words.low
    places = [i + 1 if low[i + 1] not in _OWNING else i + 2 for i in range(len(low) - 1) if low[i] == "of"]
    named = [i for i in (*words.owners, *places) if i < len(low)]
    return frozenset(root(low[i]) for i in named if root(low[i]) in RELATIONS or words.cased[i][0].isupper())


def other_owner(asked: frozenset[str], cached: frozenset[str]) -> str:
    if not asked or not cached or asked == cached:
        return ""
    return f"{min(asked)}'s, not {min(cached)}'s"


_OWNING = word_set("my your our")


def owned(asked: frozenset[str], cached: frozenset[str], persons: tuple[str, ...]) -> str:
    """My favourite film is not just any; `persons` are those of the other question, where nobody is named."""
    owner = asked & _OWNING
    return f"asks about {min(owner)} own" if owner and not persons and cached.isdisjoint(_OWNING) else ""


_POINTING = word_set("this that these those")
_SHOWN = word_set("below above following attached")
_SPANS = word_set(
    "day days week weekend month year morning afternoon evening night summer winter spring autumn time way"
)
_SHORT = 12  # a longer question has said itself what "this" is
_SUBJECTS = word_set("i you we they he she it people the a an my your is are was were do does did can will would")
_REFLEXIVE = word_set("myself yourself himself herself themselves ourselves")


def leanings(words: Words) -> tuple[str, ...]:
    """What points out of the question.

    >>> from reverie.policy.answers.guards.tokens import words
    >>> leanings(words("What breed is this dog?")), leanings(words("What is on this week?"))
    (('this',), ())
    """
    low = words.low
    if len(low) > _SHORT:
        return ()
    return tuple(word for i, word in enumerate(low) if word in _POINTING and _points(low, i)) or low[-1:] * _shown(low)


def _shown(low: tuple[str, ...]) -> bool:
    return bool(low) and low[-1] in _SHOWN


def _points(low: tuple[str, ...], i: int) -> bool:
    """ "This dog" points; "this week" is a date; "the song that I like" and "think that he" only link."""
    after = low[i + 1] if i + 1 < len(low) else ""
    if low[i] == "that":
        return i > 0 and low[i - 1] in ("is", "was", "of", "does", "did", "about") and after not in _SUBJECTS
    return after not in _SPANS


def reflexive(words: Words) -> tuple[str, ...]:
    return tuple(sorted({"self" for word in words.low if word in _REFLEXIVE}))


def leanings_differ(asked: tuple[str, ...], cached: tuple[str, ...]) -> str:
    pointing = asked or cached
    return f"leans on its moment: {pointing[0]!r}" if pointing else ""
