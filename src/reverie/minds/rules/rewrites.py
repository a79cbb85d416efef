"""Roundabout ways of saying a thing, put into the plain words that the tables read."""

import re
from functools import lru_cache

from reverie.minds.rules.lexicon import pattern

_DAY = r"(?P<day>today|yesterday|(?:last |on )?\w+day|this (?:morning|week))"
_FIRST = r"(?:very )?(?:first (?:day|week|month)(?: (?:of work|on the job))?|(?:day|week) (?:one|1)) (?:at|with)"
_LAST = r"(?:very )?last (?:day|week|shift)(?: of work)? (?:at|with)"
_ORG = r"(?P<org>(?!.*\b(?:School|College|University|Uni)\b)(?:the )?[A-Z0-9][\w&.'-]*(?: [A-Z&][\w&.'-]*)*)"
_DONE = r"(?:(?:I )?(?:have )?(?:just )?(?:had|finished|survived|did|completed|wrapped up)|had|finished|survived)"

# Each row: how it is said, and how the tables want it.
_PLAINER = (
    (rf"^(?i:{_DAY}) (?:was|is|marks|marked) (?:my |our )?{_FIRST} {_ORG}.*$", r"I started at \g<org>"),
    (rf"^(?:[Mm]y |[Oo]ur )?(?i:{_FIRST}) {_ORG}(?: (?:was|went|is over|today)\b.*)?$", r"I started at \g<org>"),
    (rf"^(?i:{_DONE}) my {_FIRST} {_ORG}.*$", r"I started at \g<org>"),
    (rf"^(?i:{_DAY}) (?:was|is) my {_LAST} {_ORG}.*$", r"I left my job at \g<org>, \g<day>"),
    (rf"^[Mm]y {_LAST} {_ORG} was(?P<day>.*)$", r"I left my job at \g<org>,\g<day>"),
    (r"^(?:[Tt]hey|[Tt]he company) (?:have |has )?(?:just |finally |actually )?hired me\b", "I was hired"),
    (rf"^{_ORG} (?:have |has )?(?:just |finally |actually )?hired me\b", r"I was hired by \g<org>"),
    (r"^(?i:it|this|that|which) means (?:that )?(?:(?:I am|we are) )?(?=moving\b)", "I am "),
    (r"^(?P<what>[A-Z][a-z]+) makes? my (?:throat|face|tongue|lips?) (?:swell|itch|close)\b.*$",
     r"I am allergic to \g<what>"),
    (r"^(?P<who>I|[Ww]e) (?:have )?ended up (?:going with|choosing|picking|settling on)\b", r"\g<who> decided on"),
    (r"^I (?P<be>am|have been) teaching myself (?:how to |to )?", r"I \g<be> learning "),
    (r"(?P<first>\b(?:use|uses|using) <tool_name>) for [\w ]+? and (?P<second><tool_name>) for [\w ]+$",
     r"\g<first> and \g<second>"),
)  # fmt: skip


@lru_cache(maxsize=1)
def _rows() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern(said)), plain) for said, plain in _PLAINER)


_WAS_DUE = re.compile(r"(?P<what>\bdeadline\b.*?) was (?=.*\d)")


def corrected(text: str) -> str:
    """A correction may tell in the past what holds: "the deadline was the 15th, not the 12th"."""
    return _WAS_DUE.sub(r"\g<what> is ", text)


def plainer(text: str) -> str:
    """
    >>> plainer("today was day one at Northwind"), plainer("We ended up going with Kafka")
    ('I started at Northwind', 'We decided on Kafka')
    """
    for said, plain in _rows():
        text = said.sub(plain, text)
    return text
