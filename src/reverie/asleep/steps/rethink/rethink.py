"""Deep sleep rewrites core memory, a block a batch: what was promoted comes in, what has ended goes out.

Lines are dated quotes. Those that stand provisionally in `learned_context` (`policy/core/provisional`) make way for
newer and weightier ones; a line that leaves so is no loss that a person would have to look at. A person's
own lines are never reworded. What a night may not decide alone (protected blocks, another space's, a large removal)
becomes a review with its diff and its evidence. What waits for core waits as a chore until a block or a review
holds it, so that a person who edits the block at the same moment loses nothing, and neither does the memory.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from reverie.asleep.shared.doubts import doubted
from reverie.asleep.shared.items import Attempts
from reverie.asleep.shared.recall import as_evidence
from reverie.asleep.step import Minds
from reverie.asleep.steps.promote.evidence import Provenance
from reverie.asleep.steps.rethink.draft import BlockRewrite, draft_lines
from reverie.language.words import content_hash
from reverie.model.base import Instant, Trust, derived_id
from reverie.model.blocks import DIRECTIVES, Block, Review
from reverie.model.changes import BlockChange, Changes, Revision
from reverie.model.memories import Memory
from reverie.model.night import Night
from reverie.model.thinking import ProposedChange
from reverie.policy.core.lines import bears_on_dose
from reverie.policy.core.placing import block_for
from reverie.policy.core.provisional import PROMOTED, PROVISIONAL, is_provisional
from reverie.policy.core.rewriting import (
    BlockLine,
    compared,
    condensed,
    lines_of,
    needs_review,
    text_of,
    unified,
    with_line,
)
from reverie.policy.safety.trust import may_reach_core
from reverie.policy.truth.statements import is_over
from reverie.store.reader import Reader
from reverie.store.reading import core, facts, memories, work
from reverie.store.tables.chores import CORE

STEP = "rethink"
MOST = 200  # promoted memories that one night writes


def rethink(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
    waiting, aside = _waiting(night, reader), work.set_aside(reader, STEP)
    for block in core.blocks(reader):
        if block.id > (cursor or "") and block.id not in aside:
            rewrite = waiting.rewrite_of(block, night, reader, minds)
            if rewrite is not None:
                return replace(_attempt(night, minds, rewrite), cursor=block.id)
            if (offer := waiting.offer_for(block, night, reader)) is not None:
                return Changes(reviews=(offer,), counts={"reviews": 1}, cursor=block.id)
    return _settled(reader)


def rethink_again(night: Night, reader: Reader, minds: Minds, items: Sequence[str]) -> Changes:
    """What waits for a block is found by itself; here, one a batch, those that a full night could not think over."""
    block = next((block for block in core.blocks(reader) if block.id in items), None)
    rewrite = None if block is None else _waiting(night, reader).rewrite_of(block, night, reader, minds, anew=True)
    return Changes(tried=tuple(items)) if rewrite is None else _attempt(night, minds, rewrite)


def _attempt(night: Night, minds: Minds, rewrite: BlockRewrite) -> Changes:
    attempts, changes = Attempts(), Changes()
    with attempts.item(rewrite.block.id):
        changes = _rewritten(night, minds, rewrite)
    told = tuple((memory.id, CORE) for memory in rewrite.outspoken)
    return replace(changes, tried=attempts.tried, failed=attempts.failed, done_chores=told)


@dataclass(frozen=True, slots=True)
class WaitingForCore:
    """Everything that wants to enter core."""

    by_label: dict[str, list[Memory]] = field(default_factory=dict)
    deferred: dict[str, list[Memory]] = field(default_factory=dict)  # a person's
    offered: dict[str, list[Memory]] = field(default_factory=dict)  # an agent's: no night writes those by itself

    def has_left(self, memory: Memory, block: Block, night: Night) -> bool:
        """Whether it no longer holds, or has just been promoted into another block."""
        promoted = any(m.id == memory.id for label, ms in self.by_label.items() if label != block.label for m in ms)
        return promoted or _lapsed(memory, night.now)

    def rewrite_of(
        self, block: Block, night: Night, reader: Reader, minds: Minds, *, anew: bool = False
    ) -> BlockRewrite | None:
        """What there is to do for one block; None if nothing is, or if nobody but its owner may."""
        if block.read_only or block.label == DIRECTIVES:  # that one has a step of its own
            return None
        lines = lines_of(block.value, core.sentence_sources(reader, block.id))
        cited = memories.by_ids(reader, (source for line in lines for source in line.sources))
        current = {memory.id: memory for memory in facts.in_force(reader, list(cited.values()))}
        cited |= current
        over = {s for line in lines for s in line.sources if s not in current or self.has_left(cited[s], block, night)}
        refused, proposed = _reviewed(block, reader)
        deferred = [m for m in self.deferred.get(block.label, ()) if m.id not in refused]
        again = [m for m in memories.by_ids(reader, proposed).values() if m.block is None and not _lapsed(m, night.now)]
        entering = facts.in_force(reader, [*again, *self.by_label.get(block.label, ())])
        new = {m.id: m for m in entering if m.id not in refused | cited.keys()}
        if proposed and proposed >= {*new, *over, *(m.id for m in deferred)}:
            return None  # all of it waits for a person
        over |= _overtaken(reader, minds, [*cited.values(), *new.values()])
        rewrite = BlockRewrite(
            block,
            lines,
            cited,
            frozenset(over - refused),
            list(new.values()),
            deferred,
            night.now,
            self.lasting_elsewhere(block, reader),
            _hinted(reader, {**cited, **new}),
            memories.by_ids(reader, [*cited, *new]),
            reconsidered=anew or bool(night.settings.get("full")),
        )
        return rewrite if rewrite.needed else None

    def offer_for(self, block: Block, night: Night, reader: Reader) -> Review | None:
        """The block with an agent's lines that had found no room and now do; a person decides. One review at a time."""
        refused, proposed = _reviewed(block, reader)
        waiting = [memory for memory in self.offered.get(block.label, ()) if memory.id not in refused]
        if block.read_only or proposed or not waiting:
            return None
        value, taken = block.value, list[str]()
        for memory in waiting:
            longer = with_line(value, memory.text.strip())
            if len(longer) <= block.limit:
                value, taken = longer, [*taken, memory.id]
        why = "an agent's own lines, for which there was no room when it wrote them"
        return proposal(night, block, value, why, taken) if taken else None

    def lasting_elsewhere(self, block: Block, reader: Reader) -> list[Memory]:
        """What was promoted and stands, or is about to stand, in other blocks."""
        waiting = [memory for label, found in self.by_label.items() if label != block.label for memory in found]
        cited = memories.by_ids(reader, core.cited_elsewhere(reader, block.id)).values()
        return [memory for memory in (*waiting, *cited) if not is_provisional(memory)]


