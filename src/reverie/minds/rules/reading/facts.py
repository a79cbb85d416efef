"""What a night keeps of a turn: the sentences worth keeping, word for word, with what they answer or lean on.

One pass: the turn's speech is cut into sentences; each is a directive, worth keeping, or neither. A sentence that leans
on the one before it ("She's a nurse now") is quoted together with it; one that answers a question carries the question.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from reverie.language.speech import Utterance, is_spoken
from reverie.minds.judge import Judge
from reverie.minds.rules.directives.directives import ANNOUNCED, NEXT_TO_ONE, Lasting, scope_of
from reverie.minds.rules.directives.endings import changes
from reverie.minds.rules.directives.order_cues import FOLLOWS
from reverie.minds.rules.reading import dates
from reverie.minds.rules.reading.matters import matter_of
from reverie.minds.rules.reading.salience import (
    REMEMBER,
    WHO_ONE_IS,
    Salience,
    is_question,
)
from reverie.minds.rules.reference.leads import ALONE, NO_LEAD, UNCLEAR, EarlierTalk, Lead, answers
from reverie.minds.rules.reference.leaning import continues, is_filler, is_own, is_reply, needs_of
from reverie.minds.rules.reference.spans import QuotedSpan, fits, spans_of
from reverie.minds.rules.weighing import ROLES, WeighedTurn, weighed_turns
from reverie.model.base import DAY
from reverie.model.thinking import Episode, FactDraft
from reverie.policy.core.directives import CHANGED

LONGEST_AROUND = 4_000  # characters of the talk in which a day's month may stand
HALF = 0.0  # odds that a line of core leans, from which the sentence before it is shown with it if that helps
MOST_ADDED = 6  # words of a sentence that only ends the directive before it
CHOSEN = Salience(0.7, ("a model chose it",))


def facts_of(episodes: Sequence[Episode], judge: Judge | None = None) -> list[FactDraft]:
    return [draft for turn in weighed_turns(episodes, judge) for draft in drafts_of(turn)]


@dataclass(frozen=True, slots=True)
class LedQuote:
    """Neighbouring sentences that are worth keeping, and what has to be shown before them; None: nobody knows."""

    turn: WeighedTurn
    span: QuotedSpan
    lead: Lead | None

    @property
    def quote(self) -> str:
        return self.turn.span(self.span.begin, self.span.end)

    @property
    def is_never_lost(self) -> bool:
        """Whether it is kept though it leans on the talk: it was asked for, or plainly says who its speaker is."""
        own = any(is_own(one.text) for one in self.turn.said[self.span.first : self.span.last + 1])
        reasons = self.span.salience.reasons
        return REMEMBER in reasons or (own and WHO_ONE_IS in reasons)

    @property
    def asked(self) -> str:
        """What somebody else asked just before, if only fillers stand between."""
        return self.turn.around.asked([one.text for one in self.turn.said[: self.span.first]])

    def behind(self, lead: Lead, pointed: bool = False) -> FactDraft:
        """The quote as a fact, with this before it; `pointed`: a reader says that it is what the quote speaks of."""
        first = _with_reply(self.turn.said, self.span.begin, lead.about)
        whole = self.turn.span(first, self.span.end)
        fact = quoted(self.turn.episode, whole, lead, self.span.salience)
        fact = replace(fact, doubted=self.turn.is_doubted(self.span.begin, self.span.end))
        fact = fact if pointed or not self.turn.episode.to_agent else self._in_talk(fact, lead)
        core = self.turn.core(self.span.first, self.span.last)
        if core is None or self.turn.judge is None:
            return replace(fact, core=core)
        line = self._core_part or fact.quote
        leans = self._leaning(f"{fact.about} / {line}" if fact.about and fact.quote.startswith(line) else line)
        fact = replace(fact, core=core, read_alone=self.turn.judge.by_itself(line).core, leans=leans)
        if line == fact.quote:
            return fact
        return replace(fact, line=line, line_when=quoted(self.turn.episode, line).when)

    def _for_core(self, i: int) -> bool:
        return self.turn.weighed[i].sure or self.turn.judged[i].core > 0

    @property
    def _core_part(self) -> str:
        """The sentences of the quote that belong before an assistant's eyes, with what they lean on."""
        first, last = self.span.begin, self.span.end
        told = [i for i in range(first, last + 1) if self.turn.weighed[i].kept and self._for_core(i)]
        if not told:
            return ""
        begin = told[0]
        while begin > first and (_leans(self.turn, begin, told[-1]) or self._is_clearer_before(begin, told[-1])):
            begin -= 1
        return self.turn.span(begin, told[-1])

    def _is_clearer_before(self, first: int, last: int) -> bool:
        """Whether a line that may lean is understood better with the sentence before it."""
        leans = self._leaning(self.turn.span(first, last))
        return leans >= HALF and self._leaning(self.turn.span(first - 1, last)) < leans

    def _leaning(self, line: str) -> float:
        """The odds that nobody understands a line by itself; 0 without a judge."""
        return self.turn.judge.leaning([line])[0] if self.turn.judge is not None else 0.0

    def _in_talk(self, fact: FactDraft, lead: Lead) -> FactDraft:
        """The fact with the talk before it. What it answers stands before the quote; what it only follows may have
        nothing to do with it, and stands behind.
        """
        front = lead if lead.about.endswith("?") and answers(fact.quote) else NO_LEAD
        talk = self.turn.around.talk(fact.quote, front)
        return replace(fact, about=front.about, on=front.on, told=front.told, talk=talk)


