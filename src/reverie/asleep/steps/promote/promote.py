"""Deep sleep begins: which memories have earned a place in core? Only what the awake side did counts as evidence.

A promoted memory is marked with the night (`marks["promoted"]`) and waits, as a chore, for `rethink` to write it.
The mark stays: a line that a person takes out of a block does not come back by itself. What the user has just said of
who they are and what they are doing is marked `provisional` and waits as well: it stands in core before any evidence.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from reverie.asleep.shared.doubts import doubted
from reverie.asleep.step import Minds
from reverie.asleep.steps.promote.evidence import JudgedMemory, PromotionJudge
from reverie.model.base import Instant
from reverie.model.changes import Changes, Revision
from reverie.model.memories import Memory
from reverie.model.night import Night
from reverie.model.turns import is_turn
from reverie.policy.core.needed import NEWS
from reverie.policy.core.promotion import fallen, nearest_misses
from reverie.policy.core.provisional import LABEL, PROMOTED, PROVISIONAL, is_provisional, may_enter, may_follow
from reverie.policy.recall.search_keys import memory_id
from reverie.store.reader import Reader
from reverie.store.reading import core, facts, log, memories, work
from reverie.store.tables.chores import CORE

MOST = 500  # candidates a night, those with the most evidence first
TRUE_ENOUGH = 0.6  # from which REM calls something a candidate truth
SHOWN = 60  # characters of a near miss in the night's report


def promote(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
    """All in one batch: many are judged, few are written."""
    candidates = _candidates(night, reader)
    judged = PromotionJudge(reader, reader.space, night.now).judge(candidates)
    passed = [one for one in judged if one.verdict.promoted]
    fresh = _provisional(night, reader, minds, {one.memory.id for one in passed})
    return Changes(
        revisions=(
            *(_marked(memory, PROMOTED, night) for memory in (one.memory for one in passed)),
            *(_marked(memory, PROVISIONAL, night) for memory in fresh),
        ),
        chores=(
            *((one.memory.id, CORE, _urgency(one)) for one in passed),
            *((memory.id, CORE, 0.5 * memory.importance) for memory in fresh),
        ),
        counts={
            "considered": len(judged),
            "provisional": len(fresh),
            "candidate_truths": sum(one.verdict.truth >= TRUE_ENOUGH for one in judged),
            "promoted": len(passed),
            "by_request": sum(one.verdict.fast_lane for one in passed),
            **{_count_name(gate): n for gate, n in fallen(one.verdict for one in judged).items()},
        },
        notes=() if passed or night.kind == "nap" else tuple(_explained(judged)),
    )


def _count_name(gate: str) -> str:
    """
    >>> _count_name("distinct days"), _count_name("refused")
    ('short_of_distinct_days', 'refused')
    """
    return gate if gate == "refused" else f"short_of_{gate.replace(' ', '_')}"


def _candidates(night: Night, reader: Reader) -> list[Memory]:
    """What has new evidence. Without any since the last night, nothing can have come to pass a gate."""
    since = night.settings.get("since", 0.0)
    ids = [*core.requested(reader, MOST, only_news=night.kind == "nap"), *core.successors(reader, since, MOST)]
    if night.kind == "night":
        ids += [*_recalled(night, reader, since), *core.said_again(reader, since, MOST)]
    held_back = work.suppressed(reader)
    found = memories.by_ids(reader, [*ids, *_facts_of(reader, ids)]).values()
    free = (m for m in found if m.id not in held_back and held_back.isdisjoint(m.sources))
    waiting = [m for m in free if PROMOTED not in m.marks and m.block is None]
    taken_out = _taken_out(reader, waiting)
    return sorted((m for m in waiting if m.id not in taken_out), key=lambda memory: memory.id)


def _taken_out(reader: Reader, found: Sequence[Memory]) -> set[str]:
    """Those that a night has put into core, and a person out of it."""
    put_in = [memory.id for memory in found if is_provisional(memory)]
    return set(put_in) - core.with_a_place(reader, put_in) - set(work.chores(reader, CORE, MOST))


def _provisional(night: Night, reader: Reader, minds: Minds, passed: Collection[str]) -> list[Memory]:
    """This night's facts that stand in core from now on, until the evidence is there or they have had their time."""
    if not any(b.label == LABEL and not b.read_only and not b.protected for b in core.blocks(reader)):
        return []
    held_back = work.suppressed(reader)
    made = memories.by_ids(reader, core.made_tonight(reader, MOST))
    found = facts.in_force(reader, made.values())  # what was said earlier and has changed since never enters
    sound = [m for m in found if m.id not in held_back and held_back.isdisjoint(m.sources) and m.id not in passed]
    free = _with_news(reader, sound)
    following = [m for m in free if may_follow(m, night.now)]
    in_place = {later.id for _, later in doubted(minds, _standing(reader), following)}  # of a line that they overtake
    entering = (m for m in free if may_enter(m, night.now) or m.id in in_place)
    whole = (_as_made(m, made[m.id]) for m in entering)  # `in_force` may have left words out
    return sorted(whole, key=lambda memory: memory.id)


