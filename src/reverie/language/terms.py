"""Search terms that belong to one space: a term's rarity and cost then follow the space, not the whole store."""

from functools import lru_cache

from reverie.language.calendar import date_words
from reverie.language.words import terms
from reverie.model.base import DAY
from reverie.model.turns import Turn

# A turn of ten megabytes is stored whole and found by its beginning: an index row must stay small on every backend.
MAX_CHARS = 100_000
MAX_TERMS = 4_000


def index_terms(num: int, text: str) -> str:
    """A text as its index row holds it: stems in order, each with the space's number before it.

    >>> index_terms(7, "Anna's sisters moved")
    '7_anna 7_sister 7_move'
    """
    return " ".join(f"{num}_{term}" for term in terms(text[:MAX_CHARS])[:MAX_TERMS])


def turn_terms(num: int, turn: Turn) -> str:
    """What a turn itself is found by: its words, and who said them."""
    return index_terms(num, f"{turn.speaker or turn.role}: {turn.text}")


@lru_cache(maxsize=4_096)
def day_terms(num: int, day: int) -> str:
    """A day in words, as its index rows hold it."""
    return index_terms(num, date_words(day * DAY))


def query_terms(num: int, text: str) -> list[str]:
    """What a query looks for, each term once, in its order.

    >>> query_terms(7, "Where did Anna's sister move? Anna's!")
    ['7_anna', '7_sister', '7_move']
    """
    return list(dict.fromkeys(index_terms(num, text).split()))
