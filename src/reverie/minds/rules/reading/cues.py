"""Which cues a sentence shows: phrases of `cues.toml`, looked up word by word."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files

from reverie.language.vocabulary import APOSTROPHES

LONGEST = 4  # words of a phrase
OWNERS = frozenset({"my", "our", "his", "her", "their"})
THE = OWNERS | {"the", "its"}
THING = 3  # words that may name what somebody likes
BETWEEN = 2  # words that may stand between an owner and what is owned
_IS = frozenset(
    "is are was were has have costs takes runs uses lives means holds needs wants works goes starts ends sits".split()
)
_OPENERS = frozenset(
    "ok okay so and also now then please pls just yes yeah well right good cool thanks but first next anyway".split()
)
_CODE = re.compile(r"`[^`\n]{1,200}`|https?://\S+")
_QUOTED = re.compile(r"\"[^\"\n]{2,300}\"|“[^”\n]{2,300}”")
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")


@dataclass
class Phrases:
    """Phrases of one section: whole ones, and words of which only the beginning is given."""

    whole: dict[str, list[str]] = field(default_factory=dict)  # phrase -> cues
    begun: dict[str, list[str]] = field(default_factory=dict)  # beginning of a word -> cues
    lengths: set[int] = field(default_factory=set)  # of these beginnings

    def add(self, cue: str, phrase: str) -> None:
        place, key = (self.begun, phrase[:-1]) if phrase.endswith("*") else (self.whole, phrase)
        place.setdefault(key, []).append(cue)
        if place is self.begun:
            self.lengths.add(len(key))

    def of(self, phrase: str) -> list[str]:
        found = list(self.whole.get(phrase, ()))
        for length in range(2, len(phrase) + 1) if self.begun else ():
            if length in self.lengths and (cues := self.begun.get(phrase[:length])):
                found += cues
        return found


@lru_cache(maxsize=1)
def _table() -> dict[str, dict[str, str]]:
    return tomllib.loads(files(__package__).joinpath("cues.toml").read_text("utf-8"))


@lru_cache(maxsize=1)
def _sections() -> dict[str, Phrases]:
    found = {}
    for section, cues in _table().items():
        found[section] = Phrases()
        for cue, words in cues.items():
            for phrase in words.split(","):
                found[section].add(cue, " ".join(phrase.split()))
    return found


def words_of(sentence: str) -> list[str]:
    """The words as the cues read them: lower case, one apostrophe, code is one word, quotations are closed to view.

    >>> words_of("I’ve run `make it` twice, she said")
    ["i've", 'run', 'code', 'twice', 'she', 'said']
    """
    plain = _QUOTED.sub(" ", _CODE.sub(" code ", sentence)).translate(APOSTROPHES).lower()
    words: list[str] = _WORD.findall(plain)
    return words


def cues_in(words: Sequence[str]) -> list[str]:
    """The names of the cues that these words show, in the order of the table.

    >>> cues_in(words_of("my sister Ada moved to Faro"))
    ['change', 'event', 'first person', 'people']
    """
    found = {cue for phrase in _phrases(words) for cue in _sections()["cues"].of(phrase)}
    found |= set(_owned(words))
    return [cue for cue in names() if cue in found]


def is_order(words: Sequence[str]) -> bool:
    """Whether the first word that says anything is what one is told to do.

    >>> is_order(words_of("ok please write her 3 lines")), is_order(words_of("I write"))
    (True, False)
    """
    first = next((word for word in words if word not in _OPENERS), "")
    return any(True for _ in _sections()["orders"].of(first))


def is_sure(words: Sequence[str]) -> bool:
    """Whether somebody plainly says who they are, where they live, what they cannot eat."""
    return any(True for phrase in _phrases(words) for _ in _sections()["sure"].of(phrase))


def is_taste(words: Sequence[str]) -> bool:
    """Whether somebody says what they like or hate, and nothing else.

    >>> is_taste(words_of("I like tea.")), is_taste(words_of("I love it")), is_taste(words_of("I like your plan"))
    (True, False, False)
    """
    tastes = _sections()["tastes"]
    return any(
        "taste" in tastes.of(" ".join(words[:said]))
        and len(words) - said in range(1, THING + 1)
        and _is_thing(words[said:])
        for said in (2, 3)
    )


def _is_thing(words: Sequence[str]) -> bool:
    return not any("no thing" in _sections()["tastes"].of(phrase) for phrase in _phrases(words))


def bar_in(words: Sequence[str]) -> str:
    """What forbids keeping the sentence, or nothing."""
    return next((cue for phrase in _phrases(words) for cue in _sections()["bars"].of(phrase)), "")


@lru_cache(maxsize=1)
def names() -> tuple[str, ...]:
    """All cues, in the order of the table."""
    return (*_table()["cues"], *_table()["owned"], "a thing")


def _phrases(words: Sequence[str]) -> Iterator[str]:
    for start in range(len(words)):
        for length in range(1, min(LONGEST, len(words) - start) + 1):
            yield " ".join(words[start : start + length])


def _owned(words: Sequence[str]) -> Iterator[str]:
    """ "my older sister" is people, "the build takes" is a thing that something is said of."""
    owned = _sections()["owned"]
    for i, word in enumerate(words):
        before = words[max(0, i - BETWEEN - 1) : i]
        if any(w in OWNERS or w.endswith("'s") for w in before):
            yield from owned.of(word)
        if word in _IS and any(w in THE for w in words[max(0, i - BETWEEN - 2) : max(0, i - 1)]):
            yield "a thing"
