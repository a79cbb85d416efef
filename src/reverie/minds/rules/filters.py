"""What is said but not asserted: questions, hypotheticals, jokes, hearsay, quotes, play, orders to the agent."""

import re
from functools import lru_cache

from reverie.minds.rules.prepare import QUOTED

# Each row: why the sentence is no statement of its speaker, and the words that show it.
_REASONS = (
    (
        "hypothetical",
        r"\b(?:if|unless|suppose|supposing|imagine|pretend|what if|let us say|assuming|hypothetically|"
        r"in theory|in another life|wish|as if|as though|would have|could have|should have|"
        r"wonder (?:if|whether)|wondering|not sure (?:if|whether)|"
        r"whether|in case|might|had I)\b",
    ),
    (
        "uncertain",
        r"\b(?:maybe|perhaps|possibly|probably not|not sure|I guess|could be|who knows|may be|may have|"
        r"I may|we may|thinking (?:of|about)|toying with|tempted to|debating|considering|on the fence)\b",
    ),
    (
        "joke",
        r"\b(?:just kidding|kidding|joking|just a joke|as a joke|jk|j/k|sarcasm|in jest|pulling your leg)\b|/s\b|"
        r"\b(?:haha|lol),? (?:not|no)\b",
    ),
    ("put right at once", r"\bbut (?:it|that) is (?:actually|really) [A-Z\d]"),
    (
        "hearsay",
        r"\b(?:apparently|supposedly|allegedly|reportedly|rumou?r|according to|they say|people say|word is|"
        r"I (?:have |just |also )*(?:heard|read|saw) (?:that|somewhere|online|in the|on the news|the news|\w+ "
        r"(?:is|was|has|are|works|lives|moved|left|got)\b)|"
        r"legend has it|(?:said|says|saying|claims?|claimed|insists?|insisted|swears|swore|reckons?|"
        r"believes|mentioned|told (?:me|us|him|her|them)|tells me|thinks|suggested|suggests|argues|joked|"
        r"bragged|assumes?|assumed|accused|suspects?) (?:that |about |how |it |he |she |they |I |we |my |you |to |"
        r"the |a |[A-Z]))",
    ),
    (
        "fiction",
        r"\b(?:role-?play|act as|in the (?:story|novel|game|book|movie|film|show|script|scene|song|poem)|"
        r"in my (?:novel|story|book|game|dream|screenplay|script|campaign)|my (?:character|protagonist)|"
        r"I (?:had a dream|dreamed|dreamt)|the (?:protagonist|narrator|hero)|once upon a time|"
        r"lyrics|for example|for instance|e\.g\.|fictional|persona|dreamt|in a dream)\b",
    ),
    (
        "order",
        r"^(?:(?:please|now|then|also|just|can you|could you) )*(?:translate|rewrite|rephrase|paraphrase|proofread|"
        r"correct|fix|summari[sz]e|write|draft|generate|give me|show me|tell me|act|help me|create|suggest|"
        r"recommend|remind me)\b"
        r"|\b(?:how do you say|(?:correct|fix) this|the (?:phrase|sentence|line|quote|text|example))\b",
    ),
)
_QUESTION_START = re.compile(
    r"(?:(?:so|and|but|well|hey|ok|okay|hi|hmm|oh|also|then|just|sorry)[, ]+)*"
    r"(?:(?:do|does|did|are|am|is|was|were|have|has|had|can|could|will|would|should|shall|may|might) (?:not )?"
    r"(?:I|you|we|he|she|it|they|there|my|your|our|the|this|that|any|anyone|anybody|someone)\b|"
    r"(?:what|who|whom|whose|which|where|when|why|how)(?! (?:a|an)\b)\b(?!ever)(?! I (?:love|like|hate|need|want))"
    r"(?= (?:is|are|was|were|do|does|did|can|could|will|would|should|to|about|many|much|long|old|often|else|of|kind|"
    r"time|day|year|has|have|I|you|we|my|your|the)\b))",
    re.I,
)
_JOKE_ALONE = re.compile(
    r"^(?:(?:ha)+|lol|ok|okay|nah|no|well|oh)?[ ,.!;]*(?:I am |I was )?(?:just |only |totally )?"
    r"(?:kidding|joking|jk|j/k|messing with you|teasing|sarcasm|not really|a joke|/s)\b",
    re.I,
)


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((why, re.compile(words, re.I)) for why, words in _REASONS)


def takes_back(sentence: str) -> bool:
    """Whether this sentence says that the one before it was a joke.

    >>> takes_back("Just kidding!"), takes_back("I joke a lot.")
    (True, False)
    """
    return bool(_JOKE_ALONE.match(sentence))


def is_question(sentence: str) -> bool:
    return sentence.rstrip(" \"')!").endswith("?") or bool(_QUESTION_START.match(sentence))


def not_asserted(sentence: str) -> str:
    """Why the sentence states nothing about its speaker; empty when it does.

    >>> not_asserted("If I lived in Paris, I would bake."), not_asserted("I live in Paris.")
    ('hypothetical', '')
    """
    if QUOTED in sentence:
        return "quote"
    return next((why for why, pattern in _patterns() if pattern.search(sentence)), "")
