"""Countries and other large regions: living in one and in a city is no contradiction."""

from functools import lru_cache

from reverie.minds.rules.lexicon import words

_SIDES = ("north", "south", "east", "west")
_PARTS = tuple(f"{side}{end}" for side in _SIDES for end in (" of ", "ern "))


@lru_cache(maxsize=1)
def _regions() -> frozenset[str]:
    return frozenset(name.casefold() for name in words("region"))


def is_region(place: str) -> bool:
    """
    >>> is_region("Germany"), is_region("the north of Spain"), is_region("Kiel")
    (True, True, False)
    """
    plain = place.casefold().removeprefix("the ")
    return plain in _regions() or plain.startswith(_PARTS)
