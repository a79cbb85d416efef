"""Whether a later statement ends or changes a directive: a sum of four signs, fitted by `bench/fit_lifting.py`.

Seldom is a rule taken back as a rule: "the evening questions can die", "sundays are like any day now". So every
sentence of the user's is compared with what stands, and it counts against the directive that it is nearest to.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import tanh

from reverie.language.words import stems, tokens
from reverie.policy.core.directives import plain_words

SHORTEST = 3  # words of a sentence that may end a directive
BESIDE = 0.5  # of the best sum: one sentence may end two directives on the same thing
FLAT, MOST_SHARED = 4.0, 3  # odds of the reader beyond which more say little, and words that both have
RELATED = 0.2  # the cosine below which nothing is read
# Said of this once: it changes nothing. Read in any case.
_ONCE = re.compile(
    r"\b(?:this (?:once|time|one)|one[- ]off|just in this|the rest of (?:today|the day)|today|tonight|for once)\b", re.I
)


@dataclass(frozen=True, slots=True)
class LiftingWeights:
    near: float = 6.0  # for the cosine of the two
    read: float = 0.72  # for the odds of the reader of two statements, flattened
    change: float = 1.76  # its words speak of a change
    shared: float = 1.17  # for each word that both have, up to three
    base: float = -5.58
    by_a_rule: float = -0.3  # the sum from which a later directive changes an earlier one: both are shown
    by_a_statement: float = 1.0  # and from which a mere statement ends it: nothing is left of it in core


WEIGHTS = LiftingWeights()


def may_lift(sentence: str) -> bool:
    """Whether a sentence may end a directive at all: none that asks, or that speaks of this once.

    >>> [may_lift(said) for said in ("the evening questions can die", "short ones this once please", "ok?")]
    [True, False, False]
    """
    asks = sentence.rstrip().endswith("?")
    return not asks and len(sentence.split()) >= SHORTEST and _ONCE.search(sentence) is None


@dataclass(frozen=True, slots=True)
class RuleAndSentence:
    """A directive and a later sentence: how near they are in meaning, how surely the later one overtakes it."""

    directive: str
    sentence: str
    nearness: float
    overtakes: float
    changes: bool  # the words of the sentence speak of a change

    @property
    def signs(self) -> tuple[float, ...]:
        """In the order of the weights; the last one is the base's."""
        shared = len(_stems(self.directive) & _stems(self.sentence))
        return self.nearness, tanh(self.overtakes / FLAT), float(self.changes), float(min(shared, MOST_SHARED)), 1.0

    def odds(self, w: LiftingWeights = WEIGHTS) -> float:
        weights = (w.near, w.read, w.change, w.shared, w.base)
        return sum(weight * sign for weight, sign in zip(weights, self.signs, strict=True))


def lifted(found: Sequence[RuleAndSentence], is_rule: bool = False, w: LiftingWeights = WEIGHTS) -> list[int]:
    """Which of the directives that one sentence is compared with it ends: the one that it is most likely about, and
    those that are hardly less likely. `is_rule`: the sentence is a directive itself.

    >>> lifted([RuleAndSentence("ask me a question every evening", "the evening questions can die", 0.5, 3.6, True),
    ...         RuleAndSentence("no bullet points", "the evening questions can die", 0.1, 1.0, True)])
    [0]
    """
    sums = [one.odds(w) for one in found]
    least = max([w.by_a_rule if is_rule else w.by_a_statement, *(its - BESIDE for its in sums)])
    return [i for i, its in enumerate(sums) if its >= least]


def _stems(text: str) -> set[str]:
    return set(stems(plain_words(set(tokens(text)))))
