"""Sentences that are of their moment: questions without a mark, assents to an offer, sums, exercises."""

import re
from collections.abc import Sequence

from reverie.language.vocabulary import APOSTROPHES
from reverie.minds.rules.reading.cues import is_order, words_of
from reverie.minds.rules.reading.salience import Situation

_ASKS = re.compile(
    r"(?:(?:so|and|but|ok(?:ay)?|also|next|now|then|hey|hm+|btw|perfect|good|right|wait|well)[,.:]? )*(?:"
    r"(?:what|who|where|when|why|how|which)(?:'?s|'?re)? (?:(?:\w+ ){0,2}(?:do|does|did|can|could|should|would"
    r"|will) (?:i|we|you|u|they|it|he|she|nobody|anyone"
    r"|the)\b|(?:is|are|was|were) (?:the|my|our|that|this|it|your)\b|the \w+ (?:\w+ ){0,3}again\b|(?:this|that"
    r"|it)(?: about)?\b)"
    r"|what'?s (?:the|this|that|my|our|your|up)\b|how (?:much|many|long|come|about)\b(?!.*\b(?:i|we)'?(?:ve"
    r"|d)? \w+ed\b)"
    r"|(?:do|does|did|can|could|should|would|will|is|are|was|were|has|have) (?:i|we|you|u|they|it|he|she|there|the"
    r"|my|our|that"
    r"|this|any\w*|nobody|somebody|clause)\b|who \w+s\b|any (?:idea|chance|news)\b|what (?:about|if|do you|else)\b)",
    re.I,
)
_ASKS_AFTER = re.compile(
    r"\A(?:(?:could|would|should|does) (?!be\b|have\b|not\b|love\b|like\b)[a-z]{3,} \w+"
    r"|.*, (?:would|could|should|can|do|does|did) (?:i|we|you|they|it|he|she) \w+ \w+.*[^.!]$|.*\bwhat do you think$)",
    re.I,
)
_OFFERS = re.compile(
    r"\b(?:(?:shall|should|may|can|could) i\b|(?:do|would) you (?:want|like) (?:me|a|an|it|the|that|this|one"
    r"|them)\b|want me to"
    r"|do i have your|like me to|ready to|ok(?:ay)? to|shall we|may i)\b",
    re.I,
)
_ASSENTS = re.compile(
    r"(?:(?:yes|yep|yeah|yup|ok(?:ay)?|sure|please|pls|go|do|no|nope|nah|fine|good|both|neither|later|not now"
    r"|just)\b[\s,.!]*)+",
    re.I,
)
_SUM = re.compile(r"(?<![\d.,])[\d.,]{0,20}\d\s{0,5}(?:[-+*/x×÷^]|\bover\b)?\s{0,5}[\d.,]{0,20}\s{0,5}=\s*-?[\d.]+")
_NUMBERED = re.compile(r"\((?:\d|[a-c])\)[^?]{3,200}\?|(?:^|\n)[^\S\n]{0,20}\d[.)] [^?\n]{3,200}\?")
_EXERCISE = re.compile(
    r"\b(?:quiz|exercise|question \d|your turn|try (?:this|it)|next one:|solve|test yourself)\b", re.I
)
_OPTIONS = re.compile(r"(?:^|\s|\*)\(?a[).] [^\n]{1,200}?\s\(?b[).] ", re.I)
_WANTED = re.compile(  # a thing that the agent is to make now: "mail to Jo: papers attached", "chart please, per day"
    r"\A(?:(?:and|also|right|ok(?:ay)?|now|so|then|next|oh)[,.:]? ){0,5}(?:an? |another |the |one |quick |short ){0,3}"
    r"(?:e?mail|message|text|note|letter|card|reply|chart|graph|plot|table|summary|draft|list|quote|invoice|poem|tweet"
    r"|post)\b"
    r"(?: (?:to|for) [^:.,]{1,40}(?::|,? saying)|,? (?:please|pls)\b)",
    re.I,
)
OPENS = "an opening"  # what it says comes after it
SHORT = 12  # words of an answer to an exercise


def momentary(sentence: str, situation: Situation, before: str) -> str:
    """Why a sentence holds for its moment only, or nothing. `before` is the turn that it replies to.

    >>> momentary("which lib do we use now", Situation(), ""), momentary("which we use now", Situation(), "")
    ('a question', '')
    >>> momentary("yes, run 0087 on prod", Situation(answers="Shall I run it?"), "")
    'an assent'
    """
    plain = sentence.translate(APOSTROPHES)
    if _ASKS.match(plain) or _ASKS_AFTER.match(plain):
        return "a question"
    if _SUM.search(plain) and len(re.findall(r"[^\W\d_]{4,}", plain)) <= len(re.findall(r"\d[\d.,]*", plain)):
        return "a sum"
    if situation.first and _OFFERS.search(situation.answers) and _is_assent(plain):
        return "an assent"
    if _WANTED.match(plain):
        return "a request"
    if plain.rstrip().endswith(":"):
        return OPENS
    if _exercises(before) and len(plain.split()) <= SHORT:
        return "an exercise"
    return ""


def is_quizzed(sentence: str, situation: Situation, own: Sequence[str]) -> bool:
    """Whether it answers a question of a quiz that its speaker asked for: one that is not about them.

    >>> asked = Situation(answers="Which artery is it, and in which division?")
    >>> is_quizzed("left MCA, superior division", asked, ["quiz. two. gently"])
    True
    >>> is_quizzed("on Friday", Situation(answers="When is your exam?"), ["quiz me"])
    False
    """
    short = len(sentence.split()) <= SHORT and situation.answers != ""
    return short and not _OF_YOU.search(situation.answers) and any(_QUIZ.search(one) for one in own)


_OF_YOU = re.compile(r"\b(?:you|your|yours|we|our|i|me)\b", re.I)
_QUIZ = re.compile(
    r"\b(?:quiz|flash ?cards?|(?:test|drill|examine|grill) me|ask me (?:\w{1,20} ){0,4}questions?)\b", re.I
)


def is_answer(text: str, before: str) -> bool:
    """Whether a turn only answers an exercise that the one before it set: "B, never blank forms" is no rule."""
    return len(text.split()) <= SHORT and _exercises(before)


def _is_assent(plain: str) -> bool:
    """Whether a sentence only says yes or no, or what is to be done."""
    found = _ASSENTS.match(plain)
    rest = plain[found.end() :] if found else plain
    words = words_of(rest)
    return is_order(words) or (found is not None and not re.match(r"(?:i|we|my|our|it|that|he|she|they)\b", rest, re.I))


def _exercises(before: str) -> bool:
    """Whether a turn sets an exercise: several numbered questions, or one and a word that says so."""
    asked = len(_NUMBERED.findall(before))
    return (
        asked > 1
        or _OPTIONS.search(before) is not None
        or (bool(_EXERCISE.search(before)) and before.rstrip().endswith("?"))
    )
