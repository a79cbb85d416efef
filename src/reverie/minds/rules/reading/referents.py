"""Whom and what a turn speaks of, found in the talk before it: the question that it answers, the person that "she" is,
the statement that it goes on about. All of it is somebody's words, exactly as they stand there.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from reverie.language.speech import Utterance, utterances
from reverie.language.topics import things
from reverie.language.vocabulary import APOSTROPHES, STOP_WORDS, word_set
from reverie.minds.rules.reading.leaning import (
    HE,
    MEN,
    PERSONS,
    SHE,
    WOMEN,
    is_act,
    is_capital,
    is_deed,
    is_verb,
    needs_of,
)
from reverie.minds.rules.reading.salience import is_question

LONGEST_LEAD = 170  # characters of what is shown before a quote
LONGEST_TURN = 4_000  # characters of an earlier turn that are read
NEAR = 5  # turns in which a thing or "the man" is looked for; a name farther up
LONG = 90  # words of a turn after which nobody knows who was spoken of before it
LAST = 3  # sentences of a turn among which its question is
GAP = 4


@dataclass(frozen=True, slots=True)
class Earlier:
    """A turn before the one that is read."""

    speaker: str
    text: str

    @classmethod
    def of(cls, line: str) -> "Earlier":
        speaker, _, text = line.partition(": ")
        return cls(speaker, text)

    @property
    def said(self) -> tuple[Utterance, ...]:
        return _speech(self.text[:LONGEST_TURN])


_LETTER = re.compile(r"^(?:Dear|Hi|Hello|Hey|Good (?:morning|afternoon|evening)),? [^\n.!?]{1,40},\s*$", re.M)
_REGARDS = re.compile(r"^(?:.{0,20}(?:regards|wishes|sincerely|thanks|thank you|best|cheers|yours)),?\s*$", re.M | re.I)
_LIST_LINE = re.compile(r"[ \t]*(?:[-*+•–]|\(?\d{1,3}[.)]|\(?[a-z]\)|\||>)\s")


@lru_cache(maxsize=512)  # each turn is asked for by those that follow it
def _speech(text: str) -> tuple[Utterance, ...]:
    """What somebody says to the other: no letter that they drafted, no list, nothing in quotation marks."""
    end = _LETTER.search(text)
    closing = _REGARDS.search(text, end.end()) if end else None
    hidden = range(end.start(), len(text) if closing is None else _next_line(text, closing.end())) if end else range(0)
    return tuple(
        one for one in utterances(text) if one.start not in hidden and not _listed(text, one) and not _within(text, one)
    )


def _next_line(text: str, place: int) -> int:
    """Where the line after the one that begins at or after `place` begins: a name follows the regards."""
    for _ in range(2):
        found = text.find("\n", place + 1)
        place = len(text) if found < 0 else found
    return place


def _listed(text: str, one: Utterance) -> bool:
    line = text[text.rfind("\n", 0, one.start) + 1 : one.end]
    return _LIST_LINE.match(line) is not None


def _within(text: str, one: Utterance) -> bool:
    """Whether a sentence stands within quotation marks that it did not open."""
    line = text[text.rfind("\n", 0, one.start) + 1 : one.start]
    if one.text.count('"') % 2 or one.text.count("“") != one.text.count("”"):
        return True
    return line.count('"') % 2 == 1 or line.count("“") > line.count("”") or one.text[:1] in '"“'


def asked_in(turn: Earlier) -> str:
    """The last question of a turn, with the sentences before it that it needs; nothing if it asks nothing.

    >>> asked_in(Earlier("assistant", "Noted. Back to kriging with two variograms. Thinning to what?"))
    'Back to kriging with two variograms. Thinning to what?'
    """
    said = turn.said
    last = next((i for i in reversed(range(max(0, len(said) - LAST), len(said))) if is_question(said[i].text)), -1)
    if last < 0 or _ASKS_NOTHING.fullmatch(said[last].text):
        return ""
    found = _whole(turn.text, said, last)
    return found if len(found) <= LONGEST_LEAD else ""


_ASKS_NOTHING = re.compile(
    r"(?:(?:and|so|ok(?:ay)?|well|right|good),? )*(?:what(?:'s| is)? (?:else|next|now|up|new|then)|anything else|how so|what happened|is that so|ready|how can i help|what can i do(?: for you)?|anything more"
    r"|what(?:'s| is) (?:on your mind|the news|the plan))\b[^?]{0,30}\?"
    r"|(?:and|then|next|really|ready|so|fine|ok(?:ay)?|right|all right|sure)\?+",
    re.I,
)


def _whole(text: str, said: Sequence[Utterance], last: int) -> str:
    """A sentence with those before it that it needs; alone, if they do not make it plainer."""
    first = last
    while first and is_open(text[said[first].start : said[last].end]) and _joined(said, first - 1, last):
        first -= 1
    found = text[said[first].start : said[last].end]
    return said[last].text if is_open(found) or not _says_more(text[said[first].start : said[last].start]) else found


def _says_more(text: str) -> bool:
    return sum(word not in STOP_WORDS and len(word) > 2 for word in re.findall(r"[^\W\d_]+", text.lower())) >= 2


def is_open(text: str) -> bool:
    """Whether a question leaves open what it asks about."""
    needs = needs_of(text)
    return bool(needs.thing or needs.person) or _says_nothing(text)


def _says_nothing(question: str) -> bool:
    """Whether a question names nothing itself: "For both?", "Thinning to what?" """
    words = question.lower().translate(APOSTROPHES).strip("?.! ").split()
    content = [word for word in words if word not in STOP_WORDS and not is_verb(word)]
    if any(word in _LEADS_TO_NOUN for word in words[:2]) and content:
        return False
    return len(words) <= NEAR and len(content) <= 1 and not any(is_verb(w) or w.endswith("'s") for w in words)


_LEADS_TO_NOUN = word_set("the which how any your and what a an")


def _joined(said: Sequence[Utterance], first: int, last: int) -> bool:
    near = said[first + 1].start - said[first].end <= GAP
    return near and said[last].end - said[first].start <= LONGEST_LEAD


def statement_in(turn: Earlier, names: frozenset[str] = frozenset()) -> str:
    """The last sentences of a turn that name something, if they can be understood; else nothing."""
    said = turn.said
    for last in reversed(range(max(0, len(said) - 2), len(said))):
        first = last
        while first and not _tells(turn.text[said[first].start : said[last].end], names):
            if not _joined(said, first - 1, last):
                break
            first -= 1
        found = turn.text[said[first].start : said[last].end]
        if len(found) <= LONGEST_LEAD and _tells(found, names):
            return found
    return ""


def _tells(text: str, names: frozenset[str]) -> bool:
    needs = needs_of(text, names)
    named = [thing for thing in things(text) if thing.lead != "your"]
    return bool(named) and not needs


_CAPITAL = re.compile(r"(?:(?<=[\w,;:)’'] )|(?<=Dr\. )|(?<=Mr\. )|(?<=Mrs\. )|(?<=Ms\. ))[A-ZÀ-Þ][\w-]*[a-zà-ÿ][\w-]*")


@lru_cache(maxsize=512)
def _capitals(text: str) -> frozenset[str]:
    return frozenset(
        word.lower() for word in _CAPITAL.findall(text) if is_capital(word) and word.lower() not in STOP_WORDS
    )


def names_in(turns: Sequence[Earlier], text: str) -> frozenset[str]:
    """The words that somebody wrote with a capital within a sentence, in small letters: who types "joojo" means Joojo."""
    texts = (text, *(turn.text[:LONGEST_TURN] for turn in turns))
    return frozenset().union(*map(_capitals, texts), *map(_doers, texts))


_DOES = re.compile(
    r"(?:^|[.!?,:;] |\b(?:also|and|but|so|btw|because|that|if|when) )([^\W\d_]{3,})(?:'s (?:retiring|pregnant|allergic|moving|leaving|coming)|"
    r" (?:is (?:\d+\b|allergic|pregnant|ill|sick|away)|turns \d|said|says|wants|thinks|told|asked|loves|likes|hates|wrote"
    r"|texted|cried|called|plays|knows|asks|teaches|drives|works at|refuses|promised|can't eat|has a fever))\b",
)
_WITH = re.compile(r"\b(?:with|ask|asked|told|from|for|to|by|met) ([^\W\d_]{3,}), (?:he|she)\b")


@lru_cache(maxsize=512)
def _doers(text: str) -> frozenset[str]:
    """Words that do what only persons do, though nobody wrote them with a capital."""
    found = (word.lower() for word in (*_DOES.findall(text), *_WITH.findall(text)))
    return frozenset(word for word in found if word not in STOP_WORDS and word not in PERSONS and word not in _NOBODY)


_NOBODY = word_set("which that everyone everybody nobody one each also and but who people mum school it she he they")


_TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|[.!?,;:()\"]")
_OWN = word_set("my our the a an new another old this that your")
_GREETS = word_set("hello hi hey morning afternoon evening thanks welcome dear bye goodbye night sorry")
_PLACES = word_set("in at near into around through across via towards")
_MINE = word_set("my our your")
_ARTICLES = word_set("the a an this that these those")
_TO_PERSONS = word_set(
    "with ask asked tell told call called met meet and for from to thank by when if that mr mrs ms dr"
)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody that a sentence speaks of, in its words."""

    shown: str
    key: str
    sex: str = ""  # "f", "m" or unknown
    named: bool = False
    sure: bool = True  # a role, a title or a deed shows that it is somebody

    def holds(self, back: int) -> bool:
        """Whether one may still speak of them so many turns later: "the man" is soon forgotten, a name is not."""
        return self.named or back < (NEAR if self.shown.lower().startswith(("my ", "our ")) else 2)


