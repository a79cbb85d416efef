"""The sentences that the rules leave open, for a model to decide; what it chooses the rules quote, or nobody does.

Open is what is neither kept nor barred and reads at least a little like a statement or a lasting wish, and all that is
said in a language that the rules do not read.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from reverie.language.detect import is_english
from reverie.language.speech import Utterance, utterances
from reverie.minds.authorship import is_doubted
from reverie.minds.judge import Judge
from reverie.minds.rules.directives.directives import OPEN
from reverie.minds.rules.reading.facts import directive, drafts_of, quoted
from reverie.minds.rules.reading.salience import KEPT, is_question
from reverie.minds.rules.undecided.quotes import UnclearQuote, unclear_quotes
from reverie.minds.rules.weighing import LONGEST_TURN, WeighedTurn, weighed_turns
from reverie.model.base import Trust
from reverie.model.thinking import Episode, FactDraft

WORTH_A_LOOK = 0.2  # of being needed: below that one sentence in fifteen is
WISHED = -1.0  # the sum of a sentence's cues from which a model's word makes it a directive
SHORTEST = 3  # words
_SUPPOSED = re.compile(
    r"\bif\b.{0,200}\b(?:would|could|might)\b|\b(?:would|could|might)\b.{0,200}\bif\b|\bimagine\b", re.I
)


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """What the rules keep of a turn, the sentences that they leave open, and the quotes that they cannot place."""

    episode: Episode
    kept: tuple[FactDraft, ...]
    open: tuple[Utterance, ...]
    unclear: tuple[UnclearQuote, ...]
    turn: WeighedTurn

    def chosen(self, kept: Collection[str], lasting: Collection[str] = ()) -> Iterator[FactDraft]:
        """Facts of the open sentences that somebody chose; a directive needs its cue in the user's own words."""
        for one in self.open:
            place = next((i for i, said in enumerate(self.turn.said) if said.start == one.start), None)
            if one.text in lasting:
                if place is not None and self._wishes(place):
                    yield directive(self.episode, one.text, self.turn.lasting[place])
            elif one.text in kept:
                yield from self._quoted(one, place)

    def _wishes(self, place: int) -> bool:
        told = self.turn.lasting[place] if self.turn.lasting else None
        heard = self.episode.role == "user" and self.episode.trust >= Trust.USER
        return heard and told is not None and told.score >= WISHED and bool(told.reasons)

    def _quoted(self, one: Utterance, place: int | None) -> Iterator[FactDraft]:
        """None for a sentence that nobody would understand alone: whom or what it means is not to be found."""
        if place is None:
            yield quoted(self.episode, one.text)
            return
        lead = self.turn.around.lead(one.text, [said.text for said in self.turn.said[:place]])
        if lead is not None:
            yield quoted(self.episode, one.text, lead)


def open_turns(episodes: Sequence[Episode], judge: Judge | None = None) -> list[OpenTurn]:
    found = [_open_turn(turn) for turn in weighed_turns(episodes, judge)]
    return found if judge is None else _in_own_words(found, judge)


def _in_own_words(turns: Sequence[OpenTurn], judge: Judge) -> list[OpenTurn]:
    """The turns, with nothing left open that reads as somebody else's words."""
    asked = [(turn.turn.place(one), one) for turn in turns if turn.turn.to_agent for one in turn.open]
    odds = judge.others([place for place, _ in asked])
    others = {id(one) for (place, one), surely in zip(asked, odds, strict=True) if is_doubted(place, surely)}
    return [replace(turn, open=tuple(one for one in turn.open if id(one) not in others)) for turn in turns]


def _open_turn(turn: WeighedTurn) -> OpenTurn:
    episode = turn.episode
    kept = tuple(drafts_of(turn))
    known = {said.start: i for i, said in enumerate(turn.said)}
    heard = utterances(episode.text[:LONGEST_TURN]) if episode.role == "user" else list(turn.said)
    left = (one for one in heard if not any(one.text in draft.quote for draft in kept))
    open = tuple(one for one in left if _is_open(one, known.get(one.start), turn))
    return OpenTurn(episode, kept, open, tuple(unclear_quotes(turn)), turn)


def _is_open(one: Utterance, place: int | None, turn: WeighedTurn) -> bool:
    if len(one.text.split()) < SHORTEST or _SUPPOSED.search(one.text):
        return False
    if place is None:
        return not is_english(one.text) and not is_question(one.text)
    if place in turn.doubted:
        return False
    wished = bool(turn.lasting) and turn.lasting[place].score >= OPEN
    salience = turn.weighed[place]
    return not salience.barred and (WORTH_A_LOOK <= salience.score < KEPT or wished)
