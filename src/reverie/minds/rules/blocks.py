"""Core memory kept clean: what was promoted comes in as a dated quote, what is over leaves, own words stay."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from reverie.language.sentences import sentences
from reverie.language.words import stem, terms, tokens
from reverie.model.memories import Memory
from reverie.model.thinking import BlockDraft, Evidence, ProposedChange, Sentence, Verdict
from reverie.policy.core import lines

MOST_REMOVED = 0.25  # of a block's sentences: more than that is for a person to decide
LEAST_CITED = 0.5  # of a new sentence's words, in the evidence


def rethink(block: BlockDraft, memories: Sequence[Memory]) -> BlockDraft:
    """The block with what `memories` add, without what they retire, within its limit; the newest on each matter."""
    told = lines.newest_of_each(memory for memory in memories if holds(memory))
    gone = {memory.id for memory in memories} - {memory.id for memory in told}
    kept = [s for s in block.sentences if s.own or not s.sources or not gone.issuperset(s.sources)]
    carried = {source for sentence in kept for source in sentence.sources}
    fresh = [Sentence(lines.shown(m), (m.id,)) for m in lines.in_order(told) if m.id not in carried]
    weight = {memory.id: memory.importance for memory in memories}
    return replace(block, sentences=tuple(_fitted([*kept, *fresh], block.limit, weight)))


def holds(memory: Memory) -> bool:
    """Whether a fact may be told as true: not over, not stale, not set aside."""
    return not (memory.stale or memory.quarantined or memory.valid_until is not None)


def _fitted(all: Sequence[Sentence], limit: int, weight: Mapping[str, float]) -> Iterator[Sentence]:
    """What fits: own sentences first, then the most important; in their old order."""
    worth = [max((weight[s] for s in line.sources if s in weight), default=0.5) for line in all]
    order = sorted(range(len(all)), key=lambda i: (not all[i].own, -worth[i], i))
    used, chosen = 0, set()
    for i in order:
        size = len(all[i].text) + 1
        if all[i].own or used + size <= limit:
            chosen.add(i)
            used += size
    yield from (line for i, line in enumerate(all) if i in chosen)


def review(change: ProposedChange) -> Verdict:
    """A cautious second opinion: no large removal, nothing new without evidence, no orders smuggled in."""
    before, after = sentences(change.before), sentences(change.after)
    lost = [line for line in before if line not in after]
    if before and not after:
        return Verdict(False, "the change would empty the block")
    if before and len(lost) > MOST_REMOVED * len(before) and len(lost) > 1:
        return Verdict(False, f"removes {len(lost)} of {len(before)} sentences")
    for line in (line for line in after if line not in before):
        if _orders(line):
            return Verdict(False, f"reads like an instruction: {line}")
        if not _cited(line, change.evidence):
            return Verdict(False, f"no evidence for: {line}")
    return Verdict(True, f"{len(lost)} of {len(before)} sentences leave, what is new is cited")


def _cited(line: str, evidence: Sequence[Evidence]) -> bool:
    wanted = {t for t in terms(line) if t not in (stem("user"), stem("asked"))}
    known = {t for item in evidence for t in terms(item.text)}
    return bool(wanted) and len(wanted & known) >= LEAST_CITED * len(wanted)


def _orders(line: str) -> bool:
    words = tokens(line)
    telling = {"ignore", "disregard", "override", "bypass", "reveal", "jailbreak"}
    return bool(telling & set(words[:6])) or "system prompt" in line.casefold()
