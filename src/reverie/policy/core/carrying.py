"""Whether one text carries what another says: its names, figures and words, and neither denies the other."""

import re

from reverie.language.calendar import MONTHS, WEEKDAYS
from reverie.language.vocabulary import STOP_WORDS, word_set
from reverie.language.words import terms, tokens

NEGATIONS = word_set(
    "not no never none nobody nothing neither nor without cannot cant dont doesnt didnt isnt arent wasnt werent wont"
    " wouldnt shouldnt couldnt hasnt havent hadnt aint longer anymore stopped quit refuse refuses hate hates"
)
_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*")
_CAPITAL = re.compile(r"(?<![\w'’-])[A-ZÀ-Þ][\w'’-]*")
_ADDRESSED = frozenset(["i", "the", "user", "assistant", "tool", "system", "you", "also", "asked", "after", "on"])


def figures(text: str) -> set[str]:
    """
    >>> sorted(figures("at 4.30, for 1,200 euros"))
    ['1200', '4.30']
    """
    return {re.sub(r",(?=\d{3}(?!\d))", "", found).strip(".,:") for found in _FIGURE.findall(text)}


def names(text: str) -> set[str]:
    """Its capitalised words in lower case, without those that every sentence may begin with.

    >>> sorted(names("The user said that Anna lives in Kiel. She likes it."))
    ['anna', 'kiel']
    """
    found = {word for span in _CAPITAL.findall(text) for word in tokens(span)}
    return found - STOP_WORDS - _ADDRESSED - {word.casefold() for word in (*MONTHS, *WEEKDAYS)}


def carries(line: str, other: str) -> bool:
    """Whether `other` still says all that `line` says.

    >>> carries("I live in Kiel", "The user lives in Kiel and bakes"), carries("I live in Kiel", "The user bakes")
    (True, False)
    >>> carries("I eat meat", "The user does not eat meat")
    False
    """
    there = set(terms(other))
    return (
        set(terms(line)) <= there
        and figures(line) <= figures(other)
        and NEGATIONS & set(tokens(line)) == NEGATIONS & set(tokens(other))
    )
