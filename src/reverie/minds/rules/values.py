"""Values without what trails them: reasons, asides, adverbs, articles; and lists taken apart."""

import re
from functools import lru_cache

_CUT = (
    r"\s+(?:because|since|although|though|but|so that|which|who|whom|whose|where|when|while|unless|until|if|"
    r"even though|whenever|(?:after|before) (?:I|we|he|she|they|it|you|my|our)|as (?:I|we|they|it|he|she|my)|"
    r"so (?!much|far|many|called)\w+|and (?:I|we|he|she|they|it|my|that|then|am|is|are|was|have|has)|"
    r"or (?:something|so|whatever)|due to|thanks to|in order to|just like|except|instead of|rather than|"
    r"along with my|together with my|to be honest|by the way)\b.*$"
    r"|\s+that\s.*$"
    r"|\s*[;:(\[]\s.*$|\s*[(\[].*$|,\s+(?:which|who|where|so|but|because|and (?:I|it|that|we)|as|especially|even|not|"
    r"it|that|this|please|thanks|though|actually|too|right|you know|in particular|mostly|mainly|preferably|at "
    r"least|ever since|"
    r"to|for|with|in|on|from|since|by|whenever|if|when|no|yes|once|twice|every|each|daily|weekly)\b.*$"
    r"|,\s+(?:[\w-]+ ){1,4}(?:a|per|each|every) (?:day|week|month|year)\b.*$"
)
_TAIL = (
    r"[\s,]+(?:now|nowadays|these days|right now|at the moment|currently|at present|too|also|again|actually|"
    r"instead|already|though|as well|lately|recently|very much|a lot|so much|the most|most of all|more than anything|"
    r"for (?:now|sure|years|a while|a long time|ages|life|good|real|a living|fun|work|the moment|the time "
    r"being|me|(?:about |over |almost |nearly |the (?:past|last) )?(?:\w+ )?(?:\d+|two|three|four|five|six|"
    r"seven|eight|nine|ten|a few|many|several|a couple of|twelve|twenty|fifteen|a|one) (?:years?|months?|"
    r"weeks?|days?|decades?)(?: now)?)|"
    r"since (?:then|forever|childhood|I was \w+|birth|always)|all (?:the time|my life|along)|my (?:whole|"
    r"entire) life|with a passion|to (?:bits|death|pieces)|"
    r"in general|at all|anymore|any longer|by far|of course|to be honest|if you ask me|in my (?:opinion|free "
    r"time|spare time|case)|"
    r"please|thanks|thank you|haha|lol|btw|fyi|tbh|everyone|guys|folks|y'all|today|yet|still|together|soon|finally|"
    r"here|there|this time|for some reason|believe it or not|apparently|unfortunately|honestly|really|"
    r"for (?:it|this|that|them)|(?:there )?with (?:him|her|them|it|you)|"
    r"full[- ]?time|part[- ]?time|remotely|"
    r"\d+ (?:years?|months?|weeks?) (?:now|ago)|over the years|for the (?:past|last) \w+ \w+|on and off|and "
    r"stuff|and so on|and such|etc\.?|or so)$"
)
_HEAD = (
    r"^(?:(?:a|an|the|my|our|some|any|to|really|just|very|about|around|also|now|actually|both|definitely|in|"
    r"at|called|named|either|his|her|their|your|this|that|these|those|pretty much|only|mostly|mainly|still|"
    r"all|so|basically|of)\s+)+"
)


@lru_cache(maxsize=1)
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    return re.compile(_CUT, re.I), re.compile(_TAIL, re.I), re.compile(_HEAD, re.I)


def clean(text: str, keep_head: bool = False) -> str:
    """The bare value.

    >>> clean("the old harbour of Kiel these days, because it is cheap")
    'old harbour of Kiel'
    """
    cut, tail, head = _patterns()
    value = cut.sub("", " " + text.strip()).strip(" .,!?;:'\"")
    for _ in range(3):
        shorter = tail.sub("", " " + value).strip(" .,!?;:'\"")
        if shorter == value:
            break
        value = shorter
    return value if keep_head else head.sub("", value).strip(" .,!?;:'\"")


_AND = re.compile(
    r",\s*(?:and|or|plus|but also|as well as)\s+|\s+(?:and|or|plus|&|as well as|and also|nor)\s+|,\s*|\s*/\s+"
)
_PAIRED = re.compile(
    r"\b(?:mac|fish|rock|salt|bed|trial|research|arts|black|peanut butter|gin|drum|r|b|bread) (?:and|&) \w+", re.I
)

_STATEMENT = re.compile(r"\b(?:is|are|was|were|will|has|had)\b")  # "…, the sea was calm" is no item of a list


def items(text: str, keep_head: bool = False) -> list[str]:
    """Each value of a list.

    >>> items("tea, green curry and the sea")
    ['tea', 'green curry', 'sea']
    """
    whole = clean(text, keep_head)
    if _PAIRED.search(whole):
        return [whole] if whole else []
    first, *others = (clean(part, keep_head) for part in _AND.split(whole))
    parts = [first, *(part for part in others if not _STATEMENT.search(part))]
    return [part for part in parts if part and len(part) > 1] or ([whole] if whole else [])


_PLACE = re.compile(
    r"(?:the )?(?:(?:city|town|village|suburbs?|outskirts|north|south|east|west|centre|center|heart|middle|"
    r"countryside|state) (?:of |in |near )?)?(?:[A-ZÀ-Þ][\w'.\-]*)(?:[ ,-]+(?:(?:de|la|le|el|del|of|the|am|an|"
    r"der|upon|on|da|do|du|al)[ -])*[A-ZÀ-Þ][\w'.\-]*)*"
)


def place(text: str) -> str:
    """The place name that a phrase opens with; empty when it opens with none.

    >>> place("the north of Spain with my family"), place("a small flat")
    ('north of Spain', '')
    """
    bare = text.strip()
    match = _PLACE.match(bare)
    if not match:
        return ""
    value = re.sub(r"^the ", "", match.group().strip(" ,"), flags=re.I)
    return "" if value in ("I", "I'm", "We", "My") else value.strip(" ,.")