def persons_in(sentence: str, names: frozenset[str]) -> list[Person]:
    """Whom a sentence speaks of, in order.

    >>> [one.shown for one in persons_in("My sister Ada met a man in Borth, and Bela rang.", frozenset({"bela"}))]
    ['My sister Ada', 'a man in Borth', 'Bela']
    """
    spans = [(match.group(), match.start(), match.end()) for match in _TOKEN.finditer(sentence)]
    found: list[Person] = []
    i = 0
    while i < len(spans):
        first, last, sex, sure = _person_at(spans, i, names)
        if last > i:
            shown = sentence[spans[first][1] : spans[last - 1][2]]
            shown = re.sub(r"['’]s$", "", re.sub(r"^[Yy]our ", "", shown))
            found.append(Person(shown, shown.split()[-1].lower(), sex, any(map(_named_in(names), shown.split())), sure))
        i = max(last, i + 1)
    return found


def _named_in(names: frozenset[str]) -> Callable[[str], bool]:
    return lambda word: _plain(word) in names or is_capital(word)


Spans = Sequence[tuple[str, int, int]]


def _person_at(spans: Spans, i: int, names: frozenset[str]) -> tuple[int, int, str, bool]:
    """The span of a person whose role or name begins at `i`: first, one past the last (`i` if nobody), the sex, and
    whether it is surely a person."""
    low = _plain(spans[i][0])
    if low in PERSONS:
        sex = "f" if low in WOMEN else "m" if low in MEN else ""
        last = start = _in_law(spans, i + 1)
        if low in _TITLES:
            last = start = i + 1 + (start < len(spans) and spans[start][0] == ".")
            last = min(last + 1, len(spans))
        while last < len(spans) and _is_name(spans, last, names):
            last += 1
        if last == start:
            last = _where_from(spans, start)
        first = _owner(spans, i)
        if first == i and last == start and low not in _KIN:
            return i, i, "", False  # "medical officer": anybody
        certain = spans[first][0].lower() in _MINE or last > start or (first == i and low in _KIN)
        return first, last, sex, certain
    if _is_name(spans, i, names) and _is_somebody(spans, i, names):
        last = i + 1
        while last < len(spans) and _is_name(spans, last, names) and spans[last][0][:1].isupper():
            last += 1
        return i, last, "", _does_something(spans, i, last)
    return i, i, "", False


