"""Whom and what a quote takes for known: "kasimir changed to Fridays" says little to whoever has not met Kasimir.

The words by which somebody was first named say it best, and they are the speaker's own.
"""

import re
from collections.abc import Iterator

from reverie.language import quoting
from reverie.language.sentences import sentences
from reverie.language.vocabulary import STOP_WORDS
from reverie.language.words import stem, tokens
from reverie.minds.rules.reading.values import things
from reverie.minds.rules.reference.leaning import is_verb
from reverie.minds.rules.reference.words import DETERMINERS, OPENERS, SUBJECTS, TIMES
from reverie.policy.care.tagging import words_of

MOST = 24  # words of a quote; whoever says more explains themselves
LONGEST = 28  # words of an introduction
LEAST_NEW = 2  # things that it names beside those of the quote
HEAD = 3  # words with which a sentence begins and says what it is about
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*|'s\b|[.,:;=!?]")
_ONESELF = re.compile(r"\W{0,3}(?:(?:hi|hello|hey|so|ok)\W{1,3})?(?:i'?m|i am|my name|\w{1,24} here)\b", re.I)
_ENDS = frozenset(".,:;=!?") | {"'s"}
_SKIPPED = OPENERS | {"the", "and", "btw", "re"}


def taken_for_known(quote: str) -> tuple[str, ...]:
    """The stems of what a quote speaks of as if everybody knew it: what its sentences begin with, then other names.

    >>> taken_for_known("kasimir changed to Fridays"), taken_for_known("the interview with Van Hasselt is on the 18th")
    (('kasimir',), ('interview', 'hasselt'))
    >>> taken_for_known("I live in a small flat"), taken_for_known("my sister is a nurse")
    ((), ())
    """
    if len(quote.split()) > MOST:
        return ()
    heads = [word for one in sentences(quote) for word in _head(one)]
    named = [word for name in quoting.named(quote) for word in tokens(name) if word not in TIMES]
    return tuple(dict.fromkeys(one for word in (*heads, *named) for one in words_of(word)))


def begins_with(quote: str, word: str) -> bool:
    """Whether a quote begins with what a stem stands for; a few words may come before it.

    >>> begins_with("ok! kasimir changed to Fridays", "kasimir"), begins_with("All is well here. Ana runs.", "ana")
    (True, False)
    """
    said = sentences(quote)
    first = said[:2] if said and len(said[0].split()) <= HEAD else said[:1]
    return any(word in words_of(one) for sentence in first for one in _head(sentence))


def _head(sentence: str) -> Iterator[str]:
    """The first words of a sentence up to its verb; none where it begins with its speaker or with what is theirs."""
    low = _WORD.findall(sentence.replace("’", "'").lower())
    while low and low[0] in _SKIPPED:
        low = low[1:]
    for word in low[:HEAD]:
        if word in _ENDS or is_verb(word) or word in SUBJECTS or word in DETERMINERS or word in TIMES:
            return
        if word.endswith("ed") and len(word) > 4:
            return  # "booked it" speaks of something else that was booked
        if word not in STOP_WORDS:
            yield word


def introduction(earlier: str, word: str, quote: str, shown: str) -> str:
    """The sentences of an earlier quote that name what a stem stands for; nothing where they tell nothing new, or stand
    already in what is shown before the quote.

    >>> introduction("physio comes on Mondays, a young man, Kasimir", "kasimir", "kasimir changed to Fridays", "")
    'physio comes on Mondays, a young man, Kasimir'
    """
    told, forms = sentences(earlier), _forms(quote, word)
    place = next((i for i, one in enumerate(told) if not forms.isdisjoint(_forms(one, word))), None)
    if place is None:
        return ""
    said = earlier if len(earlier.split()) <= LONGEST else told[place]
    if _ONESELF.match(said):
        return ""  # who the user is stands in core, before whoever reads
    new = things(said) - things(f"{shown} {quote}")
    return said if len(said.split()) <= LONGEST and len(new) >= LEAST_NEW and said not in shown else ""


def _forms(text: str, word: str) -> set[str]:
    """How a stem is written in a text, plural or not: a sick line is no sickness."""
    return {one.rstrip("s") for one in tokens(text) if stem(one) == word}
