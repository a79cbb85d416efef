"""From a text to the numbers of its word pieces: BERT's way of reading English, in plain Python.

The ids are those of the `tokenizers` package, on every Python: which characters are dropped or stand alone is read from
the model's file, not from Python's Unicode tables, which grow with each version while stored vectors stay.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from unicodedata import normalize

REMEMBERED_WORDS = 16_384  # with their ids at most 5 MB
REMEMBERED_CHARACTERS = 32_768
CONTINUED = "##"  # before a piece that does not begin its word
SURROGATES = (0xD800, 0xE000)


class WordPiece:
    """The tokenizer of one vocabulary; several threads may use it at once."""

    def __init__(self, file: Path) -> None:
        settings = json.loads(file.read_text("utf-8"))
        pieces: list[str] = settings["pieces"]
        self._ids = {piece: number for number, piece in enumerate(pieces)}
        self._longest = max(map(len, pieces))
        self._max_word: int = settings["max_word"]
        self._first, self._last, self._unknown = (self._ids[name] for name in ("[CLS]", "[SEP]", "[UNK]"))
        self._room: int = settings["max_tokens"] - 2
        self._special = re.compile("(" + "|".join(map(re.escape, settings["special"])) + ")")
        self._characters = Characters(settings["dropped"], settings["spaces"], settings["alone"])
        self._word_ids = lru_cache(REMEMBERED_WORDS)(self._split)

    def ids(self, text: str) -> list[int]:
        """`[CLS]`, the pieces of the text as far as there is room, `[SEP]`."""
        return [self._first, *self.plain(text), self._last]

    def plain(self, text: str) -> list[int]:
        """The pieces alone."""
        return list(islice(chain.from_iterable(self._words(text)), self._room))

    @property
    def ends(self) -> tuple[int, int]:
        """`[CLS]` and `[SEP]`, which stand before a text and after each."""
        return self._first, self._last

    def _words(self, text: str) -> Iterator[Iterable[int]]:
        """The ids of each word; a special token that the text spells out is that token."""
        for place, part in enumerate(self._special.split(text)):
            if place % 2:
                yield (self._ids[part],)
            else:
                yield from map(self._word_ids, part.translate(self._characters).split())

    def _split(self, word: str) -> tuple[int, ...]:
        """The longest piece that the word begins with, then the longest of the rest; unknown if any part is."""
        if len(word) > self._max_word:
            return (self._unknown,)
        found: list[int] = []
        start = 0
        while start < len(word):
            end, number = self._longest_piece(word, start)
            if number is None:
                return (self._unknown,)
            found.append(number)
            start = end
        return tuple(found)

    def _longest_piece(self, word: str, start: int) -> tuple[int, int | None]:
        """Where the longest piece from `start` on ends, and its id; no id if no piece begins there."""
        prefix = CONTINUED if start else ""
        for end in range(min(len(word), start + self._longest), start, -1):
            number = self._ids.get(prefix + word[start:end])
            if number is not None:
                return end, number
        return start, None


class Characters(dict[int, str]):
    """What each character becomes, for `str.translate`: worked out when it is first met, then remembered.

    Lower case without accents; nothing where it is a control character; between spaces where it is a word of its own
    (punctuation, ideographs). Each set of characters is given by its bounds: where it begins, ends, begins again.
    """

    def __init__(self, dropped: Sequence[int], spaces: Sequence[int], alone: Sequence[int]) -> None:
        super().__init__()
        self._dropped, self._spaces, self._alone = dropped, spaces, alone

    def __missing__(self, code: int) -> str:
        if len(self) >= REMEMBERED_CHARACTERS:
            self.clear()
        self[code] = text = self._text(code)
        return text

    def _text(self, code: int) -> str:
        if _within(self._dropped, code):
            return ""
        if _within(self._spaces, code):
            return " "
        if _within(SURROGATES, code):
            return " ? "  # half a character, which JSON can carry and UTF-8 cannot
        parts = normalize("NFD", chr(code))
        # One by one: the Greek sigma at the end of a word is a sigma like any other here.
        plain = "".join(part.lower() for part in parts if not _within(self._dropped, ord(part)))
        return f" {plain} " if _within(self._alone, code) else plain


def _within(bounds: Sequence[int], code: int) -> bool:
    return bisect_right(bounds, code) % 2 == 1