_KIN = (WOMEN | MEN) - word_set("girl woman lady boy man guy bloke lad chap dude king queen priest bride groom")
_TITLES = ("mr", "mrs", "ms", "dr")


def _in_law(spans: Spans, i: int) -> int:
    return i + 2 if [span[0].lower() for span in spans[i : i + 2]] == ["in", "law"] else i


def _plain(word: str) -> str:
    return re.sub(r"['’]s$", "", word.lower())


def _is_name(spans: Spans, i: int, names: frozenset[str]) -> bool:
    word = spans[i][0]
    if i and word[:1].isupper() and spans[i - 1][0] not in '.!?"' and is_capital(word):
        return _plain(word) not in STOP_WORDS
    return _plain(word) in names


def _is_somebody(spans: Spans, i: int, names: frozenset[str]) -> bool:
    """Whether a name is used as persons' names are: they act, own, or somebody does something with them."""
    before = spans[i - 1][0].lower() if i else "."
    after = next((spans[k][0].lower() for k in range(i + 1, len(spans)) if not _is_name(spans, k, names)), ".")
    if before in _PLACES or before in _GREETS or before in _ARTICLES or (before == "," and after in ".!?"):
        return False
    return is_verb(after) or spans[i][0].endswith(("'s", "’s")) or before in _TO_PERSONS or after == "("