def _overtaken(reader: Reader, minds: Minds, found: Sequence[Memory]) -> set[str]:
    """Lines without evidence that something said tonight may have overtaken."""
    passing = [memory for memory in found if is_provisional(memory)]
    made = memories.by_ids(reader, core.made_tonight(reader, MOST)).values() if passing else ()
    tonight = [memory for memory in made if memory.trust >= Trust.USER]
    return {line.id for line, _ in doubted(minds, passing, tonight)}


def _hinted(reader: Reader, known: Mapping[str, Memory]) -> frozenset[str]:
    """What a later statement may overtake; of a dose only one that names the medicine."""
    edges = memories.hints(reader, known)
    later = memories.by_ids(reader, (edge.a for edge in edges))
    return frozenset(edge.b for edge in edges if edge.a in later and bears_on_dose(known[edge.b], later[edge.a]))


def _reviewed(block: Block, reader: Reader) -> tuple[set[str], set[str]]:
    """What a person did not want in this block, and what has been proposed for it as it stands."""
    reviews = core.reviews_of(reader, block.id)
    refused = {id for review in reviews if review.status == "rejected" for id in review.evidence}
    waiting = (r for r in reviews if r.status == "open" and r.base_version == block.version)
    return refused, {id for review in waiting for id in review.evidence}


