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
    alone, news = memory.marks.get("alone"), memory.marks.get(NEWS)
    if not isinstance(alone, int | float):
        return None
    weight = float(news) if isinstance(news, int | float) else 0.0
    ahead = memory.happened_at is not None and memory.happened_at > memory.dated
    return (
        w.base
        + w.alone * alone
        + (w.newest if weight >= MAYBE else w.perhaps_newest if weight >= HINT else 0.0)
        + w.ahead * ahead
        + w.figure * bool(_FIGURE.search(words))
        + w.a_word * min(len(words.split()), _LONG)
        + w.doubted * doubted
    )
