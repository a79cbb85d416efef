"""Tense: where I live, where I lived, where I will live."""

from reverie.policy.guards.lexicon import PASTS
from reverie.policy.guards.tokens import Words
from reverie.policy.guards.vocabulary import word_set

_PAST = word_set("did was were had used formerly previously ago")
_FUTURE = word_set("will shall gonna")
_PRESENT = word_set("do does is are am")
_PERFECT = word_set("have has been")
_AHEAD = word_set("tomorrow tonight next upcoming later soon")


def find(words: Words) -> str:
    """Of the first auxiliary that tells; a question without one has no tense.

    >>> from reverie.policy.guards.tokens import words
    >>> find(words("Where did I live?")), find(words("What am I going to do?")), find(words("Why run?"))
    ('past', 'future', '')
    """
    low = words.low
    for i, word in enumerate(low):
        if word in _PAST:
            return "past"
        if word in _FUTURE:
            return "future"
        if word in _PERFECT and word != "have":
            return "perfect"
        if word == "have" and i + 1 < len(low) and (i == 0 or low[i + 1] in ("been", "i", "you", "they", "we")):
            return "perfect"
        if word in _PRESENT:
            return _present(low, i)
    return _verbs(low)


def _present(low: tuple[str, ...], i: int) -> str:
    after = low[i + 1 : i + 4]
    if "going" in after and "to" in low[i + 2 : i + 6]:
        return "future"
    if any(word in _AHEAD for word in low[i + 1 :]):
        return "ahead"  # "what am I doing tomorrow" and "what will I do tomorrow" ask the same
    return "present"


def _verbs(low: tuple[str, ...]) -> str:
    """Without an auxiliary, the verb after "who" or "which one" tells: "who took care of it"."""
    if any(word in PASTS or (len(word) > 4 and word.endswith("ed")) for word in low[1:3]):
        return "past"
    return "present" if low[:1] == ("who",) and low[1:2] and low[1].endswith("s") else ""


_CLOSE = frozenset(
    frozenset(p) for p in (("ahead", "future"), ("ahead", "present"), ("perfect", "past"), ("perfect", "present"))
)


def differs(asked: str, cached: str) -> str:
    if not asked or not cached or asked == cached or frozenset((asked, cached)) in _CLOSE:
        return ""
    return f"tense: {asked}, not {cached}"
