"""What a memory is about, in a few words: its keywords, rare ones first, beside the tags its source brings."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log

from reverie.language.vocabulary import STOP_WORDS
from reverie.language.words import stem, tokens


@dataclass(frozen=True, slots=True)
class TagWeights:
    min_letters: int = 4
    max_tags: int = 6
    max_words: int = 40
    old_after_days: float = 7.0


WEIGHTS = TagWeights()

# Long enough to pass, too common in conversation to say what it is about.
_EMPTY_WORDS = (
    {"thing", "things", "stuff", "really", "going", "want", "know", "think", "like", "make", "made", "good", "great"}
    | {"well", "much", "many", "time", "times", "today", "tomorrow", "yesterday", "week", "year", "years", "month"}
    | {"said", "says", "tell", "told", "need", "time", "pretty", "maybe", "actually", "sure", "thanks", "thank"}
    | {"been", "back", "come", "came", "went", "gone", "take", "took", "give", "gave", "look", "nice", "love", "feel"}
    | {"lets", "gonna", "wanna", "right", "sounds", "sound", "hope", "glad", "https", "http", "www", "user", "last"}
    | {"next", "first", "little", "people", "something", "always", "never", "around", "keep", "long", "days", "also"}
)
_EMPTY = frozenset(map(stem, _EMPTY_WORDS))  # with all their inflections


@dataclass(frozen=True, slots=True)
class Frequencies:
    """In how many of a space's documents each stem occurs: what is rare there tells more."""

    documents: int = 0
    of: Mapping[str, int] | None = None

    def rarity(self, term: str) -> float:
        """
        >>> Frequencies(99, {"tea": 9}).rarity("tea") == log(100 / 10) + 1
        True
        """
        return log((1 + self.documents) / (1 + (self.of or {}).get(term, 0))) + 1.0


def keywords(text: str, frequencies: Frequencies, w: TagWeights = WEIGHTS) -> tuple[str, ...]:
    """The words that say most about a text, at most six, as they are written there; inflections count together.

    >>> keywords("Anna bakes bread. The bread was warm, with olives.", Frequencies())
    ('bread', 'anna', 'bakes', 'warm', 'olives')
    """
    count: dict[str, int] = {}
    form: dict[str, str] = {}
    for word in tokens(text):
        term = stem(word)
        if not _tells(word, w) or term in _EMPTY:
            continue
        count[term] = count.get(term, 0) + 1
        form.setdefault(term, word)
    place = {term: n for n, term in enumerate(form)}
    weighed = {term: (1.0 + log(n)) * frequencies.rarity(term) for term, n in count.items()}
    best = sorted(weighed, key=lambda term: (-weighed[term], place[term]))
    return tuple(form[term] for term in best[: w.max_tags])


def auto_tags(
    text: str, source: str, frequencies: Frequencies, source_tags: Iterable[str] = (), w: TagWeights = WEIGHTS
) -> tuple[str, ...]:
    """Source tags, then keywords, at most six of those; a text that yields none is tagged with its source.

    >>> auto_tags("ok!", "chat", Frequencies())
    ('chat',)
    """
    found = tuple(dict.fromkeys((*source_tags, *keywords(text, frequencies, w))))
    return found or (source,)


def words_of(text: str, w: TagWeights = WEIGHTS) -> tuple[str, ...]:
    """The stems that a memory can share with others, each once, of a long text the first.

    >>> words_of("Anna bakes bread, and more bread.")
    ('anna', 'bake', 'bread')
    """
    return tuple(dict.fromkeys(stem(word) for word in tokens(text) if _tells(word, w)))[: w.max_words]


def _tells(word: str, w: TagWeights) -> bool:
    return len(word) >= w.min_letters and word.isalpha() and word not in STOP_WORDS
