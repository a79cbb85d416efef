"""A sentence that ends what the one before it says: "That's off now."."""

import re

from reverie.minds.rules.reading.matters import plain

_TAKEN_BACK = re.compile(
    r"(?:(?:and|but|so|well|actually|no|ok|oh)[\s,]+)*(?:(?:that|it|this)(?:'s| is| was) (?:all |now )?(?:off|over|"
    r"cancelled|history|not happening)\b|never ?mind\b|(?:forget|scrap|strike|ignore) (?:it|that|this)\b|"
    r"not any ?more\b)",
    re.I,
)


def takes_back(sentence: str) -> bool:
    """Whether a sentence ends what the one before it says.

    >>> takes_back("That's off now."), takes_back("it's off the main road")
    (True, False)
    """
    found = _TAKEN_BACK.match(plain(sentence))
    return found is not None and len(sentence[found.end() :].split()) <= 2
