"""What is shown before a quote so that a stranger understands it: the question it answers, what was said before it.

A quote that needs nothing gets nothing. One that needs something that the talk before it does not plainly hold is not
shown at all.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from reverie.language.quoting import heard
from reverie.minds.judge import Judge
from reverie.minds.rules.reference.earlier import (
    LONGEST_TURN,
    Earlier,
    asked_in,
    is_open,
    said_last,
    statement_in,
    tail,
)
from reverie.minds.rules.reference.leaning import (
    Needs,
    few,
    is_filler,
    is_own,
    is_reply,
    names_its_subject,
    needs_of,
    says_something,
    without_request,
)
from reverie.minds.rules.reference.persons import names_in
from reverie.model.base import HOUR
from reverie.model.thinking import Episode

LEANS, UNCLEAR = -0.2, 1.2  # odds of the judge that a quote leans: from here it does; from here nobody knows on what
ALONE = -1.0  # below this it stands alone, though its words point elsewhere
HELPS = 1.0  # by so much what is shown before a quote has to lower them
# How near a statement has to be to a quote before which it is shown, by the odds that the quote leans: below it the
# quote is shown alone, or not at all where nobody would understand it.
STANDS_NEAR, NEAR = 0.3, 0.2
LONG = 30  # words of a quote that is seldom an answer to one question
BRIEF = 12  # words of a turn that one may speak on over, and of a quote that says little alone
SHORT = 7  # words of a quote that is shown with its question, whatever else it says
PLEASANTRIES = 2  # sentences that may stand between a friend's question and its answer
MOST = 60  # words of a quote that is shown with the question that a friend asked just before
TOLD, OWN = 40, 30  # words of the other one's turn and of the speaker's before it that stand before a brief quote
PAUSE = 6 * HOUR  # after which somebody begins anew, though the session is the same
SURE = -2.0  # odds that a quote leans, below which it needs no talk before it
THEIRS, OTHERS = 40, 32  # words of the speaker's turn and of the other one's that are shown behind a quote
BACK, SAYS_MORE = 6, 4  # turns in which the speaker's own is looked for; words from which it tells what they talk of

# A turn that goes on to something else: what was asked before it has nothing to do with it.
_TURNS_AWAY = re.compile(
    r"\A(?:(?:and|so|well|hey|hi|wow|yeah|yep|thanks?|thank you|ok(?:ay)?|cool|nice|great|awesome)\b[\s,!.-]{0,4}){0,6}"
    r"(?:by the way|btw|on (?:another|a different) note|in other news|other news|another thing|one more thing|anyway"
    r"|anyhow|also|guess what|new topic|unrelated|different topic|something else|oh\b"
    r"|since we (?:last )?(?:spoke|talked))",
    re.I,
)
# Words by which a friend's question points to what was said before it.
_POINTS = re.compile(
    r"\b(?:there|it|that|this|those|these|them|they|the|else|(?:sticks?|stands?|stood|stuck) out"
    r"|(?:best|worst|favou?rite|special) (?:part|moment|bit|thing)s?)\b",
    re.I,
)
_BY_THE_WAY = re.compile(r"\b(?:btw|by the way)\b", re.I)
# A question that every talk begins with: it says nothing of its answer.
_GREETS = re.compile(
    r"(?:how(?:'s| is| are| have| has)? (?:you|it|things|everything|life|your day|y'?all)\b[^?]{0,30}"
    r"|what(?:'s| is| has|'ve| have)? (?:up|new|been (?:up|going on|happening)|you been)\b[^?]{0,30}"
    r"|(?:anything|something) (?:new|fun|exciting|interesting|going on|happening)\b[^?]{0,30}"
    r"|(?:and |what about |how about )?you)\?\Z",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Lead:
    """`about` is a question that the quote answers or a statement it takes up, `told` what its speaker said just before
    that, `on` what the quote's speaker had said.
    """

    about: str = ""
    on: str = ""
    told: str = ""

    @property
    def shown(self) -> str:
        return f"{self.on.rstrip('.')}. {self.about}".strip() if self.on else self.about


NO_LEAD = Lead()


@dataclass(frozen=True)
class EarlierTalk:
    """Who speaks, what was said before, and which words are names in it."""

    speaker: str
    turns: tuple[Earlier, ...]
    names: frozenset[str]
    judge: Judge | None = None
    to_agent: bool = True
    goes_on: bool = True  # the turn was said soon after them

    @classmethod
    def of(cls, episode: Episode, turns: Sequence[Earlier], judge: Judge | None = None) -> "EarlierTalk":
        """The talk that leads to an episode."""
        names = names_in((episode.text, *(turn.text[:LONGEST_TURN] for turn in turns)))
        return cls(episode.speaker, tuple(turns), names, judge, episode.to_agent, episode.pause <= PAUSE)

    def lead(self, quote: str, skipped: Sequence[str]) -> Lead | None:
        """What a quote needs; None if that is not to be found. `skipped` are the sentences before it in its turn."""
        found = self._by_words(quote, skipped)
        if self.judge is not None:
            found = self._understood(self.judge, quote, skipped, found)
            found = found and _bearing(self.judge, quote, found)
        return self._widened(found) if found and self._takes_up(quote, skipped, found) else found

    def talk(self, quote: str, lead: Lead) -> str:
        """What was said just before a quote and is not in its lead: nothing, if the quote surely stands alone. What has
        two kinds of quotation marks is left out: a forget would not find where it ends.
        """
        if not self.turns or not self.goes_on or self._needs_no_talk(quote):
            return ""
        last = self.turns[-1]
        own = "" if lead.on else self._last_own
        other = "" if lead.about or last.speaker == self.speaker else tail(last, OTHERS)
        said = [(self.speaker, own), (last.speaker, other)]
        return "; ".join(heard(who, words) for who, words in said if words and not {'"', "”"} <= set(words))

    def _needs_no_talk(self, quote: str) -> bool:
        if needs_of(quote, self.names):
            return False
        if self.judge is None:
            return _TURNS_AWAY.match(quote) is not None or len(quote.split()) >= BRIEF
        return self.judge.leaning([without_request(quote)])[0] < SURE

    @property
    def _last_own(self) -> str:
        """The end of what the speaker said last that was more than a word or two."""
        for turn in reversed(self.turns[-BACK:]):
            if turn.speaker == self.speaker and len((words := tail(turn, THEIRS)).split()) >= SAYS_MORE:
                return words
        return ""

    def _takes_up(self, quote: str, skipped: Sequence[str], lead: Lead) -> bool:
        """Whether a few words take up what was said just before them. What friends ask each other says mostly by itself
        what it asks for; an agent's last sentence seldom does.
        """
        if not lead.about or _TURNS_AWAY.match(quote) or _BY_THE_WAY.search(quote):
            return False
        if self.to_agent:
            return len(quote.split()) <= BRIEF and all(is_filler(one) for one in skipped)
        return len(quote.split()) <= MOST and len(skipped) <= PLEASANTRIES and self._points_back(quote, lead)

    def _points_back(self, quote: str, lead: Lead) -> bool:
        """Whether a question, or a quote behind it, takes for granted what the talk is about."""
        if _POINTS.search(lead.about) or is_open(lead.about) or is_open(f"{lead.about} {quote}"):
            return True
        return self.judge is not None and self.judge.leaning([_composed(lead, quote)])[0] >= ALONE

    def _widened(self, lead: Lead) -> Lead:
        """A few words that take up what was said lean on more of it than one sentence."""
        last, before = self.turns[-1:], self.turns[-2:-1]
        if not last or last[0].speaker == self.speaker or lead.about not in last[0].text:
            return lead
        own = tail(before[0], OWN) if before and before[0].speaker == self.speaker else lead.on
        return replace(lead, told=tail(last[0], TOLD, until=lead.about), on=own)

    def _understood(self, judge: Judge, quote: str, skipped: Sequence[str], by_words: Lead | None) -> Lead | None:
        """What the words say, unless the judge still finds that the quote leans: then what helps most, or nothing."""
        first = by_words or Lead()
        (before,) = judge.leaning([_composed(first, quote)])
        if before < (LEANS if by_words is not None else ALONE):
            return first
        if by_words is not None and len(quote.split()) >= BRIEF and not needs_of(quote, self.names):
            return by_words if before < UNCLEAR else None
        question = self.asked(skipped)
        statement = self._statement(skipped, True)
        further = [Lead(question), Lead(statement), self._both(question or statement)]
        odds = judge.leaning([_composed(lead, quote) for lead in further])
        after, place = min((one, i) for i, one in enumerate(odds))
        if after < min(before - HELPS, UNCLEAR):
            return further[place]
        return by_words if before < UNCLEAR else None

    def _both(self, about: str) -> Lead:
        """What was asked or said last, and what the speaker had said before that."""
        own = self._own_before
        return Lead(about) if own in about or about in own else Lead(about, own)

    def asked(self, skipped: Sequence[str]) -> str:
        """The question that a quote may answer: nothing was said between them; friends may thank each other first."""
        if all(is_filler(one) for one in skipped):
            return self._question
        passed = len(skipped) > PLEASANTRIES or _GREETS.search(self._question) or _TURNS_AWAY.match(" ".join(skipped))
        return "" if self.to_agent or passed else self._question

    def _by_words(self, quote: str, skipped: Sequence[str]) -> Lead | None:
        needs = needs_of(quote, self.names)
        question = self.asked(skipped)
        if not needs:
            return Lead(question if self._answers(quote, skipped) else "")
        about = question or (self._statement(skipped, len(quote.split()) < BRIEF) if needs.whole or needs.thing else "")
        on = self._whom(needs_of(f"{about} {quote}", self.names))
        if not on and question and is_open(question):
            on = self._own_before
        return Lead(about, on) if self._plain(quote, needs, about, on) else None

    def _answers(self, quote: str, skipped: Sequence[str]) -> bool:
        """Whether a quote that needs nothing says more with its question: it is short, or begins with neither its
        speaker nor something that it names. Friends answer each other; what an agent asks, one may pass over.
        """
        words = len(quote.split())
        if not self.to_agent and words <= MOST and not _GREETS.search(self._question):
            return not _TURNS_AWAY.match(" ".join((*skipped, quote)))
        return words < SHORT if is_own(quote) else words < LONG and not names_its_subject(quote, self.names)

    @cached_property
    def _question(self) -> str:
        last = self.turns[-1] if self.turns else None
        return asked_in(last) if last and last.speaker != self.speaker else ""

    def _statement(self, skipped: Sequence[str], brief: bool) -> str:
        """The nearest statement that names something, of this turn or of one just before it; else, before a brief
        quote, what the other one said last, as it is.
        """
        own = Earlier(self.speaker, " ".join(skipped[-2:]))
        for turn in (own, *reversed(self.turns[-2:])):
            found = statement_in(turn, self.names)
            if found and not (turn is own and found.endswith("?")):
                return found
            if len(turn.text.split()) > BRIEF:
                break
        last = self.turns[-1] if self.turns and brief and not skipped else None
        return said_last(last) if last and last.speaker != self.speaker else ""

    def _whom(self, needs: Needs) -> str:
        """What the speaker said last with somebody in it, if a pronoun needs somebody. (Whom it means is not guessed: a
        name that was put there was wrong once in twelve.)
        """
        return self._own_before if needs.person and not needs_of(self._own_before, self.names).person else ""

    @cached_property
    def _own_before(self) -> str:
        """What the speaker said before the question that leans on it."""
        own = self.turns[-2:-1]
        return statement_in(own[0], self.names) if own and own[0].speaker == self.speaker else ""

    def _plain(self, quote: str, needs: Needs, about: str, on: str) -> bool:
        """Whether a reader of all this knows who and what is meant."""
        if not about and needs.whole and (is_reply(quote) or not says_something(quote, self.names)):
            return False
        if few(quote) and not on and about and is_open(about):
            return False
        left = needs_of(f"{on}. {about} {quote}" if on else f"{about} {quote}", self.names)
        return not left.person and not (left.thing and not about)


def answers(quote: str) -> bool:
    """Whether a quote answers what was asked before it, by its form: a reply, a fragment, or few words.

    >>> answers("yes, on Friday at ten in the town hall"), answers("Osian started football on Saturdays, with Idris")
    (True, False)
    """
    return is_reply(quote) or bool(needs_of(quote).whole) or len(quote.split()) < SHORT


def _bearing(judge: Judge, quote: str, lead: Lead) -> Lead | None:
    """The lead, unless it is a statement that has nothing to do with the quote: then none, or None where the quote says
    nothing alone. (Readers found 30 of 100 quotes clear behind such a statement, and 75 alone.)
    """
    if not lead.shown or lead.about.endswith("?"):
        return lead
    (leans,) = judge.leaning([without_request(quote)])
    least = STANDS_NEAR if leans < LEANS else NEAR
    if judge.nearness(quote, lead.shown) >= least:
        return lead
    return NO_LEAD if leans < UNCLEAR else None


def _composed(lead: Lead, quote: str) -> str:
    """A quote behind what is shown before it, as the judge has learned to read it."""
    own = without_request(quote)
    return f"{lead.shown} / {own}" if lead.shown else own
