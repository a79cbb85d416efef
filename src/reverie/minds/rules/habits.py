"""Habits: what somebody does again and again, or no longer does."""

import re

from reverie.minds.rules.lexicon import words
from reverie.minds.rules.match import RuleMatch
from reverie.minds.rules.parse import Clause
from reverie.minds.rules.retell import content, ing, third_person
from reverie.minds.rules.values import clean
from reverie.minds.rules.verbs import conjugated
from reverie.minds.rules.wording import subject_words

_UNIT = (
    r"(?:day|night|morning|evening|afternoon|week|weekend|month|year|summer|winter|spring|autumn|fall|hour|\w+day)s?"
)
_REPEATED = re.compile(
    rf"\b(?:every|each) (?:\w+ ){{0,2}}(?:{_UNIT}|time|few \w+)\b"
    r"|\b(?:once|twice|three times|four times|five times|several times|\d+ times|a few times|a couple of "
    r"times) (?:a|per|every|each) \w+"
    r"|\b(?:daily|weekly|monthly|nightly|yearly|annually)\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b"
    r"|\bon (?:weekends|weekdays|the weekends?|school nights)\b|\bat weekends\b|\bas a rule\b|\ball the "
    r"time\b|\bmost of the time\b"
    r"|\bmost (?:mornings|evenings|days|nights|weekends|afternoons)\b|\bin the (?:mornings|evenings|afternoons)\b"
    r"|\b(?:before|after) (?:bed|work|breakfast|dinner|lunch|school)\b|\bfirst thing in the morning\b",
    re.I,
)
# Present-tense verbs that tell a habit without any word for how often.
_ROUTINE = words("routine_verb")
_ROUTINE_WITH = {
    "do": re.compile(
        r"(?:a lot of |some |my own )?(?:yoga|pilates|karate|judo|crossfit|ballet|tai chi|martial arts|pottery|"
        r"archery|gymnastics|"
        r"improv|stand-up|ceramics|woodworking|calligraphy|volunteer work|crosswords|parkour)\b",
        re.I,
    ),
    "go": re.compile(
        r"(?:\w+ing\b|to (?:the )?(?:gym|church|yoga|pilates|therapy|choir|mosque|temple|synagogue|book club|"
        r"sauna|bed)\b|"
        r"for (?:a|long) (?:run|walk|swim|ride)s?\b)"
    ),
    "get": re.compile(r"up (?:at|around|before|early)\b"),
    "wake": re.compile(r"up (?:at|around|before|early)\b"),
}
_NEVER_A_HABIT = set("give let be want think need feel know hope mean say guess see".split())
_LIGHT = {"go", "do", "have", "get", "come", "take"}  # say nothing without an object
_ENDINGS = ("stopped", "used to", "no longer", "anymore")


def is_repeated(clause: Clause) -> bool:
    return bool(_REPEATED.search(clause.rest) or _REPEATED.search(clause.front))


def _is_habit(clause: Clause) -> bool:
    repeated = is_repeated(clause) and (clause.verb not in _LIGHT or content(_REPEATED.sub("", clause.rest)) > 0)
    if clause.verb == "have" and not repeated:
        return False
    with_rest = _ROUTINE_WITH.get(clause.verb)
    routine = clause.verb in _ROUTINE or bool(with_rest and with_rest.match(clause.rest))
    never = "never" in clause.adverbs
    return repeated or clause.habitual or routine or never or (clause.cue in _ENDINGS and clause.progressive)


def habit(clause: Clause) -> RuleMatch | None:
    """ "I jog every morning", "I collect stamps", "we usually eat late", "I stopped smoking"."""
    ended = clause.cue in _ENDINGS
    if clause.who.noun or clause.modal or clause.verb in _NEVER_A_HABIT:
        return None
    if clause.tense not in ("present", "perfect") and clause.cue != "used to":
        return None
    if clause.progressive and clause.cue not in ("started", "stopped") and not is_repeated(clause):
        return None
    if clause.negated and not ended and (clause.tense == "perfect" or "never" not in clause.adverbs):
        return None
    if not _is_habit(clause) or (clause.tense == "perfect" and not clause.progressive):
        return None
    return _ended(clause) if ended else _told(clause)


def _told(clause: Clause) -> RuleMatch:
    rest = clean(clause.rest, keep_head=True)
    front = clause.front.lower() if _REPEATED.search(clause.front) and not _REPEATED.search(rest) else ""
    adverb = next((a for a in ("always", "usually", "often", "never") if a in clause.adverbs), "")
    never = "never " if adverb == "never" else ""
    value = " ".join(f"{never}{clause.verb} {rest} {front}".split())
    told = f"{subject_words(clause.who.name)} {adverb} {conjugated(clause.verb)} {third_person(rest)} {front}"
    return RuleMatch("habit", value, cue=clause.cue, text=" ".join(told.split()))


def _ended(clause: Clause) -> RuleMatch:
    rest = clean(clause.rest, keep_head=True)
    verb = ing(clause.verb) if clause.progressive else clause.verb
    told = f"used to {clause.verb} {rest}" if clause.cue == "used to" else f"no longer {conjugated(clause.verb)} {rest}"
    text = f"{subject_words(clause.who.name)} {third_person(told)}".strip()
    return RuleMatch("habit", f"{verb} {rest}".strip(), True, clause.cue, text=text)
