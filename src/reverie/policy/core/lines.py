"""A line of core memory: somebody's own words with their day, one line a matter, in an order that reads well."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from reverie.language import quoting
from reverie.language.sentences import sentences
from reverie.language.vocabulary import APOSTROPHES
from reverie.language.words import terms
from reverie.model.base import DAY
from reverie.model.memories import Memory
from reverie.policy.core import forms, needed

LONGEST = 280  # characters of a quote; a longer one is cut after a sentence
TOO_LONG = 440  # and of a whole line
SAME_WORDS = 0.8  # share of the shorter quote's words that the longer one has, if both are on one matter
LEAST_SHARED = 3  # words
BULLET = "- "
SOON = 4 * DAY  # what is said of a day further ahead than this is more than a small plan
OF_LATE, LONG_AGO = 2 * DAY, 200 * DAY  # what happened between these is told as something past
_NAMES = re.compile(r"(?<=\w )[A-ZÀ-Þ][\w'’-]*|\b\w*\d[\w.,:]*\b")  # names and numbers
_FIGURE = re.compile(r"\d")
_ASKS_WHAT = re.compile(r"(?:what|who|where|which|how (?:old|many|much|long)) .*\?", re.IGNORECASE)
_OF_THE_USER = f"{quoting.who('user')}, "

# What a statement may say about somebody, and how much that tells of them: lines stand in this order.
CLASSES: Mapping[str, float] = {
    "who one is": 1.0,
    "health": 1.0,
    "asked to remember": 0.7,
    "identity": 0.9,
    "people": 0.7,
    "pets": 0.6,
    "home": 0.5,
    "work": 0.5,
    "deadline": 0.7,
    "decision": 0.6,
    "change": 0.5,
    "constraint": 0.5,
    "how things are": 0.4,
    "plan": 0.3,
    "taste": 0.5,
    "a project": 0.2,
}
LASTING = frozenset({"who one is", "identity", "people", "pets", "health"})  # true long after it was said
SURE = frozenset({"who one is", "asked to remember"})  # reasons that nothing has to be added to
BY_FORM = SURE | {"health"}
SIGNS = ("a name", "a figure", "time", "a thing")  # of something that can be looked up again
ODDS = -0.9  # that it is needed, from which a statement belongs in core; it weighs as much there as `BELONGS`
BELONGS, A_DOUBT = 0.75, 0.25
UNCLEAR = 1.0  # what the odds lose that it belongs there, by those that nobody understands the line alone
HINTED = 0.4  # what a class counts for that a word hints at and nothing states


def reasons_of(memory: Memory) -> frozenset[str]:
    """Why a fact was kept."""
    reasons = memory.marks.get("reasons")
    return frozenset(str(reason) for reason in reasons) if isinstance(reasons, list | tuple) else frozenset()


def classes_of(memory: Memory) -> list[str]:
    """The classes that it belongs to, by what it states or by a word that hints at one, in their order."""
    shown = reasons_of(memory) | stated(memory)
    return [name for name in CLASSES if name in shown]


def of_health(memory: Memory) -> bool:
    """Whether it states something of somebody's health.

    >>> [of_health(Memory("m", "s", "episode", text, ("t",), 0.0)) for text in ("I'm celiac", "I moved to Porto")]
    [True, False]
    """
    said = memory if memory.quote else replace(memory, marks={"quote": memory.text})
    return "health" in stated(said)


def stated(memory: Memory) -> frozenset[str]:
    """The classes of which it is a statement in so many words.

    >>> def said(quote, *reasons):
    ...     return Memory("m", "s", "fact", "", ("t",), 0.0, marks={"quote": quote, "reasons": reasons})
    >>> sorted(stated(said("My sister Truus is a nurse"))), sorted(stated(said("I left it at my sister's", "people")))
    (['people'], [])
    """
    plain = memory.quote.translate(APOSTROPHES)
    found = {name for name, form in forms.SAID_SO.items() if form.search(plain.casefold())}
    if forms.INTRODUCED.search(plain):
        found.add("people")
    if forms.STATE.match(plain):
        found.add("how things are")
    ahead = memory.dated if memory.happened_at is None else memory.happened_at
    ahead -= memory.dated
    if ahead < 0 or (memory.happened_at is None and not forms.DATED.search(plain.casefold())):
        found.discard("deadline")
    elif ahead > SOON and forms.DATED.search(plain.casefold()):
        found.add("deadline")
    return frozenset(found | (reasons_of(memory) & SURE))


def judged(memory: Memory, doubted: bool = False) -> float | None:
    """The odds that it is needed in core; None where no judge has read it, and where a sure form or what it says of
    somebody's health decides. `doubted`: a later statement may overtake it."""
    if not stated(memory).isdisjoint(BY_FORM):
        return None
    found = needed.odds(memory, told(memory), doubted)
    return None if found is None else found - UNCLEAR * unclear(memory)


