"""Text as search and dedupe see it: words, stems, search terms of one space, hashes, token counts."""

import hashlib
import re
import threading
import unicodedata
from collections.abc import Iterable, Set
from functools import lru_cache
from math import ceil

import Stemmer

from reverie.language.calendar import date_words
from reverie.language.vocabulary import APOSTROPHES, STOP_WORDS
from reverie.model.base import DAY, kept_hash
from reverie.model.turns import Turn

MAX_TERM = 64  # longer runs (keys, encoded data) are cut into pieces, so that no index term is unbounded
TOKENS_PER_WORD = 1.3
BYTES_PER_TOKEN = 4

_WORD = re.compile(rf"[^\W_]{{1,{MAX_TERM}}}(?:'[^\W_]{{1,{MAX_TERM}}})*")
_CLITIC = re.compile(r"'(?:s|ll|d|re|ve|m)$")
_ACCENTS = re.compile("[\u0300-\u036f]+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+")  # Chinese and Japanese: no spaces between words
_STEMMERS = threading.local()  # a PyStemmer object must not be shared between threads
# A turn of ten megabytes is stored whole and found by its beginning: an index row must stay small on every backend.
MAX_CHARS = 100_000
MAX_TERMS = 4_000


def tokens(text: str) -> list[str]:
    """The words and numbers of a text: lowercase, without accents, letters and digits only.

    >>> tokens("Zoë's flat isn't 1,200 € a month")
    ['zoe', 'flat', 'isnt', '1200', 'a', 'month']
    """
    text = text.lower() if text.isascii() else _plain(text)
    if "," in text:
        text = _THOUSANDS.sub("", text)
    words: list[str] = _WORD.findall(text)
    if "'" in text:
        words = [_CLITIC.sub("", word).replace("'", "") if "'" in word else word for word in words]
    return words


def _plain(text: str) -> str:
    bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", text.translate(APOSTROPHES)))
    return _UNSPACED.sub(_pairs, unicodedata.normalize("NFC", bare).lower())


def _pairs(run: re.Match[str]) -> str:
    """Without spaces to go by, every two neighbouring characters are taken as a word."""
    signs = run.group()
    return f" {' '.join(signs[i : i + 2] for i in range(max(1, len(signs) - 1)))} "


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """
    >>> stem("running"), stem("allergies"), stem("2026")
    ('run', 'allergi', '2026')
    """
    stemmer = getattr(_STEMMERS, "english", None)
    if stemmer is None:
        stemmer = _STEMMERS.english = Stemmer.Stemmer("english", 0)
    return str(stemmer.stemWord(word))


def stems(words: Iterable[str]) -> list[str]:
    return [stem(word) for word in words]


def terms(text: str) -> list[str]:
    """What a text is indexed and searched by: its stems in order, stop words dropped.

    >>> terms("What does Anna's sister like to cook?")
    ['anna', 'sister', 'like', 'cook']
    """
    return [stem(word) for word in tokens(text) if word not in STOP_WORDS]


# Sentence punctuation says nothing about identity; "+", "#", "%", a sign or a decimal point does ("C++" is not "C#").
_SOFT = re.compile(r"[\s!;…`\"“”„«»()\[\]{}*_~–—]+|[.,:](?!\d)|(?<!\d)[.,:]|-(?!\d)")
_ASKED = re.compile(r"\?+")


def normalised(text: str) -> str:
    """Two texts that differ only in case, spacing or punctuation are the same; a question is not its statement.

    >>> normalised("I moved to  *Berlin* !"), normalised("3.5 kg?")
    ('i moved to berlin', '3.5 kg ?')
    """
    folded = unicodedata.normalize("NFKC", text).casefold().translate(APOSTROPHES).replace("'", "")
    bare = " ".join(_ASKED.sub(" ? ", _SOFT.sub(" ", folded)).split())
    return bare or folded.strip()


def content_hash(text: str, space: str | None = None) -> str:
    """The same for exact duplicates in the sense of `normalised`; with a space, as its rows have it."""
    whole = hashlib.blake2b(normalised(text).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return whole if space is None else kept_hash(space, whole)


def jaccard(a: Set[str], b: Set[str]) -> float:
    """What two sets share of what they hold together. Two empty sets share nothing, so they never count as alike."""
    shared = len(a & b)
    return shared / (len(a) + len(b) - shared) if shared else 0.0


def token_count(text: str) -> int:
    """About how many tokens a language model reads here: an estimate on the high side, in a microsecond or two.

    >>> token_count(""), token_count("I moved to Berlin in May.")
    (0, 8)
    """
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    return ceil(max(len(text.split()) * TOKENS_PER_WORD, size / BYTES_PER_TOKEN))


def index_terms(num: int, text: str) -> str:
    """A text as its index row holds it: stems in order, each with the space's number before it.

    >>> index_terms(7, "Anna's sisters moved")
    '7_anna 7_sister 7_move'
    """
    return " ".join(f"{num}_{term}" for term in terms(text[:MAX_CHARS])[:MAX_TERMS])


def turn_terms(num: int, turn: Turn) -> str:
    """What a turn itself is found by: its words, and who said them."""
    return index_terms(num, f"{turn.speaker or turn.role}: {turn.text}")


@lru_cache(maxsize=4_096)
def day_terms(num: int, day: int) -> str:
    """A day in words, as its index rows hold it."""
    return index_terms(num, date_words(day * DAY))


def query_terms(num: int, text: str) -> list[str]:
    """What a query looks for, each term once, in its order.

    >>> query_terms(7, "Where did Anna's sister move? Anna's!")
    ['7_anna', '7_sister', '7_move']
    """
    return list(dict.fromkeys(index_terms(num, text).split()))
