"""What a night keeps of a turn: the sentences worth keeping, word for word, with what they answer or lean on.

One pass: the turn's speech is cut into sentences; each is a directive, worth keeping, or neither; a sentence that leans
on the one before it ("She's a nurse now") is quoted together with it, one that answers a question carries the question.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reverie.language import quoting
from reverie.language.speech import Utterance, utterances
from reverie.minds.rules import dates
from reverie.minds.rules.directives import standing
from reverie.minds.rules.matters import matter_of
from reverie.minds.rules.salience import Place, Salience, is_question, weigh
from reverie.model.thinking import Episode, FactDraft

LONGEST_TURN = 20_000  # characters; beyond that it is a pasted document, not speech
LONGEST_QUOTE = 280  # of several sentences together
LONGEST_ABOUT = 140
ROLES = {"user", "assistant", "tool", "system", "human", "ai", "bot"}


@dataclass(frozen=True, slots=True)
class Passage:
    """Neighbouring sentences that are quoted together."""

    start: int
    end: int
    reasons: tuple[str, ...]
    score: float
    leans: bool  # on what was said before the turn


def facts_of(episodes: Sequence[Episode]) -> list[FactDraft]:
    return [draft for episode in episodes for draft in _of_turn(episode)]


def _of_turn(episode: Episode) -> Iterator[FactDraft]:
    if episode.role != "user" and episode.speaker.lower() in ROLES:
        return  # what an assistant or a tool says is no statement of the user's
    said = utterances(episode.text[:LONGEST_TURN])
    asked = _question_before(episode)
    lasting = [standing(one.text).holds for one in said]
    for one, directive in zip(said, lasting, strict=True):
        if directive and episode.role == "user":
            yield FactDraft(episode.id, one.text, kind="directive", reasons=standing(one.text).reasons, importance=0.9)
    weighed = [
        Salience(0.0, (), "a directive") if directive else weigh(one.text, _place(said, i, bool(asked)))
        for i, (one, directive) in enumerate(zip(said, lasting, strict=True))
    ]
    for passage in _passages(episode.text, said, weighed):
        yield _draft(episode, passage, asked)


def _place(said: Sequence[Utterance], i: int, asked: bool) -> Place:
    return Place(i == 0, asked, i > 0 and is_question(said[i - 1].text))


def _passages(text: str, said: Sequence[Utterance], weighed: Sequence[Salience]) -> list[Passage]:
    found: list[Passage] = []
    for i, (one, salience) in enumerate(zip(said, weighed, strict=True)):
        if not salience.kept:
            continue
        leaning = leans(one.text)
        if leaning and found and i and found[-1].end == said[i - 1].end and one.end - found[-1].start <= LONGEST_QUOTE:
            last = found.pop()
            reasons = tuple(dict.fromkeys((*last.reasons, *salience.reasons)))
            found.append(Passage(last.start, one.end, reasons, max(last.score, salience.score), last.leans))
        elif leaning and i and _carries(said[i - 1].text) and one.end - said[i - 1].start <= LONGEST_QUOTE:
            found.append(Passage(said[i - 1].start, one.end, salience.reasons, salience.score, False))
        else:
            found.append(Passage(one.start, one.end, salience.reasons, salience.score, leaning))
    return found


def _draft(episode: Episode, passage: Passage, asked: str) -> FactDraft:
    quote = episode.text[passage.start : passage.end]
    first = not episode.text[: passage.start].strip() or passage.start < 80
    about = asked if asked and first and (passage.leans or len(quote.split()) < 7) else ""
    matter = matter_of(quote, about, speaker_of(episode))
    return FactDraft(
        source=episode.id,
        quote=quote,
        when=shown_dates(quote, episode),
        about=about,
        reasons=passage.reasons,
        subject=matter.subject or speaker_of(episode),
        predicate=matter.predicate,
        value=matter.value,
        exclusive=matter.exclusive,
        negated=matter.negated,
        cue=matter.cue,
        replaces=matter.replaces,
        happened_at=next((when.instant for when in dates.find(quote, episode.said_at)), None),
        asked="asked to remember" in passage.reasons,
        importance=round(min(0.9, 0.3 + 0.08 * passage.score), 2),
    )


_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def speaker_of(episode: Episode) -> str:
    return "user" if episode.speaker.lower() in ROLES else episode.speaker


_LEANS = re.compile(
    r"^(?:(?:and|but|so|also|well|yeah|yes|no|then|oh|plus|though|because|cos|since|or|which|ok(?:ay)?)[\s,]+)*"
    r"(?:it|its|it's|that|that's|this|this's|they|they're|them|these|those|she|she's|he|he's|her|his|their|there|both|one|which|who|same|not)\b",
    re.I,
)
_VERB = re.compile(
    r"\b(?:am|is|are|was|were|'m|'s|'re|have|has|had|do|did|will|'ll|'ve|got|went|\w{3,}(?:ed|ing|s))\b", re.I
)


def leans(sentence: str) -> bool:
    """Whether a sentence needs what was said before it to be understood.

    >>> leans("She's a nurse now"), leans("next Friday"), leans("My sister is a nurse")
    (True, True, False)
    """
    return bool(_LEANS.match(sentence)) or len(sentence.split()) < 4 or not _VERB.search(sentence)


def _carries(sentence: str) -> bool:
    """Whether the sentence before may be quoted along: it says something, and it is no question."""
    return len(sentence.split()) > 2 and not is_question(sentence)


def _question_before(episode: Episode) -> str:
    """The last question that somebody else asked just before, if it is short enough to be shown."""
    if not episode.before:
        return ""
    speaker, _, text = episode.before[-1].partition(": ")
    if speaker == episode.speaker:
        return ""
    asked = [one.text for one in utterances(text[-LONGEST_TURN:]) if one.text.rstrip().endswith("?")]
    return asked[-1] if asked and len(asked[-1]) <= LONGEST_ABOUT else ""


def shown_dates(quote: str, episode: Episode) -> str:
    """The dates that a quote names in other words, made plain; its own day needs no telling."""
    known = (quoting.day(episode.said_at), *_YEAR.findall(quote))
    found = [when for when in dates.find(quote, episode.said_at) if when.shown not in known]
    return "; ".join(dict.fromkeys(when.shown for when in found[:2]))
