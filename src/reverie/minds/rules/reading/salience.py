"""What is worth keeping: each sentence is weighed by cues that read aloud, and the reasons are kept with the sum.

What a sentence shows (cues, words, its length, its place in the talk) and how much each weighs are two tables:
`cues.toml` is written by hand, `salience.tsv` is fitted to labelled sentences by `bench/fit_salience.py`, and so is a
second look at sentences whose words leave it open. What was asked, imagined or meant ironically is never kept, whatever
else it holds.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise

from reverie.language.sentences import asks
from reverie.minds.judge import Judged
from reverie.minds.rules.reading.cues import bar_in, cues_in, is_order, is_sure, is_taste, words_of

KEPT = 0.65  # how sure it must be that somebody will need the sentence
LOOKED = 0.0  # what the judge must be surer by, in the logarithm of its odds
MEANT = 0.0  # its odds below which a sentence was not meant
SAID_SO = -1.5  # below this nobody will need it, and "remember, you can do it" was only a manner of speaking
UNMEANT = "not meant"
REMEMBER = "asked to remember"
WHO_ONE_IS = "who one is"  # said in a form that leaves no doubt: a name, a home, what one cannot eat
ASKED = re.compile(
    r"(?:\w{1,40}[,!.]? )?(?:please |pls )?(?:remember|note|keep in mind|bear in mind|don'?t forget|make a note)"
    r"(?: that|:|,) (?!time\b|day\b|one\b|for\b|please\b)\S+ \S+",
    re.I,
)
SURE = 0.9  # of what nobody says of themselves for nothing
SIGNS = frozenset(
    {"time", "a name", "names", "a figure", "a thing", "a reason", "event"}
)  # said after what it is about
# Cues that tell how something is said; they weigh, and are no reason to anybody.
MANNER = frozenset(
    {
        "first person",
        "second person",
        "third person",
        "leaning",
        "reaction",
        "politeness",
        "hedge",
        "momentary",
        "a request",
        "encouragement",
        "a general truth",
        "vague",
        "a scene",
        "consent",
    }
)


@dataclass(frozen=True, slots=True)
class Situation:
    """Where a sentence stands in the talk."""

    first: bool = True  # of its turn
    answers: str = ""  # the question that somebody else asked just before
    after_question: bool = False  # of the speaker's own
    to_agent: bool = True  # a friend who is told "remember, I'm here for you" is asked for nothing


ALONE = Situation()


@dataclass(frozen=True, slots=True)
class Salience:
    """How likely a sentence is to be needed, why, and what forbids it."""

    score: float
    reasons: tuple[str, ...] = ()
    barred: str = ""
    sure: bool = False  # its form says so: nobody has to be asked

    @property
    def kept(self) -> bool:
        return not self.barred and self.score >= KEPT


def weigh(sentence: str, situation: Situation = ALONE) -> Salience:
    """
    >>> weigh("I'm allergic to walnuts, told them as well").reasons[0]
    'who one is'
    >>> weigh("What if I moved to Faro?").barred
    'a question'
    """
    words = words_of(sentence)
    barred = "a question" if is_question(sentence) else bar_in(words) or ("" if words else "no words")
    if barred:
        return Salience(0.0, (), barred)
    weights = _weights()
    shown = list(marks(sentence, words, situation))
    score = weights["bias"] + sum(weights.get(mark, 0.0) for mark in shown)
    chance = round(1 / (1 + math.exp(-score)), 3)
    cues = [mark.removeprefix("cue ") for mark in shown if mark.startswith("cue ")]
    sure = True
    if situation.to_agent and ASKED.match(sentence):
        cues = [REMEMBER, *cues]
    elif is_sure(words):
        cues = [WHO_ONE_IS, *cues]
    else:
        sure = is_taste(words)
    reasons = tuple(sorted((cue for cue in cues if cue not in MANNER), key=lambda cue: cue in SIGNS))
    return Salience(max(chance, SURE) if sure else chance, reasons, sure=sure)


def looked_at(weighed: Salience, judged: Judged) -> Salience:
    """The same with the judge's word, which decides wherever nothing bars the sentence and its form is not sure."""
    if REMEMBER in weighed.reasons and judged.worth < SAID_SO:
        weighed = replace(weighed, reasons=tuple(why for why in weighed.reasons if why != REMEMBER), sure=False)
    if weighed.barred or weighed.sure:
        return weighed
    if judged.meant < MEANT:
        return Salience(0.0, (), UNMEANT)
    return replace(weighed, score=round(1 / (1 + math.exp(LOOKED - judged.worth)), 3))