def is_read(memory: Memory) -> bool:
    """Whether a judge has read its line; nothing has to be added to what a person asked to be remembered."""
    return isinstance(memory.marks.get("alone"), int | float) and "asked to remember" not in stated(memory)


def by_itself(memory: Memory) -> float:
    """The judge's odds that its line belongs in core, read alone."""
    alone = memory.marks.get("alone")
    return float(alone) if isinstance(alone, int | float) else 0.0


def unclear(memory: Memory) -> float:
    """How surely nobody understands its line; nothing where the words stand behind it that say of whom or what."""
    leans = memory.marks.get("leans")
    return max(0.0, float(leans)) if isinstance(leans, int | float) and not memory.marks.get("introduced") else 0.0


def weight(memory: Memory, doubted: bool = False) -> float:
    """How much it tells of somebody: as its signs have it, or else its weightiest class, some of the next, signs of
    things; less for what is past.

    >>> quote, reasons = "Tom is my brother", ["people", "a name"]
    >>> told = Memory("m", "s", "fact", "", ("t",), 0.0, marks={"quote": quote, "reasons": reasons})
    >>> round(weight(told), 2)
    1.07
    """
    if (odds := judged(memory, doubted)) is not None:
        return BELONGS + A_DOUBT * (odds - ODDS)
    plain = stated(memory)
    worth = (CLASSES[name] * (1.0 if name in plain else HINTED) for name in classes_of(memory))
    first, second, *_ = (*sorted(worth, reverse=True), 0.0, 0.0)
    signs = sum(sign in reasons_of(memory) for sign in SIGNS)
    past = memory.happened_at is not None and OF_LATE < memory.dated - memory.happened_at < LONG_AGO
    against = 0.3 * (past and not is_lasting(memory)) + 0.15 * ("feeling" in reasons_of(memory))
    return 0.25 + first + 0.3 * second + 0.12 * signs + 0.25 * bool(_ASKS_WHAT.match(memory.about)) - against


def is_lasting(memory: Memory) -> bool:
    """Whether it is likely to be so for long: who somebody is, their people, their health."""
    return not LASTING.isdisjoint(stated(memory))


def shown(memory: Memory) -> str:
    """A memory as one line of core: when it was said, what it answers, and the words.

    >>> text, quote = 'The user, 5 November 2026: "i am celiac"', "i am celiac"
    >>> shown(Memory("m", "s", "fact", text, ("t",), 1.0, marks={"quote": quote}))
    '- 5 November 2026: "i am celiac"'
    >>> shown(Memory("m", "s", "fact", "The user lives in Kiel.", ("t",), 1.0, said_at=1_793_836_800.0))
    '- The user lives in Kiel (5 November 2026)'
    """
    text = " ".join(_in_core(memory).split())
    quote = " ".join(told(memory).split())
    day = quoting.day(memory.dated)
    if not quote or quote not in text or text == quote:
        return f"{BULLET}{text.rstrip('.')} ({day})"
    text = text.removesuffix(f" ({day})")  # the day of speaking is said once
    return BULLET + text.removeprefix(_OF_THE_USER).replace(quote, _cut(quote))


