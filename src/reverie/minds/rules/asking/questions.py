"""What facts make askable, and what recent turns left open."""

import re
from dataclasses import replace
from datetime import UTC, datetime

from reverie.language.sentences import sentences
from reverie.language.speech import utterances
from reverie.minds.rules.asking.askable import asked_of
from reverie.minds.rules.asking.replies import replied_to
from reverie.minds.rules.reference.leaning import needs_of
from reverie.minds.rules.reference.persons import names_in
from reverie.model.base import DAY, Instant
from reverie.model.thinking import Evidence, QuestionContext, QuestionDraft
from reverie.policy.answers.guards.compare import compare
from reverie.policy.answers.guards.kind import alike
from reverie.policy.answers.guards.lexicon import FUNCTION_WORDS
from reverie.policy.answers.guards.reading import ReadQuestion, read

MOST_SOURCES = 12
LEAST_TOLD = 4  # words that tell something of somebody
DATED = frozenset(
    ("when", "by_when", "deadline", "away", "replied")
)  # answered by a day, so that they are over after it


def questions(context: QuestionContext, k: int) -> list[QuestionDraft]:
    """What the facts make askable, newest first, then what recent turns left open and a fact answers."""
    known = {_plain(q) for q in context.asked}
    drafts: dict[str, QuestionDraft] = {}
    for fact in context.facts:
        for predicate, question in asked_by(fact):
            if _plain(question) not in known and not (predicate in DATED and _over(fact, context)):
                draft = drafts.get(_plain(question), QuestionDraft(question, f"new: {fact.text}"))
                drafts[_plain(question)] = replace(draft, sources=(*draft.sources, fact.id)[:MOST_SOURCES])
    for turn in (turn for turn in reversed(context.turns) if turn.role == "user"):
        for line in (one.text for one in utterances(turn.text)):
            asks = line.endswith("?") and 3 <= len(line.split()) <= 25
            if asks and any(answering(read(line), fact) for fact in context.facts):
                drafts.setdefault(_plain(line), QuestionDraft(line, "asked a moment ago", (turn.id,)))
    return list(drafts.values())[: max(0, k)]


def told_of(name: str, said: str) -> str:
    """What a statement tells of somebody: the sentences that begin with them or say whose they are, each with what goes
    on about them; nothing of somebody else who is theirs, and no "Ada cried".

    >>> told_of("Dele", "Dele's mum comes on Sundays."), told_of("Ada", "I'm off. Ada is ill. She rang.")
    ('', 'Ada is ill. She rang.')
    """
    theirs = rf"{re.escape(name)}\b(?!['’]s (?:{_KIN})\b)"
    begins = (
        rf"(?:\A|[.!?;:,\n] ?)(?:{_OPENING} ){{0,3}}{theirs}(?! (?:and|or) )"
        rf"|\b(?:(?:my|our) [\w-]+,?|named|called) {theirs}|\b{theirs},? \(?(?:my|our) [a-z]"
    )
    parts: list[str] = []
    last = -1
    for i, sentence in enumerate(sentences(said)):
        if re.search(begins, sentence, re.IGNORECASE) or (parts and last == i - 1 and needs_of(sentence)):
            parts.append(sentence if last == i - 1 or not parts else f"… {sentence}")
            last = i
    found = " ".join(parts)
    return found if len(found.split()) >= LEAST_TOLD else ""


def to_the_point(asked: ReadQuestion, fact: Evidence) -> str:
    """What a statement says on a question: from the first of its sentences that answers it to the last, and what goes
    on about it; all of it where no sentence does by itself.

    >>> fact = Evidence("m", "", 0.0, kind="fact", quote="Mam rang. We live in Porto now. It is warm. My cat is Tom.")
    >>> to_the_point(read("Where do I live?"), fact)
    'We live in Porto now. It is warm.'
    """
    said = sentences(fact.quote or fact.text)
    answers = [i for i, one in enumerate(said) if answering(asked, replace(fact, quote=one, about=""))]
    if not answers:
        return fact.quote or fact.text
    last = answers[-1]
    while last + 1 < len(said) and needs_of(said[last + 1]):
        last += 1
    return " ".join(said[answers[0] : last + 1])


