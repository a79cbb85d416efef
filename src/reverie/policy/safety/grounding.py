"""Whose words an agent writes into a block: what the user stated, what came from outside, or what nobody said.

An agent may put the user's words in its own way. A name, a number or an address that the user never stated is somebody
else's, whichever session it was read in; so is a "not" that turns the user's words around. Such an edit waits.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from reverie.language.calendar import MONTHS, WEEKDAYS
from reverie.language.detect import is_english
from reverie.language.sentences import asks, sentences
from reverie.language.speech import utterances
from reverie.language.vocabulary import STOP_WORDS, word_set
from reverie.language.words import stem, tokens

Ordinary = Callable[[str], bool]
NOT = "not "  # before the word that it denies: what is denied is another word than what is said
_NEGATIONS = word_set("""
    no not never none nothing without neither nor cannot nobody instead nicht kein keine keinen nie niemals sans pas
    jamais sin nunca
""")
# How a note speaks of somebody: these name nothing that the somebody would have to have said.
_REPORTING = frozenset(
    map(
        stem,
        word_set("""
            user users name named names call called calls prefer preference prefers like likes love loves want wants
            wish need needs use uses using live lives living work works working have has go goes get gets say said says
            tell told mention mentioned ask asked asks know known think plan plans planning try tried favourite favorite
            enjoy enjoys fan person people human current currently recently new also now note noted fact based reside
            resides located thing things lot dislike dislikes hate hates interested interest status detail details info
            preferred style kind type
        """),
    )
)
_CALENDAR = frozenset(stem(word) for word in (*MONTHS, *WEEKDAYS))
_WORD = re.compile(r"\S{1,200}")
_EDGES = "\"'`“”„«»()[]{}<>.,;:!?…*_-–—#"
_SIGN = re.compile(r"[\d@/\\_.=+&%$#]|\w-\w|[a-z][A-Z]")
_VERB = re.compile(r"[a-z]{3,20}(?:s|ed|ing)\Z")
LEAST_SHARED = 4  # letters at the beginning of two forms of one word
TAKEN_OVER = 2  # words that nobody but one sentence from outside has


@dataclass(frozen=True, slots=True)
class Grounds:
    """What an agent's edit can rest on. Each of the user's turns is the set of words that they stated in it."""

    said: tuple[frozenset[str], ...] = ()  # the last one first
    lately: int = 0  # how many of them are of the session that the agent writes from
    outside: tuple[str, ...] = ()  # what tools, pages and files brought, the last one first
    core: tuple[frozenset[str], ...] = ()  # what the blocks hold: let in before, and no turn of the user's

    @property
    def every(self) -> frozenset[str]:
        return _joined((*self.said, *self.core))


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    parts: frozenset[str]  # its stems
    first: bool  # of its sentence


def stated(text: str) -> frozenset[str]:
    """The words of what somebody states in a text: not what they quote, paste or ask about.

    >>> sorted(stated("Is Quenby my landlord? My landlord isn't Tom."))
    ['landlord', 'not tom', 'tom']
    """
    said = (one.text for one in utterances(text) if not asks(one.text))
    return frozenset(part for sentence in said for word in _words(sentence) for part in word.parts)


def whose(before: str, after: str, grounds: Grounds, outside: str | None, ordinary: Ordinary) -> str | None:
    """Why an agent's edit of a block is not the user's word, or None. `outside` was read since the user last spoke.

    >>> said = Grounds((stated("my dog Rex hates thunder"),), 1)
    >>> whose("", "The user's dog is called Rex.", said, "web", str.islower)
    >>> whose("", "The user's dog is called Umbrick.", said, None, str.islower)
    'the user never said "Umbrick"'
    """
    held = _parts(before)
    for sentence in _new_sentences(before, after):
        words = [word for word in _words(sentence) if not word.parts <= held]
        if why := _foreign(words, sentence, grounds, outside, ordinary):
            return why
    return _struck(held, _parts(after), grounds, outside)


def _foreign(
    words: Sequence[_Word], sentence: str, grounds: Grounds, outside: str | None, ordinary: Ordinary
) -> str | None:
    best = max(grounds.said, key=lambda said: sum(word.parts <= said for word in words), default=frozenset[str]())
    apart = [word for word in words if not _said(word, best if outside else grounds.every)]
    unsaid = [word for word in apart if not word.parts <= _REPORTING | _CALENDAR]
    turned = [word for word in words if _turned(word, best)]
    unsaid += [word for word in turned if word not in unsaid]
    if outside is not None and unsaid:
        return f"the agent had read something from outside ({outside}), and the user did not say {_shown(unsaid)}"
    english = is_english(sentence)
    named = [word for word in unsaid if word in turned or _specific(word, english, grounds.outside, ordinary)]
    if named:
        return f"the user never said {_shown(named)}"
    return "it says what something from outside says" if _taken_over(unsaid, words, grounds.outside) else None


def _turned(word: _Word, said: frozenset[str]) -> bool:
    """Whether a word is denied that the user did not deny, or no longer is."""
    denied = {part for part in word.parts if part.startswith(NOT)}
    return not denied <= said or (not denied and any(NOT + part in said for part in word.parts))


def _said(word: _Word, said: frozenset[str]) -> bool:
    if word.parts <= said or not (word.first or word.text.islower()):
        return word.parts <= said
    near = _by_beginning(said)
    return all(
        part in said or any(_akin(part, one) for one in near.get(part[:LEAST_SHARED], ())) for part in word.parts
    )


@lru_cache(4)
def _joined(said: tuple[frozenset[str], ...]) -> frozenset[str]:
    return frozenset[str]().union(*said)


@lru_cache(8)
def _by_beginning(said: frozenset[str]) -> dict[str, list[str]]:
    """Words by the letters that two forms of one share: an edit of a thousand words costs a thousand looks."""
    found: dict[str, list[str]] = {}
    for part in said:
        found.setdefault(part[:LEAST_SHARED], []).append(part)
    return found


def _akin(one: str, other: str) -> bool:
    """Two forms of a word: the same beginning, and little after it."""
    shared = max(LEAST_SHARED, max(len(one), len(other)) - 3)
    return one[:shared] == other[:shared] and not any(map(str.isdigit, one + other))


def _specific(word: _Word, english: bool, outside: Iterable[str], ordinary: Ordinary) -> bool:
    """Whether a word is a name, a number, an address, or a word that is in no dictionary."""
    text = word.text
    if _SIGN.search(text):
        return True
    if text[:1].isupper() and not (word.first and _VERB.match(text.lower()) and ordinary(text.lower())):
        return True
    if english or text.isascii():
        return not ordinary(text.lower()) and (english or _in_any(text.lower(), outside))
    return _in_any(text.lower(), outside)


def _in_any(word: str, texts: Iterable[str]) -> bool:
    return any(word in text for text in texts)


def _taken_over(unsaid: Sequence[_Word], words: Sequence[_Word], outside: Iterable[str]) -> bool:
    """Whether one sentence from outside has all the words that the user did not say, and they are most of the line."""
    wanted = [word.text.lower() for word in unsaid]
    if len(wanted) < TAKEN_OVER or 2 * len(wanted) < len(words):
        return False
    near = (text for text in outside if all(word in text for word in wanted))
    return any(all(word in one for word in wanted) for text in near for one in sentences(text))


def _struck(held: frozenset[str], kept: frozenset[str], grounds: Grounds, outside: str | None) -> str | None:
    """Whether words of the user's go out that they have not spoken of in this session."""
    new, lost = kept - held, ((held - kept) & _joined(grounds.said)) - _REPORTING
    if any(_affirmed(part, grounds) for part in lost if part.startswith(NOT) and part.removeprefix(NOT) in kept):
        return "it turns around what the user said"
    if not lost:
        return None
    spoken = _joined(grounds.said[: grounds.lately])
    if lost & spoken or (new - _REPORTING) & spoken:
        return None
    after = f" after the agent read something from outside ({outside})" if outside else ""
    return f"it takes out what the user said{after}"


