"""A line of core memory: somebody's own words with their day, one line a matter, in an order that reads well."""

import re
from collections.abc import Iterable, Mapping, Sequence

from reverie.language import quoting
from reverie.language.sentences import sentences
from reverie.language.vocabulary import APOSTROPHES
from reverie.language.words import terms
from reverie.model.base import DAY
from reverie.model.memories import Memory

LONGEST = 200  # characters of a quote; a longer one is cut after a sentence
SAME_WORDS = 0.8  # share of the shorter quote's words that the longer one has, if both are on one matter
LEAST_SHARED = 3  # words
BULLET = "- "
OF_LATE, LONG_AGO = 2 * DAY, 200 * DAY  # what happened between these is told as something past
_NAMES = re.compile(r"(?<=\w )[A-ZÀ-Þ][\w'’-]*|\b\w*\d[\w.,:]*\b")  # names and numbers
KIN = (
    "partner|wife|husband|fianc[eé]e?|girlfriend|boyfriend|mum|mom|mother|dad|father|sister|brother|son|daughter|kids?|"
    "children|aunt|uncle|cousin|gran|grandma|grandpa|boss|manager|supervisor|co-?founder|colleague|teacher|doctor|friend"
)
_ASKS_WHAT = re.compile(r"(?:what|who|where|which|how (?:old|many|much|long)) .*\?", re.IGNORECASE)
_OF_THE_USER = f"{quoting.who('user')}, "

# What a statement may say about somebody, and how much that tells of them: lines stand in this order.
CLASSES: Mapping[str, float] = {
    "who one is": 1.0,
    "identity": 0.9,
    "people": 0.7,
    "pets": 0.6,
    "health": 0.8,
    "home": 0.5,
    "work": 0.5,
    "deadline": 0.7,
    "decision": 0.6,
    "change": 0.5,
    "constraint": 0.3,
    "plan": 0.3,
    "taste": 0.4,
    "a project": 0.2,
}
LASTING = frozenset({"who one is", "identity", "people", "pets", "health"})  # true long after it was said
SIGNS = ("a name", "a figure", "time", "a thing")  # of something that can be looked up again
# What people say of themselves and theirs without a word that the reasons know: the class, and how it is said.
_SAID_SO: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "identity",
        re.compile(r"\b(?:i'?m|i am) [\w'-]+(?: [\w'-]+)?, (?:an? |the )?[\w'-]+(?: [\w'-]+)? (?:at|in|from|of|for)\b"),
    ),
    (
        "identity",
        re.compile(r"\b(?:i (?:own|run|lead|maintain|look after)|i'm (?:in charge of|responsible for|on call for)) "),
    ),
    (
        "people",
        re.compile(
            rf"\b(?:{KIN}) [\w'-]+,? (?:is|are|has|works|lives|does)\b|\b[\w'-]+(?:'s| is) my (?:\w+ )?(?:{KIN})\b"
        ),
    ),
    ("people", re.compile(r"\b[\w'-]+ is \d{1,2}(?: months?| weeks?| years?)?(?: old)?(?:,| and|\.(?!\d)|$)")),
    (
        "plan",
        re.compile(
            r"\b(?:exam|deadline|launch|appointment|flight|visit|surgery|wedding|interview|hearing|go-live)\b.* \d"
        ),
    ),
)


def reasons_of(memory: Memory) -> frozenset[str]:
    """Why a fact was kept."""
    reasons = memory.metadata.get("reasons")
    return frozenset(str(reason) for reason in reasons) if isinstance(reasons, list | tuple) else frozenset()


def classes_of(memory: Memory) -> list[str]:
    """The classes that it belongs to, in their order."""
    text = memory.quote.translate(APOSTROPHES).casefold()
    shown = reasons_of(memory) | {name for name, words in _SAID_SO if words.search(text)}
    return [name for name in CLASSES if name in shown]


def weight(memory: Memory) -> float:
    """How much it tells of somebody: its weightiest class, some of the next, signs of things; less for what is past.

    >>> told = Memory("m", "s", "fact", "", ("t",), 0.0, metadata={"quote": "x", "reasons": ["people", "a name"]})
    >>> round(weight(told), 2)
    1.07
    """
    first, second, *_ = (*sorted((CLASSES[name] for name in classes_of(memory)), reverse=True), 0.0, 0.0)
    signs = sum(sign in reasons_of(memory) for sign in SIGNS)
    past = memory.happened_at is not None and OF_LATE < memory.dated - memory.happened_at < LONG_AGO
    against = 0.3 * (past and not is_lasting(memory)) + 0.15 * ("feeling" in reasons_of(memory))
    return 0.25 + first + 0.3 * second + 0.12 * signs + 0.25 * bool(_ASKS_WHAT.match(memory.about)) - against


def is_lasting(memory: Memory) -> bool:
    """Whether it is likely to be so for long: who somebody is, their people, their health."""
    return not LASTING.isdisjoint(classes_of(memory))


def shown(memory: Memory) -> str:
    """A memory as one line of core: when it was said, what it answers, and the words.

    >>> text, quote = 'The user, 5 November 2026: "i am celiac"', "i am celiac"
    >>> shown(Memory("m", "s", "fact", text, ("t",), 1.0, metadata={"quote": quote}))
    '- 5 November 2026: "i am celiac"'
    >>> shown(Memory("m", "s", "fact", "The user lives in Kiel.", ("t",), 1.0, said_at=1_793_836_800.0))
    '- The user lives in Kiel (5 November 2026)'
    """
    text, quote = " ".join(memory.text.split()), " ".join(memory.quote.split())
    day = quoting.day(memory.dated)
    if not quote or quote not in text or text == quote:
        return f"{BULLET}{text.rstrip('.')} ({day})"
    text = text.removesuffix(f" ({day})")  # the day of speaking is said once
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
    return next((i for i, name in enumerate(CLASSES) if name in classes_of(memory)), len(CLASSES))


def quote_list(facts: Sequence[Memory], most: int) -> list[Memory]:
    """The facts that tell most of somebody, one a matter, in order: what a profile is made of."""
    weightiest = sorted(newest_of_each(facts), key=lambda fact: (-weight(fact), -fact.dated, fact.id))
    return in_order(weightiest[:most])
