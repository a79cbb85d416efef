"""More or less, before or after, from A to B or from B to A, and the order in which words are joined."""

from collections import Counter

from reverie.language.vocabulary import word_set
from reverie.language.words import stem
from reverie.policy.answers.guards.lexicon import FUNCTION_WORDS
from reverie.policy.answers.guards.tokens import Words

Directed = tuple[tuple[str, str], ...]

_DIRECTIONS = word_set(
    "from to into than before after without with above below under over against towards by except about for in on at of"
)
_FACING = word_set("from into than before after against towards by")  # what stands behind them stands on one side
_SMALL = word_set("the a an my your his her their our its be being getting this that")
_DEGREES = {
    "more": "more", "less": "less", "fewer": "less", "most": "most", "least": "least", "best": "best",
    "worst": "worst", "better": "better", "worse": "worse", "max": "most", "maximum": "most", "min": "least",
    "minimum": "least", "enough": "enough", "too": "too",
}  # fmt: skip


def directions(words: Words) -> Directed:
    """What stands behind each word of direction: ("from", "berlin"), ("to", "pari").

    >>> from reverie.policy.answers.guards.tokens import words
    >>> directions(words("How far is it from Berlin to Paris?"))
    (('from', 'berlin'), ('to', 'pari'))
    """
    low = words.low
    found = []
    for i, word in enumerate(low):
        if word in _DIRECTIONS:
            target = next((w for w in low[i + 1 :] if w not in _SMALL), "")
            if target not in FUNCTION_WORDS:
                found.append((word, stem(target)))  # nothing behind it: "who do I work with?"
    return tuple(found)


def degrees(words: Words) -> tuple[str, ...]:
    """The degrees that are compared in: "older", "most", "too"; and "only".

    >>> from reverie.policy.answers.guards.tokens import words
    >>> degrees(words("Who is older, and who has the most?"))
    ('most', 'older')
    """
    return tuple(sorted({degree for word in words.low if (degree := _degree(word))}))


def _degree(word: str) -> str:
    if word in _DEGREES or word == "only":
        return _DEGREES.get(word, word)
    return word if word in _COMPARED else ""


_STEMS = """
    old young big small large long short tall high low fast slow early late cheap heavy light hot cold hard soft strong
    weak rich poor close near far deep wide great few safe smart clever nice fine warm cool rare clean dark bright loud
    quiet simple strict new thick thin full sharp
"""
_IDLE = word_set("best most easiest fastest greatest more")
_DOUBLED = {"big": "bigg", "hot": "hott", "thin": "thinn"}


def _forms(adjective: str) -> tuple[str, str]:
    root = _DOUBLED.get(adjective, adjective.removesuffix("e"))
    return f"{root}er", f"{root}est"


_COMPARED = frozenset(form for adjective in _STEMS.split() for form in _forms(adjective)) | word_set(
    "easier heavier happier busier healthier earliest easiest heaviest happiest busiest farther further"
)


def degrees_differ(asked: tuple[str, ...], cached: tuple[str, ...]) -> str:
    """The same degrees, or none on one side where praise is idle: "the easiest way to", "the most common"."""
    if asked == cached or (not (asked and cached) and _IDLE.issuperset((*asked, *cached))):
        return ""
    return f"compares {', '.join(asked) or 'nothing'}, not {', '.join(cached) or 'nothing'}"


def turned(asked: Directed, cached: Directed, asked_words: frozenset[str], words: frozenset[str]) -> str:
    """One word behind opposite signs, or two words that changed places behind one: "taller than Tom"."""
    if not asked or not cached:
        return ""
    behind = {target: sign for sign, target in cached}
    there = dict(cached)
    for sign, target in asked:
        other = behind.get(target, sign)
        if frozenset((sign, other)) in _TURNED:
            return f"{sign} {target}, not {other} {target}"
        swapped = there.get(sign, target)
        if sign in _FACING and swapped != target and target in words and swapped in asked_words:
            return f"{sign} {target}, not {sign} {swapped}"
    return ""


def regard(asked: Directed, cached: Directed) -> bool:
    """Do both stand to the same words in the same way? What I told Anna is not what I said about her.

    >>> regard((("to", "anna"),), (("about", "anna"),)), regard((("in", "rome"),), (("at", "rome"),))
    (False, True)
    """
    behind = {target: sign for sign, target in cached}
    pairs = ((sign, behind.get(target, sign)) for sign, target in asked)
    return all(one == other or {one, other} <= _LOOSE for one, other in pairs)


_LOOSE = word_set("in on at of for")
_TURNED = frozenset(
    frozenset(p)
    for p in (
        ("from", "to"), ("from", "into"), ("before", "after"), ("with", "without"), ("above", "below"),
        ("over", "under"), ("than", "to"), ("by", "to"), ("against", "with"), ("towards", "from"),
    )
)  # fmt: skip


_TOGETHER = word_set("and or between vs versus difference differ compare")
_JOINING = frozenset(("and", "or"))


def order_differs(asked: tuple[str, ...], cached: tuple[str, ...], shared: frozenset[str]) -> str:
    """Two content words that changed places, when nothing else of the content changed.

    >>> order_differs(("girl", "like", "boy"), ("boy", "like", "girl"), frozenset())
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


def roles_differ(asked: tuple[str, ...], cached: tuple[str, ...], words: frozenset[str]) -> str:
    """Who does it to whom: the same two people, the other way round.

    >>> roles_differ(("tom", "anna"), ("anna", "tom"), frozenset())
    'tom and anna have changed places'
    """
    if asked == cached or len(asked) < 2 or set(asked) != set(cached) or words & _TOGETHER:
        return ""
    return f"{' and '.join(asked[:2])} have changed places"


def joined_differently(
    asked: frozenset[str], cached: frozenset[str], more: frozenset[str], fewer: frozenset[str]
) -> str:
    """A second thing is asked for on one side only: "advantages and disadvantages" against "advantages"."""
    for joining, other, extra in ((asked, cached, more), (cached, asked, fewer)):
        if extra and not _JOINING.isdisjoint(joining) and _JOINING.isdisjoint(other):
            return f"only one of the two also asks about {min(extra)}"
    return ""
