"""Events: what somebody did or what happened to them, told so that it reads alone."""

import re

from reverie.minds.rules.lexicon import words
from reverie.minds.rules.match import RuleMatch
from reverie.minds.rules.parse import Clause
from reverie.minds.rules.retell import content, ing, third_person
from reverie.minds.rules.values import clean
from reverie.minds.rules.wording import possessive, subject_words

_STATES = words("state_verb")
# Small talk unless a date or more words make it telling.
_WEAK = _STATES | words("weak_verb")
# Worth keeping even without a date.
_STRONG = words("event_verb")
_ALONE = {"graduate", "retire", "propose", "relapse", "die"}
_HAD = re.compile(
    r"(?:a|an|my|our|the|his|her|some|another|\w+ )?(?:[\w'-]+ ){0,4}(?:surgery|operation|accident|baby|"
    r"interview|picnic|dinner|lunch|"
    r"party|appointment|exam|test|meeting|wedding|barbecue|bbq|concert|gig|recital|reunion|date|fight|"
    r"argument|crash|root canal|"
    r"checkup|check-up|miscarriage|stroke|heart attack|birthday|ceremony|funeral|class|lesson|session|"
    r"workshop|match|game|race|"
    r"tooth|teeth|haircut|call-out|setback|breakthrough|anniversary|performance|show|vacation|trip|holiday|"
    r"promotion|raise|"
    r"flood|fire|burglary|fever|flu|cold|covid)\b",
    re.I,
)
_GRAVE = re.compile(r"\b(?:surgery|operation|accident|baby|stroke|attack|miscarriage)\b")
_GOT = re.compile(
    r"(?:my|a|an|the|our|some|his|her|into|accepted|married|engaged|divorced|promoted|fired|hired|laid off|"
    r"robbed|lost|stuck|sick|"
    r"vaccinated|back|admitted|invited|selected|elected|certified|rejected|injured|hurt|scammed|mugged|stung|"
    r"bitten|rear-ended|"
    r"caught|offered|approved|burgled|stolen|hacked)\b",
    re.I,
)
_TURN = re.compile(r"(?:married|engaged|divorced|fired|laid off|promoted|accepted|into|robbed|hired|burgled|stolen)\b")
_BEFELL = re.compile(
    r"(?:accepted|promoted|fired|laid off|elected|invited|selected|robbed|injured|involved in|hospitali[sz]ed|"
    r"stolen|burgled)\b"
)
_EMPTY_OBJECT = re.compile(r"(?:it|that|this|you|so|them|him|her|your|what|how)\b")
_MUCH = re.compile(r"(?:quite )?(?:a lot|lots|so much|a ton|tons)\b")
_EMPTY_WAY = re.compile(r"(?:ahead|home|back|away|out|off|well|wrong|fine|crazy)$")


def event(clause: Clause, dated: bool, generous: bool) -> RuleMatch | None:
    """ "I broke a window today". `generous`: between named persons, who tell each other their lives."""
    if clause.negated or clause.modal or clause.cue or clause.tense not in ("past", "perfect"):
        return None
    if clause.progressive and not (dated or generous):
        return None
    rest = clean(clause.rest, keep_head=True)
    if clause.who.noun:
        return _befell(clause, rest) if dated and clause.who.name and clause.tense == "past" else None
    if not _telling(clause, rest, dated, generous):
        return None
    value = f"{_said(clause)} {rest}".strip()
    helper = "has " if clause.tense == "perfect" else ""
    if clause.progressive:
        helper = "has been " if clause.tense == "perfect" else "was "
    return RuleMatch("event", value, text=f"{subject_words(clause.who.name)} {helper}{third_person(value)}")


def _said(clause: Clause) -> str:
    """The verb as it was said."""
    return clause.said[: len(clause.said) - len(clause.rest)].strip()


def _befell(clause: Clause, rest: str) -> RuleMatch | None:
    """ "My car broke down yesterday": it happened to its owner."""
    if clause.verb in _STATES | {"have"} or (clause.verb == "get" and not _GOT.match(rest)):
        return None
    value = f"{clause.who.noun} {_said(clause)} {rest}".strip()
    return RuleMatch("event", value, text=f"{possessive(clause.who.name)} {third_person(value)}")


def _telling(clause: Clause, rest: str, dated: bool, generous: bool) -> bool:
    """Whether a past clause tells something worth keeping, rather than small talk."""
    verb, told = clause.verb, content(rest)
    if _MUCH.match(clause.rest) and not told:  # "learned a lot": of what, nobody knows
        return False
    if (_EMPTY_OBJECT.match(rest) and told < 3) or (verb in ("go", "come") and _EMPTY_WAY.match(rest)):
        return False
    if verb == "have":
        return bool(_HAD.match(rest)) and (dated or generous or bool(_GRAVE.search(rest)))
    if verb == "get":
        return bool(_GOT.match(rest)) and told > 0 and (dated or generous or bool(_TURN.match(rest)))
    if verb == "be":
        return bool(_BEFELL.match(rest))
    if verb in _WEAK:
        return verb not in _STATES and ((dated and told > 1) or (generous and told > 1))
    if verb in _STRONG:
        return told > 0 or dated or generous or verb in _ALONE
    return told > 0 and (dated or (generous and told > 1))


def doing(clause: Clause) -> RuleMatch | None:
    """ "I am building a treehouse": between named persons, what somebody is busy with."""
    if clause.negated or clause.modal or clause.who.noun or not clause.progressive or clause.tense == "past":
        return None
    rest = clean(clause.rest, keep_head=True)
    if (
        clause.verb in _STATES | {"look", "try", "do", "go", "get", "have", "talk", "say", "kid", "joke"}
        or content(rest) < 2
    ):
        return None
    value = f"{ing(clause.verb)} {rest}"
    return RuleMatch("event", value, text=f"{subject_words(clause.who.name)} is {third_person(value)}")
