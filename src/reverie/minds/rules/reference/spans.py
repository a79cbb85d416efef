"""Which neighbouring sentences of a turn are quoted together: each one worth keeping with those that it leans on."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from reverie.language.speech import Utterance
from reverie.language.vocabulary import APOSTROPHES
from reverie.minds.rules.reading.cues import cues_in, words_of
from reverie.minds.rules.reading.salience import NAME, UNMEANT, Salience
from reverie.minds.rules.reference.leaning import (
    continues,
    heads,
    is_filler,
    is_own,
    is_reply,
    names_its_subject,
    needs_of,
)

LONGEST_QUOTE = 320  # characters of several sentences together
LONGEST_TURN = 420  # and of a turn that is quoted whole
SHORT_TURN = 60  # words: so short a turn is quoted whole
BRIEF = 5  # words of a sentence that is seldom understood alone
GAP = 4  # characters between neighbours: a blank, a line's end, a list's mark; a line of code or mail is longer
JOINS = 0.4  # from here a sentence of a longer turn is quoted along with the one that it leans on
GOES_ON = 0.2  # from here a sentence of a short turn is quoted along with the one before it
LEAST_ALONE = 4  # words of a sentence that is understood by itself
SOMEBODY = frozenset({"people", "pets"})
DIRECTIVE, QUESTION, OPENING = "a directive", "a question", "an opening"  # what is no statement, but meant


Span = tuple[int, int]  # the numbers of its first and last sentence


@dataclass(frozen=True, slots=True)
class QuotedSpan:
    """Neighbouring sentences that are quoted together, by their numbers."""

    first: int  # of those worth keeping, with what they lean on
    last: int
    salience: Salience
    begin: int  # of all that are quoted
    end: int


def spans_of(
    said: Sequence[Utterance], weighed: Sequence[Salience], names: frozenset[str], to_agent: bool = True
) -> list[QuotedSpan]:
    """Each sentence worth keeping with its neighbours, as far as it needs them or they need it, in one quote."""
    short = sum(len(one.text.split()) for one in said) <= SHORT_TURN
    if short and to_agent and (whole := _whole_turn(said, weighed, names)):
        return [_within(weighed, span) for span in _parted(said, weighed, whole, names)]
    spans = _of_short_turn(said, weighed, names, to_agent) if short else _of_long_turn(said, weighed, names)
    return [QuotedSpan(a, b, _together(weighed[a : b + 1]), a, b) for a, b in spans]


def _within(weighed: Sequence[Salience], span: Span) -> QuotedSpan:
    """A whole turn, or a part of one, around what is worth keeping in it."""
    kept = [i for i in range(span[0], span[1] + 1) if weighed[i].kept]
    return QuotedSpan(kept[0], kept[-1], _together([weighed[i] for i in kept]), *span)


def _whole_turn(said: Sequence[Utterance], weighed: Sequence[Salience], names: frozenset[str]) -> Span | None:
    """To an agent a short turn is one breath: quoted whole but for fillers and directives around it and questions
    behind it, it tells what it is about, and a joke in it is seen to be one. None where something stands between its
    sentences, or it is too long.
    """
    kept = [i for i, salience in enumerate(weighed) if salience.kept]
    if not kept:
        return None
    first, last = 0, len(said) - 1
    while first < kept[0] and (is_filler(said[first].text) or _passed_over(said, weighed, first, names)):
        first += 1
    while last > kept[-1] and (is_filler(said[last].text) or weighed[last].barred in (QUESTION, DIRECTIVE)):
        last -= 1
    return (first, last) if fits(said, first, last, LONGEST_TURN) else None


def _passed_over(said: Sequence[Utterance], weighed: Sequence[Salience], i: int, names: frozenset[str]) -> bool:
    """Whether a directive says nothing that the sentence behind it needs."""
    return weighed[i].barred == DIRECTIVE and not needs_of(said[i + 1].text, names)


def _of_short_turn(
    said: Sequence[Utterance], weighed: Sequence[Salience], names: frozenset[str], to_agent: bool
) -> list[Span]:
    """A short turn is one breath: it is quoted whole, as far as it says something. Where it has more than fits, or
    something that was not meant, each part is quoted with what it leans on.
    """
    kept = [i for i, salience in enumerate(weighed) if salience.kept]
    if not kept:
        return []
    first, last = kept[0], kept[-1]
    while first and _opens(said, weighed, first - 1, names, to_agent):
        first -= 1
    while last + 1 < len(said) and _closes(said, weighed, last + 1, names):
        last += 1
    inside = range(first, last + 1)
    unmeant = any(_unmeant(weighed[i]) and not _may_take_back(said[i].text, weighed[i], names) for i in inside)
    whole = not unmeant and fits(said, first, last)
    return _parted(said, weighed, (first, last), names) if whole else _of_long_turn(said, weighed, names)


def _parted(said: Sequence[Utterance], weighed: Sequence[Salience], span: Span, names: frozenset[str]) -> list[Span]:
    """A span cut where two sentences worth keeping speak of one thing and then of another, each by its name."""
    cuts = [
        i
        for i in range(span[0] + 1, span[1] + 1)
        if weighed[i - 1].kept and weighed[i].kept and _apart(said[i - 1].text, said[i].text, names)
    ]
    return list(zip((span[0], *cuts), (*(cut - 1 for cut in cuts), span[1]), strict=True))


def _apart(before: str, after: str, names: frozenset[str]) -> bool:
    if _same_we(before, after):
        return False
    return _by_itself(before, names) and (_by_itself(after, names) or names_its_subject(after, names))


_WE = re.compile(r"\A(?:and |so |then |but )?(?:we|us|our)(?:'\w+)?\b", re.I)
_OURS = re.compile(r"\b(?:we|us|our|my (?:fam\w*|kids|children|wife|husband|partner|team|friends?|parents))\b", re.I)


def _same_we(before: str, after: str) -> bool:
    """Whether "we" are those of whom the sentence before speaks."""
    return _WE.match(after.translate(APOSTROPHES)) is not None and _OURS.search(before) is not None


def _by_itself(sentence: str, names: frozenset[str]) -> bool:
    """Whether it speaks of its speaker, of what is theirs or of somebody by name, and leans on nothing."""
    words = sentence.split()
    named = sentence.lower().startswith(("my ", "our ")) or words[0].lower().removesuffix("'s") in names
    return len(words) >= LEAST_ALONE and (named or is_own(sentence)) and not _leans(sentence, names)


def _opens(said: Sequence[Utterance], weighed: Sequence[Salience], i: int, names: frozenset[str], agent: bool) -> bool:
    """Whether a quote may begin with this sentence: a question too says what the next one is about. To a friend one
    first says how one likes their news; the quote begins with one's own.
    """
    if is_filler(said[i].text) or _unmeant(weighed[i]) or not fits(said, i, i + 1):
        return False
    after = said[i + 1].text
    if weighed[i].barred == DIRECTIVE:
        return bool(needs_of(after, names))
    if weighed[i].score >= GOES_ON:
        return True
    if agent:
        return not names_its_subject(after, names)
    return _leans(after, names) or _brief(after) or _ADDS.search(after) is not None


def _closes(said: Sequence[Utterance], weighed: Sequence[Salience], i: int, names: frozenset[str]) -> bool:
    """Whether a quote may end with this sentence: not with a question, nor with a directive that stands by itself."""
    if is_filler(said[i].text) or not fits(said, i - 1, i):
        return False
    if weighed[i].barred == DIRECTIVE:
        needs = needs_of(said[i].text, names)
        return bool(needs.person or needs.thing)
    if _may_take_back(said[i].text, weighed[i], names):
        return True
    return not weighed[i].barred and (weighed[i].score >= GOES_ON or _takes_back(said[i].text))


# What is added to the sentence before it, or shown with it: "we even won", "here's a picture of it".
_ADDS = re.compile(
    r"\A(?:[^,.!?]{0,20}, )?(?:i|we|he|she|they|it)(?:'ve|'s|'re| have| has)? (?:even|also|both)\b"
    r"|\b(?:too|as well)[.!]*\Z|\A(?:oh,? )?(?:and )?(?:here(?:'s| is| are)|check out|take a look|look at|this is)\b",
    re.I,
)
_TAKES_BACK = re.compile(
    r"\b(?:but|however|missed|cancel\w*|never|no longer|not|didn'?t|wasn'?t|weren'?t|couldn'?t|can'?t|won'?t|don'?t"
    r"|doesn'?t|isn'?t|aren'?t|haven'?t|hasn'?t)\b",
    re.I,
)


def _takes_back(sentence: str) -> bool:
    """Whether a sentence may take back what the one before it says: "I missed it, though"."""
    return _TAKES_BACK.search(sentence.translate(APOSTROPHES)) is not None


def _may_take_back(sentence: str, salience: Salience, names: frozenset[str]) -> bool:
    """The same of a sentence that leans on the one before it, also where it does not seem to be meant."""
    return salience.barred in ("", UNMEANT) and _takes_back(sentence) and _leans(sentence, names)


def _unmeant(salience: Salience) -> bool:
    """Whether a sentence was imagined or meant otherwise: it stands in no quote."""
    return salience.barred not in ("", DIRECTIVE, QUESTION, OPENING)


def _of_long_turn(said: Sequence[Utterance], weighed: Sequence[Salience], names: frozenset[str]) -> list[Span]:
    found: list[Span] = []
    for i, salience in enumerate(weighed):
        if not salience.kept or (found and found[-1][1] >= i):
            continue
        least = found[-1][1] + 1 if found else 0
        first = _back(said, weighed, i, names)
        if first < least:
            first = found.pop()[0] if fits(said, found[-1][0], i) else least
        found.append((first, _on(said, weighed, first, i, names)))
    return found


def _back(said: Sequence[Utterance], weighed: Sequence[Salience], i: int, names: frozenset[str]) -> int:
    """The first sentence that is quoted with this one: what it leans on, and what that leans on."""
    first = i
    while first:
        before = first - 1 - (first > 1 and is_filler(said[first - 1].text))
        if not _carries(said[before].text, weighed[before]) or not fits(said, before, i):
            break
        if not _goes_with(said, weighed, before, first, i, names):
            break
        first = before
    return first


def _goes_with(
    said: Sequence[Utterance], weighed: Sequence[Salience], before: int, first: int, i: int, names: frozenset[str]
) -> bool:
    """Whether the sentences from `first` to `i` need the one before them, or that one heads them."""
    opening = said[first].text
    if weighed[before].kept and _same_we(said[before].text, opening):
        return True
    if _leans(_text(said, first, i), names) or heads(said[before].text, names) or _brief(opening):
        return True
    return weighed[before].score >= JOINS and not _turns(said[before].text, opening, names)


def _turns(before: str, after: str, names: frozenset[str]) -> bool:
    """Whether a sentence turns to something else that it names, or from somebody else to its speaker."""
    if names_its_subject(after, names):
        return True
    return (
        is_own(after) and len(after.split()) > BRIEF and names_its_subject(before, names) and not _leans(after, names)
    )


def _on(said: Sequence[Utterance], weighed: Sequence[Salience], first: int, i: int, names: frozenset[str]) -> int:
    """The last sentence that is quoted with this one: those that go on about it."""
    last = i
    while last + 1 < len(said) and fits(said, first, last + 1):
        after, salience = said[last + 1].text, weighed[last + 1]
        leans = _leans(after, names)
        goes_on = leans or heads(said[last].text, names) or (salience.kept and _brief(after))
        joins = _may_take_back(after, salience, names) or (salience.score >= JOINS and not salience.barred)
        if is_filler(after) or not goes_on or not joins:
            break
        last += 1
    return last


def _leans(text: str, names: frozenset[str]) -> bool:
    return bool(needs_of(text, names)) or continues(text)


def _brief(sentence: str) -> bool:
    """Whether a sentence is too short to say what it is about: "we go with the other one"."""
    return len(sentence.split()) <= BRIEF


def _text(said: Sequence[Utterance], first: int, last: int) -> str:
    return " ".join(one.text for one in said[first : last + 1])


def _carries(sentence: str, salience: Salience) -> bool:
    """Whether a sentence may hold what the next one leans on: somebody or something is named, or it says something."""
    if salience.barred == DIRECTIVE:
        return False
    if salience.barred:
        somebody = not SOMEBODY.isdisjoint(cues_in(words_of(sentence)))
        return somebody or bool(NAME.search(sentence))
    return is_reply(sentence) or not is_filler(sentence)


def fits(said: Sequence[Utterance], first: int, last: int, longest: int = LONGEST_QUOTE) -> bool:
    """Whether these sentences make one quote: not too long, and nothing between them that nobody said."""
    near = all(after.start - before.end <= GAP for before, after in pairwise(said[first : last + 1]))
    return near and said[last].end - said[first].start <= longest


def _together(parts: Sequence[Salience]) -> Salience:
    """The salience of several sentences: that of the best, with all their reasons."""
    told = [part for part in parts if not part.barred]
    reasons = dict.fromkeys(reason for part in told for reason in part.reasons)
    return Salience(max(part.score for part in told), tuple(reasons))
