"""The sentences of a turn, weighed: how lasting a wish each is, how much it is worth keeping, and whether it is the
speaker's own word at all.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from reverie.language.detect import is_english
from reverie.language.pasted import announced
from reverie.language.speech import Utterance, utterances
from reverie.minds.authorship import PlaceInTurn, is_doubted, is_others
from reverie.minds.judge import Judge, Judged, SentenceInTalk
from reverie.minds.rules.directives.directives import NEITHER, Lasting, standings
from reverie.minds.rules.reading.momentary import is_answer, is_quizzed, momentary
from reverie.minds.rules.reading.salience import (
    REMEMBER,
    SURE,
    Salience,
    Situation,
    is_question,
    looked_at,
    weigh,
)
from reverie.minds.rules.reference.earlier import Earlier, said_before
from reverie.minds.rules.reference.leads import EarlierTalk
from reverie.minds.rules.reference.leaning import without_request
from reverie.minds.rules.reference.spans import DIRECTIVE
from reverie.model.thinking import Episode

LONGEST_TURN = 20_000  # characters; beyond that it is a pasted document, not speech
KEEP_THAT = re.compile(  # what was said just before; "keep it up" asks for nothing
    r"(?:(?:please|pls|can you|could you|and|so|do) )*(?:(?:remember|note|save|store|don'?t forget|make a note of)"
    r" (?:that|this|it)|(?:write|note|jot) (?:that|this|it) down|(?:keep|bear) (?:that|this|it) in mind)"
    r"(?:,? (?:down|in mind|for me|for later|please|pls|somewhere|one))*[.!?]*",
    re.I,
)
ROLES = frozenset({"user", "assistant", "tool", "system", "human", "ai", "bot"})
# "my sister goes I never eat after six": somebody's own words, without a mark.
_GOES = re.compile(
    r"(?<!\bi )\b(?:goes|went|(?:is|was|were) (?:all )?like),? (?:i|i['’](?:m|ve|ll|d)|im|ive|my|we|from now on)\b",
    re.I,
)
SOMEBODY_ELSES = Salience(0.0, (), "somebody else's words")


@dataclass(frozen=True, slots=True)
class WeighedTurn:
    """A turn's sentences, each with how lasting a wish it is and how much it is worth keeping."""

    episode: Episode
    said: tuple[Utterance, ...]
    lasting: tuple[Lasting, ...]  # empty where the turn is not the user's to the agent
    weighed: tuple[Salience, ...]
    turns: tuple[Earlier, ...]  # before it
    judged: tuple[Judged, ...] = ()  # empty without a judge
    judge: Judge | None = None
    doubted: frozenset[int] = frozenset()  # sentences that may be somebody else's words

    @property
    def around(self) -> EarlierTalk:
        return EarlierTalk.of(self.episode, self.turns, self.judge)

    @property
    def to_agent(self) -> bool:
        return self.episode.role == "user" and self.episode.to_agent

    @property
    def kept(self) -> list[int]:
        """Its sentences that are directives or worth keeping."""
        return [i for i, one in enumerate(self.weighed) if one.kept or (self.lasting and self.lasting[i].holds)]

    def is_asked_first(self, i: int) -> bool:
        """Whether the turn begins with it, and it is what the user wants to be remembered."""
        return i == 0 and not self.episode.text[: self.said[0].start].strip() and REMEMBER in self.weighed[0].reasons

    def place(self, one: Utterance) -> PlaceInTurn:
        before = self.episode.before[-1] if self.episode.before else ""
        return PlaceInTurn(self.episode.text, one.start, one.end, before)

    def without(self, dropped: Collection[int], doubted: Collection[int]) -> "WeighedTurn":
        """The same, with nothing kept of some sentences, and no directive in others."""
        weighed = tuple(SOMEBODY_ELSES if i in dropped else one for i, one in enumerate(self.weighed))
        lasting = tuple(NEITHER if i in dropped or i in doubted else one for i, one in enumerate(self.lasting))
        return replace(self, weighed=weighed, lasting=lasting, doubted=self.doubted | set(doubted))

    def is_doubted(self, first: int, last: int) -> bool:
        return not self.doubted.isdisjoint(range(first, last + 1))

    def span(self, first: int, last: int) -> str:
        return self.episode.text[self.said[first].start : self.said[last].end]

    def core(self, first: int, last: int) -> float | None:
        """How surely one of these sentences belongs before an assistant's eyes at all times."""
        kept = [self.judged[i].core for i in range(first, last + 1) if self.judged and self.weighed[i].kept]
        return max(kept, default=None)


def weighed_turns(episodes: Sequence[Episode], judge: Judge | None = None) -> list[WeighedTurn]:
    """What an assistant or a tool says is no statement of the user's: nothing is read of it."""
    heard = [SpokenTurn.of(episode) for episode in episodes]
    judged = iter(judge.sentences([one for turn in heard for one in turn.in_talk]) if judge is not None else ())
    weighed = [turn.weighed([next(judged) for _ in turn.said] if judge is not None else (), judge) for turn in heard]
    told = [turn.without((), others) if (others := _may_be_others(turn)) else turn for turn in weighed]
    return told if judge is None else _in_own_words(told, judge)


