"""A light parser: who, with which verb, in which tense, negated or not, and the rest of the clause."""

import re
from dataclasses import dataclass, replace
from typing import Literal

from reverie.minds.rules.people import Cast, Who
from reverie.minds.rules.subjects import ADVERBS, WORD, completed, subject_end
from reverie.minds.rules.verbs import reading, readings

Tense = Literal["present", "past", "perfect", "future"]
_MODALS = {"will", "would", "shall", "should", "can", "could", "may", "might", "must"}
_HABITUAL = {"always", "usually", "often", "typically", "normally", "generally", "regularly", "frequently", "mostly"}


@dataclass(frozen=True, slots=True)
class Clause:
    who: Who
    verb: str  # the lemma
    rest: str  # what follows the verb
    tense: Tense = "present"
    progressive: bool = False
    negated: bool = False
    modal: str = ""
    cue: str = ""  # "no longer", "used to", "stopped", "started", "now"
    adverbs: frozenset[str] = frozenset()
    said: str = ""  # the verb as it was said, with all that follows: for events and habits
    front: str = ""  # what stood before the subject: "every morning", "in 2019"

    @property
    def habitual(self) -> bool:
        return bool(self.adverbs & _HABITUAL)

    @property
    def ended(self) -> bool:
        """Whether the clause says that something is over, rather than that it never was."""
        return self.cue in ("no longer", "anymore", "used to", "stopped")


@dataclass(slots=True)
class _Verbal:
    """What the auxiliaries told so far."""

    tense: Tense = "present"
    progressive: bool = False
    negated: bool = False
    modal: str = ""
    cue: str = ""
    perfect: bool = False
    infinitive: bool = False  # "had to", "tend to"


def _next_word(words: list[re.Match[str]], i: int) -> str:
    for word in words[i:]:
        low = word.group().lower()
        if low not in ADVERBS and low not in ("not", "no", "longer"):
            return low
    return ""


def _is_auxiliary(low: str, words: list[re.Match[str]], i: int, state: _Verbal, owned: bool) -> bool:
    """Whether the word at `i` only helps the verb that follows; `state` takes what it tells."""
    following = _next_word(words, i + 1)
    if low in _MODALS and following:
        state.modal, state.tense = low, "future" if low in ("will", "shall") else state.tense
        return True
    if low in ("do", "does", "did") and reading(following, "base"):
        state.tense = "past" if low == "did" else state.tense
        return True
    if low in ("have", "has", "had") and reading(following, "part") and following not in ("set",):
        state.perfect, state.tense = True, "past" if low == "had" else "perfect"
        return True
    if low in ("am", "is", "are", "was", "were", "been", "be") and _gerund(following) and not owned:
        state.progressive = True
        state.tense = "past" if low in ("was", "were") else state.tense
        return True
    return False


def _gerund(word: str) -> bool:
    return reading(word, "ing") is not None and word not in (
        "interesting",
        "amazing",
        "exciting",
        "boring",
        "willing",
        "missing",
    )


def parse(text: str, cast: Cast) -> Clause | None:
    """Read one clause; None when its subject is nobody that facts are kept about.

    >>> clause = parse("I no longer live in Kiel", Cast("user"))
    >>> clause.verb, clause.rest, clause.negated, clause.cue
    ('live', 'in Kiel', True, 'no longer')
    """
    text, front = completed(text)
    size = subject_end(text)
    words = list(WORD.finditer(text))
    if not size or size >= len(words):
        return None
    who = cast.resolve(text[: words[size - 1].end()])
    if who is None:
        return None
    clause = _verbal(who, words, size, text)
    return replace(clause, front=front) if clause else None


def _verbal(who: Who, words: list[re.Match[str]], i: int, text: str) -> Clause | None:
    state, adverbs = _Verbal(), set()
    while i < len(words):
        low = words[i].group().lower()
        nearby = words[i + 1].group().lower() if i + 1 < len(words) else ""
        if low == "no" and nearby == "longer":
            state.negated, state.cue, i = True, "no longer", i + 2
        elif low in ("not", "never"):
            state.negated, i = True, i + 1
            adverbs.add(low)
        elif low in ADVERBS and nearby:
            adverbs.add(low)
            i += 1
        elif low == "used" and nearby == "to" and i + 2 < len(words) and not state.progressive:
            state.cue, state.tense, i = "used to", "past", i + 2
        elif low == "going" and nearby == "to" and state.progressive and reading(_next_word(words, i + 2), "base"):
            state.tense, state.modal, state.progressive, i = "future", "going to", False, i + 2
        elif low in ("have", "has", "had") and nearby == "to" and not state.perfect and i + 2 < len(words):
            state.modal, i = "" if low == "had" else "have to", i + 2  # what one had to do, one did
            state.tense, state.infinitive = "past" if low == "had" else state.tense, True
        elif low in ("tend", "tends") and nearby == "to":
            adverbs.add("usually")
            i, state.infinitive = i + 2, True
        elif _is_auxiliary(low, words, i, state, bool(who.noun)):
            i += 1
        else:
            return None if adverbs & {"almost", "nearly"} else _main(who, words, i, text, state, frozenset(adverbs))
    return None


