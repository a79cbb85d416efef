"""When two facts say the same, when a fact still holds, and how much a new one surprises."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reverie.language.sentences import sentences
from reverie.language.words import jaccard, normalised, terms
from reverie.model.base import DAY, Instant
from reverie.model.memories import Memory

Vectors = NDArray[np.float32]

# Each telling of these is an occasion of its own: going to the gym on Monday is not going there on Friday.
OCCASIONS = ("event", "plan")
_DAY = (
    r"(?:the )?\d|next|this|then|now|tomorrow|mon|tue|wed|thu|fri|sat|sun|"
    r"jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
)
_BEGINS = re.compile(
    rf"\b(?:(?:from|since) (?:{_DAY})|(?:starts?|starting|begins?|beginning|as of|becomes)\b)", re.IGNORECASE
)
PLANNED = frozenset({"plan", "deadline"})  # why a fact was kept, if it is over once its day is


def statement_key(fact: Memory) -> str:
    """The same for two facts that state the same of the same subject, whatever the inflection.

    >>> said = Memory("m", "s", "fact", "", ("t",), 0.0, subject="user", predicate="likes", value="Green teas")
    >>> statement_key(said)
    'user|likes|green tea||'
    """
    value = fact.value or fact.quote or fact.text
    words = " ".join(sorted(set(terms(value)))) or normalised(value)
    negated = "not" if fact.marks.get("negated") else ""
    day = str(int(_occasion(fact) // DAY)) if fact.marks.get("fact_kind") in OCCASIONS else ""
    return "|".join(((fact.subject or "").casefold(), fact.predicate or "", words, negated, day))


def _occasion(fact: Memory) -> Instant:
    for at in (fact.happened_at, fact.said_at):
        if at is not None:
            return at
    return fact.created_at


def is_over(fact: Memory, now: Instant) -> bool:
    """Ended, or a plan whose day has passed: it was so, it is not what comes.

    >>> from dataclasses import replace
    >>> plan = Memory("m", "s", "fact", "", ("t",), 0.0, happened_at=5 * DAY, marks={"fact_kind": "plan"})
    >>> is_over(plan, 5 * DAY), is_over(plan, 7 * DAY), is_over(replace(plan, marks={}), 7 * DAY)
    (False, True, False)
    """
    if fact.valid_until is not None and fact.valid_until <= now:
        return True
    return plan_until(fact) is not None and (plan_until(fact) or 0.0) <= now


def plan_until(fact: Memory) -> Instant | None:
    """The end of the day that a plan or a deadline is for; None where it names no day, or one that was over already."""
    reasons = fact.marks.get("reasons")
    planned = not PLANNED.isdisjoint(map(str, reasons)) if isinstance(reasons, list | tuple) else False
    if fact.happened_at is None or not (planned or fact.marks.get("fact_kind") == "plan"):
        return None
    if _BEGINS.search(fact.quote):
        return None  # on its day it begins to hold
    return fact.happened_at + DAY if fact.happened_at + DAY > fact.dated else None


def over_since(episode: Memory, drawn: Sequence[Memory], now: Instant) -> Instant | None:
    """From when nothing of an episode holds; None while something may: a sentence that gave no fact may still be so."""
    if not drawn or len(sentences(episode.text)) > len(drawn):
        return None
    if any(fact.valid_until is None or fact.valid_until > now for fact in drawn):
        return None
    return max(fact.valid_until for fact in drawn if fact.valid_until is not None)


def surprisal(vector: Vectors, known: Sequence[Vectors]) -> float:
    """How far a statement is from the nearest thing known: 0 for nothing new, 1 for nothing alike.

    >>> east, north = np.array([1, 0], np.float32), np.array([0, 1], np.float32)
    >>> surprisal(east, [north]), surprisal(east, [north, east]), surprisal(east, [])
    (1.0, 0.0, 1.0)
    """
    if not len(known):
        return 1.0
    return float(np.clip(1.0 - np.max(np.stack(known) @ vector), 0.0, 1.0))


def lexical_surprisal(text: str, known: Sequence[str]) -> float:
    """The same by words, where there is no embedder.

    >>> lexical_surprisal("The user likes tea", ["The user likes green tea"])
    0.25
    """
    words = frozenset(terms(text))
    return 1.0 - max((jaccard(words, frozenset(terms(other))) for other in known), default=0.0)
