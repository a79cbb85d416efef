"""Order and joining: "do girls like shy boys" and "do boys like shy girls" are made of the same words."""

from collections import Counter

from reverie.policy.guards.vocabulary import word_set

_TOGETHER = word_set("and or between vs versus difference differ compare")
_JOINING = frozenset(("and", "or"))


def differs(asked: tuple[str, ...], cached: tuple[str, ...], shared: frozenset[str]) -> str:
    """Two content words that changed places, when nothing else of the content changed.

    >>> differs(("girl", "like", "boy"), ("boy", "like", "girl"), frozenset())
    'girl and boy have changed places'
    """
    if asked == cached or len(asked) < 2 or set(asked) != set(cached):
        return ""
    more, less = Counter(asked) - Counter(cached), Counter(cached) - Counter(asked)
    if more and less:
        return f"{next(iter(more))} in the place of {next(iter(less))}"
    moved = [i for i, (a, c) in enumerate(zip(asked, cached, strict=False)) if a != c]
    if len(asked) != len(cached) or len(moved) != 2 or shared & _TOGETHER:
        return ""
    first, second = moved
    if second == first + 1:  # "the eighth wonder", "the world's wonder": side by side, a change is mere grammar
        return ""
    return f"{asked[first]} and {asked[second]} have changed places"


def participants(asked: tuple[str, ...], cached: tuple[str, ...], words: frozenset[str]) -> str:
    """Who does it to whom: the same two people, the other way round.

    >>> participants(("tom", "anna"), ("anna", "tom"), frozenset())
    'tom and anna have changed places'
    """
    if asked == cached or len(asked) < 2 or set(asked) != set(cached) or words & _TOGETHER:
        return ""
    return f"{' and '.join(asked[:2])} have changed places"


def joined(asked: frozenset[str], cached: frozenset[str], more: frozenset[str], fewer: frozenset[str]) -> str:
    """A second thing is asked for on one side only: "advantages and disadvantages" against "advantages"."""
    for joining, other, extra in ((asked, cached, more), (cached, asked, fewer)):
        if extra and not _JOINING.isdisjoint(joining) and _JOINING.isdisjoint(other):
            return f"only one of the two also asks about {min(extra)}"
    return ""