def _lapsed(memory: Memory, now: Instant) -> bool:
    """Nothing for core: stale, set aside, ended, or a plan whose day has passed."""
    return memory.stale or memory.quarantined or is_over(memory, now)


def _waiting(night: Night, reader: Reader) -> WaitingForCore:
    held_back = work.suppressed(reader)
    labels = [block.label for block in core.blocks(reader) if not block.read_only and not block.protected]
    waiting = WaitingForCore()
    queued = memories.by_ids(reader, work.chores(reader, CORE, MOST)).values()
    wanting = [memory for memory in queued if _waits(memory, night.now) and memory.id not in held_back]
    provenance = Provenance.of(reader, reader.space, wanting)
    for memory in wanting:
        label = block_for(memory, labels)
        if label is not None and _reaches(memory, provenance):
            waiting.by_label.setdefault(label, []).append(memory)
    for memory in core.deferred_appends(reader):
        sound = memory.id not in held_back and held_back.isdisjoint(memory.sources)
        if not sound:
            continue
        if may_reach_core(memory.trust, [memory.origin]):
            waiting.deferred.setdefault(memory.block or "", []).append(memory)
        elif may_reach_core(memory.trust, [memory.origin], edits=True):
            waiting.offered.setdefault(memory.block or "", []).append(memory)
    return waiting


def _reaches(memory: Memory, provenance: Provenance) -> bool:
    """Asked once more where it is written: a mark alone opens no block."""
    return bool(may_reach_core(memory.trust, provenance.origins(memory), memory.corroborations > 0))


def _waits(memory: Memory, now: Instant) -> bool:
    """Whether it still wants into core: what there was no room for has lost its mark."""
    return not _lapsed(memory, now) and (PROMOTED in memory.marks or PROVISIONAL in memory.marks)


def _settled(reader: Reader) -> Changes:
    """Chores are done once a block or a review holds the memory, or once there is nothing to hold."""
    queued = work.chores(reader, CORE, MOST)
    known = memories.by_ids(reader, queued)
    held = core.with_a_place(reader, queued)
    done = [id for id in queued if id in held or id not in known or not _waits(known[id], reader.night.now)]
    return Changes(done_chores=tuple((id, CORE) for id in done), counts={"waiting": len(queued) - len(done)})


def _rewritten(night: Night, minds: Minds, rewrite: BlockRewrite) -> Changes:
    block = rewrite.block
    draft = draft_lines(minds.reasoner, rewrite)
    lines, merged = _fitted(rewrite, draft)
    value = text_of(lines)
    gone = tuple(_unmarked(memory) for memory in rewrite.let_go)
    if value == block.value.strip("\n") and not merged:
        return _full(night, minds, rewrite) if rewrite.deferred else Changes(revisions=gone)
    why = _why_review(night, rewrite, lines)
    counts = {"superseded": len(rewrite.ended), "sentences": sum(line not in rewrite.lines for line in lines)}
    evidence = _evidence(rewrite, lines, merged)
    if why is None:
        counts |= {"blocks": 1, "merged": len(merged)}
        return Changes(blocks=(_change(rewrite, lines, merged),), revisions=gone, counts=counts)
    review = proposal(night, block, value, why, [memory.id for memory in evidence])
    if not (block.protected and minds.second_opinion):
        return Changes(reviews=(review,), counts={"reviews": 1})
    verdict = minds.reasoner.review(ProposedChange(block.label, block.value, value, tuple(as_evidence(evidence))))
    if not verdict.approve:
        return Changes(reviews=(replace(review, why=f"{why}; the reviewer: {verdict.why}"),), counts={"reviews": 1})
    passed = replace(review, status="approved", decided_at=night.now, decided_by="reviewer", why=verdict.why)
    change = replace(_change(rewrite, lines, merged), review=passed.id)
    return Changes(blocks=(change,), reviews=(passed,), counts={**counts, "blocks": 1, "approved": 1})


