"""Quotes that are worth keeping, but seem to leave open what they speak of: the rules drop them, a model may know.

Whatever a model copies from the talk only points to a sentence there. That sentence is shown before the quote, word for
word, if the quote may speak of it: the person that is named there may be meant, and nobody was named since. Else, and
where it names its matter itself, the quote goes without.
"""

from collections.abc import Iterator, Set
from dataclasses import dataclass

from reverie.language.words import terms, tokens
from reverie.minds.rules.reading.facts import LedQuote, led_quotes
from reverie.minds.rules.reference.earlier import LONGEST_LEAD, Earlier
from reverie.minds.rules.reference.leads import NEAR, UNCLEAR, Lead
from reverie.minds.rules.reference.leaning import is_filler, needs_of
from reverie.minds.rules.reference.persons import Person, persons_in
from reverie.minds.rules.reference.words import MEN, WOMEN
from reverie.minds.rules.weighing import WeighedTurn
from reverie.model.thinking import FactDraft

TURNS, SENTENCES = 4, 7  # before a quote in which its subject is looked for
SHORTEST = 3  # words of a sentence that names something
BRIEF = 4  # words of a quote that may stand alone
LEAST_SAID = 3  # words with a meaning of their own
ECHO = 12  # words: a longer copy is the talk given back, and points nowhere
HEADINGS = ("**", "#", "|")  # of something that was written for somebody else
LEAST_COPIED = 0.6  # of the words that a model copied


@dataclass(frozen=True, slots=True)
class UnclearQuote:
    """A quote that the rules leave out, and the sentences before it, the nearest last."""

    led: LedQuote
    talk: tuple[Earlier, ...]

    @property
    def text(self) -> str:
        return self.led.quote

    def named(self, words: str) -> FactDraft | None:
        """The quote behind the sentence that these words were copied from, or alone if they are its own and it can be
        understood so; None if they name nothing.
        """
        said = set(tokens(words))
        there = set(tokens(self.text)).union(*(tokens(one.text) for one in self.talk))
        if not terms(words) or len(words.split()) > ECHO or len(said & there) < LEAST_COPIED * len(said):
            return None
        named, own = set(terms(words)), set(terms(self.text))
        if self.may_stand_alone and 2 * len(named & own) >= len(named):
            return self.led.behind(Lead(self.led.asked))
        told = [(place, one.text) for place, one in enumerate(self.talk) if not one.text.startswith(HEADINGS)]
        found, place = max(((_shared(named, own, text), place) for place, text in told), default=((0, 0), 0))
        if not any(found):
            return None
        if not self._may_be_meant(place):
            return self.led.behind(Lead(self.led.asked))
        return self.led.behind(self._behind(self.talk[place]), pointed=True)

    def _may_be_meant(self, place: int) -> bool:
        """Whether the quote may speak of the sentence at this place. Where it needs somebody, one person is named there
        whom its pronoun may mean, and nobody else was since; else both have something to do with each other.
        """
        turn = self.led.turn
        pronoun = needs_of(self.text, turn.around.names).person
        if not pronoun:
            return turn.judge is None or turn.judge.nearness(self.text, self.talk[place].text) >= NEAR
        there, *since = (_people(one.text, pronoun, turn.around.names) for one in self.talk[place:])
        meant = {one.key for one in there if one.sure} or {one.key for one in there}
        return len(meant) == 1 and all(one.key in meant for people in since for one in people if one.sure)

    @property
    def may_stand_alone(self) -> bool:
        """Whether the judge doubts that it leans; without a judge the rules' word counts."""
        judge = self.led.turn.judge
        return judge is not None and len(self.text.split()) >= BRIEF and judge.leaning([self.text])[0] < UNCLEAR

    def _behind(self, said: Earlier) -> Lead:
        """What the speaker said before stands with the question that is answered; what the other one said stands alone,
        for between the two more may have been said.
        """
        asked = self.led.asked
        if said.speaker == self.led.turn.episode.speaker:
            return Lead(asked, said.text)
        return Lead(asked if said.text in asked else said.text)


def _people(text: str, pronoun: str, names: frozenset[str]) -> list[Person]:
    """Whom a sentence speaks of, but for those whom this pronoun cannot mean.

    >>> [one.key for one in _people("My sister Ada and my brother Jon came.", "she's", frozenset())]
    ['ada']
    """
    others = MEN if pronoun.lower().startswith(("she", "her")) else WOMEN
    return [one for one in persons_in(text, names) if others.isdisjoint(one.shown.lower().split())]


def _shared(named: Set[str], own: Set[str], text: str) -> tuple[int, int]:
    """How many of the copied words a sentence has: first those that the quote lacks, then those that both have."""
    there = set(terms(text))
    return len((named - own) & there), len(named & own & there)


def unclear_quotes(turn: WeighedTurn) -> Iterator[UnclearQuote]:
    for led in (led for led in led_quotes(turn) if led.lead is None):
        one = UnclearQuote(led, tuple(_before(turn, led)))
        if _says_something(led.quote) and (one.talk or one.may_stand_alone):
            yield one


def _says_something(quote: str) -> bool:
    """Whether a quote is more than a word or two that say nothing in themselves: "b then", "now invoices"."""
    return len(terms(quote)) >= LEAST_SAID or any(letter.isdigit() for letter in quote)


def _before(turn: WeighedTurn, led: LedQuote) -> list[Earlier]:
    """The sentences just before a quote that say something and are short enough to be shown."""
    earlier = [Earlier(one.speaker, said.text) for one in turn.turns[-TURNS:] for said in one.said]
    own = [Earlier(turn.episode.speaker, said.text) for said in turn.said[: led.span.first]]
    told = (one for one in (*earlier, *own) if len(one.text.split()) >= SHORTEST and not is_filler(one.text))
    return [one for one in told if len(one.text) <= LONGEST_LEAD][-SENTENCES:]
