"""Directives: how the user wants the agent to behave from now on, told apart from requests for this once.

A sentence is cut into clauses and described by features: cues that read aloud ("an order", "a ban", "lasting",
"this one") and the words themselves. Each feature has a weight in `directives.tsv`, fitted by `bench/fit_directives.py`
from labelled talk; a sentence whose weights sum to enough is a directive, and its strongest cues are why. One that ends
an earlier directive ("forget the rule about commas") is told apart by `ending_of`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files

from reverie.minds.judge import Judged
from reverie.minds.rules.directives.endings import LET_OFF, RETRACTED, TAKEN_BACK, ending_of
from reverie.minds.rules.directives.order_cues import SentencePlace, features
from reverie.minds.rules.reading.cues import is_order, words_of
from reverie.minds.rules.reading.forms import lasting_form, sure_form
from reverie.minds.rules.reference.leaning import heads

SHOWN = 3  # reasons of a directive
PLAIN = 4.0  # the sum of a sentence whose form says it
LASTS = 1.0  # the sum of weights from which a sentence is one: a false line in core is worse than one that is missed
OPEN = -3.0  # below this nobody looks twice
A_WORD = 0.4  # what the sum of the words adds to the odds of the judge
LOOKED = 0.9  # their sum from which it is one
BESIDE = -2.9  # the sum from which a sentence beside one belongs to it
READS = "reads like one"
REDACTED = "[redacted:"
ANNOUNCED = "announced as a rule"
NEXT_TO_ONE = "said with one"


@dataclass(frozen=True, slots=True)
class Lasting:
    """How much a sentence reads as a lasting wish about the agent's behaviour, and why."""

    score: float
    reasons: tuple[str, ...] = ()
    ends: str = ""  # how it takes an earlier directive back
    words: float = 0.0  # the sum of its cues and words

    @property
    def holds(self) -> bool:
        """Whether it is kept as a directive, or as the end of one."""
        return self.score > LASTS or bool(self.ends)


NEITHER = Lasting(0.0)


def standing(sentence: str) -> Lasting:
    """What a sentence is on its own.

    >>> standing("Please keep answers short, no emojis.").holds, standing("Make this one shorter.").holds
    (True, False)
    """
    return standings([sentence])[0]


def standings(
    sentences: Sequence[str], asked: str = "", earlier: Sequence[str] = (), judged: Sequence[Judged] = ()
) -> list[Lasting]:
    """What each sentence of a turn is; one that follows a directive may continue it ("Only on Fridays.").

    `asked` is what somebody else said just before the turn: the answer to a question is seldom a rule. `earlier` is
    what the user said in the turn before: "never mind" may take a directive back that was given there. The judge's
    word on each decides where the form leaves it open.

    >>> [one.holds for one in standings(["Two rules.", "No emojis in commits.", "I baked bread yesterday."])]
    [True, True, False]
    >>> [one.holds for one in standings(["Never use my name.", "Hm, never mind."])]
    [False, False]
    """
    found: list[Lasting] = []
    for i, sentence in enumerate(sentences):
        where = (
            SentencePlace(sentences[i - 1], found[-1].holds)
            if i
            else SentencePlace(answers=asked.rstrip().endswith("?"))
        )
        ends = ending_of(sentence)
        if ends == RETRACTED:
            found, ends = _retracted(found, earlier)
        weighed = _weighed(sentence, where)
        if i + 1 < len(sentences) and weighed.words < 0 and heads(sentence) and not is_order(words_of(sentence)):
            weighed = Lasting(2 * OPEN)  # "offline timetable." says what the next sentence is about
        elif judged and weighed.score > 2 * OPEN and not sure_form(sentence):
            weighed = _looked_at(weighed, judged[i].directive + A_WORD * weighed.words)
        if ends == LET_OFF and weighed.score <= LASTS:
            ends = TAKEN_BACK  # by itself it says nothing that lasts
        if i and _ONLY_NOW.match(sentence):
            found[-1] = NEITHER  # "don't start with hotlines. only tonight, …"
        passes = ends == RETRACTED or (not ends and (_ONCE.search(sentence) or _ONLY_NOW.match(sentence)))
        found.append(NEITHER if passes else replace(weighed, ends=ends))
    return _announced(sentences, _joined(sentences, found) if judged else found)