def _does_something(spans: Spans, first: int, last: int) -> bool:
    before = spans[first - 1][0].lower() if first else "."
    return before in _TO_PERSONS or (last < len(spans) and is_deed(spans[last][0].lower()))


def _owner(spans: Spans, i: int) -> int:
    """Where "my older sister" begins."""
    for back in (1, 2, 3):
        if i - back < 0:
            break
        word = spans[i - back][0].lower()
        if word in _OWN or word.endswith(("'s", "’s")):
            return i - back
        if not word.isalpha() or word in STOP_WORDS or is_verb(word):
            break
    return i


def _where_from(spans: Spans, i: int) -> int:
    """One past "called Macsen", "in Borth", "from the clinic"."""
    if i + 1 < len(spans) and spans[i][0].lower() in ("called", "named"):
        return i + 2
    if i + 1 < len(spans) and spans[i][0].lower() in ("in", "from", "at") and spans[i + 1][0][:1].isupper():
        return i + 2
    return i


def person_before(pronoun: str, turns: Sequence[Earlier], names: frozenset[str], speakers: frozenset[str]) -> str:
    """Whom "he" or "she" means: the only one whom the nearest sentence with somebody in it can mean. If there are
    several, that sentence; nothing if there is nobody.
    """
    sex = "m" if pronoun in HE else "f" if pronoun in SHE else ""
    votes = _votes(turns, names)
    for back, turn in enumerate(reversed(turns)):
        for one in reversed(turn.said):
            head = _before_pronoun(one.text, sex)
            here = [
                person
                for person in persons_in(head, names)
                if _agrees(person, sex, votes) and person.key not in speakers and person.holds(back)
            ]
            keys = {person.key for person in here}
            if len(keys) == 1 and all(person.sure for person in here) and not _maybe_name(one.text, names, keys):
                return max((person.shown for person in here), key=len)
            if keys or (back < NEAR and (_maybe_name(one.text, names, keys) or _somebody_acts(head, keys))):
                told = back < NEAR and len(one.text) <= LONGEST_LEAD and not is_question(one.text)
                return one.text if told and not needs_of(one.text, names).person else ""
        if len(turn.text.split()) > LONG:
            return ""  # a letter or a lecture lies between: nobody knows who was last spoken of
    return ""


