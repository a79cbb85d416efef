"""One block on its way to a new text: what it holds, what wants in, and the reasoner's draft, checked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from reverie.minds.reasoner import Reasoner
from reverie.model.base import Instant
from reverie.model.blocks import NEAR_LIMIT, Block
from reverie.model.memories import Memory
from reverie.model.thinking import BlockDraft, Sentence
from reverie.policy.core import lines as quotes
from reverie.policy.core import provisional
from reverie.policy.core.carrying import carries
from reverie.policy.core.provisional import is_provisional
from reverie.policy.core.rewriting import BlockLine, condensed_size, parted, restored, text_of, woven
from reverie.policy.recall.current import LEFT_OUT
from reverie.policy.safety.trust import unsupported


@dataclass(frozen=True)
class BlockRewrite:
    """All that decides a block's next text."""

    block: Block
    lines: Sequence[BlockLine]
    cited: Mapping[str, Memory]  # what its lines rest on
    lapsed: frozenset[str]  # those of them that no longer hold
    new: Sequence[Memory]  # promoted, or to stand provisionally, and not in it yet
    deferred: Sequence[Memory]  # appends that its limit kept out
    now: Instant
    elsewhere: Sequence[Memory] = ()  # what the lasting lines of other blocks rest on
    doubted: frozenset[str] = frozenset()  # what a later statement may overtake
    stored: Mapping[str, Memory] = field(default_factory=dict)  # the same memories with all their words
    reconsidered: bool = False  # a full night thinks about every block anew

    @property
    def needed(self) -> bool:
        written = any(not line.own for line in self.lines)
        return bool(
            self.new
            or self.deferred
            or self.leaving
            or self.shortened
            or (written and (self.crowded(self.lines) or self.reconsidered))
        )

    @cached_property
    def shortened(self) -> frozenset[str]:
        """What the block quotes in whole, though a part of it is overtaken."""
        shown = {line.text.strip() for line in self.lines if not line.own}
        cut = (m for m in self.cited.values() if LEFT_OUT in m.quote and m.id not in self.lapsed)
        return frozenset(m.id for m in cut if quotes.shown(m) not in shown)

    @cached_property
    def lasting(self) -> list[Memory]:
        """What is promoted: the newest on each matter."""
        here = [m for m in (*self.cited.values(), *self.new) if m.id not in self.lapsed and not is_provisional(m)]
        return quotes.newest_of_each(here)

    @cached_property
    def standing(self) -> list[Memory]:
        """What stands provisionally, in the room that is left for it."""
        candidates = [m for m in (*self.cited.values(), *self.new) if m.id not in self.lapsed and is_provisional(m)]
        fixed = [line for line in self.lines if not self._passing(line)]
        room = int(provisional.WEIGHTS.room * self.block.limit) - len(text_of(fixed))
        return provisional.chosen(candidates, [*self.lasting, *self.elsewhere], room, self.now, self.doubted)

    def _passing(self, line: BlockLine) -> bool:
        here = (self.cited[source] for source in line.sources if source in self.cited)
        return any(source in self.lapsed for source in line.sources) or any(map(is_provisional, here))

    @cached_property
    def leaving(self) -> frozenset[str]:
        """What the block rests on and will not: it ended, something newer is said on its matter, or it had its time."""
        stay = {memory.id for memory in (*self.lasting, *self.standing)}
        return frozenset(id for id in (*self.cited, *self.lapsed) if id not in stay)

    @property
    def let_go(self) -> list[Memory]:
        """What stands, or would have stood, provisionally, and has no room."""
        stay = {memory.id for memory in self.standing}
        left = (m for m in (*self.cited.values(), *self.new) if is_provisional(m) and m.id not in stay)
        return [self.stored.get(memory.id, memory) for memory in left]

    @property
    def outspoken(self) -> list[Memory]:
        """What was promoted though a newer line on its matter stands for it."""
        stay = {memory.id for memory in self.lasting}
        return [memory for memory in self.new if not is_provisional(memory) and memory.id not in stay]

    @cached_property
    def kept(self) -> list[BlockLine]:
        return parted(self.lines, self.leaving | self.shortened)[0]

    @cached_property
    def ended(self) -> list[BlockLine]:
        return parted(self.lines, self.leaving | self.shortened)[1]

    @cached_property
    def to_write(self) -> list[Memory]:
        """What has to be put into words: what is new, and what is left of sentences that ended in part."""
        new = [memory for memory in self.lasting if memory.id not in self.cited]
        left = (s for line in self.ended for s in line.sources if s not in self.leaving)
        return [*new, *(self.cited[s] for s in dict.fromkeys(left) if s in self.cited)]

    @cached_property
    def to_read(self) -> list[Memory]:
        """What the reasoner reads: with it, where the whole block is to be thought over, what the block rests on."""
        whole = self.reconsidered or self.full
        here = {memory.id for memory in self.to_write}
        return [*self.to_write, *(m for m in self.lasting if whole and m.id not in here and m.id in self.cited)]

    @cached_property
    def full(self) -> bool:
        """Whether it would be near its limit with all that wants in."""
        return self.crowded([*self.kept, *map(quote_line, self.to_write)])

    @cached_property
    def weight(self) -> dict[str, float]:
        return {memory.id: memory.priority for memory in (*self.cited.values(), *self.new)}

    @property
    def target(self) -> int:
        return condensed_size(self.block.limit)

    def weight_of(self, line: BlockLine) -> float:
        return max((self.weight.get(source, 0.0) for source in line.sources), default=1.0)

    def crowded(self, lines: Sequence[BlockLine]) -> bool:
        return len(text_of(lines)) >= NEAR_LIMIT * self.block.limit


