"""Personal questions: "where do I live?" and "what's my address again?" read as one: me, lives_in.

A reading is `whose.predicate`, or `whose.predicate:rest` where the predicate takes a thing ("favorite:food").
Two questions with the same reading ask the same, however little their words have in common.
"""

from functools import cache

from reverie.language.vocabulary import word_set
from reverie.policy.answers.guards import kind as question
from reverie.policy.answers.guards import mood as modality
from reverie.policy.answers.guards import mood as tense
from reverie.policy.answers.guards.lexicon import FUNCTION_WORDS, RELATIONS, root
from reverie.policy.answers.guards.phrasings import PHRASINGS, TAKING
from reverie.policy.answers.guards.tokens import Words, words

# They add nothing to a personal question.
_IDLE = frozenset(
    root(word)
    for word in word_set("""
    current currently own got get have has go going do done thing kind sort type please exactly usually
    normally personal present actual really know tell right now actually typically generally supposed
    """)
)
_LONGEST = 7  # content words; a longer question says more than a phrasing can hold
_FIRST_PERSON = {"i": "me", "me": "me", "my": "me", "mine": "me", "we": "us", "our": "us", "us": "us", "ours": "us"}

Key = tuple[str, str, frozenset[str]]  # kind, mood, what is left of the words


def find(words: Words, kind: str, mood: str) -> str:
    """
    >>> from reverie.policy.answers.guards.tokens import words
    >>> find(words("Where do I live?"), "place", ""), find(words("What's my address?"), "thing", "")
    ('me.lives_in', 'me.lives_in')
    """
    whose, taken = _whose(words)
    if not whose:
        return ""
    rest = _rest(words, taken)
    if len(rest) > _LONGEST:
        return ""
    predicate = _predicate((kind, mood, rest))
    if predicate.startswith("my "):  # "who do I report to" asks for my boss
        return predicate if whose == "me" else ""
    return f"{whose}.{predicate}" if predicate and _single(whose, predicate, words.low) else ""


def is_about_somebody(words: Words) -> bool:
    """Whether it says about whom it is; else it has no reading.

    >>> from reverie.policy.answers.guards.tokens import words
    >>> is_about_somebody(words("Where do I live?")), is_about_somebody(words("What is a fjord?"))
    (True, False)
    """
    return bool(_whose(words)[0])


def _single(whose: str, predicate: str, low: tuple[str, ...]) -> bool:
    """One person only, or it is not plain whose it is: "where do you and I live?", "what does my sister call me?"."""
    if not _OTHERS.isdisjoint(low):
        return False
    if whose in ("me", "us"):
        return True
    return "me" not in low and (predicate == "name" or "i" not in low)


_OTHERS = word_set("you your yours he him his she her hers they them their theirs")


def _rest(words: Words, taken: frozenset[int]) -> frozenset[str]:
    """What is asked about whoever it is: the stems of the words that are neither grammar nor idle."""
    carrying = {
        root(word)
        for i, word in enumerate(words.low)
        if i not in taken and (word in _TELLING or word not in FUNCTION_WORDS) and word[0].isalnum()
    }
    return frozenset(carrying - _IDLE)


_TELLING = word_set("from not as with without on up")  # "where am I from" is nothing but grammar


def mood(words: Words, tense: str, modality: str) -> str:
    """Where I lived, will live, could live and would live are not where I live."""
    time = tense if tense in ("past", "future") else ""
    return f"{time}{modality}{'would' if 'would' in words.low else ''}"


def _whose(words: Words) -> tuple[str, frozenset[int]]:
    """Whom it is about, and the places of the words that say so."""
    low = words.low
    for i in sorted(words.owners):
        return _owner(words, i)
    for i, word in enumerate(low[:-1]):
        if word == "my" and (relation := _relation(low, i + 1)):
            return relation
    for word in low:
        if word in _FIRST_PERSON:
            return _FIRST_PERSON[word], frozenset()
    return _named(words)


def _relation(low: tuple[str, ...], i: int) -> tuple[str, frozenset[int]] | None:
    """The words from `i` on, if they name who somebody is to me: "sister", "best friend"."""
    kind = low[i] if low[i] in _WHICH and i + 1 < len(low) else ""
    noun = root(low[i + 1 if kind else i])
    if noun not in RELATIONS:
        return None
    return (f"my {kind} {noun}", frozenset((i - 1, i, i + 1))) if kind else (f"my {noun}", frozenset((i - 1, i)))


_WHICH = word_set("best older younger oldest youngest elder big little twin new old first second former other only")


def _owner(words: Words, i: int) -> tuple[str, frozenset[int]]:
    """A person owns it, mine or named ("my sister's", "Anna's"); what belongs to my car is mine."""
    low = words.low
    for start in (i, i - 1):
        if start > 0 and low[start - 1] == "my":
            return _relation(low, start) or ("me", frozenset())
    return root(low[i]), frozenset((i,))


def _named(words: Words) -> tuple[str, frozenset[int]]:
    """The one person or thing that is named: "where does Anna live?"."""
    places = [i for i, word in enumerate(words.cased) if i not in words.starts and word[0].isupper()]
    names = [i for i in places if words.low[i] not in FUNCTION_WORDS]
    if not names or names[-1] - names[0] != len(names) - 1:
        return "", frozenset()
    return "+".join(root(words.low[i]) for i in names), frozenset(names)


def _predicate(key: Key) -> str:
    kind, mood, rest = key
    if key in _table():
        return _table()[key]
    for (slot_kind, slot_mood, needed), predicate in _slots():
        if needed < rest and slot_mood == mood and slot_kind == kind:
            return f"{predicate}:{'+'.join(sorted(rest - needed))}"
    return ""


def _key(phrasing: str) -> Key:
    spoken = words(phrasing)
    _, taken = _whose(spoken)
    kind = question.find(spoken)
    return kind, mood(spoken, tense.tense_of(spoken), modality.modality_of(spoken, kind)), _rest(spoken, taken)


def _entries(phrasings: dict[str, str]) -> list[tuple[Key, str]]:
    ways = [
        (way, predicate)
        for predicate, lines in phrasings.items()
        for line in lines.splitlines()
        for way in line.split("|")
    ]
    keyed = [(_key(way), _rooted(predicate)) for way, predicate in ways if way.strip()]
    return [(key, predicate) for key, predicate in keyed if key[2] or key[0] == "person"]  # "who am I" has no content


def _rooted(predicate: str) -> str:
    """As a reading has it: "my spouse.name" with the root of "spouse"."""
    whose, dot, name = predicate.partition(".")
    return f"my {root(whose[3:])}{dot}{name}" if dot else predicate


@cache
def _table() -> dict[Key, str]:
    """Read when first asked; where two predicates share a phrasing, the first one has it."""
    return dict(reversed(_entries(PHRASINGS)))


@cache
def _slots() -> tuple[tuple[Key, str], ...]:
    return tuple(sorted(_entries(TAKING), key=lambda entry: -len(entry[0][2])))