_ACTS = re.compile(r"\b([^\W\d_]{3,}) ([a-z']+)\b")


def _somebody_acts(text: str, keys: set[str]) -> bool:
    """Whether somebody does something whose name is typed like any word: "jakob wipf told us"."""
    return (
        any(
            is_deed(m[2])
            and m[1].lower() not in STOP_WORDS
            and m[1].lower() not in PERSONS
            and not is_verb(m[1].lower())
            for m in _ACTS.finditer(text)
        )
        and not keys
    )


def _before_pronoun(sentence: str, sex: str) -> str:
    """What stands before "she" in a sentence that has one: whoever is named after it is somebody else."""
    words = HE if sex == "m" else SHE
    place = next((m.start() for m in _TOKEN.finditer(sentence) if m.group().lower() in words), len(sentence))
    return sentence[:place]


_BEGINS = re.compile(r"([A-ZÀ-Þ][^\W\d_]{2,}) ([a-z']+)")


def _maybe_name(sentence: str, names: frozenset[str], keys: set[str]) -> bool:
    """Whether the first word may be a name that nobody wrote elsewhere: "Senator will get a seat"."""
    found = _BEGINS.match(sentence)
    if found is None or not is_verb(found[2]) or found[1].endswith(("ing", "s", "ed")):
        return False
    word = found[1].lower()
    return (
        word not in STOP_WORDS
        and word not in names
        and word not in keys
        and word not in PERSONS
        and is_capital(found[1])
    )


def _agrees(person: Person, sex: str, votes: dict[str, Counter[str]]) -> bool:
    if person.sex:
        return person.sex == sex
    heard = votes.get(person.key)
    return heard is None or heard[sex] >= max(heard.values())


def _votes(turns: Sequence[Earlier], names: frozenset[str]) -> dict[str, Counter[str]]:
    """By name how often "he" and "she" follow it, with nobody else between."""
    found: dict[str, Counter[str]] = {}
    for turn in turns:
        for key, sex in _heard(turn.text[:LONGEST_TURN], names):
            found.setdefault(key, Counter())[sex] += 1
    return found


@lru_cache(maxsize=1024)
def _heard(text: str, names: frozenset[str]) -> tuple[tuple[str, str], ...]:
    return tuple(_pronouns_after(text, names))


def _pronouns_after(text: str, names: frozenset[str]) -> Iterator[tuple[str, str]]:
    last = ""
    for match in _TOKEN.finditer(text):
        low = _plain(match.group())
        if low in names:
            last = low
        elif low in PERSONS:
            last = ""
        elif last and low in ("he", "him", "his", "she", "her", "hers"):
            yield last, "m" if low in HE else "f"


def speakers_of(turns: Sequence[Earlier], speaker: str) -> frozenset[str]:
    """The names of those who talk with each other, as far as they call each other by name."""
    found = {speaker.lower(), *(turn.speaker.lower() for turn in turns)}
    for turn in turns:
        found.update(match.lower() for match in _CALLED.findall(turn.text[:LONGEST_TURN]))
    return frozenset(word for name in found for word in name.split())


_CALLED = re.compile(
    r"(?:\b(?:[Hh]ello|[Hh]i|[Hh]ey|[Mm]orning|[Aa]fternoon|[Ee]vening|[Tt]hanks|[Ww]elcome|[Nn]ight|[Bb]ye|meet you),? "
    r"|\b(?:[Ii]'?m|my name is|call me|this is) )([A-ZÀ-Þ][\w-]+)(?=[.!?,:]|$)"
)
