"""What goes into the prompt: sections in a fixed order, within a token budget, stable parts first.

An item stands whole, in a shorter form of its own making, or not at all. What was left out is reported.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from reverie.language.words import token_count


@dataclass(frozen=True, slots=True)
class PackWeights:
    blocks_share: float = 0.75  # of the budget: core memory stands whole wherever that leaves room for anything else
    learned_share: float = 0.25  # what nights have lately learned, where there is a question that needs room as well
    learned_alone: float = 0.75  # without a question
    prepared_share: float = 0.2
    turns_share: float = 0.4  # of the conversation that the question belongs to
    other_turns_share: float = 0.1  # of the last conversation, where none was named
    least_turns: int = 100  # tokens: less of a conversation that was not named is not worth showing
    directives_share: float = 0.2  # those that no night has read yet
    reminders_share: float = 0.1
    recent_turns: int = 20
    least_hits: int = 30
    tokens_for_a_hit: int = 80  # how many more are looked for in a larger budget
    most_hits: int = 400
    noted_hits: int = 20  # those that count as recalled: the rest fills a large budget
    whole: float = 0.7  # of the room for memories: the best stand whole, those after it in their sentences that matter
    largest: float = 0.2  # of that room: what one memory may take
    always: int = 40  # tokens that one memory may take, however small the room: a sentence with its date and speaker


WEIGHTS = PackWeights()


def hits_for(budget: int, w: PackWeights = WEIGHTS) -> int:
    """How many hits a context of so many tokens looks for.

    >>> hits_for(500), hits_for(4_000)
    (36, 80)
    """
    return min(w.most_hits, w.least_hits + budget // w.tokens_for_a_hit)


@dataclass(frozen=True, slots=True)
class Item:
    """`heading` is said once, above all items that share it. `shorter` makes a text of at most so many tokens."""

    id: str
    text: str
    heading: str = ""
    rank: int = 0  # items are taken by rank, and shown in their order
    shorter: Callable[[int], str] | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the prompt. `share` bounds it to a part of the budget: what it leaves goes to those without a bound.

    `stable` sections change only at night and stand first, byte for byte the same, so that providers' prompt caches
    keep hitting. Past `whole` of its room, and above `largest` of it or `always` tokens, an item is shown in
    its shorter form.
    """

    name: str
    items: tuple[Item, ...]
    stable: bool = False
    share: float = 1.0
    whole: float = 1.0
    largest: float = 1.0
    always: int = 0

    @property
    def text(self) -> str:
        """Its items in order, each below its heading."""
        lines, heading = [], ""
        for item in self.items:
            if item.heading and item.heading != heading:
                lines.append(item.heading)
            heading = item.heading
            lines.append(item.text)
        return "\n".join(lines)


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
    """Fill the budget, sections with a bound first; an item that is too long makes room for a shorter one after it.

    >>> blocks = Section("blocks", (Item("human", "Anna, Hamburg"),), stable=True)
    >>> turns = Section("turns", (Item("t1", "hello " * 50), Item("t2", "and you?")))
    >>> packed = pack([turns, blocks], budget=20)
    >>> [section.name for section in packed.sections], [out.id for out in packed.left_out]
    (['blocks', 'turns'], ['t1'])
    """
    used, filled, left_out = 0, {}, []
    shown = _stable_first(sections)
    for section in sorted(shown, key=lambda section: section.share >= 1.0):
        room = min(budget - used, int(budget * section.share))
        filled[section.name], tokens, out = _fill(section, room, count)
        used += tokens
        left_out += out
    kept = [filled[section.name] for section in shown if filled[section.name].items]
    return Packed(tuple(kept), used, tuple(left_out))


def _stable_first(sections: Iterable[Section]) -> list[Section]:
    return sorted(sections, key=lambda section: not section.stable)  # a stable sort: order within stays


def _fill(section: Section, room: int, count: Callable[[str], int]) -> tuple[Section, int, list[LeftOut]]:
    """The section with the items that fit, what they take, and which do not fit."""
    chosen: dict[int, Item] = {}
    headings: set[str] = set()
    used, out = 0, []
    largest = max(section.always, int(section.largest * room))
    for place, item in sorted(enumerate(section.items), key=lambda numbered: numbered[1].rank):
        heading = count(item.heading) if item.heading and item.heading not in headings else 0
        left = room - used - heading
        past = used >= section.whole * room
        fitting, tokens = _fitting(item, left, past, largest, count)
        if fitting is None:
            why = f"{tokens} tokens, {max(0, left)} left for {section.name}"
            out.append(LeftOut(section.name, item.id, tokens, why))
            continue
        chosen[place] = fitting
        headings.add(item.heading)
        used += heading + tokens
    return replace(section, items=tuple(chosen[place] for place in sorted(chosen))), used, out


def _fitting(item: Item, left: int, past: bool, largest: int, count: Callable[[str], int]) -> tuple[Item | None, int]:
    """The item in the form that fits, and its tokens; None, and the tokens of the whole, if none does."""
    tokens = count(item.text)
    if item.shorter is None or (tokens <= min(left, largest) and not past):
        return (item if tokens <= left else None), tokens
    text = item.shorter(min(left, largest))
    size = count(text)
    if not text or size > left:
        return None, tokens
    return replace(item, text=text), size
