"""The user's standing directives go to the block `directives` in their own words, by the next nap.

They need no recalls and no gate but one: the user said it (`may_reach_core`). What a person takes out of the block does
not come back by itself; what has no room stays listed by `Space.directives()`.
"""

from collections.abc import Sequence
from dataclasses import replace

from reverie.asleep.step import Minds
from reverie.asleep.steps.rethink.rethink import proposal
from reverie.model.base import derived_id
from reverie.model.blocks import DIRECTIVES, Block
from reverie.model.changes import BlockChange, Changes, Revision
from reverie.model.memories import Memory
from reverie.model.night import Night
from reverie.policy.core.directives import OVERTAKEN, Arranged, arranged, changed_by, in_force, may_stand
from reverie.policy.core.provisional import PROMOTED
from reverie.policy.core.rewriting import BlockLine, lines_of
from reverie.policy.safety.trust import may_reach_core
from reverie.store.reader import Reader
from reverie.store.reading import core, memories, work
from reverie.store.reading.vectors import by_refs

MOST = 1_000  # directives of a space that are looked at, the newest first


def directives(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
    block = next((block for block in core.blocks(reader) if block.label == DIRECTIVES and not block.session), None)
    if block is not None and block.read_only:
        return Changes()
    lines = lines_of(block.value, core.sentence_sources(reader, block.id)) if block else []
    cited = {source for line in lines for source in line.sources}
    sound = in_force(_compared(reader, minds, _sound(night, reader)))
    standing = [memory for memory in sound if memory.id in cited or PROMOTED not in memory.marks]
    made = arranged([line for line in lines if line.own], standing, _limit(block))
    if made.text == text_before(block):
        return Changes(counts={"directives": len(standing)})
    return _written(night, block, lines, made, standing)


def _limit(block: Block | None) -> int:
    return block.limit if block else Block(id="", org="", label=DIRECTIVES, value="").limit


def text_before(block: Block | None) -> str:
    return block.value.strip("\n") if block else ""


def _sound(night: Night, reader: Reader) -> list[Memory]:
    """What may stand in the block: said by the user, still true, and taken back by no undo."""
    held_back = work.suppressed(reader)
    return [
        memory
        for memory in core.directives(reader, MOST)
        if may_stand(memory, night.now)
        and may_reach_core(memory.trust, [memory.origin])
        and memory.id not in held_back
        and held_back.isdisjoint(memory.sources)
    ]


def _compared(reader: Reader, minds: Minds, sound: Sequence[Memory]) -> list[Memory]:
    """The same, each marked with the later one that changes it in other words, if one does; without those that what the
    user said later ends by itself."""
    marked = {memory.id: memory for memory in sound}
    for edge in memories.updates(reader, list(marked)):  # the latest first
        older = marked.get(edge.b)
        if older is not None and edge.a in marked:
            marked[older.id] = replace(older, marks={OVERTAKEN: edge.a, **older.marks})
        elif older is not None:
            del marked[older.id]
    vectors = by_refs(reader, marked, minds.embedder.id)
    known = sorted((one for one in marked.values() if one.id in vectors), key=lambda one: (one.dated, one.id))
    for place, newer in enumerate(known):
        older_ones = [one for one in known[:place] if not one.marks.get("negated") and one.dated < newer.dated]
        compared = older_ones if minds.overtaking is None else []  # else `contradict` has read the two of them
        near = [float(vectors[one.id][0] @ vectors[newer.id][0]) for one in compared]
        if (found := changed_by(newer, older_ones, near)) is not None:
            marked[found.id] = replace(found, marks={**found.marks, OVERTAKEN: newer.id})
    return list(marked.values())


def _written(
    night: Night, block: Block | None, lines: Sequence[BlockLine], made: Arranged, standing: Sequence[Memory]
) -> Changes:
    """The block's new text, or a review of it where a person protects the block or another space owns it."""
    evidence = [source for line in made.lines for source in line.sources]
    if block is not None and (block.protected or block.owner not in (None, night.space)):
        why = f"{block.label} is protected" if block.protected else f"{block.label} belongs to another space"
        return Changes(reviews=(proposal(night, block, made.text, why, evidence),), counts={"reviews": 1})
    change = BlockChange(
        block=block.id if block else derived_id("block", night.space, DIRECTIVES),
        version=block.version if block else 1,
        value=made.text,
        reason="the user's directives",
        sentences={line.text: line.sources for line in made.lines if not line.own},
        label="" if block else DIRECTIVES,
    )
    left = {memory.id for memory in made.left_out}
    new = sum(line not in lines for line in made.lines)
    return Changes(
        blocks=(change,),
        revisions=tuple(_marked(night, memory, memory.id not in left) for memory in standing),
        counts={"directives": len(standing), "sentences": new, "without_room": len(left), "blocks": 1},
    )


def _marked(night: Night, memory: Memory, written: bool) -> Revision:
    """It is known to have stood in the block, or, where it had no room, not to."""
    rest = {name: value for name, value in memory.marks.items() if name != PROMOTED}
    return Revision(memory.id, memory.version, {"marks": {**rest, PROMOTED: night.id} if written else rest})