def told(memory: Memory) -> str:
    """The words of a quote that core shows: all of them, or the sentences that belong there."""
    return str(memory.marks.get("line") or memory.quote)


def _in_core(memory: Memory) -> str:
    """Its text without the talk before it; where core shows a part of the quote, the dates of that part."""
    if told(memory) == memory.quote:
        return quoting.by_itself(memory.text, memory.quote)
    when, introduced = (str(memory.marks.get(name) or "") for name in ("line_when", "introduced"))
    about = memory.about if memory.quote.startswith(told(memory)) else ""  # the question that its first words answer
    return quoting.shown(told(memory), memory.speaker or "user", memory.dated, about, when=when, introduced=introduced)


def _cut(quote: str) -> str:
    """The neighbouring sentences of a quote that tell most and fit; the whole of it if each is too long by itself.

    >>> _cut("Hi! We're engaged! " + "So much to do now. " * 10 + "I'm Ada, I live in Faro.")[-15:]
    'I live in Faro.'
    """
    if len(quote) <= LONGEST:
        return quote
    said = sentences(quote)
    places: list[int] = []
    for one in said:
        places.append(quote.find(one, places[-1] + 1 if places else 0))
    if -1 in places:
        return quote
    runs = [
        (first, last)
        for first in range(len(said))
        for last in range(first, len(said))
        if places[last] + len(said[last]) - places[first] <= LONGEST
    ]
    best = max(runs, key=lambda run: (_told(said[run[0] : run[1] + 1]), run[1] - run[0], -run[0]), default=None)
    return quote[places[best[0]] : places[best[1]] + len(said[best[1]])] if best else quote


def _told(said: Sequence[str]) -> float:
    """How much some sentences tell of somebody, by the classes of which they are statements."""
    plain = " ".join(said).translate(APOSTROPHES)
    named = ("people",) if forms.INTRODUCED.search(plain) else ()
    stated = {*named, *(name for name, form in forms.SAID_SO.items() if form.search(plain.casefold()))}
    return sum(CLASSES.get(name, 0.0) for name in stated)


def same_matter(one: Memory, other: Memory) -> bool:
    """Whether two statements are about the same thing of the same subject, so that one line is enough.

    >>> def said(text, **more):
    ...     return Memory(text, "s", "fact", text, ("t",), 1.0, subject="user", **more)
    >>> same_matter(said("The deadline is on May 3"), said("so the deadline is on May 3 now"))
    True
    >>> same_matter(said("My friend Tom lives in a flat in Kiel"), said("My friend Jan lives in a flat in Kiel"))
    False
    """
    if (one.subject or "").casefold() != (other.subject or "").casefold():
        return False
    if one.predicate and one.predicate == other.predicate and one.marks.get("exclusive"):
        return True
    return _alike(one.quote or one.text, other.quote or other.text) or _one_changed(one, other)


def _one_changed(one: Memory, other: Memory) -> bool:
    """Whether the later of two gives another dose of the same medicine or another day for the same occasion, or denies
    the same allergy.

    >>> def said(text, at):
    ...     return Memory(text, "s", "fact", text, ("t",), at, subject="user", marks={"quote": text})
    >>> same_matter(said("penicillin I'm allergic to", 1.0), said("News! I am NOT allergic to penicillin.", 2.0))
    True
    """
    older, newer = (one, other) if (one.dated, one.id) <= (other.dated, other.id) else (other, one)
    before, after = (_told_with(_with_its_question(memory)) for memory in (older, newer))
    if not before.doses.isdisjoint(after.doses):
        return True
    if not before.allergens.isdisjoint(after.denied):
        return True
    if not (before.dated and after.dated) or before.occasions.isdisjoint(after.occasions):
        return False
    return after.moved or _names_no_other(older, newer)


