"""A light parser: who, with which verb, in which tense, negated or not, and the rest of the clause."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from reverie.minds.rules.people import Cast, Who, is_name
from reverie.minds.rules.verbs import AUXILIARIES, reading, readings

Tense = Literal["present", "past", "perfect", "future"]
_ADVERBS = set(
    "really just still now currently also actually always usually often sometimes mostly mainly typically generally normally "
    "recently lately already finally absolutely totally definitely certainly honestly truly deeply secretly even only "
    "probably almost nearly completely entirely simply basically kinda pretty very so quite particularly especially "
    "rarely seldom hardly ever never personally officially originally previously formerly once both all soon "
    "regularly occasionally frequently suddenly eventually then sadly happily too first later long primarily genuinely "
    "permanently temporarily strongly much kindly accidentally barely".split()
)
_MODALS = {"will", "would", "shall", "should", "can", "could", "may", "might", "must"}
_HABITUAL = {"always", "usually", "often", "typically", "normally", "generally", "regularly", "frequently", "mostly"}
_WORD = re.compile(r"[^\s,;()]+")


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


_SPLIT_SUBJECT = re.compile(r"^(?P<front>.{2,60}?),?\s+(?P<main>(?:I|we|my|our|he|she|the team)\s.+)$")
_BARE_START = re.compile(
    r"^(?:(?:just|recently|finally|also|still|currently|already)\s+)*"
    r"(?P<verb>got|went|moved|bought|started|finished|quit|adopted|switched|joined|signed|visited|ran|met|passed|broke|"
    r"sold|left|lost|won|booked|had|made|tried|saw|took|became|turned|been|going to|moving|allergic|born|based|living|"
    r"working|learning|planning|getting|married|thinking|decided|used to|never|vegan|vegetarian|retired|ordered|upgraded|"
    r"migrated|read|watched|not|love|hate|prefer|need to|want to)\b"
)
_BARE_AUX = {
    **dict.fromkeys("moving allergic born based living working learning planning getting married vegan vegetarian retired".split(), "I am "),
    "going to": "I am ", "not": "I am ", "been": "I have ",
}  # fmt: skip


def _complete(text: str) -> tuple[str, str]:
    """The clause with its subject first, and what stood before it; a dropped "I" is put back."""
    match = _SPLIT_SUBJECT.match(text)
    if (
        match
        and not _subject_end(text)
        and not re.search(r"\b(?:that|who|which|what|how|why|said|let)\b", match["front"])
    ):
        return match["main"], match["front"]
    bare = _BARE_START.match(text[:1].lower() + text[1:])
    if bare and not _subject_end(text):
        if bare["verb"] in ("love", "hate", "prefer", "need to", "want to") and re.match(
            r"\w+ (?:that|this|it|your|the|you|how|when|to see|to hear)\b", text, re.I
        ):
            return text, ""
        return _BARE_AUX.get(bare["verb"], "I ") + text[:1].lower() + text[1:], ""
    return text, ""


def _finite(word: str, plural: bool) -> bool:
    if word in AUXILIARIES:
        return True
    return any(r.form in ("past", "s") or (plural and r.form == "base") for r in readings(word))


def _subject_end(text: str) -> int:
    """How many words the subject takes; 0 when the clause does not open with one."""
    words = [m.group() for m in _WORD.finditer(text)]
    if not words:
        return 0
    first = words[0].lower()
    if first in ("i", "we", "he", "she", "they", "you", "it", "there"):
        return 1
    if first in ("my", "our", "his", "her", "their", "the", "this") or words[0].endswith("'s"):
        return _noun_end(words, 2)
    if words[0][0].isupper() and is_name(words[0].removesuffix("'s")) and not reading(words[0], "past", "ing", "part"):
        size = _noun_end(words, 1)
        return size if all(w[0].isupper() or w == "and" for w in words[:size]) else 0
    return 0


def _noun_end(words: list[str], start: int) -> int:
    plural = False
    for i in range(start, min(len(words), start + 9)):
        low = words[i].lower()
        if low == "and":
            plural = True
            if i + 1 < len(words) and words[i + 1] in ("I", "me"):
                return i + 2
            continue
        plural = plural or (words[i - 1].lower().endswith("s") and not words[i - 1].endswith("'s"))
        following = words[i + 1].lower() if i + 1 < len(words) else ""
        if low in _ADVERBS or (low == "no" and following == "longer"):
            if i + 1 < len(words) and (_finite(following, plural) or following in _ADVERBS):
                return i
            if low == "no":
                return i
            continue
        if _finite(low, plural) and not (words[i][0].isupper() and is_name(words[i])):
            return i
    return 0


@dataclass(slots=True)
class _Verbal:
    """What the auxiliaries told so far."""

    tense: Tense = "present"
    progressive: bool = False
    negated: bool = False
    modal: str = ""
    cue: str = ""
    perfect: bool = False


def _next_word(words: list[re.Match[str]], i: int) -> str:
    for word in words[i:]:
        low = word.group().lower()
        if low not in _ADVERBS and low not in ("not", "no", "longer"):
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
    text, front = _complete(text)
    size = _subject_end(text)
    words = list(_WORD.finditer(text))
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
        elif low in _ADVERBS and nearby:
            adverbs.add(low)
            i += 1
        elif low == "used" and nearby == "to" and i + 2 < len(words) and not state.progressive:
            state.cue, state.tense, i = "used to", "past", i + 2
        elif low == "going" and nearby == "to" and state.progressive and reading(_next_word(words, i + 2), "base"):
            state.tense, state.modal, state.progressive, i = "future", "going to", False, i + 2
        elif _is_auxiliary(low, words, i, state, bool(who.noun)):
            i += 1
        else:
            return _main(who, words, i, text, state, frozenset(adverbs))
    return None


_PAST_ALIKE = {"quit", "put", "cut", "hit", "shut", "set", "let", "bet", "hurt"}


def _main(
    who: Who, words: list[re.Match[str]], i: int, text: str, state: _Verbal, adverbs: frozenset[str]
) -> Clause | None:
    word = words[i].group()
    found = _main_reading(word.lower(), state)
    if found is None:
        return None
    lemma, form = found
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
    elif state.modal or state.cue == "used to" or word == "read":
        wanted = ("base",)
    options = {r.form: r.lemma for r in readings(word)}
    return next(((options[form], form) for form in wanted if form in options), None)


def _after_be(clause: Clause) -> Clause:
    """ "am not really into", "is no longer allergic": what stands after "be" belongs to it."""
    words, adverbs, negated, cue = clause.rest.split(), set(clause.adverbs), clause.negated, clause.cue
    while words and (words[0].lower() in _ADVERBS or words[0].lower() in ("not", "no")):
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


_MORE = re.compile(
    r"(?:,?\s+(?:and|but|or)|,)\s+(?:(?:also|now|just|currently|then|recently|still|even|already|later|never|always|usually|both|mostly|really)\s+)*(?P<verb>[a-z]+)\b(?=(?P<after>\s+\w+)?)"
)
_AMBIGUOUS = set(
    "play walk dance cook work study travel camp help fish run swim design code book date name call plan use drive drink hope "
    "watch ride research work train garden bake paint hike climb cycle jog ski surf sail diet fast exercise practice "
    "start end finish change return visit tour sign drop note record host lead order check look turn support fire rent".split()
)
_LINKS = set("in at for as on with a an the my our to from two three some it this that about every up out".split())


def spread(text: str) -> Iterator[str]:
    """The clause, then each further verb phrase with the same subject: "I live in Kiel and work at Acme".

    >>> list(spread("I live in Kiel and work at Acme"))
    ['I live in Kiel', 'I work at Acme']
    """
    size = _subject_end(text)
    words = list(_WORD.finditer(text))
    if not size or size >= len(words):
        yield text
        return
    subject = text[: words[size - 1].end()]
    plural = subject.split()[0].lower() in ("i", "we", "they") or subject.endswith(" I")
    progressive = bool(re.match(r"\s+(?:am|is|are|was|were|have been)\s+(?:\w+\s+)?\w+ing\b", text[len(subject) :]))
    if complements := _complements(subject, text[len(subject) :]):
        yield from complements
        return
    start = 0
    for match in _MORE.finditer(text):
        if match.start() <= len(subject) or not _continues(match, plural, progressive, text[len(subject) :]):
            continue
        yield _with_subject(subject, text[start : match.start()], start)
        start = match.start() + len(re.match(r"(?:,?\s+(?:and|but|or)|,)\s+", match.group()).group())  # type: ignore[union-attr]
    yield _with_subject(subject, text[start:], start)


_BE = re.compile(r"\s+(?P<be>am|are|is)\s+(?P<rest>.+)$")
_COMPLEMENT = re.compile(
    r",\s+(?:and\s+)?(?=(?:an?|from|originally|based|married|\d{1,3}(?:$|,| years))\b)"
    r"|\s+and\s+(?=(?:an?|from|originally|based|married|allergic|single|retired|vegan|vegetarian|fluent|currently|also|not|\d{1,3}(?:$|,| years))\b)"
)


def _complements(subject: str, predicate: str) -> list[str]:
    """ "I am 67 and a retired driver from Leeds" is three statements with one verb."""
    match = _BE.match(predicate)
    parts = _COMPLEMENT.split(match["rest"]) if match else []
    if (
        not match
        or len(parts) < 2
        or re.match(r"(?:not )?(?:into|fond|allergic|a (?:big |huge )?fan)\b", match["rest"])
    ):
        return []
    return [f"{subject} {match['be']} {part.strip(' ,')}" for part in parts if part.strip(" ,")]


def _with_subject(subject: str, part: str, start: int) -> str:
    if start == 0:
        return part.strip(" ,")
    helper = (
        "am "
        if subject.split()[-1] == "I" and re.match(r"\w+ing\b", part)
        else "is "
        if re.match(r"\w+ing\b", part)
        else ""
    )
    return f"{subject} {helper}{part.strip(' ,')}"


def _continues(match: re.Match[str], plural: bool, progressive: bool, predicate: str) -> bool:
    verb, after = match["verb"], (match["after"] or "").strip()
    if verb in ("am", "is", "are", "was", "were", "has", "have", "had", "do", "does", "did", "will", "can"):
        return bool(after)
    infinitive = re.match(
        r"\s+(?:\w+\s+)?(?:am |is |are )?(?:want|need|hope|plan|decided|going|love|like|prefer|hate|have|will|would|can)\w*\s+(?:to\s+)?[a-z]+\b",
        predicate,
    )
    for form in (r.form for r in readings(verb)):
        if form == "past" and not progressive:
            return verb not in (
                "led",
                "read",
                "set",
                "put",
                "cut",
                "baked",
                "fried",
                "grilled",
                "used",
                "aged",
                "united",
            )
        if form == "s" and not plural:
            return verb not in _AMBIGUOUS_S
        if form == "base" and plural and not (infinitive and " to " in predicate[:40]):
            return verb not in _AMBIGUOUS or after in _LINKS
        if form == "ing" and progressive:
            return bool(after)
    return False


_AMBIGUOUS_S = set(
    "plays walks dances cooks works studies camps fishes runs swims designs books dates names calls plans uses drives drinks hopes watches rides trains paints hikes".split()
) - {"works", "plays", "drives", "studies"}