def _main(
    who: Who, words: list[re.Match[str]], i: int, text: str, state: _Verbal, adverbs: frozenset[str]
) -> Clause | None:
    word = words[i].group()
    found = _main_reading(word.lower(), state)
    if found is None:
        return None
    lemma, form = found
    if lemma == "get" and state.perfect and word.lower() == "got":  # "I have got a cold" is "I have a cold"
        lemma, state.tense = "have", "present"
    tense = state.tense
    if state.tense == "present" and not state.modal and not state.progressive and form == "past":
        tense = "past"
    rest = text[words[i].end() :].strip()
    clause = Clause(
        who, lemma, rest, tense, state.progressive, state.negated, state.modal, state.cue, adverbs,
        said=text[words[i].start() :].strip(),
    )  # fmt: skip
    return _wrapped(_ending(_after_be(clause) if lemma == "be" else clause))


def _main_reading(word: str, state: _Verbal) -> tuple[str, str] | None:
    wanted: tuple[str, ...] = ("past", "s", "base", "part", "ing")
    if state.progressive:
        wanted = ("ing",)
    elif state.perfect:
        wanted = ("part",)
    elif state.modal or state.infinitive or state.cue == "used to" or word == "read":
        wanted = ("base",)
    options = {r.form: r.lemma for r in readings(word)}
    return next(((options[form], form) for form in wanted if form in options), None)


def _after_be(clause: Clause) -> Clause:
    """ "am not really into", "is no longer allergic": what stands after "be" belongs to it."""
    words, adverbs, negated, cue = clause.rest.split(), set(clause.adverbs), clause.negated, clause.cue
    while words and (words[0].lower() in ADVERBS or words[0].lower() in ("not", "no")):
        low = words.pop(0).lower()
        if low == "no" and words[:1] == ["longer"]:
            words.pop(0)
            negated, cue = True, "no longer"
        elif low == "no":
            return clause
        negated = negated or low in ("not", "never")
        adverbs.add(low)
    rest = " ".join(words)
    return replace(clause, rest=rest, negated=negated, cue=cue, adverbs=frozenset(adverbs)) if rest else clause


_ANYMORE = re.compile(r",?\s*\banymore\b|,?\s*\bany longer\b", re.I)


def _ending(clause: Clause) -> Clause:
    if not _ANYMORE.search(clause.rest):
        return clause
    rest = _ANYMORE.sub("", clause.rest).strip()
    return replace(
        clause, rest=rest, said=_ANYMORE.sub("", clause.said).strip(), cue="anymore" if clause.negated else clause.cue
    )


_WRAP = re.compile(r"^(?:up |off |out |on )?(?P<verb>\w+ing)\b(?P<rest>.*)$")


def _wrapped(clause: Clause) -> Clause:
    """ "started working at X" is work, begun; "stopped eating meat" is eat, over; "kept playing" is play."""
    if clause.verb in ("start", "begin", "stop", "quit", "keep", "give", "finish", "be") and (
        match := _WRAP.match(clause.rest)
    ):
        inner = reading(match["verb"], "ing")
        over = clause.verb in ("stop", "quit") or (clause.verb == "give" and clause.rest.startswith("up "))
        if inner is None or (clause.verb in ("give", "be", "finish") and not over):
            return clause
        cue = "stopped" if over else clause.cue or ("started" if clause.verb in ("start", "begin") else "")
        if clause.tense == "future" or clause.progressive or clause.negated:
            return clause
        return replace(
            clause, verb=inner.lemma, rest=match["rest"].strip(), tense="present", progressive=True,
            negated=clause.negated or over, cue=cue,
        )  # fmt: skip
    return clause