def bears_on_dose(line: Memory, later: Memory) -> bool:
    """Whether a later statement gives a figure and names a medicine whose dose a line gives; anything does where the
    line gives none.

    >>> said = lambda text: Memory(text, "s", "fact", text, ("t",), 0.0, marks={"quote": text})
    >>> line = said("mycophenolate, 500 mg twice a day, bloods on thursdays")
    >>> bears_on_dose(line, said("had 3 bloods today")), bears_on_dose(line, said("mycophenolate goes up to 1 gram"))
    (False, True)
    """
    medicines = forms.DOSE.findall(line.quote.casefold())
    words = (later.quote or later.text).casefold()
    return not medicines or (_FIGURE.search(words) is not None and any(name in words for name in medicines))


class ToldWith(NamedTuple):
    """What a text says of medicines and of days."""

    doses: frozenset[str]
    allergens: frozenset[str]
    denied: frozenset[str]  # allergens that are none
    dated: bool
    occasions: frozenset[str]
    moved: bool


@lru_cache(maxsize=2048)  # a statement is compared with many
def _told_with(text: str) -> ToldWith:
    said = text.translate(APOSTROPHES).casefold()
    doses, occasions = (frozenset(form.findall(said)) for form in (forms.DOSE, forms.OCCASION))
    allergens, denied = (
        frozenset(word for found in form.findall(said) for word in found if word)
        for form in (forms.ALLERGEN, forms.NO_ALLERGEN)
    )
    return ToldWith(doses, allergens, denied, bool(forms.DATED.search(said)), occasions, bool(forms.MOVED.search(said)))


def _with_its_question(memory: Memory) -> str:
    """A question that it answers may name what a few words are on: "When is the party?" """
    return f"{memory.about} {memory.quote}" if memory.about.endswith("?") else memory.quote


def _names_no_other(one: Memory, other: Memory) -> bool:
    """Whether neither of two names somebody or something that the other does not."""
    names, others = ({name for name in _NAMES.findall(m.quote) if not name[0].isdigit()} for m in (one, other))
    return names <= others or others <= names


def _alike(one: str, other: str) -> bool:
    """Whether two texts say the same in nearly the same words; each may not name what the other does not."""
    words, others = _words(one), _words(other)
    shared = len(words & others)
    if shared < LEAST_SHARED or shared < SAME_WORDS * min(len(words), len(others)):
        return False
    names, other_names = (frozenset(word.casefold() for word in _NAMES.findall(text)) for text in (one, other))
    return names <= other_names or other_names <= names


@lru_cache(maxsize=2048)
def _words(text: str) -> frozenset[str]:
    return frozenset(terms(text))


def newest_of_each(memories: Iterable[Memory]) -> list[Memory]:
    """One memory a matter: the one that was said last."""
    kept: list[Memory] = []
    for memory in sorted(memories, key=lambda memory: (-memory.dated, memory.id)):
        if not any(same_matter(memory, other) for other in kept):
            kept.append(memory)
    return kept


def in_order(memories: Iterable[Memory]) -> list[Memory]:
    """By what they say about somebody, the newest first within that."""
    return sorted(memories, key=lambda memory: (_place(memory), -memory.dated, memory.id))


def _place(memory: Memory) -> int:
    return next((i for i, name in enumerate(CLASSES) if name in classes_of(memory)), len(CLASSES))


def quote_list(facts: Sequence[Memory], most: int) -> list[Memory]:
    """The facts that tell most of somebody, one a matter, in order: what a profile is made of."""
    return weightiest(newest_of_each(facts), most)


def weightiest(facts: Iterable[Memory], most: int) -> list[Memory]:
    """The same of facts of which no two are on one matter."""
    return in_order(sorted(facts, key=lambda fact: (-weight(fact), -fact.dated, fact.id))[:most])
