"""One block on its way to a new text: what it holds, what wants in, and the reasoner's draft, checked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from reverie.minds.reasoner import Reasoner
from reverie.model.blocks import NEAR_LIMIT, Block
from reverie.model.memories import Memory
from reverie.model.thinking import BlockDraft, Sentence
from reverie.policy.core.rewriting import BlockLine, condensed_size, parted, restored, text_of, woven
from reverie.policy.safety.trust import unsupported


@dataclass(frozen=True)
class BlockRewrite:
    """All that decides a block's next text."""

    block: Block
    lines: Sequence[BlockLine]
    cited: Mapping[str, Memory]  # what its sentences rest on
    lapsed: frozenset[str]  # those of them that no longer hold
    new: Sequence[Memory]  # promoted, and not in it yet
    deferred: Sequence[Memory]  # appends that its limit kept out
    reconsidered: bool = False  # a full night thinks about every block anew

    @property
    def needed(self) -> bool:
        written = any(not line.own for line in self.lines)
        return bool(
            self.new or self.deferred or self.lapsed or (written and (self.crowded(self.lines) or self.reconsidered))
        )

    @cached_property
    def kept(self) -> list[BlockLine]:
        return parted(self.lines, self.lapsed)[0]

    @cached_property
    def ended(self) -> list[BlockLine]:
        return parted(self.lines, self.lapsed)[1]

    @cached_property
    def to_write(self) -> list[Memory]:
        """What has to be put into words: what is new, and what is left of sentences that ended in part."""
        left = (s for line in self.ended for s in line.sources if s not in self.lapsed)
        return [*self.new, *(self.cited[s] for s in dict.fromkeys(left) if s in self.cited)]

    @cached_property
    def to_read(self) -> list[Memory]:
        """What the reasoner reads: with it, where the whole block is to be thought over, what the block rests on."""
        whole = self.reconsidered or self.full
        rest = dict.fromkeys(s for line in self.kept for s in line.sources) if whole else {}
        here = {memory.id for memory in self.to_write}
        return [*self.to_write, *(self.cited[s] for s in rest if s in self.cited and s not in here)]

    @cached_property
    def full(self) -> bool:
        """Whether it would be near its limit with all that wants in."""
        return self.crowded([*self.kept, *map(plain_line, self.to_write)])

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
    """The block as the reasoner would have it: own lines untouched, nothing uncited, little let go."""
    if not rewrite.to_read:
        return rewrite.kept
    room = sum(len(memory.text) + 2 for memory in rewrite.to_read)
    limit = rewrite.target if rewrite.full else rewrite.block.limit + room
    before = tuple(Sentence(line.text, line.sources, line.own) for line in rewrite.kept)
    told = [replace(memory, valid_until=None) for memory in rewrite.to_read]  # an end that has not come yet
    answer = reasoner.rethink(BlockDraft(rewrite.block.label, limit, before, rewrite.block.description), told)
    draft = woven(rewrite.kept, [checked for s in answer.sentences if (checked := _checked(s, rewrite)) is not None])
    return restored(rewrite.kept, _complete(draft, rewrite.to_write), rewrite.weight)


def _checked(sentence: Sentence, rewrite: BlockRewrite) -> Sentence | None:
    """None for a sentence that cites nothing it was given, or says what its sources do not."""
    if sentence.own:
        return None
    known = {memory.id: memory for memory in (*rewrite.cited.values(), *rewrite.to_read)}
    sources = tuple(source for source in sentence.sources if source in known and source not in rewrite.lapsed)
    text = " ".join(sentence.text.split())
    if not sources or not text or unsupported(text, (known[source].text for source in sources)):
        return None
    return Sentence(text, sources)


def _complete(draft: Sequence[BlockLine], to_write: Sequence[Memory]) -> list[BlockLine]:
    """The draft with a plain sentence for every memory that the reasoner passed over."""
    carried = {source for line in draft for source in line.sources}
    return [*draft, *(plain_line(memory) for memory in to_write if memory.id not in carried)]


def plain_line(memory: Memory) -> BlockLine:
    """The memory's own text as a sentence that cites it."""
    return BlockLine(" ".join(memory.text.split()).rstrip(".") + ".", (memory.id,))