def _affirmed(denied: str, grounds: Grounds) -> bool:
    """Whether the user denied it when they last spoke of it."""
    spoken = (said for said in grounds.said if denied.removeprefix(NOT) in said)
    return denied in next(spoken, frozenset[str]())


def _new_sentences(before: str, after: str) -> Iterator[str]:
    held = {line.strip() for line in before.splitlines()}
    for line in after.splitlines():
        if line.strip() and line.strip() not in held:
            yield from sentences(line)


def _parts(text: str) -> frozenset[str]:
    return frozenset(part for word in _words(text) for part in word.parts)


def _words(text: str) -> Iterator[_Word]:
    """The words that say something, each with whether it is denied."""
    first, denied = True, False
    for raw in _WORD.findall(text):
        bare = raw.strip(_EDGES)
        if not (parts := tokens(bare)):
            continue
        denied = denied or any(part in _NEGATIONS or (part in STOP_WORDS and part.endswith("nt")) for part in parts)
        said = frozenset(stem(part) for part in parts if part not in STOP_WORDS and part not in _NEGATIONS)
        if said:
            yield _Word(bare, said | {NOT + part for part in said} if denied else said, first)
            denied = False
        first = raw.endswith((".", "!", "?", ":"))


def _shown(words: Iterable[_Word]) -> str:
    return ", ".join(dict.fromkeys(f'"{word.text[:60]}"' for word in words))
