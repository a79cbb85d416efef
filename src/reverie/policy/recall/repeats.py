"""Hits that say the same: of a turn and the facts drawn from it, and of several words on one matter, one is shown."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reverie.language.excerpts import says_nothing
from reverie.language.words import jaccard, tokens
from reverie.model.hits import RAW_KINDS, Flag, Hit

DRAWN = ("fact", "directive")
ALIKE = 0.8  # of their words: two statements that differ in a number are not alike


@dataclass(frozen=True, slots=True)
class Statement:
    """What is shown, and the facts drawn from it that were found too: their dates and questions go along."""

    hit: Hit
    facts: tuple[Hit, ...] = ()

    @property
    def flags(self) -> tuple[Flag, ...]:
        return tuple(dict.fromkeys(flag for hit in (self.hit, *self.facts) for flag in hit.flags))

    @property
    def matter(self) -> str:
        """The one matter that it is on; empty if it is on none, or on several."""
        matters = {fact.matter for fact in (self.hit, *self.facts) if fact.kind == "fact"}
        return matters.pop() if len(matters) == 1 else ""

    @property
    def said_at(self) -> float:
        return self.hit.said_at or 0.0


def distinct(hits: Sequence[Hit], shown: str = "") -> list[Statement]:
    """What the hits say, each thing once, best first: without acknowledgements, and without what `shown` says already.

    A turn speaks for the facts drawn from it, at the best place among them. Of statements on one matter, or in the same
    words, the newest stands, at the best place among them.
    """
    kept: list[Statement] = []
    alike = Wordings()
    matters: dict[str, int] = {}
    for one in _by_turn(hits):
        if says_nothing(one.hit.text) or (shown and _said_in(one.hit, shown)):
            continue
        place = matters.get(one.matter) if one.matter else None
        if place is None:
            place = alike.place_of(frozenset(tokens(one.hit.quote or one.hit.text)), len(kept))
        if place == len(kept):
            kept.append(one)
        elif one.said_at > kept[place].said_at:
            kept[place] = one
        if one.matter:
            matters[one.matter] = place
    return kept


class Wordings:
    """Sets of words, found by others that are alike. Each has a mask of bits, which tells most others apart at once."""

    def __init__(self) -> None:
        self._sets: list[tuple[frozenset[str], int]] = []
        self._masks: list[int] = []

    def place_of(self, words: frozenset[str], new: int) -> int:
        """The place of words that are alike, or the new one, kept for words to come."""
        own, most = _mask(words), len(words) * (1 - ALIKE) / ALIKE  # so many words may be in one of the two alone
        near = [i for i, mask in enumerate(self._masks) if (mask ^ own).bit_count() <= most]
        for other, place in (self._sets[i] for i in near):
            if _alike(words, other):
                return place
        self._sets.append((words, new))
        self._masks.append(own)
        return new


def _mask(words: frozenset[str]) -> int:
    mask = 0
    for word in words:
        mask |= 1 << (hash(word) & 255)
    return mask


def _by_turn(hits: Iterable[Hit]) -> list[Statement]:
    hits = list(hits)
    said = {hit.turns[0]: hit for hit in reversed(hits) if hit.kind in RAW_KINDS and hit.turns}
    found: dict[str, list[Hit]] = {}
    for hit in hits:
        of = hit.turns[0] if hit.turns and hit.kind in (*RAW_KINDS, *DRAWN) else hit.id
        found.setdefault(of if of in said else hit.id, []).append(hit)
    return [
        Statement(said.get(of, its[0]), tuple(hit for hit in its if hit.kind in DRAWN and of in said))
        for of, its in found.items()
    ]


def _said_in(hit: Hit, shown: str) -> bool:
    words = hit.quote or hit.text
    return len(words) > 2 and words in shown


def _alike(a: frozenset[str], b: frozenset[str]) -> bool:
    return jaccard(a, b) >= ALIKE and not any(word.isdigit() for word in a ^ b)
