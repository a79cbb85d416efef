"""Statements of another shape: "call me Max", "tea is my favourite drink", "the report is due Friday"."""

import re
from collections.abc import Iterator

from reverie.minds.rules.lexicon import compiled, words
from reverie.minds.rules.match import RuleMatch
from reverie.minds.rules.people import Cast, is_name
from reverie.minds.rules.values import clean

_SHAPES = (
    (
        "favorite",
        r"^(?P<v>.{2,60}?) (?:is|are|has to be|would be|will always be|has always been) (?:still |definitely |by "
        r"far |probably |easily |hands down |also |and always will be |always |absolutely |currently )*(?:my|our) "
        r"(?:all[- ]time |absolute |new |personal |number one )*favourite(?: (?P<n>[\w -]+?))?(?: (?:of all time|"
        r"right now|ever|these days|at the moment|in the world))?$",
    ),
    (
        "name",
        r"^(?:(?:(?i:you can|please|just|everyone|everybody|people|friends|my friends|most people|they all|folks|"
        r"usually|mostly|all|at work)) )*(?:[Cc]alls?) me (?P<v><name>)(?=$|,|;| (?:not|instead|please|but|for "
        r"short|and|because)\b)",
    ),
    ("name", r"^I (?:(?:usually|mostly|just|now|also) )?go by (?:the name )?(?P<v><name>)"),
    ("name", r"^(?i:(?:hi |hello |hey )?(?:the )?name is) (?P<v><name>)(?=$|,|;| (?:from|and|but)\b)"),
    ("name", r"^(?i:this is) (?P<v><name>) (?:here|speaking|from|again|calling)\b"),
    (
        "speaks",
        r"^(?P<v>[A-Z]\w+) (?:is|was) (?:actually )?my (?:first|native|mother|second|third) (?:language|tongue)\b",
    ),
    ("name", r"^(?P<v><name>) here$"),
    ("name", r"^I am (?P<v><name>)(?=$|,|;| (?:from|by the way|and|but|nice)\b)"),
    ("allergic_to", r"\b(?:my|our) (?:severe |bad |serious |mild )?(?P<v>[a-z]+(?: [a-z]+)?) allergy\b"),
    (
        "allergic_to",
        r"\b(?:[Mm]y|[Oo]ur) (?:severe |bad |serious |mild )?allergy to (?P<v>[a-z]+)(?= (?:is|means|makes)\b|$)",
    ),
    (
        "has_pet",
        r"^(?i:my|our|we lost our) (?:[\w-]+ ){0,2}?(?P<n><pet>)(?:,? (?P<v><name>),?)? (?:sadly |"
        r"recently |just )*(?:has )?(?:died|passed away|passed|ran away|had to be put down|was put down|crossed "
        r"the rainbow bridge)\b",
    ),
    (
        "email",
        r"(?:reach|email|e-?mail|contact|write to|mail|write|ping) (?:me|us) (?:at|on|via)(?: my email)? "
        r"(?P<v>[\w.+-]+@[\w-]+\.[\w.]*\w)",
        re.I,
    ),
    (
        "phone",
        r"(?:call|reach|text|phone|ring|contact) (?:me|us) (?:at|on)(?: my \w+)? (?P<v>\+?[\d(][\d ()./-]{4,}\d)",
        re.I,
    ),
    ("deadline", r"^(?:the|my|our) (?P<n>.+?) (?:is|are) due (?:on |by |at |in )?(?:the )?<due>", re.I),
    (
        "deadline",
        r"^(?:the |my |our )?(?P<n>[\w -]*?) ?deadline(?: (?:for|of) (?P<n2>.+?))?(?: at (?:my|our|the) [\w ]+?)? "
        r"(?:is|has (?:been )?(?:moved|"
        r"pushed|shifted|extended|changed)(?: back)? to|(?:moved|was moved|got pushed|was pushed|was extended|got "
        r"moved|is now)(?: back)? ?(?:to)?)(?: now)? (?:on |by )?<due>",
        re.I,
    ),
    (
        "deadline",
        r"^(?:I|we) (?:need|have|must|have got|am supposed|are supposed)(?: to)? (?:submit|finish|hand in|deliver|"
        r"file|turn in|complete|send in|ship|release|renew|pay|return) (?:the |my |our |a )?(?P<n>.+?) (?:by|"
        r"before|no later than) (?:the )?<due>",
        re.I,
    ),
    (
        "deadline",
        r"^(?:I|we) have (?:a|an|the|my|our) (?P<n>[\w ]*?)(?:deadline|due date)(?: for (?P<n2>.+?))? (?:on |by |"
        r"at )?<due>",
        re.I,
    ),
)


def whole(text: str, cast: Cast) -> Iterator[tuple[str, RuleMatch]]:
    """What the clause states about whom, by its shape as a whole."""
    for predicate, shape, *flags in _SHAPES:
        match = compiled(shape, *flags).search(text)
        if not match:
            continue
        found = _found(predicate, match, cast.speaker)
        if found:
            yield cast.speaker, found
            return


def _found(predicate: str, match: re.Match[str], speaker: str) -> RuleMatch | None:
    groups = match.groupdict()
    value = (match["v"] or "").strip(" ,.")
    if predicate == "has_pet":
        return RuleMatch("has_pet", f"{match['n']} {value}".strip(), negated=True, cue="died")
    if predicate == "name":
        first = value.split()[0]
        return RuleMatch("name", value) if is_name(first) and first not in words("nationality") else None
    if predicate == "favorite":
        value, noun = clean(value), clean(groups.get("n") or "")
        if not value or re.match(r"(?:it|that|this|he|she|they|which|what|these|those)\b", value, re.I):
            return None
        return RuleMatch("favorite", f"{noun}: {value}") if noun else RuleMatch("likes", value)
    if predicate == "deadline":
        noun = clean(groups.get("n2") or groups.get("n") or "")
        whose = "The user's" if speaker == "user" else f"{speaker}'s"
        return RuleMatch("deadline", value, text=f"{whose} deadline{' for the ' + noun if noun else ''} is {value}")
    return RuleMatch(predicate, value)
