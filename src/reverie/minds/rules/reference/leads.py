"""What is shown before a quote so that a stranger understands it: the question it answers, what was said before it.

A quote that needs nothing gets nothing. One that needs something that the talk before it does not plainly hold is not
shown at all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from reverie.minds.judge import Judge
from reverie.minds.rules.reference.earlier import (
    LONGEST_TURN,
    Earlier,
    asked_in,
    is_open,
    said_last,
    statement_in,
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
)
from reverie.minds.rules.reference.persons import names_in

LEANS, UNCLEAR = -0.2, 1.2  # odds of the judge that a quote leans: from here it does; from here nobody knows on what
ALONE = -1.0  # below this it stands alone, though its words point elsewhere
HELPS = 1.0  # by so much what is shown before a quote has to lower them
LONG = 30  # words of a quote that is seldom an answer to one question
BRIEF = 12  # words of a turn that one may speak on over, and of a quote that says little alone
SHORT = 7  # words of a quote that is shown with its question, whatever else it says


@dataclass(frozen=True, slots=True)
class Lead:
    """`about` is a question that the quote answers or a statement it takes up, `on` what the speaker said before."""

    about: str = ""
    on: str = ""

    @property
    def shown(self) -> str:
        return f"{self.on.rstrip('.')}. {self.about}".strip() if self.on else self.about


@dataclass(frozen=True)
class EarlierTalk:
    """Who speaks, what was said before, and which words are names in it."""

    speaker: str
    turns: tuple[Earlier, ...]
    names: frozenset[str]
    judge: Judge | None = None

    @classmethod
    def of(cls, speaker: str, turns: Sequence[Earlier], text: str, judge: Judge | None = None) -> "EarlierTalk":
        """The talk that leads to a text of this speaker."""
        return cls(speaker, tuple(turns), names_in((text, *(turn.text[:LONGEST_TURN] for turn in turns))), judge)

    def lead(self, quote: str, skipped: Sequence[str]) -> Lead | None:
        """What a quote needs; None if that is not to be found. `skipped` are the sentences before it in its turn."""
        found = self._by_words(quote, skipped)
        return found if self.judge is None else self._understood(self.judge, quote, skipped, found)

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

    def _by_words(self, quote: str, skipped: Sequence[str]) -> Lead | None:
        needs = needs_of(quote, self.names)
        question = self.asked(skipped)
        if not needs:
            return Lead(question if self._answers(quote) else "")
        about = question or (self._statement(skipped, len(quote.split()) < BRIEF) if needs.whole or needs.thing else "")
        on = self._whom(needs_of(f"{about} {quote}", self.names))
        if not on and question and is_open(question):
            on = self._own_before
        return Lead(about, on) if self._plain(quote, needs, about, on) else None

    def _answers(self, quote: str) -> bool:
        """Whether a quote that needs nothing says more with its question: it is short, or begins with neither its
        speaker nor something that it names.
        """
        words = len(quote.split())
        return words < SHORT if is_own(quote) else words < LONG and not names_its_subject(quote, self.names)

    def asked(self, skipped: Sequence[str]) -> str:
        """The question that was asked just before; nothing if more than fillers stand between."""
        return self._question if all(is_filler(one) for one in skipped) else ""

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


def _composed(lead: Lead, quote: str) -> str:
    """A quote behind what is shown before it, as the judge has learned to read it."""
    return f"{lead.shown} / {quote}" if lead.shown else quote
