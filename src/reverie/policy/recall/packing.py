"""What goes into the prompt: sections in a fixed order, within a token budget, stable parts first.

Whole items only: a memory cut in half says something else. What was left out is reported, never silently dropped.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from reverie.language.words import token_count


@dataclass(frozen=True, slots=True)
class PackWeights:
    memories_share: float = 0.6  # of the budget: many memories must not push out the last turns
    directives_share: float = 0.3  # those that no night has read yet
    recent_turns: int = 20
    frame: int = 60  # tokens kept for the marks around the sections and the note on changed blocks


WEIGHTS = PackWeights()


@dataclass(frozen=True, slots=True)
class Item:
    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the prompt. Where there is no room for all, `keep` says which end matters more.

    `share` bounds it to a part of the budget, so that many memories do not push out the last turns; what a section
    leaves unused goes to those after it. `stable` sections change only at night and stand first, byte for byte the
    same, so that providers' prompt caches keep hitting.
    """

    name: str
    items: tuple[Item, ...]
    stable: bool = False
    share: float = 1.0
    keep: Literal["first", "last"] = "first"


@dataclass(frozen=True, slots=True)
class LeftOut:
    section: str
    id: str
    tokens: int
    why: str


@dataclass(frozen=True, slots=True)
class Packed:
    sections: tuple[Section, ...]  # those with an item, in order
    tokens: int
    left_out: tuple[LeftOut, ...]


def pack(sections: Sequence[Section], budget: int, count: Callable[[str], int] = token_count) -> Packed:
    """Fill the budget section by section; an item that is too long makes room for a shorter one after it.

    >>> blocks = Section("blocks", (Item("human", "Anna, Hamburg"),), stable=True)
    >>> turns = Section("turns", (Item("t1", "hello " * 50), Item("t2", "and you?")), keep="last")
    >>> packed = pack([turns, blocks], budget=20)
    >>> [section.name for section in packed.sections], [out.id for out in packed.left_out]
    (['blocks', 'turns'], ['t1'])
    """
    used, kept, left_out = 0, [], []
    for section in _stable_first(sections):
        room = min(budget - used, int(budget * section.share))
        chosen, tokens, out = _fill(section, room, count)
        used += tokens
        left_out += out
        if chosen:
            kept.append(_with(section, chosen))
    return Packed(tuple(kept), used, tuple(left_out))


def _stable_first(sections: Iterable[Section]) -> list[Section]:
    return sorted(sections, key=lambda section: not section.stable)  # a stable sort: order within stays


def _fill(section: Section, room: int, count: Callable[[str], int]) -> tuple[frozenset[str], int, list[LeftOut]]:
    """Which items fit, what they take, and which do not fit."""
    items = section.items if section.keep == "first" else section.items[::-1]
    chosen: set[str] = set()
    used, out = 0, []
    for item in items:
        tokens = count(item.text)
        if used + tokens <= room:
            chosen.add(item.id)
            used += tokens
        else:
            why = f"{tokens} tokens, {max(0, room - used)} left for {section.name}"
            out.append(LeftOut(section.name, item.id, tokens, why))
    return frozenset(chosen), used, out


def _with(section: Section, chosen: frozenset[str]) -> Section:
    items = tuple(item for item in section.items if item.id in chosen)
    return Section(section.name, items, section.stable, section.share, section.keep)