def _joined(sentences: Sequence[str], found: Sequence[Lasting]) -> list[Lasting]:
    """What stands beside a directive and reads nearly like one is part of it: "just listen" after "don't join in"."""
    out = list(found)
    for i, (sentence, one) in enumerate(zip(sentences, found, strict=True)):
        beside = (*found[max(0, i - 1) : i], *found[i + 1 : i + 2])
        holds = any(other.score > LASTS and not other.ends for other in beside)
        if holds and BESIDE < one.score <= LASTS and not one.ends and _is_rule(sentence, one):
            out[i] = replace(one, score=PLAIN, reasons=(NEXT_TO_ONE,))
    return out


_ONCE = re.compile(  # said to be for this once: "one off, no tests for this one", "remind me again what I skip"
    r"\b(?:one[- ]off|one[- ]time thing|for this one(?: only)?|just this once|only this once|this time only)\b"
    r"|\bremind me (?:again )?(?:what|who|when|where|how|which|why)\b(?! i'?m )|, go[.!]{0,3}$",
    re.I,
)
_ONLY_NOW = re.compile(
    r"(?:(?:and|but|this is|it'?s) )?(?:only|just) (?:for )?(?:tonight|today|now|this (?:once|time|evening|week)"
    r"|the (?:party|moment|meeting|talk|trip))\b",
    re.I,
)
_ANNOUNCES = re.compile(
    r"(?:[\w']{1,20},? ){0,6}?(?:rules?|conventions|guidelines|preferences)(?: (?:for|of|about|on|in|before|first"
    r"|here)(?: [\w']{1,20}){0,4})?[.:]?$"
    r"|(?:[\w']{1,20},? ){0,8}?(?:a (?:few )?(?:word|thing|note)s?|here is) (?:about|on) how (?:i|we) (?:like|want)"
    r"(?: [\w']{1,20}){0,4}[.:]?$",
    re.I,
)
MOST_ANNOUNCED = 5  # sentences after "Drafting rules."


def _announced(sentences: Sequence[str], found: Sequence[Lasting]) -> list[Lasting]:
    """The sentences after "Rules for code." are rules, and that one is shown with them or not at all.

    >>> said = ["But first rules for code.", "C11.", "No malloc, ever.", "How are you?"]
    >>> [one.holds for one in standings(said)], standings(["Rules for code."])[0].holds
    ([True, True, True, False], False)
    """
    out = list(found)
    for i in (i for i, sentence in enumerate(sentences) if _ANNOUNCES.match(sentence) and not found[i].ends):
        last = i
        while last + 1 < len(out) and last - i < MOST_ANNOUNCED and _is_rule(sentences[last + 1], out[last + 1]):
            last += 1
        for k in range(i, last + 1):
            out[k] = replace(out[k], score=max(out[k].score, PLAIN), reasons=(ANNOUNCED, *out[k].reasons[: SHOWN - 1]))
        if last == i:
            out[i] = NEITHER
    return out


def _is_rule(sentence: str, weighed: Lasting) -> bool:
    if weighed.holds:
        return not weighed.ends
    asks = sentence.rstrip().endswith("?")
    return not (asks or _TELLS.search(sentence) or len(sentence.split()) > LONGEST_RULE)


LONGEST_RULE = 20  # words
_TELLS = re.compile(
    r"\b(?:i'm|i am|i was|i've|i had|was|were|today|tomorrow|yesterday|now|can you|could you|let's|here'?s|thanks)\b",
    re.I,
)


def _looked_at(weighed: Lasting, score: float) -> Lasting:
    reasons = weighed.reasons if score <= LOOKED or weighed.words > LASTS else (*weighed.reasons[: SHOWN - 1], READS)
    return Lasting(score - LOOKED + LASTS, reasons, words=weighed.words)


def _retracted(found: Sequence[Lasting], earlier: Sequence[str]) -> tuple[list[Lasting], str]:
    """The turn so far without the directive that was just taken back; else whether one of the turn before was."""
    last = next((i for i in reversed(range(len(found))) if found[i].holds), None)
    if last is not None:
        return [NEITHER if i == last else one for i, one in enumerate(found)], RETRACTED
    given = bool(earlier) and any(one.holds for one in standings(earlier))
    return list(found), TAKEN_BACK if given else RETRACTED


