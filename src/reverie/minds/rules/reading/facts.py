"""What a night keeps of a turn: the sentences worth keeping, word for word, with what they answer or lean on.

One pass: the turn's speech is cut into sentences; each is a directive, worth keeping, or neither. A sentence that leans
on the one before it ("She's a nurse now") is quoted together with it; one that answers a question carries the question.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise

from reverie.language.detect import is_english
from reverie.language.speech import Utterance, utterances
from reverie.minds.rules.reading import dates
from reverie.minds.rules.reading.cues import cues_in, words_of
from reverie.minds.rules.reading.directives import Lasting, scope_of, standings
from reverie.minds.rules.reading.matters import matter_of
from reverie.minds.rules.reading.salience import NAME, REMEMBER, Salience, Situation, is_question, weigh
from reverie.minds.rules.reading.second_look import SecondLook
from reverie.model.thinking import Episode, FactDraft

LONGEST_TURN = 20_000  # characters; beyond that it is a pasted document, not speech
LONGEST_QUOTE = 280  # of several sentences together
GAP = 4  # characters between neighbours: a blank, a line's end, a list's mark; a line of code or mail is longer
LONGEST_ABOUT = 140
SHORT = 7  # words
JOINS = 0.4  # from here a sentence is quoted along with the one that it leans on
GOES_ON = 0.15  # from here one that points back to it
CARRIES = 0.1  # from here a sentence is worth quoting before the one that leans on it
SOMEBODY = frozenset({"people", "pets"})
CHOSEN = Salience(0.7, ("a model chose it",))
ROLES = frozenset({"user", "assistant", "tool", "system", "human", "ai", "bot"})


@dataclass(frozen=True, slots=True)
class QuotedSpan:
    """Neighbouring sentences that are quoted together."""

    first: int  # the numbers of its sentences
    last: int
    salience: Salience


def facts_of(episodes: Sequence[Episode], look: SecondLook | None = None) -> list[FactDraft]:
    return [draft for episode in episodes for draft in _of_turn(episode, look)]


def _of_turn(episode: Episode, look: SecondLook | None) -> Iterator[FactDraft]:
    if episode.role != "user" and episode.speaker.lower() in ROLES:
        return  # what an assistant or a tool says is no statement of the user's
    said = [one for one in utterances(episode.text[:LONGEST_TURN]) if is_english(one.text)]
    before = said_before(episode)
    to_agent = episode.role == "user" and episode.to_agent
    lasting = standings([one.text for one in said], before, _own_before(episode), look) if to_agent else []
    yield from _directives(episode, said, lasting)
    weighed = [
        Salience(0.0, (), "a directive")
        if lasting and lasting[i].holds
        else weigh(one.text, situation_of(said, i, before))
        for i, one in enumerate(said)
    ]
    for passage in _passages(said, weighed):
        yield _draft(episode, said, passage, before)


def _directives(episode: Episode, said: Sequence[Utterance], lasting: Sequence[Lasting]) -> Iterator[FactDraft]:
    """One draft a directive; what continues one ("Only on Fridays.") is quoted with it."""
    runs: list[tuple[int, int]] = []
    for i in (i for i, one in enumerate(lasting) if one.holds):
        follows = bool(runs) and runs[-1][1] == i - 1 and not stands_alone(said[i].text) and not lasting[i].ends
        if follows and _fits(said, runs[-1][0], i):
            runs[-1] = (runs[-1][0], i)
        else:
            runs.append((i, i))
    for first, last in runs:
        quote = episode.text[said[first].start : said[last].end]
        yield FactDraft(
            source=episode.id,
            quote=quote,
            kind="directive",
            reasons=lasting[first].reasons,
            scope=scope_of(quote),
            importance=0.9,
            subject="user",
            negated=bool(lasting[first].ends),
            cue=lasting[first].ends,
        )


def _own_before(episode: Episode) -> list[str]:
    """What the same speaker said in the turn before, sentence by sentence."""
    turns = (turn.partition(": ") for turn in reversed(episode.before))
    return next(([one.text for one in utterances(text)] for who, _, text in turns if who == episode.speaker), [])


def said_before(episode: Episode) -> str:
    """The last sentence that somebody else said just before the turn; the last question, if there was one."""
    if not episode.before:
        return ""
    speaker, _, text = episode.before[-1].partition(": ")
    return "" if speaker == episode.speaker else last_words(text)


def last_words(text: str) -> str:
    """The question that a text asks last, or else its last sentence.

    >>> last_words("Lovely! Where do you live? Just curious."), last_words("I see.")
    ('Where do you live?', 'I see.')
    """
    said = [one.text for one in utterances(text[-LONGEST_TURN:])]
    return next((one for one in reversed(said[-3:]) if is_question(one)), said[-1] if said else "")


def situation_of(said: Sequence[Utterance], i: int, before: str) -> Situation:
    return Situation(i == 0, before if is_question(before) else "", i > 0 and is_question(said[i - 1].text))


def _passages(said: Sequence[Utterance], weighed: Sequence[Salience]) -> list[QuotedSpan]:
    """Each sentence worth keeping with its neighbours, as far as it needs them or they say something, in one quote."""
    found: list[QuotedSpan] = []
    for i, salience in enumerate(weighed):
        if not salience.kept or (found and found[-1].last >= i):
            continue
        first = _back(said, weighed, i, found[-1].last + 1 if found else 0)
        last = _on(said, weighed, first, i)
        spans = [weighed[k] for k in range(first, last + 1) if not weighed[k].barred]
        found.append(QuotedSpan(first, last, reduce(_both, spans, salience)))
    return found


def _back(said: Sequence[Utterance], weighed: Sequence[Salience], i: int, least: int) -> int:
    """The first sentence that is quoted with this one: what it leans on, and what that leans on."""
    first = i
    while first > least and not stands_alone(said[first].text) and _carries(said[first - 1].text, weighed[first - 1]):
        if not _fits(said, first - 1, i):
            break
        first -= 1
    return first


def _on(said: Sequence[Utterance], weighed: Sequence[Salience], first: int, i: int) -> int:
    """The last sentence that is quoted with this one: those that go on about it."""
    last = i
    while last + 1 < len(said) and _goes_on(said[last + 1].text, weighed[last + 1]) and _fits(said, first, last + 1):
        last += 1
    return last


def _goes_on(sentence: str, salience: Salience) -> bool:
    if salience.barred or stands_alone(sentence):
        return False
    return salience.score >= (JOINS if not _points_back(sentence) else GOES_ON)


_SUBJECT = re.compile(
    r"\b(?:i|i'm|im|i've|ive|i'd|i'll|my|we|we're|we've|our)\b|(?<=\w )[A-ZÀ-Þ][\w'’-]+"
    r"|^[A-ZÀ-Þ][\w'’-]+(?:'s)? (?:is|was|has|will|wants)\b"
    r"|\b(?:the|a|an|my|our|his|her|their) (?:[\w-]+ ){1,4}(?:is|are|was|were|has|have|had|will|costs?|takes?|needs?"
    r"|goes|went|runs?|starts?|ends?|moved|comes?)\b",
)
_POINTS = re.compile(
    r"\b(?:he|she|they|him|her|them|his|their|it|its|that|this|these|those|there|one|ones|both|same)\b", re.I
)


def stands_alone(sentence: str) -> bool:
    """Whether a sentence says by itself who or what it is about.

    >>> stands_alone("My sister Ada moved to Faro"), stands_alone("she moved to Faro"), stands_alone("back up to 2.5")
    (True, False, False)
    """
    plain = sentence.replace("’", "'")
    subject = _SUBJECT.search(plain) or re.match(r"(?:I|We|My|Our)\b", plain)
    points = _POINTS.search(plain)
    if _points_back(plain) or not subject:
        return False
    return points is None or subject.start() < points.start()


def _fits(said: Sequence[Utterance], first: int, last: int) -> bool:
    """Whether these sentences make one quote: not too long, and nothing between them that nobody said."""
    near = all(after.start - before.end <= GAP for before, after in pairwise(said[first : last + 1]))
    return near and said[last].end - said[first].start <= LONGEST_QUOTE


def _both(one: Salience, other: Salience) -> Salience:
    return Salience(max(one.score, other.score), tuple(dict.fromkeys((*one.reasons, *other.reasons))))


def _carries(sentence: str, salience: Salience) -> bool:
    """Whether a sentence may hold what the next one leans on: somebody or something is named, or it says something."""
    if salience.barred == "a directive":
        return False
    somebody = not SOMEBODY.isdisjoint(cues_in(words_of(sentence)))
    return salience.score >= CARRIES or somebody or bool(NAME.search(sentence))


def _draft(episode: Episode, said: Sequence[Utterance], passage: QuotedSpan, before: str) -> FactDraft:
    quote = episode.text[said[passage.first].start : said[passage.last].end]
    about = _about(quote, before) if passage.first == 0 else ""
    return quoted(episode, quote, about, passage.salience)


def _about(quote: str, before: str) -> str:
    """What was said just before, if the quote needs it: a question that it answers, a sentence that it takes up."""
    if len(before) > LONGEST_ABOUT:
        return ""
    if is_question(before):
        return before if not stands_alone(quote) or len(quote.split()) < SHORT else ""
    return before if _points_back(quote) and len(before.split()) >= SHORT // 2 else ""


def quoted(episode: Episode, quote: str, about: str, salience: Salience = CHOSEN) -> FactDraft:
    """A span of an episode as a fact: its dates made plain, whose it is, how much it matters."""
    found = dates.find(quote, episode.said_at)
    matter = matter_of(quote, about, speaker_of(episode))
    return FactDraft(
        source=episode.id,
        quote=quote,
        when=dates.made_plain(quote, found, episode.said_at),
        about=about,
        reasons=salience.reasons,
        subject=matter.subject or speaker_of(episode),
        predicate=matter.predicate,
        value=matter.value,
        exclusive=matter.exclusive,
        negated=matter.negated,
        cue=matter.cue,
        replaces=matter.replaces,
        happened_at=next((when.instant for when in found), None),
        asked=REMEMBER in salience.reasons,
        importance=round(0.9 * salience.score, 2),
    )


def speaker_of(episode: Episode) -> str:
    return "user" if episode.speaker.lower() in ROLES else episode.speaker


_LEANS = re.compile(
    r"(?:(?:and|but|so|also|well|yeah|yes|no|then|oh|plus|though|because|cos|since|or|which|ok(?:ay)?|ha(?:ha)*)[\s,!.]+)*"
    r"(?:it|its|that|this|they|them|these|those|she|he|her|his|their|there|both|which|who|same|not)\b",
    re.I,
)


def _points_back(sentence: str) -> bool:
    return bool(_LEANS.match(sentence))
