"""A line of core memory: somebody's own words with their day, one line a matter, in an order that reads well."""

import re
from collections.abc import Iterable, Mapping, Sequence

from reverie.language import quoting
from reverie.language.sentences import sentences
from reverie.language.words import terms
from reverie.model.memories import Memory

LONGEST = 200  # characters of a quote; a longer one is cut after a sentence
SAME_WORDS = 0.8  # share of the shorter quote's words that the longer one has, if both are on one matter
LEAST_SHARED = 3  # words
BULLET = "- "
_NAMES = re.compile(r"(?<=\w )[A-ZÀ-Þ][\w'’-]*|\b\w*\d[\w.,:]*\b")  # names and numbers
_OF_THE_USER = f"{quoting.who('user')}, "

# What a statement may say about somebody, and how much that tells: lines stand in this order.
CLASSES: Mapping[str, float] = {
    "identity": 1.0,
    "people": 0.9,
    "health": 1.0,
    "home": 0.9,
    "work": 0.8,
    "constraint": 0.8,
    "deadline": 0.8,
    "decision": 0.8,
    "plan": 0.7,
    "taste": 0.6,
}


def reasons_of(memory: Memory) -> frozenset[str]:
    """Why a fact was kept."""
    reasons = memory.metadata.get("reasons")
    return frozenset(str(reason) for reason in reasons) if isinstance(reasons, list | tuple) else frozenset()


def class_of(memory: Memory) -> str:
    """The first of the classes that it belongs to; empty where it belongs to none."""
    return next((name for name in CLASSES if name in reasons_of(memory)), "")


def shown(memory: Memory) -> str:
    """A memory as one line of core: when it was said, what it answers, and the words.

    >>> text, quote = 'The user, 5 Nov 2026: "i am celiac"', "i am celiac"
    >>> shown(Memory("m", "s", "fact", text, ("t",), 1.0, metadata={"quote": quote}))
    '- 5 Nov 2026: "i am celiac"'
    >>> shown(Memory("m", "s", "fact", "The user lives in Kiel.", ("t",), 1.0, said_at=1_793_836_800.0))
    '- The user lives in Kiel (5 Nov 2026)'
    """
    text, quote = " ".join(memory.text.split()), " ".join(memory.quote.split())
    if not quote or f'"{quote}"' not in text:
        return f"{BULLET}{text.rstrip('.')} ({quoting.day(memory.dated)})"
    text = text.removesuffix(f" ({quoting.day(memory.dated)})")  # the day of speaking is said once
    return BULLET + text.removeprefix(_OF_THE_USER).replace(quote, _cut(quote))


def _cut(quote: str) -> str:
    """The first sentences of a quote, as many as fit; the whole of it if the first one is too long by itself."""
    if len(quote) <= LONGEST:
        return quote
    kept = ""
    for sentence in sentences(quote):
        longer = quote[: quote.find(sentence, len(kept)) + len(sentence)]
        if len(longer) > LONGEST:
            break
        kept = longer
    return kept or quote


def same_matter(one: Memory, other: Memory) -> bool:
    """Whether two statements are about the same thing of the same subject, so that one line is enough.

    >>> def said(text, **more):
    ...     return Memory(text, "s", "fact", text, ("t",), 1.0, subject="user", **more)
    >>> same_matter(said("The deadline is on May 3"), said("so the deadline is on May 3 now"))
    True
    >>> same_matter(said("My friend Tom lives in a flat in Kiel"), said("My friend Jan lives in a flat in Kiel"))
    False
    """
    if (one.subject or "").casefold() != (other.subject or "").casefold():
        return False
    if one.predicate and one.predicate == other.predicate and one.metadata.get("exclusive"):
        return True
    return _alike(one.quote or one.text, other.quote or other.text)


def _alike(one: str, other: str) -> bool:
    """Whether two texts say the same in nearly the same words; each may not name what the other does not."""
    words, others = frozenset(terms(one)), frozenset(terms(other))
    shared = len(words & others)
    if shared < LEAST_SHARED or shared < SAME_WORDS * min(len(words), len(others)):
        return False
    names, other_names = (frozenset(word.casefold() for word in _NAMES.findall(text)) for text in (one, other))
    return names <= other_names or other_names <= names


def newest_of_each(memories: Iterable[Memory]) -> list[Memory]:
    """One memory a matter: the one that was said last."""
    kept: list[Memory] = []
    for memory in sorted(memories, key=lambda memory: (-memory.dated, memory.id)):
        if not any(same_matter(memory, other) for other in kept):
            kept.append(memory)
    return kept


def in_order(memories: Iterable[Memory]) -> list[Memory]:
    """By what they say about somebody, the newest first within that."""
    return sorted(memories, key=lambda memory: (_place(memory), -memory.dated, memory.id))


def _place(memory: Memory) -> int:
    names = list(CLASSES)
    found = class_of(memory)
    return names.index(found) if found else len(names)


def quote_list(facts: Sequence[Memory], most: int) -> list[Memory]:
    """The facts that tell most of somebody, one a matter, in order: what a profile is made of."""
    weightiest = sorted(newest_of_each(facts), key=lambda fact: (-weight(fact), -fact.dated, fact.id))
    return in_order(weightiest[:most])


def weight(memory: Memory) -> float:
    """How much it tells of somebody, from 0 to 1: by what kind of statement it is, and by how much it says."""
    return 0.5 * CLASSES.get(class_of(memory), 0.3) + 0.5 * memory.importance
