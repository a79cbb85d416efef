"""Search terms that belong to one space: a term's rarity and cost then follow the space, not the whole store."""

from reverie.policy.words import terms


def index_terms(num: int, text: str) -> str:
    """A text as its index row holds it: stems in order, each with the space's number before it.

    >>> index_terms(7, "Anna's sisters moved")
    '7_anna 7_sister 7_move'
    """
    return " ".join(f"{num}_{term}" for term in terms(text))


def query_terms(num: int, text: str) -> list[str]:
    """What a query looks for, each term once, in its order.

    >>> query_terms(7, "Where did Anna's sister move? Anna's!")
    ['7_anna', '7_sister', '7_move']
    """
    return list(dict.fromkeys(f"{num}_{term}" for term in terms(text)))