_NAMED_SCOPE = re.compile(
    r"\b(?:in|on|for|under|inside|within|of) (?:the |this |our |my )?"
    r"((?:project|repo|repository|folder|package|module|branch|chapter|service|account|book|course)s? "
    r"[\"“]?[\w./-]+|[\w./-]+ (?:project|repo|repository|folder|package|module|branch|service|account|course))\b",
    re.I,
)
_PATH = re.compile(
    r"(?<![\w/:.-])(?:[\w.-]+/)+[\w.*-]*|(?<![\w/-])\.?[\w-]+\.(?:py|go|js|ts|md|ya?ml|json|toml|sql|rs)\b"
)


def scope_of(quote: str) -> str:
    """The path or project that a directive is limited to, as it is named there; empty where none is.

    >>> scope_of("never edit anything under legacy/ without asking"), scope_of("in the billing repo use tabs")
    ('legacy/', 'billing repo')
    """
    path = _PATH.search(quote)
    named = _NAMED_SCOPE.search(quote)
    return path[0] if path else named[1].strip('"“') if named else ""


# "Your snippets keep sprouting comments", "prioritizing always gets me": what is so, and no order.
_COMPLAINS = re.compile(r"\byour \w{1,30} keeps? \w{1,30}ing\b|\b\w{1,30}(?:ing|s) always \w{1,30}s (?:me|us)\b", re.I)
# "No nothing like that", "yes it was": what answers a question gives no rule.
_REPLIES = re.compile(
    r"(?:no|nope|nah|yes|yeah|yep)[,.]? (?:nothing|none|not|nobody|i|i'm|it|it's|he|she|we|they|that|there)\b", re.I
)
# What somebody else would like is theirs: "Jonas wants a flat list", "Wants a weekly call".
_OF_ANOTHER = re.compile(
    r"^(?:(?:and|also|but|so|btw|ok(?:ay)?|oh|well)[\s,]+)*(?!(?:i|we|you|please|what|who|if|when|whenever|anyone"
    r"|everyone|nobody|whoever)\b)(?:[\w'.-]{1,30} ){0,3}(?:wants|wanted|needs|prefers|likes|hates|loves|insists|thinks"
    r"|reckons|says|said|told|asked)\b",
    re.I,
)
_TO_THE_AGENT = re.compile(
    r"\b(?:you|your|always|never|don'?t|do not|please|pls|make sure|write|use|keep|add|send)\b", re.I
)


def is_of_another(sentence: str) -> bool:
    """Whether it tells what somebody else would like, what troubles its speaker or what it answers, and asks nothing of
    the agent.

    >>> is_of_another("jonas wants a flat list"), is_of_another("Dr Moens prefers Dutch, always write to her in Dutch")
    (True, False)
    >>> is_of_another("no nothing like that."), is_of_another("no emojis in replies")
    (True, False)
    """
    if _COMPLAINS.search(sentence) or REDACTED in sentence:
        return True  # nobody keeps a secret in core by asking for it
    if _REPLIES.match(sentence) and _TO_THE_AGENT.search(sentence) is None:
        return True
    return _OF_ANOTHER.match(sentence) is not None and _TO_THE_AGENT.search(sentence) is None


@lru_cache(maxsize=4096)
def _weighed(sentence: str, where: SentencePlace) -> Lasting:
    if is_of_another(sentence):
        return Lasting(2 * OPEN, (), words=2 * OPEN)
    table = weights()
    present = [(name, table[name]) for name in features(sentence, where) if name in table]
    cues = sorted(
        (one for one in present if not one[0].startswith(("w ", "p ")) and one[1] > 0), key=lambda one: -one[1]
    )
    score = table["bias"] + sum(weight for _, weight in present)
    form = lasting_form(sentence)
    if form:
        reasons = (form, *(name for name, _ in cues[: SHOWN - 1]))
        return Lasting(max(round(score, 3), PLAIN), reasons, words=score)
    return Lasting(round(score, 3), tuple(name for name, _ in cues[:SHOWN]), words=score)


@lru_cache(maxsize=1)
def weights() -> dict[str, float]:
    """The weight of each feature, as it was fitted; "w" is a word, "p" a pair of words, the rest are cues."""
    text = files(__package__).joinpath("directives.tsv").read_text("utf-8")
    return {name: float(weight) for name, _, weight in (line.partition("\t") for line in text.splitlines())}
