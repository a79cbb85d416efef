"""Negation, modality and tense: can't I, should I, did I and will I are different questions."""

from reverie.language.vocabulary import word_set
from reverie.policy.answers.guards.lexicon import PASTS
from reverie.policy.answers.guards.tokens import Words

_NEGATIVE = word_set(
    "not no never none nobody nothing nowhere neither nor without hardly barely except unless lack lacks"
)
_LEAD = word_set("no not")


def negations(words: Words) -> tuple[str, ...]:
    """
    >>> from reverie.policy.answers.guards.tokens import words
    >>> negations(words("Why don't I ever go without you?"))
    ('not', 'without')
    """
    low = words.low
    found = [_plain(word) for i, word in enumerate(low) if word in _NEGATIVE and not _idle(low, i)]
    return tuple(sorted(found))


def _idle(low: tuple[str, ...], i: int) -> bool:
    """ "Or not", "not only" and "no matter" negate nothing; nor does an offer: "why not try"."""
    before = low[i - 1] if i else ""
    after = low[i + 1] if i + 1 < len(low) else ""
    return (before == "or" and i == len(low) - 1) or after in ("only", "matter", "just")


def _plain(word: str) -> str:
    return "not" if word in _LEAD else word


def negations_differ(asked: tuple[str, ...], cached: tuple[str, ...]) -> str:
    if len(asked) == len(cached):
        return ""
    return f"negated: {' '.join(asked) or 'no'}, not {' '.join(cached) or 'no'}"


_DUTY = word_set("should must ought shall")
_ABILITY = word_set("can could may might able")
_HAVING = word_set("have has had")
_OPEN = frozenset(("manner", "duration"))  # "how should I …" and "how can I …" ask the same


def modality_of(words: Words, kind: str) -> str:
    """
    >>> from reverie.policy.answers.guards.tokens import words
    >>> modality_of(words("Should I eat nuts?"), "yes"), modality_of(words("Can I eat nuts?"), "yes")
    ('duty', 'ability')
    """
    if kind in _OPEN:
        return ""
    for i, word in enumerate(words.low):
        if word in _DUTY or (word in _HAVING and words.low[i + 1 : i + 2] == ("to",)):
            return "duty"
        if word in _ABILITY:
            return "ability"
    return ""


def modality_differs(asked: str, cached: str) -> str:
    if asked == cached or "duty" not in (asked, cached):
        return ""
    return f"asks about {asked or 'what is'}, not {cached or 'what is'}"


_PAST = word_set("did was were had used formerly previously ago")
_FUTURE = word_set("will shall gonna")
_PRESENT = word_set("do does is are am")
_PERFECT = word_set("have has been")
_AHEAD = word_set("tomorrow tonight next upcoming later soon")


def tense_of(words: Words) -> str:
    """Of the first auxiliary that tells; a question without one has no tense.

    >>> from reverie.policy.answers.guards.tokens import words
    >>> tense_of(words("Where did I live?")), tense_of(words("What am I going to do?")), tense_of(words("Why run?"))
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


_CLOSE_TENSES = frozenset(
    frozenset(p) for p in (("ahead", "future"), ("ahead", "present"), ("perfect", "past"), ("perfect", "present"))
)


def tense_differs(asked: str, cached: str) -> str:
    if not asked or not cached or asked == cached or frozenset((asked, cached)) in _CLOSE_TENSES:
        return ""
    return f"tense: {asked}, not {cached}"
