"""A fact in words that read alone: the predicate's sentence, fitted to its value."""

import re
from collections.abc import Callable

from reverie.minds.rules.people import PLURAL_OF, USER
from reverie.minds.rules.predicates import PREDICATES
from reverie.minds.rules.retell import article, third_person
from reverie.minds.rules.verbs import conjugated, reading

_COUNTED = re.compile(r"(?:\d{1,2}|two|three|four|five|six|several|some|twin|an?\b|my|the|no)\b", re.I)
_STATUS = re.compile(r"(?:semi-)?retired$|unemployed|self-employed|between jobs|out of work|on \w+ leave|freelancing")
_CONDITION = re.compile(
    r".*(?:blind|pregnant|diabetic|intolerant|asthmatic|epileptic|dyslexic|autistic|deaf|handed|sighted|"
    r"bipolar|anaemic|anemic|hearing|celiac|coeliac|divergent|compromised)$"
)
_IS_DIET = re.compile(r".*(?:ian|vegan|vegans|veggie|sober|teetotal|teetotall?er|omnivore|carnivore|eater)$")


def subject_words(subject: str) -> str:
    """How a subject stands at the head of a sentence.

    >>> subject_words("user"), subject_words("user's sister"), subject_words("Anna")
    ('The user', "The user's sister", 'Anna')
    """
    return "The user" + subject[len(USER) :] if subject == USER or subject.startswith(USER + "'s ") else subject


def possessive(subject: str) -> str:
    words = subject_words(subject)
    return words + ("'" if words.endswith("s") else "'s")


def _a(value: str) -> str:
    """The value with its article, unless it is counted or plural."""
    plain = re.split(r" (?:named|called|for|with|of|in|from|at) |,", value)[0]
    return value if _COUNTED.match(value) or plain.endswith("s") else f"{article(value)} {value}"


def _verb_first(value: str) -> bool:
    word = value.split(" ", 1)[0].lower()
    return reading(word, "base") is not None or word == "not"


def _habit(value: str) -> str:
    never = "never " if value.startswith("never ") else ""
    first, _, rest = value.removeprefix("never ").partition(" ")
    return f"{never}{conjugated(first.lower())} {rest}".strip() if reading(first, "base") else f"has a habit: {value}"


def _plans(value: str) -> str:
    if value.split(" ", 1)[0].endswith("ing"):
        return f"is {value}"
    return f"plans to {value}" if _verb_first(value) else f"plans {_a(value)}"


def _job(value: str) -> str:
    if _STATUS.match(value):
        return f"is {value}"
    if value.startswith(("runs ", "leads ")):
        verb, _, rest = value.partition(" ")
        return f"{verb} {_a(rest)}"
    field = value.endswith(("ing", "ics", "sales", "care", "tech", "IT", "finance", "research", "law")) or (
        " " in value[-12:] and value.split()[0].endswith("ing")
    )
    return f"works in {value}" if field else f"works as {_a(value)}"


def _diet(value: str) -> str:
    if value.startswith("no "):
        return f"avoids {value[3:]}"
    return f"is {value}" if _IS_DIET.match(value) else f"keeps a {value} diet"


def _decided_link(value: str) -> str:
    if value.startswith("that "):
        return ""
    return "to " if _verb_first(value) else "on "


def _one_or_many(value: str) -> str:
    return f"has {value}" if not value[:1].isupper() else ""


# How the verb phrase fits itself to the value; an empty phrase leaves it to the predicate's own sentence.
_FITTED: dict[str, Callable[[str], str]] = {
    "habit": _habit,
    "plans": _plans,
    "job": _job,
    "diet": _diet,
    "goal": lambda value: f"wants to {value}" if _verb_first(value) else f"has a goal: {value}",
    "decided": lambda value: f"decided {_decided_link(value)}{value}",
    "health": lambda value: f"is {value}" if _CONDITION.match(value) else f"has {value}",
    "has_pet": lambda value: f"has {_a(value)}",
    "owns": lambda value: f"has {_a(value)}",
    "drives": lambda value: f"drives {_a(value)}",
    "has_child": _one_or_many,
    "sibling": _one_or_many,
}
_OVER = {
    "is": "is no longer",
    "has": "no longer has",
    "works": "no longer works",
    "keeps": "no longer keeps",
    "avoids": "no longer avoids",
    "drives": "no longer drives",
    "plans": "no longer plans",
    "wants": "no longer wants",
    "runs": "no longer runs",
    "leads": "no longer leads",
}
_ONCE = {"is": "used to be", "has": "used to have"}


_PLURAL = {"is": "are", "has": "have", "was": "were", "does": "do", "goes": "go"}


def _agreeing(subject: str, text: str) -> str:
    """ "The user's kids like …": a plural subject takes the plural verb."""
    if subject.rsplit(" ", 1)[-1] not in PLURAL_OF:
        return text
    head = subject_words(subject) + " "
    verb, _, rest = text.removeprefix(head).partition(" ")
    plural = _PLURAL.get(verb) or (verb.removesuffix("s") if verb.endswith("s") and not verb.endswith("ss") else verb)
    return f"{head}{plural} {rest}" if text.startswith(head) else text


def sentence(subject: str, predicate: str, value: str, negated: bool = False, past: bool = False) -> str:
    """
    >>> sentence("user", "favorite", "fruit: mango"), sentence("Anna", "lives_in", "Kiel", negated=True)
    ("The user's favourite fruit is mango", 'Anna no longer lives in Kiel')
    >>> sentence("user", "job", "teacher", negated=True, past=True)
    'The user used to work as a teacher'
    """
    return _agreeing(subject, _sentence(subject, predicate, value, negated, past))


def _sentence(subject: str, predicate: str, value: str, negated: bool, past: bool) -> str:
    row = PREDICATES.get(predicate)
    value = third_person(value)
    if row is None:
        return f"{subject_words(subject)} {predicate.replace('_', ' ')} {value}"
    fitted = _FITTED.get(predicate)
    if phrase := fitted(value) if fitted else "":
        return f"{subject_words(subject)} {_over(phrase, past) if negated else phrase}"
    noun, _, plain = value.rpartition(": ") if predicate == "favorite" else ("", "", value)
    told = (row.ended if negated else row.says).format(
        s=subject_words(subject), p=possessive(subject), v=plain, n=noun or "thing"
    )
    told = re.sub(r"no longer (\w+?)(?:s|es)\b", _used_to, told, count=1) if negated and past else told
    return told[:1].upper() + told[1:]


def _used_to(match: re.Match[str]) -> str:
    word = match.group(0).removeprefix("no longer ")
    base = word.removesuffix("s")
    return f"used to {base if reading(base, 'base') else word.removesuffix('es')}"


def _over(phrase: str, past: bool) -> str:
    first, _, rest = phrase.partition(" ")
    if past:
        return f"{_ONCE.get(first) or 'used to ' + first.removesuffix('s')} {rest}"
    return f"{_OVER.get(first, f'no longer {first}')} {rest}".strip()
