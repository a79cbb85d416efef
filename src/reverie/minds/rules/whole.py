"""Statements that are not subject, verb, object: "call me Max", "tea is my favourite drink", "the report is due Friday"."""

import re
from collections.abc import Iterator
from functools import lru_cache

from reverie.minds.rules.lexicon import words
from reverie.minds.rules.match import Found
from reverie.minds.rules.people import NAME, Cast, is_name, pet_pattern
from reverie.minds.rules.values import clean

_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_DATE = rf"(?P<v>(?:(?:the )?(?:end of (?:the |this |next )?\w+|(?:next |this )?(?:{_DAYS}|week|month)|tomorrow|tonight|today|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? [A-Z]\w+(?: \d{{4}})?|[A-Z]\w+ \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?|\d{{4}}-\d\d-\d\d|the \d{{1,2}}(?:st|nd|rd|th)|in (?:\w+ ){{1,2}}(?:days|weeks|months)|[A-Z][a-z]+|noon|midnight|EOD|EOW))(?: (?:at|by) [\w: ]+)?)"


@lru_cache(maxsize=1)
def _rows() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return (
        ("favorite", re.compile(r"^(?P<v>.{2,60}?) (?:is|are|has to be|would be|will always be|has always been) (?:still |definitely |by far |probably |easily |hands down |also |and always will be |always |absolutely |currently )*(?:my|our) (?:all[- ]time |absolute |new |personal |number one )*favourite(?: (?P<n>[\w -]+?))?(?: (?:of all time|right now|ever|these days|at the moment|in the world))?$")),
        ("name", re.compile(rf"^(?:(?:(?i:you can|please|just|everyone|everybody|people|friends|my friends|most people|they all|folks|usually|mostly|all|at work)) )*(?:[Cc]alls?) me (?P<v>{NAME})(?=$|,|;| (?:not|instead|please|but|for short|and|because)\b)")),
        ("name", re.compile(rf"^I (?:(?:usually|mostly|just|now|also) )?go by (?:the name )?(?P<v>{NAME})")),
        ("name", re.compile(rf"^(?i:(?:hi |hello |hey )?(?:the )?name is) (?P<v>{NAME})(?=$|,|;| (?:from|and|but)\b)")),
        ("name", re.compile(rf"^(?i:this is) (?P<v>{NAME}) (?:here|speaking|from|again|calling)\b")),
        ("name", re.compile(rf"^(?P<v>{NAME}) here$")),
        ("name", re.compile(rf"^I am (?P<v>{NAME})(?=$|,|;| (?:from|by the way|and|but|nice)\b)")),
        ("allergic_to", re.compile(r"\b(?:my|our) (?:severe |bad |serious |mild )?(?P<v>[a-z]+(?: [a-z]+)?) allergy\b")),
        ("has_pet", re.compile(rf"^(?i:my|our|we lost our) (?:[\w-]+ ){{0,2}}?(?P<n>{pet_pattern()})(?:,? (?P<v>{NAME}),?)? (?:sadly |recently |just )*(?:has )?(?:died|passed away|passed|ran away|had to be put down|was put down|crossed the rainbow bridge)\b")),
        ("email", re.compile(r"(?:reach|email|e-?mail|contact|write to|mail|write|ping) (?:me|us) (?:at|on|via)(?: my email)? (?P<v>[\w.+-]+@[\w-]+\.[\w.]*\w)", re.I)),
        ("phone", re.compile(r"(?:call|reach|text|phone|ring|contact) (?:me|us) (?:at|on)(?: my \w+)? (?P<v>\+?[\d(][\d ()./-]{4,}\d)", re.I)),
        ("deadline", re.compile(rf"^(?:the|my|our) (?P<n>.+?) (?:is|are) due (?:on |by |at |in )?(?:the )?{_DATE}", re.I)),
        ("deadline", re.compile(rf"^(?:the |my |our )?(?P<n>[\w -]*?) ?deadline(?: (?:for|of) (?P<n2>.+?))? (?:is|has (?:been )?(?:moved|pushed|shifted|extended|changed)(?: back)? to|(?:moved|was moved|got pushed|was pushed|was extended|got moved|is now)(?: back)? ?(?:to)?)(?: now)? (?:on |by )?{_DATE}", re.I)),
        ("deadline", re.compile(rf"^(?:I|we) (?:need|have|must|have got|am supposed|are supposed)(?: to)? (?:submit|finish|hand in|deliver|file|turn in|complete|send in|ship|release|renew|pay|return) (?:the |my |our |a )?(?P<n>.+?) (?:by|before|no later than) (?:the )?{_DATE}", re.I)),
        ("deadline", re.compile(rf"^(?:I|we) have (?:a|an|the|my|our) (?P<n>[\w ]*?)(?:deadline|due date)(?: for (?P<n2>.+?))? (?:on |by |at )?{_DATE}", re.I)),
    )  # fmt: skip


def whole(text: str, cast: Cast) -> Iterator[tuple[str, Found]]:
    """What the clause states about whom, by its shape as a whole."""
    for predicate, pattern in _rows():
        match = pattern.search(text)
        if not match:
            continue
        found = _found(predicate, match, cast.speaker)
        if found:
            yield cast.speaker, found
            return


def _found(predicate: str, match: re.Match[str], speaker: str) -> Found | None:
    groups = match.groupdict()
    value = (match["v"] or "").strip(" ,.")
    if predicate == "has_pet":
        return Found("has_pet", f"{match['n']} {value}".strip(), negated=True, cue="died")
    if predicate == "name":
        first = value.split()[0]
        return Found("name", value) if is_name(first) and first not in words("nationality") else None
    if predicate == "favorite":
        value, noun = clean(value), clean(groups.get("n") or "")
        if not value or re.match(r"(?:it|that|this|he|she|they|which|what|these|those)\b", value, re.I):
            return None
        return Found("favorite", f"{noun}: {value}") if noun else Found("likes", value)
    if predicate == "deadline":
        noun = clean(groups.get("n2") or groups.get("n") or "")
        whose = "The user's" if speaker == "user" else f"{speaker}'s"
        return Found("deadline", value, text=f"{whose} deadline{' for the ' + noun if noun else ''} is {value}")
    return Found(predicate, value)