def led_quotes(turn: WeighedTurn) -> list[LedQuote]:
    if not any(salience.kept for salience in turn.weighed):
        return []
    around = turn.around
    found = spans_of(turn.said, turn.weighed, around.names, turn.episode.to_agent)
    return [LedQuote(turn, one, _lead(turn, around, one)) for span in found if (one := _spoken(turn, span))]


def _lead(turn: WeighedTurn, around: EarlierTalk, span: QuotedSpan) -> Lead | None:
    """What has to be shown before a quote; None where neither it nor what is worth keeping in it is understood."""
    for first, last in dict.fromkeys(((span.begin, span.end), (span.first, span.last))):
        lead = around.lead(turn.span(first, last), [one.text for one in turn.said[:first]])
        if lead is not None:
            return lead
    return None


def _spoken(turn: WeighedTurn, span: QuotedSpan) -> QuotedSpan | None:
    """The span, or what is worth keeping in it, where something stands between its sentences that nobody said."""
    if is_spoken(turn.episode.text, turn.span(span.begin, span.end)):
        return span
    within = replace(span, begin=span.first, end=span.last)
    return within if is_spoken(turn.episode.text, turn.span(span.first, span.last)) else None


def drafts_of(turn: WeighedTurn) -> Iterator[FactDraft]:
    """Its directives, then the statements that are worth keeping."""
    yield from _directives(turn)
    for one in led_quotes(turn):
        if one.lead is not None:
            yield one.behind(one.lead)
        elif one.is_never_lost:
            yield one.behind(NO_LEAD)  # whoever may understand the rest of it


def _with_reply(said: Sequence[Utterance], first: int, about: str) -> int:
    """Where a quote begins that is shown with the question it answers: with its yes or no, if that stands before it."""
    answers = first == 1 and about.endswith("?") and is_reply(said[0].text) and fits(said, 0, 1)
    return 0 if answers else first


def _directives(turn: WeighedTurn) -> Iterator[FactDraft]:
    """One draft a directive; what continues one ("Only on Fridays.") is quoted with it."""
    said = turn.said
    runs = _runs(turn.episode, said, turn.lasting)
    for n, (first, last) in enumerate(runs):
        least = runs[n - 1][1] + 1 if n else 0
        most = runs[n + 1][0] - 1 if n + 1 < len(runs) else len(said) - 1
        while last < most and _adds_to_it(said[last + 1].text) and fits(said, first, last + 1):
            last += 1
        begin = first - 1 if first > least and _leads_to(said, first, last) else first
        while begin > least and _leans(turn, begin, last) and _may_lead(said, begin - 1, last):
            begin -= 1
        draft = directive(turn.episode, turn.span(begin, last), turn.lasting[first])
        yield replace(draft, talk=turn.around.talk(draft.quote, NO_LEAD)) if _leans(turn, begin, last) else draft


