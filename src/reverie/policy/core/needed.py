"""How much a statement is needed before an agent's eyes at all times: a sum of signs, fitted by `bench/fit_core.py`.

What the judge makes of a sentence alone is only one of them. People who list the ten most important things of a talk
name, more than anything else, what stands now after it was something else, what lies ahead, figures, and health.
"""

import re
from dataclasses import dataclass

from reverie.model.memories import Memory
from reverie.policy.recall.current import HINT, MAYBE

NEWS = "news"  # in its marks: how surely it overtakes an earlier statement, as the weight of an edge
_FIGURE = re.compile(r"\d")
_LONG = 40  # words, from which more of them say nothing


@dataclass(frozen=True, slots=True)
class SignWeights:
    """What each sign adds to the odds that somebody would name it among the ten."""

    alone: float = 0.34  # for each of the judge's odds that it belongs in core, read by itself
    newest: float = 0.86  # it overtakes an earlier statement
    perhaps_newest: float = 0.32
    doubted: float = -0.66  # a later statement may overtake it
    ahead: float = 0.62  # it names a day to come
    figure: float = 0.34
    a_word: float = 0.0285
    base: float = -2.4


WEIGHTS = SignWeights()


def odds(memory: Memory, words: str, doubted: bool = False, w: SignWeights = WEIGHTS) -> float | None:
    """The odds that a statement is one of the ten, of the words that core would show; None where no judge has read it.

    >>> said = lambda **marks: Memory("m", "s", "fact", "", ("t",), created_at=0.0, marks={"alone": 1.0, **marks})
    >>> moved, stays = odds(said(news=1.0), "Rent is 640 now"), odds(said(), "Rent is 640 now")
    >>> moved > stays, odds(Memory("m", "s", "fact", "", ("t",), created_at=0.0), "Rent is 640") is None
    (True, True)
    """
    news = memory.marks.get(NEWS)
    if not isinstance(memory.marks.get("alone"), int | float):
        return None
    found = signs(memory, words, float(news) if isinstance(news, int | float) else 0.0, doubted)
    weights = (w.alone, w.newest, w.perhaps_newest, w.doubted, w.ahead, w.figure, w.a_word)
    return w.base + sum(weight * sign for weight, sign in zip(weights, found, strict=True))


def signs(memory: Memory, words: str, news: float, doubted: bool) -> tuple[float, ...]:
    """What speaks for and against it, in the order of the weights. `news`: how surely it overtakes something."""
    alone = memory.marks.get("alone")
    ahead = memory.happened_at is not None and memory.happened_at > memory.dated
    return (
        float(alone) if isinstance(alone, int | float) else 0.0,
        float(news >= MAYBE),
        float(HINT <= news < MAYBE),
        float(doubted),
        float(ahead),
        float(bool(_FIGURE.search(words))),
        float(min(len(words.split()), _LONG)),
    )
