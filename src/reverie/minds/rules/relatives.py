"""Asides unfolded: "my friend Pia, who lives in Ulm, is a doctor" is two statements about Pia."""

import re
from functools import lru_cache

from reverie.minds.rules.people import ADJECTIVES, NAME, kin_pattern


@lru_cache(maxsize=1)
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    kin = rf"{ADJECTIVES}(?:{kin_pattern()})"
    person = rf"(?:(?:[Mm]y|[Oo]ur) {kin}(?:,? {NAME})?|{NAME})"
    return (
        re.compile(rf"\b(?P<name>{NAME}), (?P<whose>my|our) (?P<kin>{kin}),"),
        re.compile(rf"(?P<who>{person}),? who (?P<aside>[^,]+), (?P<main>.+)$"),
        re.compile(
            rf"(?P<head>.*\b(?P<whose>an?|my|our) (?P<kin>{kin})(?:,? (?:named|called))?(?P<name> {NAME})?),? who "
            rf"(?P<aside>.+)$"
        ),
    )


def unfolded(text: str) -> list[str]:
    """
    >>> unfolded("I have a cousin named Rafael who works at Acme")
    ['I have a cousin named Rafael', 'my cousin Rafael works at Acme']
    """
    between, inside, last = _patterns()
    text = between.sub(r"\g<whose> \g<kin> \g<name>", text)
    if match := inside.search(text):
        before = text[: match.start()]
        return [f"{before}{match['who']} {match['main']}".strip(), f"{match['who']} {match['aside']}"]
    if match := last.match(text):
        return [match["head"], f"my {match['kin']}{match['name'] or ''} {match['aside']}"]
    return [text]