def _leans(turn: WeighedTurn, first: int, last: int) -> bool:
    """Whether a directive says nothing to whoever has not heard what was said before it: "make it ten"."""
    quote = turn.span(first, last)
    needs = needs_of(quote, turn.around.names)
    points = bool(needs.person or needs.thing)
    return points if turn.judge is None else turn.judge.leaning([quote])[0] >= (ALONE if points else UNCLEAR)


def _may_lead(said: Sequence[Utterance], i: int, last: int) -> bool:
    return not is_filler(said[i].text) and not is_question(said[i].text) and fits(said, i, last)


def _adds_to_it(sentence: str) -> bool:
    """Whether a sentence is only the end of the one before it: "or co-trimoxazole." """
    return len(sentence.split()) <= MOST_ADDED and continues(sentence) and not is_question(sentence)


def _runs(episode: Episode, said: Sequence[Utterance], lasting: Sequence[Lasting]) -> list[tuple[int, int]]:
    """The first and last sentence of each directive, in the order of the turn."""
    runs: list[tuple[int, int]] = []
    joined = {ANNOUNCED, FOLLOWS, NEXT_TO_ONE}
    for i in (i for i, one in enumerate(lasting) if one.holds and not _says_no_rule(said[i].text)):
        around = (*lasting[i].reasons, NEXT_TO_ONE if i and NEXT_TO_ONE in lasting[i - 1].reasons else "")
        leans = bool(needs_of(said[i].text)) or not joined.isdisjoint(around)
        follows = (
            bool(runs) and runs[-1][1] == i - 1 and leans and not lasting[i].ends and not _listed(episode, said[i])
        )
        if follows and fits(said, runs[-1][0], i):
            runs[-1] = (runs[-1][0], i)
        else:
            runs.append((i, i))
    return runs


def _says_no_rule(sentence: str) -> bool:
    """Whether a sentence only announces rules ("some ground rules:"), or is a word of politeness beside one."""
    return sentence.endswith(":") or is_filler(sentence)


def _listed(episode: Episode, one: Utterance) -> bool:
    """Whether a sentence begins a line of a list: a rule of its own, which holds whatever becomes of its neighbours."""
    line = episode.text[episode.text.rfind("\n", 0, one.start) + 1 : one.start]
    return _MARK.fullmatch(line) is not None


_MARK = re.compile(r"\s{0,8}(?:[-*•–]|\(?\w{1,2}[.)])\s{0,4}")


def _leads_to(said: Sequence[Utterance], first: int, last: int) -> bool:
    """Whether a directive needs the sentence before it: "It's in her notes, so bring it up"."""
    needs = needs_of(said[first].text)
    told = said[first - 1].text
    return bool(needs.person or needs.thing) and not is_question(told) and fits(said, first - 1, last)


def directive(episode: Episode, quote: str, lasting: Lasting) -> FactDraft:
    return FactDraft(
        source=episode.id,
        quote=quote,
        kind="directive",
        reasons=lasting.reasons,
        scope=scope_of(quote),
        importance=0.9,
        subject="user",
        negated=bool(lasting.ends),
        cue=lasting.ends or (CHANGED if changes(quote) else ""),
        valid_until=_last_day(episode, quote),
    )


_UNTIL = re.compile(r"\b(?:until|till|til|through)\b", re.I)


def _last_day(episode: Episode, quote: str) -> float | None:
    """The end of the day until which a directive holds, if it names one: "no merges till Thursday"."""
    named = dates.find(quote, episode.said_at)
    found = (when for when in named if _UNTIL.search(quote[max(0, when.start - 8) : when.end]))
    return next((when.instant + DAY for when in found if when.instant + DAY > episode.said_at), None)


def quoted(episode: Episode, quote: str, lead: Lead = NO_LEAD, salience: Salience = CHOSEN) -> FactDraft:
    """A span of an episode as a fact: its dates made plain, whose it is, how much it matters."""
    around = " ".join((*episode.before, episode.text))[-LONGEST_AROUND:]
    found = dates.find(quote, episode.said_at, around=around)
    matter = matter_of(quote, lead.about, speaker_of(episode))
    return FactDraft(
        source=episode.id,
        quote=quote,
        when=dates.made_plain(quote, found, episode.said_at),
        about=lead.about,
        on=lead.on,
        told=lead.told,
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