def _unmarked(memory: Memory) -> Revision:
    """What leaves core for want of room or use is an ordinary fact again; it may still be promoted."""
    kept = {name: value for name, value in memory.marks.items() if name != PROVISIONAL}
    return Revision(memory.id, memory.version, {"marks": kept})


def _fitted(rewrite: BlockRewrite, draft: Sequence[BlockLine]) -> tuple[list[BlockLine], list[Memory]]:
    """The draft and the deferred appends, as far as the limit allows; what does not fit waits for another night."""
    lines = list(draft)
    if rewrite.crowded(lines):
        lines = condensed(lines, rewrite.weight, rewrite.target)
    new = sorted((line for line in lines if line not in rewrite.lines), key=lambda line: rewrite.weight_of(line))
    while new and len(text_of(lines)) > rewrite.block.limit:
        lines.remove(new.pop(0))
    merged: list[Memory] = []
    for memory in rewrite.deferred:
        longer = [*lines, BlockLine(memory.text.strip())]
        if len(text_of(longer)) <= rewrite.block.limit:
            lines = longer
            merged.append(memory)
    return lines, merged


def _full(night: Night, minds: Minds, rewrite: BlockRewrite) -> Changes:
    """A block full of a person's own words: a night does not shorten those, it proposes how one could."""
    own = "\n".join(line.text for line in rewrite.lines)
    shorter = minds.reasoner.summary(own, max(1, int(0.6 * len(rewrite.lines))))
    value = "\n".join([shorter, *(memory.text.strip() for memory in rewrite.deferred)])
    if len(value) > rewrite.block.limit or not shorter.strip():
        return Changes(counts={"full": 1})
    why = "the block is full of a person's own words; this is how it could be condensed for what waits"
    review = proposal(night, rewrite.block, value, why, [memory.id for memory in rewrite.deferred])
    return Changes(reviews=(review,), counts={"reviews": 1})


def _why_review(night: Night, rewrite: BlockRewrite, lines: Sequence[BlockLine]) -> str | None:
    block = rewrite.block
    if block.protected:
        return f"{block.label} is protected"
    if block.owner not in (None, night.space):
        return f"{block.label} belongs to another space"
    return needs_review(compared(rewrite.lines, lines, rewrite.ended), text_of(lines))


def _change(rewrite: BlockRewrite, lines: Sequence[BlockLine], merged: Sequence[Memory]) -> BlockChange:
    new = [line for line in lines if line not in rewrite.lines and not line.own]
    parts = [
        f"{len(new)} lines in" if new else "",
        f"{len(rewrite.ended)} out" if rewrite.ended else "",
        f"{len(merged)} deferred merged" if merged else "",
    ]
    return BlockChange(
        block=rewrite.block.id,
        version=rewrite.block.version,
        value=text_of(lines),
        reason=", ".join(part for part in parts if part) or "condensed",
        sentences={line.text: line.sources for line in lines if not line.own},
        merged=tuple(memory.id for memory in merged),
    )


def _evidence(rewrite: BlockRewrite, lines: Iterable[BlockLine], merged: Sequence[Memory]) -> list[Memory]:
    """What a reviewer needs to see: what the new lines rest on, and what has ended."""
    fresh = (source for line in lines if line not in rewrite.lines for source in line.sources)
    ended = (source for line in rewrite.ended for source in line.sources)
    known = {**rewrite.cited, **{memory.id: memory for memory in (*rewrite.new, *merged)}}
    return [known[id] for id in dict.fromkeys((*fresh, *ended, *(memory.id for memory in merged))) if id in known]


def proposal(night: Night, block: Block, value: str, why: str, evidence: Sequence[str]) -> Review:
    return Review(
        id=derived_id("review", night.space, block.id, content_hash(value)),
        space=night.space,
        kind="block",
        target=block.id,
        label=block.label,
        proposal=value,
        diff=unified(block.value, value),
        why=why,
        evidence=tuple(evidence),
        status="open",
        base_version=block.version,
        created_at=night.now,
        night=night.id,
    )
