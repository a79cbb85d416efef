"""Plans: what somebody is going to do, is booked for, or has in the calendar."""

import re

from reverie.minds.rules.lexicon import words
from reverie.minds.rules.match import RuleMatch
from reverie.minds.rules.parse import Clause
from reverie.minds.rules.retell import article, content, ing, third_person
from reverie.minds.rules.values import clean
from reverie.minds.rules.wording import possessive, subject_words

_OCCASION = (
    r"(?:appointment|interview|exam|meeting|flight|wedding|date|concert|test|surgery|operation|trip|vacation|"
    r"holiday|class|lesson|"
    r"presentation|conference|deadline|recital|game|match|race|marathon|party|dinner|reservation|checkup|"
    r"check-up|call|workshop|"
    r"performance|reunion|session|audition|hearing|tournament|retreat|visit|final|finals|show|gig|baby shower|"
    r"viva|defense|"
    r"defence|mri|scan|review|booking|train|demo|standup|1:1|haircut|graduation|ceremony|birthday party|"
    r"move|honeymoon|tickets?)"
)
_APPOINTMENT = re.compile(
    rf"(?:(?:a|an|my|our|the|another|two|three) )?(?P<v>(?:[\w'-]+ ){{0,3}}{_OCCASION}\b.*)", re.I
)
_OWN_OCCASION = re.compile(rf"(?:[\w'-]+ ){{0,3}}{_OCCASION}\b(?: (?:to|with|at|in|for) [\w ]+)?$", re.I)
_TAKES_PLACE = {"be", "leave", "start", "begin", "take", "happen", "depart", "fly"}
_HOLIDAY = re.compile(
    r"\b(?:over|for|at|after|before|during|this) (?:Christmas|Easter|Thanksgiving|New Year\S*|Ramadan|Eid|"
    r"Hanukkah|Diwali|the holidays)\b"
)
# Verbs that make no plan by themselves ("I will try"), and those that do without a date ("I am moving to Oslo").
_WEAK = words("weak_plan")
_FIRM = set("marry move become start begin graduate retire launch leave join fly travel".split())
_BEHIND = re.compile(r"\b(?:last (?:night|week|month|year|\w+day)|ago|yesterday)\b", re.I)
_TIMETABLE = {"leave", "fly", "travel", "depart", "arrive", "return", "start", "begin"}  # "I leave for Rome on Monday"
_MOVING = {"move", "fly", "travel", "marry"}
_NOT_PLANNED = set("feel look think try wait wonder have be do enjoy hope work".split())


def plan(clause: Clause, dated: bool) -> RuleMatch | None:
    """ "I am flying to Oslo on Friday", "we are going to renovate the kitchen", "I have an exam tomorrow"."""
    if clause.verb in words("state_verb") - {"be", "expect"} or _BEHIND.search(clause.rest):
        return None
    if clause.negated or clause.modal not in ("", "will", "going to") or clause.tense in ("past", "perfect"):
        return None
    dated = dated or bool(_HOLIDAY.search(clause.rest))
    if clause.who.noun:
        return _occasion(clause) if dated and clause.who.name else None
    if clause.verb == "have" and dated and (match := _APPOINTMENT.match(clause.rest)):
        value = clean(match["v"])
        return RuleMatch("plans", value, text=f"{subject_words(clause.who.name)} has {article(value)} {value}")
    return _future(clause, dated) if clause.tense == "future" else _arranged(clause, dated)


def _occasion(clause: Clause) -> RuleMatch | None:
    """ "Our wedding is on 20 September"."""
    if clause.verb not in _TAKES_PLACE or not _OWN_OCCASION.match(clause.who.noun):
        return None
    return RuleMatch("plans", clause.who.noun, text=f"{possessive(clause.who.name)} {clause.who.noun} is")


def _future(clause: Clause, dated: bool) -> RuleMatch | None:
    rest = clean(clause.rest, keep_head=True)
    told = content(rest)
    if clause.verb == "be" and not clause.progressive:
        return None
    if clause.verb in _WEAK and not clause.progressive and told < (1 if dated else 2):
        return None
    if clause.modal == "will" and not dated and clause.verb not in _FIRM:
        return None
    if not told and clause.verb not in _FIRM:
        return None
    if clause.progressive:
        value = f"{ing(clause.verb)} {rest}".strip()
        return RuleMatch("plans", value, text=f"{subject_words(clause.who.name)} will be {third_person(value)}")
    value = f"{clause.verb} {rest}".strip()
    return RuleMatch("plans", value, text=f"{subject_words(clause.who.name)} is going to {third_person(value)}")


def _arranged(clause: Clause, dated: bool) -> RuleMatch | None:
    """The progressive with a date tells a plan; verbs of moving do so without one."""
    rest = clean(clause.rest, keep_head=True)
    if not clause.progressive:
        timetable = dated and clause.tense == "present" and clause.verb in _TIMETABLE and rest and not clause.habitual
        value = f"{clause.verb} {rest}"
        told = f"{subject_words(clause.who.name)} is going to {third_person(value)}"
        return RuleMatch("plans", value, text=told) if timetable else None
    if clause.cue or (clause.verb in _NOT_PLANNED and not (clause.verb == "have" and dated)):
        return None
    if not (dated or clause.verb in _MOVING) or (not rest and clause.verb != "move"):
        return None
    value = f"{ing(clause.verb)} {rest}".strip()
    return RuleMatch("plans", value, text=f"{subject_words(clause.who.name)} is {third_person(value)}")
