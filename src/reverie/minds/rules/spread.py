"""Verb phrases that share a subject, taken apart: "I live in Kiel and work at Acme" is two clauses."""

import re
from collections.abc import Iterator

from reverie.minds.rules.lexicon import pattern, words
from reverie.minds.rules.subjects import WORD, subject_end
from reverie.minds.rules.verbs import conjugated, readings

_MORE = re.compile(
    r"(?:,?\s+(?:and|but|or)|,)\s+(?P<phrase>)(?:(?:also|now|just|currently|then|recently|still|even|already|later|never|"
    r"always|usually|both|mostly|really)\s+)*(?P<verb>[a-z]+)\b(?=(?P<after>\s+\w+)?)"
)
_AMBIGUOUS = words("noun_or_verb")
_NOUNS = frozenset(conjugated(word) for word in _AMBIGUOUS) - {"works", "plays", "drives", "studies"}
_ADJECTIVES = set("led read set put cut baked fried grilled used aged united".split())
_HELPERS = set("am is are was were has have had do does did will can".split())
_INFINITIVE = re.compile(  # "want to cook and bake": the second verb belongs to the first's "to"
    r"\s+(?:\w+\s+)?(?:am |is |are )?"
    r"(?:want|need|hope|plan|decided|going|love|like|prefer|hate|have|would|can)\w*\s+to\s"
)
_LINKS = set("in at for as on with a an the my our to from two three some it this that about every up out".split())


def spread(text: str) -> Iterator[str]:
    """The clause, then each further verb phrase with the same subject: "I live in Kiel and work at Acme".

    >>> list(spread("I live in Kiel and work at Acme"))
    ['I live in Kiel', 'I work at Acme']
    """
    size = subject_end(text)
    words = list(WORD.finditer(text))
    if not size or size >= len(words):
        yield text
        return
    subject = text[: words[size - 1].end()]
    plural = subject.split()[0].lower() in ("i", "we", "they") or subject.endswith(" I")
    progressive = bool(re.match(r"\s+(?:am|is|are|was|were|have been)\s+(?:\w+\s+)?\w+ing\b", text[len(subject) :]))
    if complements := _complements(subject, text[len(subject) :]):
        yield from complements
        return
    if pets := _PETS_TOO.match(text[len(subject) :]):
        yield f"{subject} have {pets['first']}"
        yield f"{subject} have {pets['pet']}"
        return
    start = 0
    for match in _MORE.finditer(text):
        if match.start() <= len(subject) or not _continues(match, plural, progressive, text[len(subject) :]):
            continue
        yield _with_subject(subject, text[start : match.start()], start)
        start = match.start("phrase")
    yield _with_subject(subject, text[start:], start)


_PETS_TOO = re.compile(  # "we have two kids, Nora and Finn, and a dog"
    pattern(r"\s+have\s+(?P<first>.+), and\s+(?P<pet>(?:an?|two|three) (?:[\w-]+ ){0,2}?<pet>s?\b.*)$")
)
_BE = re.compile(r"\s+(?P<be>am|are|is)\s+(?P<rest>.+)$")
_COMPLEMENT = re.compile(
    r",\s+(?:and\s+)?(?=(?:an?|from|originally|based|married|allergic|vegan|vegetarian|fluent|\d{1,3}(?=$|,| years))\b)"
    r"|\s+and\s+(?=(?:an?|from|originally|based|married|allergic|single|retired|vegan|vegetarian|fluent|"
    r"currently|also|not|\d{1,3}(?=$|,| years))\b)"
)


def _complements(subject: str, predicate: str) -> list[str]:
    """ "I am 67 and a retired driver from Leeds" is three statements with one verb."""
    match = _BE.match(predicate)
    parts = _COMPLEMENT.split(match["rest"]) if match else []
    if (
        not match
        or len(parts) < 2
        or re.match(r"(?:not )?(?:into|fond|allergic|a (?:big |huge )?fan)\b", match["rest"])
    ):
        return []
    return [f"{subject} {match['be']} {part.strip(' ,')}" for part in parts if part.strip(" ,")]


def _with_subject(subject: str, part: str, start: int) -> str:
    phrase = part.strip(" ,")
    if start == 0:
        return phrase
    if re.match(r"\w+ing\b", phrase):
        return f"{subject} {'am' if subject.split()[-1] == 'I' else 'is'} {phrase}"
    return f"{subject} {phrase}"


def _continues(match: re.Match[str], plural: bool, progressive: bool, predicate: str) -> bool:
    """Whether the word after "and" is a verb with the same subject, rather than one more item of a list."""
    verb, after = match["verb"], (match["after"] or "").strip()
    if verb == "like" and " and " not in match.group():  # "…, like a walk in the park"
        return False
    if verb in _HELPERS:
        return bool(after)
    forms = {r.form for r in readings(verb)}
    if "past" in forms and not progressive:
        return verb not in _ADJECTIVES
    if "s" in forms and not plural:
        return verb not in _NOUNS
    if "base" in forms and plural and not _INFINITIVE.match(predicate):
        return verb not in _AMBIGUOUS or after in _LINKS
    return "ing" in forms and progressive and bool(after)