_KIN = (
    "mum|mom|mother|dad|father|brother|sister|wife|husband|son|daughter|parents|kids?|friend|cousin|niece|nephew|boss"
)


_OPENING = "(?:and|but|so|also|oh|ok|yes|no|my [a-z-]+|our [a-z-]+|that|because|since|when|if|now)"


def asked_by(fact: Evidence) -> list[tuple[str, str]]:
    """The questions that a fact answers, each after its predicate; none of what is no fact."""
    said, speaker = fact.quote or fact.text, _speaker(fact)
    if fact.kind != "fact":
        return []
    found = [one for one in asked_of(_named(said), speaker) if one[0] != "age" or _is_somebody(one[1], said)]
    if fact.about.endswith("?") and (question := replied_to(fact.about, said, speaker)):
        found.append(("replied", question))
    return found


def _is_somebody(question: str, said: str) -> bool:
    """Whether an age is somebody's: "aspirin is 75" tells none, though it is put as one."""
    name = question.rstrip("?").split(" ")[-1]
    return " my " in question or question.endswith(" I?") or name in said


def _named(said: str) -> str:
    """The same with its names as a sentence writes them: who types "my wife ida" means Ida."""
    for name in names_in((said,)):
        said = re.sub(rf"\b{re.escape(name)}\b", name[0].upper() + name[1:], said)
    return said


def answering(asked: ReadQuestion, fact: Evidence) -> list[str]:
    """The forms by which a statement answers a question. A boss is asked for as a boss: a supervisor may be another."""
    found = [(form, read(other)) for form, other in asked_by(fact)]
    return [
        form
        for form, other in found
        if same(asked, other) and (form not in ("role", "titled") or not (other.words - FUNCTION_WORDS) - asked.words)
    ]


def same(asked: ReadQuestion, other: ReadQuestion) -> bool:
    """Whether two questions ask the same: one reading, or the same content words past every guard."""
    if not compare(asked, other).ok:
        return False
    if asked.personal or other.personal:
        return asked.personal == other.personal
    return bool(asked.topics) and asked.topics == other.topics and alike(asked.kind, other.kind)


def _speaker(fact: Evidence) -> str:
    return "user" if fact.speaker.casefold() in ("", "user", "human") else fact.speaker


def _over(fact: Evidence, context: QuestionContext) -> bool:
    """Whether the day that a fact names has passed: "When is it?" has no answer then."""
    if _RECURS.search(fact.quote) or context.now is None:
        return False
    day = fact.happened_at if fact.happened_at is not None else _nth(fact)
    if day is None:  # a bare weekday is over in a week
        return bool(_WEEKDAY.search(fact.quote)) and context.now - (fact.said_at or 0.0) > 6 * DAY
    return day // DAY < context.now // DAY


def _nth(fact: Evidence) -> Instant | None:
    """The next day of that number, where a fact names no month: "on the 24th"."""
    named = re.search(r"\b([12]?\d|3[01])(?:st|nd|rd|th)\b", fact.quote)
    if named is None or fact.said_at is None:
        return None
    ahead = (fact.said_at + days * DAY for days in range(62))
    return next((at for at in ahead if datetime.fromtimestamp(at, UTC).day == int(named[1])), None)


_WEEKDAY = re.compile(r"\b(?:mon|tue|wed|thu|fri|sat|sun)(?:\w*day)?\b", re.I)
_RECURS = re.compile(r"\b(?:\w+days|evenings|mornings|afternoons|every|weekly|daily|monthly)\b", re.I)


def _plain(question: str) -> str:
    return " ".join(re.findall(r"\w+", question.casefold()))