_TAG = re.compile(
    r", (?:right|ok(?:ay)?|yeah|no|huh|eh|you know|can you believe (?:it|that)"
    r"|(?:is|isn't|was|wasn't|do|don't|does|doesn't|did|didn't|have|haven't) \w+)\?+$",
    re.I,
)


_UNMARKED = re.compile(
    r"(?:(?:so|and|but|ok(?:ay)?|hey|wait|hm+|btw|sorry|now|then|again|also|right|next)[\s,.:]+)*"
    r"(?:(?:what|where|who|how|why)(?:'?s| is| are| was| were| do| does| did| can| could| should) "
    r"(?!i (?:want|need|like|mean)\b)"
    r"|how (?:much|many|long|often|old) (?:is|are|was|do|does|did|should|can)\b"
    r"|which (?:\w+ ){1,3}?(?:do|does|did|is|are|was|were|should|can|would) "
    r"(?:i|we|you|it|they|the|he|she|that|this|current)\b"
    r"|(?:do|does|can|could|should|would) (?:i|we|you|it|they|he|she) (?!remember)\w+ )",
    re.I,
)


def is_question(sentence: str) -> bool:
    """Also one without its mark, as they are typed.

    >>> is_question("Where is it?"), is_question("I joined a band, can you believe it?")
    (True, False)
    >>> is_question("whats the refund rule again, I have a man here"), is_question("what I want is a boat")
    (True, False)
    """
    if asks(sentence):
        return not _TAG.search(sentence)
    return _UNMARKED.match(sentence.replace("’", "'")) is not None and not sentence.rstrip().endswith("!")


NAME = re.compile(r"(?<=[\w,;:)] )[A-ZÀ-Þ][\w'’-]+")
_LENGTHS = ((2, "2"), (4, "4"), (7, "7"), (12, "12"), (20, "20"))


def marks(sentence: str, words: Sequence[str], situation: Situation) -> Iterator[str]:
    """All that counts about a sentence, as the table of weights names it."""
    yield from (f"cue {cue}" for cue in cues_in(words))
    names = len(NAME.findall(sentence))
    if names:
        yield "cue a name"
    if names > 1:
        yield "cue names"
    if any(word[0].isdigit() for word in words):
        yield "cue a figure"
    yield f"length {next((name for most, name in _LENGTHS if len(words) <= most), 'more')}"
    yield from _situation(words, situation)
    if is_order(words):
        yield "an order"
        if words[0] in _ASSENTS:
            yield "consents to an order"
    if _SUM.search(sentence):
        yield "a sum"
    if 2 * sum(word[0].isdigit() for word in words) >= len(words):
        yield "mostly figures"
    if sentence.endswith("!"):
        yield "exclaims"
    yield from (f"begins {' '.join(words[:n])}" for n in (1, 2) if len(words) >= n)
    plain = ["0" if word[0].isdigit() else word for word in words]
    yield from (f"word {word}" for word in dict.fromkeys(plain))
    yield from dict.fromkeys(f"pair {a} {b}" for a, b in pairwise(plain))


def _situation(words: Sequence[str], situation: Situation) -> Iterator[str]:
    if situation.answers and situation.first:
        briefly = " briefly" if len(words) <= 4 else ""
        yield f"place answers{briefly}"
        yield f"place answers {_asked(situation.answers)}{briefly}"
        if _NUMBERED.match(situation.answers):
            yield "place answers a numbered question"
    if situation.after_question:
        yield "place after a question"


_ASSENTS = frozenset("yes yep yeah ok okay sure right good".split())
_SUM = re.compile(r"\d ?[=*/x×+^] ?\d|= ?-?\d")
_NUMBERED = re.compile(r"\s{0,20}\(?\d{1,2}[.)] ")
_ASKED = re.compile(r"\b(?:what|where|when|who|whose|which|why|how (?:many|much|old|long|often)|how)\b")


def _asked(question: str) -> str:
    """The word that a question asks with; without one it asks for yes or no."""
    found = _ASKED.search(question.lower())
    return found.group() if found else "whether"


@lru_cache(maxsize=1)
def _weights() -> dict[str, float]:
    lines = files(__package__).joinpath("salience.tsv").read_text("utf-8").splitlines()
    return {mark: float(weight) for mark, _, weight in (line.partition("\t") for line in lines)}