def _as_made(marked: Memory, made: Memory) -> Memory:
    """A memory with all its words, marked as news where it is."""
    return replace(made, marks={**made.marks, NEWS: marked.marks[NEWS]}) if NEWS in marked.marks else made


def _with_news(reader: Reader, found: Sequence[Memory]) -> list[Memory]:
    """The same, each marked with how surely it, or the turn that it stands in, overtakes an earlier statement."""
    of = {m.id: (m.id, *(source for source in m.sources if not is_turn(source))) for m in found}
    surest: dict[str, float] = {}
    for edge in memories.updates_by(reader, {id for ids in of.values() for id in ids}):
        surest[edge.a] = max(surest.get(edge.a, 0.0), edge.weight)
    news = {id: max((surest.get(one, 0.0) for one in ids), default=0.0) for id, ids in of.items()}
    return [replace(m, marks={**m.marks, NEWS: news[m.id]}) if news[m.id] else m for m in found]


def _standing(reader: Reader) -> list[Memory]:
    """What the lines of core without evidence rest on."""
    ids = (id for block in core.blocks(reader) for of in core.sentence_sources(reader, block.id).values() for id in of)
    return [memory for memory in memories.by_ids(reader, ids).values() if is_provisional(memory)]


def _recalled(night: Night, reader: Reader, since: Instant) -> list[str]:
    return [memory_id(night.space, ref) for ref in log.most_recalled(reader, since, MOST)]


def _facts_of(reader: Reader, ids: Iterable[str]) -> list[str]:
    """Recalling a turn, or asking for it to be remembered, speaks for the facts that were drawn from it."""
    return [memory.id for made in memories.made_of_each(reader, ids, "fact").values() for memory in made]


def _marked(memory: Memory, mark: str, night: Night) -> Revision:
    return Revision(memory.id, memory.version, {"marks": {**memory.marks, mark: night.id}})


def _urgency(one: JudgedMemory) -> float:
    return 1.0 if one.verdict.fast_lane else one.verdict.signals.score


def _explained(judged: Sequence[JudgedMemory]) -> Iterable[str]:
    """Why nothing was promoted: how many fell at each gate, and who came closest with what they lack."""
    if not judged:
        yield "Nothing promoted: nothing was recalled, said again or asked for since the last night."
        return
    verdicts = [one.verdict for one in judged]
    fell = ", ".join(f"{n} at {gate}" for gate, n in sorted(fallen(verdicts).items(), key=lambda item: -item[1]))
    yield f"Nothing promoted: {len(judged)} considered; fell: {fell or 'none'}."
    texts = {one.memory.id: one.memory.text for one in judged}
    for miss in nearest_misses(verdicts):
        yield f"Nearest: {texts[miss.memory][:SHOWN]!r} ({miss.memory}) lacks {'; '.join(miss.lacks)}."
