"""Questions that lean on what was just said or shown ("what is this insect?"): no other moment can answer them."""

from reverie.policy.guards.tokens import Words
from reverie.policy.guards.vocabulary import word_set

_POINTING = word_set("this that these those")
_SHOWN = word_set("below above following attached")
_SPANS = word_set(
    "day days week weekend month year morning afternoon evening night summer winter spring autumn time way"
)
_SHORT = 12  # a longer question has said itself what "this" is
_SUBJECTS = word_set("i you we they he she it people the a an my your is are was were do does did can will would")
_REFLEXIVE = word_set("myself yourself himself herself themselves ourselves")


def find(words: Words) -> tuple[str, ...]:
    """What points out of the question.

    >>> from reverie.policy.guards.tokens import words
    >>> find(words("What breed is this dog?")), find(words("What is on this week?"))
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


def differs(asked: tuple[str, ...], cached: tuple[str, ...]) -> str:
    pointing = asked or cached
    return f"leans on its moment: {pointing[0]!r}" if pointing else ""
