"""What a text needs from elsewhere: whom "she" means, what "it" is, which question a few words answer.

Words are looked at from left to right. A pronoun is at home if something that it may stand for was named before it; a
sentence without a subject and a verb of its own leans on whatever it answers or continues.
"""

import re
from dataclasses import dataclass

from reverie.language.vocabulary import APOSTROPHES, STOP_WORDS
from reverie.minds.rules.reference.words import (
    ADVERBS,
    AFTER_NAME,
    AFTER_THAT,
    AFTER_THOSE,
    AUXILIARIES,
    CONTINUES,
    DETERMINERS,
    FILLERS,
    HE,
    IT,
    LEADING,
    MEN,
    NO_NAMES,
    NO_OWNER,
    NOUN_BEFORE_THAT,
    NOUNISH,
    OF_THINGS,
    OPENERS,
    OTHERS,
    PERSONS,
    PLACES,
    REPLIES,
    SHE,
    SUBJECTS,
    SUBORDINATE,
    TAKES,
    THAT,
    THEY,
    TIMES,
    VERBS,
    WOMEN,
)

FEW = 3  # words of a fragment that says nothing by itself

_WORD = re.compile(r"[^\W_]+(?:['.&/-][^\W_]+)*|[.!?;,:()\"“”…—–]")
_ANSWERS = re.compile(
    r"^[^.!?]{0,30}\b(?:said|says) (?:yes|no)\b|^(?:i|we|he|she|they) (?:do|did|will|would|can|agreed|accepted|refused)"
    r"(?:n't| not| so)?[,.!;]",
    re.I,
)
_ENDS = frozenset(".!?;…")
_DUMMY = re.compile(
    r"\bit(?:'s|'ll be| is| was| will be)? (?:(?:not|so|too|just|been|about|only|now|already|still|a|an|the|really"
    r"|very|"
    r"such|almost|nearly|always|getting) )*(?:rain\w*|snow\w*|cold|hot|dark|late|early|freezing|windy|sunny|monday|"
    r"tuesday|wednesday|thursday|friday|saturday|sunday|\d[\d:]*(?: ?(?:am|pm|o'clock|degrees))?\b|half past|quarter)"
    r"|\bit (?:turns? out|turned out|seems|seemed|feels like|looks like|means that)\b"
    r"|\bit(?:'s| is| was) (?:[\w-]+ ){1,4}(?:to|that|when|how|who|since|because|if)\b|\bit (?:takes|took) (?:me|us)\b"
    r"|\bit is what it is\b|\bthat's (?:it|all|life)\b|\b(?:made|make|makes|take|takes) it (?:easy|clear|hard|worse)\b"
    r"|\b(?:find|found|think|make) it (?:\w+ )?(?:hard|easy|difficult|odd|strange)\b|\bof it all\b|\bthat said\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Needs:
    """What a text takes for granted; each is the word that shows it, or nothing."""

    person: str = ""  # "she"
    thing: str = ""  # "it", "they", "both"
    whole: str = ""  # the first words of a fragment, an answer or a continuation

    def __bool__(self) -> bool:
        return bool(self.person or self.thing or self.whole)


NOTHING = Needs()


def needs_of(text: str, names: frozenset[str] = frozenset(), known: str = "") -> Needs:
    """What a text leaves open. `names` are words known as somebody's name, `known` is what the reader has read before.

    >>> needs_of("she moved to Faro").person, needs_of("My sister Ada said she moved").person
    ('she', '')
    >>> needs_of("I'll begin it on Thursday.").thing, needs_of("back up to 2.5").whole, bool(needs_of("I live in Oslo"))
    ('it', 'back', False)
    """
    open_text = text.translate(APOSTROPHES)
    whole = "" if known else _fragment(open_text, names)
    read = _Reading(names)
    if known:
        read.take(known.translate(APOSTROPHES))
        read.person = read.thing = ""
    read.take(_DUMMY.sub(" there's ", open_text))
    return Needs(read.person, read.thing, whole)


class _Reading:
    """Words taken in from left to right, and the pronouns that met nothing to stand for."""

    def __init__(self, names: frozenset[str]) -> None:
        self.names = names
        self.persons = 0
        self.men = 0
        self.women = 0
        self.things = 0
        self.person = ""
        self.thing = ""

    def take(self, text: str) -> None:
        words = _WORD.findall(text)
        for i, word in enumerate(words):
            low = word.lower()
            before = words[i - 1].lower() if i else "."
            after = words[i + 1].lower() if i + 1 < len(words) else "."
            if low in HE or low in SHE:
                other = self.men if low in SHE else self.women
                self.person = self.person or ("" if self.persons > other else low)
                self.persons += 1
            elif _points(low, before, after):
                self.thing = self.thing or ("" if self.things or (low in THEY and self.persons) else low)
                self.things += 1
            elif _is_person(word, before, after, self.names):
                self.persons += 1
                self.things += 1
                self.men += low.removesuffix("'s") in MEN
                self.women += low.removesuffix("'s") in WOMEN
            elif _is_noun(low, before, after, i):
                self.things += 1


def _points(low: str, before: str, after: str) -> bool:
    """Whether a word stands for some thing, and not before a noun, a clause or a time."""
    if low in IT or low in THEY:
        return True
    if low in OTHERS:
        return not (low == "both" and after in ("the", "my", "our", "of", "kids", "children", "sides"))
    if low in THAT:
        if low in ("that's", "thats", "that'll"):
            return before not in NOUN_BEFORE_THAT and (before in _ENDS or before in CONTINUES or before in ",:(")
        if after in TIMES:
            return False
        plain = after in _ENDS or after in AUXILIARIES or after in VERBS or after in AFTER_THAT
        if low in ("those", "these") and before == "of" and (after in STOP_WORDS or after in AFTER_THOSE):
            return True
        heads = before in _ENDS or before in CONTINUES or before in TAKES or before in ",:("
        return plain and heads
    if low == "there":
        return after in (".", "!", ",", "for", "until", "till", "with", "since") and before not in ("out", "over", "hi")
    return low == "one" and before in (
        "new",
        "old",
        "other",
        "this",
        "that",
        "another",
        "which",
        "small",
        "big",
        "right",
    )


def _is_person(word: str, before: str, after: str, names: frozenset[str]) -> bool:
    low = word.lower().removesuffix("'s")
    if low in PERSONS:
        return True
    plain = low.isalpha() and low not in STOP_WORDS and low not in OPENERS and low not in SUBJECTS and not is_verb(low)
    if plain and ((after in VERBS and before != "the") or (before in _ENDS and is_verb(after))):
        return True  # who gives or says something is somebody, however their name is typed
    if (plain and after in ADVERBS and before in _ENDS) or (word.lower().endswith("'s") and low not in NO_OWNER):
        return True
    if is_capital(word) and before in _ENDS and plain and after in AFTER_NAME and low not in FILLERS:
        return True
    if before in PLACES:
        return False
    return low in names or (is_capital(word) and (before not in _ENDS or is_verb(after)) and low not in STOP_WORDS)


def is_capital(word: str) -> bool:
    """Whether a word is written as a name is; days, months, languages and shouting are not names."""
    low = word.lower().removesuffix("'s")
    shouted = len(word) > 1 and word.isupper()
    return word[:1].isupper() and not shouted and len(low) > 1 and not low.startswith("i'") and low not in NO_NAMES


def is_verb(word: str) -> bool:
    return word in AUXILIARIES or word in VERBS


def is_act(word: str) -> bool:
    return word in VERBS


def is_deed(word: str) -> bool:
    """Whether a word says what somebody does, and not only that something is or has."""
    return word in VERBS and word not in OF_THINGS


def _is_noun(low: str, before: str, after: str, i: int) -> bool:
    if not low[0].isalpha() or low in STOP_WORDS or low in OPENERS or low in TIMES or low in VERBS or len(low) < 3:
        return False
    led = before in DETERMINERS or before.endswith("'s") or before.isdigit() or before in NOUNISH
    return (
        led or (i == 0 and is_verb(after)) or (before in _ENDS and (is_verb(after) or after in ",:;.")) or after == ":"
    )


def _fragment(text: str, names: frozenset[str]) -> str:
    """The first word of a text whose first sentence has no subject and verb of its own, or replies to something."""
    words: list[str] = _WORD.findall(text)
    first = words[0].lower() if words else ""
    if first in REPLIES or _ANSWERS.search(text):
        return first
    while words and (words[0].lower() in OPENERS or words[0] in ",:"):
        words = words[1:]
    sentence = []
    for word in words:
        if word in _ENDS:
            break
        sentence.append(word)
    head = sentence[0].lower() if sentence else ""
    headless = head in VERBS or (head in SUBORDINATE and "," not in sentence)  # "wants a discount", "before I fly"
    if not headless and (_begins_clause(sentence, names) or _titled(sentence)):
        return ""
    return head or first


def _begins_clause(words: list[str], names: frozenset[str]) -> bool:
    """Whether its first part has a subject and a verb: not "Five, and he's missing a tooth"."""
    head = words[0].lower() if words else ""
    place = words.index(",") if "," in words else len(words)
    if head in DETERMINERS or head in SUBORDINATE or head in LEADING:
        place = len(words)
    return has_clause(words[:place], names)


def _titled(words: list[str]) -> bool:
    """Whether it begins with what it is about: "bedtime for school: 8"."""
    place = words.index(":") if ":" in words else 0
    return 0 < place < len(words) - 1 and words[place - 1].isalpha()


def has_clause(words: list[str], names: frozenset[str] = frozenset()) -> bool:
    """Whether a subject and a verb stand among these words.

    >>> has_clause("booked it myself".split()), has_clause("the rent is 310".split())
    (False, True)
    """
    low = [word.lower() for word in words]
    for i, word in enumerate(low):
        if word in SUBJECTS and (i + 1 < len(low) or "'" in word) and not (i and low[i - 1] in DETERMINERS - {"as"}):
            after = low[i + 1 : i + 4]
            if "'" in word or word in ("im", "ive", "i", "we", "they", "he", "she", "who"):
                return True
            if any(is_verb(one) or one.endswith("ed") for one in after):
                return True
        if i and (is_verb(word) or word.endswith("'s")) and (low[i - 1] not in STOP_WORDS and low[i - 1][0].isalnum()):
            if word.endswith("'s") and not (word.removesuffix("'s") in names or i == 0):
                continue
            return True
        if i and word.endswith("ed") and len(word) > 4 and (low[i - 1] in names or is_capital(words[i - 1])):
            return True
    head = low[0] if low else ""
    return head.endswith("'s") and len(low) > 1 and low[1].endswith(("ing", "ed"))


def continues(sentence: str) -> bool:
    """Whether a sentence begins as the second half of another one.

    >>> continues("and he wants to do an ablation"), continues("Andrea wants one")
    (True, False)
    """
    words = _WORD.findall(sentence.translate(APOSTROPHES))
    return bool(words) and words[0].lower() in CONTINUES


def is_reply(sentence: str) -> bool:
    """Whether a sentence begins as an answer does."""
    words = _WORD.findall(sentence)
    return bool(words) and words[0].lower() in REPLIES


def names_its_subject(sentence: str, names: frozenset[str] = frozenset()) -> bool:
    """Whether a sentence begins with somebody or something that it names, and says something of it.

    >>> names_its_subject("My sister Ada is a nurse in Faro."), names_its_subject("I said no to all of it.")
    (True, False)
    """
    words = _WORD.findall(sentence.translate(APOSTROPHES))
    low = [word.lower() for word in words]
    if len(words) < 2 * FEW or low[0] in OPENERS or needs_of(sentence, names):
        return False
    named = low[0] in ("my", "our") or low[0].removesuffix("'s") in names
    told = low[0] == "the" and any(map(is_verb, low[2:5])) and any(is_capital(w) or w[0].isdigit() for w in words[3:])
    return named or told or (is_capital(words[0]) and is_verb(low[1]))


def is_own(sentence: str) -> bool:
    """Whether a sentence begins with its speaker: "I do", "we have not decided"."""
    words = [word.lower() for word in _WORD.findall(sentence.translate(APOSTROPHES)) if word.lower() not in OPENERS]
    return bool(words) and words[0].partition("'")[0] in ("i", "we", "im", "ive")


_REQUEST = re.compile(
    r"\A(?:\w{1,40}[,!.]? )?(?:(?:please|pls|and|also|so|oh|btw)[, ]+){0,3}"
    r"(?:remember|note|keep in mind|bear in mind|don'?t forget|make a note)(?: that\b|:|,)? (?=(?:\S+ ){2}\S)",
    re.I,
)


def without_request(text: str) -> str:
    """What somebody asks to be remembered, without the asking: that says nothing of what it is about.

    >>> without_request("Please remember that I live in Hamburg."), without_request("I remember it well")
    ('I live in Hamburg.', 'I remember it well')
    """
    return _REQUEST.sub("", text, count=1)


def is_filler(text: str) -> bool:
    """Whether a sentence is a few words that say nothing: "lol.", "good morning", "thank you!"

    >>> is_filler("ok thanks!"), is_filler("9F."), is_filler("party planning.")
    (True, False, False)
    """
    words = [word.lower() for word in _WORD.findall(text) if word[0].isalnum()]
    return len(words) <= 2 * FEW and all(word in FILLERS or word in OPENERS for word in words)


def heads(sentence: str, names: frozenset[str] = frozenset()) -> bool:
    """Whether a sentence only says what the next ones are about: "party planning.", "efua."

    >>> heads("party planning."), heads("I sang."), heads("thanks!")
    (True, False, False)
    """
    words = [word for word in _WORD.findall(sentence.translate(APOSTROPHES)) if word not in _ENDS]
    return 0 < len(words) <= FEW + 1 and not has_clause(words, names) and not is_filler(sentence)


def says_something(text: str, names: frozenset[str] = frozenset()) -> bool:
    """Whether any sentence of a text has a subject and a verb, or it is a list of some length."""
    sentences = re.split(r"[.!?;…]+\s", text.translate(APOSTROPHES))
    return len(text.split()) > 2 * FEW + 1 or any(has_clause(_WORD.findall(one), names) for one in sentences)


def few(text: str) -> bool:
    return len([word for word in _WORD.findall(text) if word[0].isalnum()]) <= FEW
