"""A turn before the one that is read, as far as somebody speaks in it: what it asks last, and what it states.

All of it is somebody's words, exactly as they stand there.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from reverie.language.speech import Utterance, utterances
from reverie.language.topics import things
from reverie.language.vocabulary import APOSTROPHES, STOP_WORDS, word_set
from reverie.minds.rules.reading.salience import is_question
from reverie.minds.rules.reference.leaning import is_filler, is_verb, needs_of

LONGEST_LEAD = 170  # characters of what is shown before a quote
LONGEST_TURN = 4_000  # characters of an earlier turn that are read
LAST = 3  # sentences of a turn among which its question is
FEW = 5  # words of a question that may name nothing
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
_LIST_LINE = re.compile(r"\A[ \t]*(?:[-*+•–]|\(?\d{1,3}[.)]|\(?[a-z]\)|\||>)\s")


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
    last = next((i for i in reversed(range(max(0, len(said) - LAST), len(said))) if _is_asked(said[i].text)), -1)
    if last < 0 or _ASKS_NOTHING.fullmatch(said[last].text):
        return ""
    found = _whole(turn.text, said, last)
    return found if len(found) <= LONGEST_LEAD else ""


def _is_asked(sentence: str) -> bool:
    """Whether a sentence asks, and not only quotes a question."""
    return is_question(sentence) and sentence.endswith("?")


_ASKS_NOTHING = re.compile(
    r"(?:(?:and|so|ok(?:ay)?|well|right|good),? )*(?:what(?:'s| is)? (?:else|next|now|up|new|then)|anything else"
    r"|how so|what happened|is that so|ready|how can i help|what can i do(?: for you)?|anything more"
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
    return len(words) <= FEW and len(content) <= 1 and not any(is_verb(w) or w.endswith("'s") for w in words)


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


def said_last(turn: Earlier) -> str:
    """The last sentence of a turn that says something, with the one before it if both are short.

    >>> said_last(Earlier("assistant", "Noted. Ask her for a joint call with Ben before the 16th."))
    'Ask her for a joint call with Ben before the 16th.'
    """
    said = turn.said
    last = next((i for i in reversed(range(len(said))) if _says_more(said[i].text)), -1)
    if last < 0 or len(said[last].text) > LONGEST_LEAD or '"' in said[last].text:
        return ""
    first = last - 1 if last and _joined(said, last - 1, last) and _says_more(said[last - 1].text) else last
    return turn.text[said[first].start : said[last].end]


def tail(turn: Earlier, most: int, until: str = "") -> str:
    """The last sentences of a turn before `until` that make at most `most` words together with it, as they stand there.

    >>> tail(Earlier("assistant", "Noted. The kiln is free. I asked Jo. Shall I book it?"), 12, "Shall I book it?")
    'The kiln is free. I asked Jo.'
    """
    said = list(turn.said)
    if until:
        said = said[: next((i for i, one in enumerate(said) if one.text in until or until in one.text), 0)]
    words, first = len(until.split()), len(said)
    while first and words + len(said[first - 1].text.split()) <= most:
        if first < len(said) and said[first].start - said[first - 1].end > GAP:
            break
        first -= 1
        words += len(said[first].text.split())
    while first < len(said) and (is_filler(said[first].text) or said[first].text.endswith(":")):
        first += 1
    return " ".join(turn.text[said[first].start : said[-1].end].split()) if first < len(said) else ""


def _tells(text: str, names: frozenset[str]) -> bool:
    needs = needs_of(text, names)
    named = [thing for thing in things(text) if thing.lead != "your"]
    return bool(named) and not needs and '?"' not in text and len(text.split()) >= FEW


def said_before(turns: Sequence[Earlier], speaker: str) -> str:
    """The last sentence that somebody else said just before the turn; the last question, if there was one."""
    return "" if not turns or turns[-1].speaker == speaker else last_words(turns[-1].text)


def last_words(text: str) -> str:
    """The question that a text asks last, or else its last sentence.

    >>> last_words("Lovely! Where do you live? Just curious."), last_words("I see.")
    ('Where do you live?', 'I see.')
    """
    said = [one.text for one in utterances(text[-LONGEST_TURN:])]
    return next((one for one in reversed(said[-3:]) if is_question(one)), said[-1] if said else "")


def question_in(text: str) -> str:
    """The question that a text asks last, if it asks one."""
    found = last_words(text)
    return found if is_question(found) else ""