def _may_be_others(turn: WeighedTurn) -> Collection[int]:
    """The sentences that somebody else may have said: what they are told to have said; all of a text that its user had
    announced, while the agent waited for it; where nobody can read whose words they are, all below the first line."""
    if not turn.to_agent:
        return ()
    if len(turn.turns) > 1 and announced(turn.turns[-2].text, turn.turns[-1].text):
        return range(len(turn.said))
    unread = turn.judge is None
    return [i for i, one in enumerate(turn.said) if _GOES.search(one.text) or (unread and turn.place(one).is_below)]


def _in_own_words(turns: list[WeighedTurn], judge: Judge) -> list[WeighedTurn]:
    """The turns, with nothing kept of what reads as somebody else's words. What comes behind such words may be theirs,
    too."""
    kept = [(n, i) for n, turn in enumerate(turns) if turn.to_agent for i in turn.kept if not turn.is_asked_first(i)]
    places = [turns[n].place(turns[n].said[i]) for n, i in kept]
    dropped: dict[int, set[int]] = {}
    doubted: dict[int, set[int]] = {}
    for (n, i), place, odds in zip(kept, places, judge.others(places), strict=True):
        if is_others(place, odds):
            dropped.setdefault(n, set()).add(i)
        if n in dropped or is_doubted(place, odds):
            doubted.setdefault(n, set()).add(i)
    return [turn.without(dropped.get(n, ()), doubted[n]) if n in doubted else turn for n, turn in enumerate(turns)]


@dataclass(frozen=True, slots=True)
class SpokenTurn:
    """What is said in a turn, sentence by sentence, and the turns before it."""

    episode: Episode
    said: tuple[Utterance, ...]
    turns: tuple[Earlier, ...]

    @classmethod
    def of(cls, episode: Episode) -> "SpokenTurn":
        own = episode.role == "user" or episode.speaker.lower() not in ROLES
        said = tuple(one for one in utterances(episode.text[:LONGEST_TURN]) if is_english(one.text)) if own else ()
        turns = tuple(Earlier.of(line) for line in (*episode.earlier, *episode.before)) if said else ()
        return cls(episode, said, turns)

    @property
    def in_talk(self) -> list[SentenceInTalk]:
        before = self.turns[-1].text if self.turns else ""
        return [SentenceInTalk(without_request(one.text), self.episode.text[: one.start], before) for one in self.said]

    def weighed(self, judged: Sequence[Judged] = (), judge: Judge | None = None) -> WeighedTurn:
        episode, said, turns = self.episode, self.said, self.turns
        before = said_before(turns, episode.speaker)
        to_agent = episode.role == "user" and episode.to_agent
        heard = to_agent and not is_answer(episode.text, turns[-1].text if turns else "")
        lasting = standings([one.text for one in said], before, _own_before(episode), judged) if heard else []
        weighed = [
            Salience(0.0, (), DIRECTIVE)
            if lasting and lasting[i].holds
            else _weighed(one.text, situation_of(said, i, before, to_agent), turns, episode.speaker)
            for i, one in enumerate(said)
        ]
        if judged:
            weighed = [looked_at(salience, its) for salience, its in zip(weighed, judged, strict=True)]
        asked = [i for i, one in enumerate(said[1:]) if KEEP_THAT.fullmatch(one.text)] if to_agent else []
        for i in (i for i in asked if not weighed[i].barred):
            weighed[i] = Salience(SURE, (REMEMBER, *weighed[i].reasons))
        return WeighedTurn(episode, said, tuple(lasting), tuple(weighed), turns, tuple(judged), judge)


def _weighed(sentence: str, situation: Situation, turns: Sequence[Earlier], speaker: str) -> Salience:
    """The salience of a sentence, unless it is of the moment: a question, a sum, a yes to what was offered."""
    if barred := momentary(sentence, situation, turns[-1].text if turns else ""):
        return Salience(0.0, (), barred)
    if is_quizzed(sentence, situation, [turn.text for turn in turns if turn.speaker == speaker]):
        return Salience(0.0, (), "an exercise")
    return weigh(sentence, situation)


def _own_before(episode: Episode) -> list[str]:
    """What the same speaker said in the turn before, sentence by sentence."""
    turns = (turn.partition(": ") for turn in reversed(episode.before))
    return next(([one.text for one in utterances(text)] for who, _, text in turns if who == episode.speaker), [])


def situation_of(said: Sequence[Utterance], i: int, before: str, to_agent: bool = True) -> Situation:
    after_question = i > 0 and is_question(said[i - 1].text)
    return Situation(i == 0, before if is_question(before) else "", after_question, to_agent)