def draft_lines(reasoner: Reasoner, rewrite: BlockRewrite) -> list[BlockLine]:
    """The block as it is to be: own lines untouched, what is lasting as the reasoner puts it, the rest as quotes."""
    passing = {memory.id for memory in rewrite.standing}
    lasting = [line for line in rewrite.kept if passing.isdisjoint(line.sources)]
    drafted = _drafted(reasoner, rewrite, lasting)
    return _ordered(woven(rewrite.kept, [*drafted, *map(quote_line, rewrite.standing)]), rewrite)


def _drafted(reasoner: Reasoner, rewrite: BlockRewrite, lasting: Sequence[BlockLine]) -> list[BlockLine]:
    """The lines of nights that last: nothing uncited, little let go."""
    if not rewrite.to_read:
        return [line for line in lasting if not line.own]
    room = sum(len(memory.text) + 2 for memory in rewrite.to_read)
    limit = rewrite.target if rewrite.full else rewrite.block.limit + room
    before = tuple(Sentence(line.text, line.sources, line.own) for line in lasting)
    told = [replace(memory, valid_until=None) for memory in rewrite.to_read]  # an end that has not come yet
    answer = reasoner.rethink(BlockDraft(rewrite.block.label, limit, before, rewrite.block.description), told)
    draft = [checked for sentence in answer.sentences if (checked := _checked(sentence, rewrite)) is not None]
    drafted = restored(lasting, _complete(draft, rewrite.to_write), rewrite.weight)
    return [line for line in drafted if not line.own]


def _checked(sentence: Sentence, rewrite: BlockRewrite) -> BlockLine | None:
    """None for a sentence that cites nothing it was given, or says what its sources do not."""
    if sentence.own:
        return None
    known = {memory.id: memory for memory in (*rewrite.cited.values(), *rewrite.to_read)}
    sources = tuple(source for source in sentence.sources if source in known and source not in rewrite.leaving)
    text = " ".join(sentence.text.split())
    if not sources or not text or unsupported(text, (known[source].text for source in sources)):
        return None
    stands = any(line.text == text for line in rewrite.lines)
    if not stands and not all(carries(known[source].quote or known[source].text, text) for source in sources):
        return None  # cited ids are not enough: what they say has to be in it
    return BlockLine(text, sources)


def _complete(draft: Sequence[BlockLine], to_write: Sequence[Memory]) -> list[BlockLine]:
    """The draft with a quote for every memory that the reasoner passed over."""
    carried = {source for line in draft for source in line.sources}
    return [*draft, *(quote_line(memory) for memory in to_write if memory.id not in carried)]


def _ordered(lines: Sequence[BlockLine], rewrite: BlockRewrite) -> list[BlockLine]:
    """Quotes in the order in which core is read; own lines and a model's sentences stay in their places."""
    known = {m.id: m for m in (*rewrite.cited.values(), *rewrite.new)}
    by_text = {quotes.shown(memory): memory for memory in known.values()}
    quoted = {i: by_text[line.text] for i, line in enumerate(lines) if not line.own and line.text in by_text}
    result = list(lines)
    for i, memory in zip(quoted, quotes.in_order(quoted.values()), strict=True):
        result[i] = quote_line(memory)
    return result


def quote_line(memory: Memory) -> BlockLine:
    """The memory's own words as a line that cites it."""
    return BlockLine(quotes.shown(memory), (memory.id,))
