"""REM looks for facts that cannot both hold. Better an open record than a wrong retirement."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reverie.asleep.shared.items import Trying
from reverie.asleep.step import BATCH, Minds
from reverie.minds.rules.clash import rivals
from reverie.model.base import derived_id
from reverie.model.changes import Changes, Revision
from reverie.model.memories import Contradiction, Edge, Memory, Relation
from reverie.model.night import Night
from reverie.model.thinking import Clash
from reverie.policy.care.decay import gone_stale
from reverie.policy.truth.contradiction import Resolution, came_back, in_order, resolve, worth_asking
from reverie.policy.truth.statements import is_over, over_since
from reverie.store.reader import Reader
from reverie.store.tables.chores import COMPARE as LATER

STEP = "contradict"
MOST_RIVALS = 50
ASKED_FOR_ONE = 5  # questions to the reasoner for each contradiction that a night may record


@dataclass
class Trial:
    """What one batch finds. Facts are kept as they will be, so that a chain of moves ends each home once."""

    night: Night
    room: int
    facts: dict[str, Memory] = field(default_factory=dict)
    records: list[Contradiction] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    moved: dict[str, dict[str, Any]] = field(default_factory=dict)  # memory -> its new fields
    asked: int = 0
    trying: Trying = field(default_factory=Trying)
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def full(self) -> bool:
        decided = sum(record.kind != "extends" for record in self.records)
        return decided >= self.room or self.asked >= ASKED_FOR_ONE * self.room

    def as_known(self, fact: Memory) -> Memory:
        return self.facts.setdefault(fact.id, fact)

    def revise(self, memory: Memory, **changed: Any) -> None:
        self.facts[memory.id] = replace(self.as_known(memory), **changed)
        self.moved.setdefault(memory.id, {}).update(changed)

    def count(self, what: str) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1


def contradict(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
    batch, rest = reader.news(("fact",), cursor=cursor, limit=BATCH)
    waiting = reader.chores(LATER, BATCH) if cursor is None else []
    here = {fact.id for fact in batch}
    earlier = [fact for fact in reader.memories(waiting).values() if fact.id not in here and not fact.stale]
    found = _tried(night, reader, minds, [*earlier, *batch])
    left = {id for id, _, _ in found.chores}
    return replace(found, done_chores=tuple((id, LATER) for id in waiting if id not in left), cursor=rest)


def contradict_again(night: Night, reader: Reader, minds: Minds, items: Sequence[str]) -> Changes:
    facts = [fact for fact in reader.memories(items).values() if not fact.stale and not fact.quarantined]
    found = _tried(night, reader, minds, facts)
    left = {id for id, _, _ in found.chores}
    return replace(found, tried=tuple(id for id in items if id not in left))


def _tried(night: Night, reader: Reader, minds: Minds, facts: Sequence[Memory]) -> Changes:
    trial = Trial(night, reader.sleeping().cap(STEP) - reader.recorded())
    aside = reader.aside(STEP)
    left = _examine(reader, minds, trial, [fact for fact in facts if fact.id not in aside])
    _consequences(reader, trial)
    return Changes(
        revisions=tuple(Revision(id, trial.facts[id].version, changed) for id, changed in trial.moved.items()),
        contradictions=tuple(trial.records),
        edges=tuple(trial.edges),
        chores=tuple((fact.id, LATER, fact.importance) for fact in left),
        tried=trial.trying.tried,
        failed=trial.trying.failed,
        counts={"considered": len(facts), "asked": trial.asked, **trial.counts, "left": len(left)},
    )


def _examine(reader: Reader, minds: Minds, trial: Trial, facts: Sequence[Memory]) -> list[Memory]:
    """Each new fact against those it may clash with; answers the facts that there was no room for."""
    known = {frozenset((r.older, r.newer)) for r in reader.contradictions(fact.id for fact in facts)}
    for place, fact in enumerate(facts):
        if trial.full:
            return list(facts[place:])
        with trial.trying.item(fact.id):
            _compare(reader, minds, trial, fact, known)
    return []


def _compare(reader: Reader, minds: Minds, trial: Trial, fact: Memory, known: set[frozenset[str]]) -> None:
    stated = _stated(reader, fact)
    for other in stated:
        pair = frozenset((fact.id, other.id))
        if pair not in known and not trial.full and worth_asking(*in_order(fact, other)):
            known.add(pair)
            _judge(minds, trial, *in_order(trial.as_known(fact), trial.as_known(other)), [fact, *stated])


def _stated(reader: Reader, fact: Memory) -> list[Memory]:
    """What else is said of the same subject that it may clash with."""
    if not fact.subject or not fact.predicate or not fact.value:
        return []
    found = reader.stating(fact.subject, sorted(rivals(fact.predicate)), limit=MOST_RIVALS)
    return [other for other in found if other.id != fact.id]


def _judge(minds: Minds, trial: Trial, older: Memory, newer: Memory, stated: Sequence[Memory]) -> None:
    if is_over(older, newer.dated) or (newer.valid_until is not None and newer.valid_until <= trial.night.now):
        return  # what has ended contradicts nothing
    trial.asked += 1
    clash = minds.reasoner.clash(older, newer)
    if clash.kind == "conflict" and came_back(older, newer, stated):
        clash = Clash("update", f"left and come back to: {older.value} -> {newer.value}", 0.8)
    verdict = resolve(older, newer, clash)
    if verdict.status == "none" or clash.kind == "none":
        return
    trial.count(_outcome(verdict))
    trial.records.append(_record(trial.night, older, newer, clash, verdict))
    trial.edges.append(_edge(trial.night, older, newer, clash, verdict))
    if verdict.loser is not None:
        loser = older if verdict.loser == older.id else newer
        trial.revise(loser, valid_until=verdict.valid_until)


def _outcome(verdict: Resolution) -> str:
    if verdict.status == "open":
        return "open"
    return "extends" if verdict.loser is None else "retired"


def _record(night: Night, older: Memory, newer: Memory, clash: Clash, verdict: Resolution) -> Contradiction:
    decided = verdict.status == "auto"
    return Contradiction(
        id=derived_id("con", night.space, older.id, newer.id),
        space=night.space,
        older=older.id,
        newer=newer.id,
        kind="conflict" if clash.kind == "none" else clash.kind,
        status="auto" if decided else "open",
        winner=verdict.winner,
        evidence=verdict.why,
        resolved_by="night" if decided else None,
        created_at=night.now,
        resolved_at=night.now if decided else None,
        night=night.id,
    )


def _edge(night: Night, older: Memory, newer: Memory, clash: Clash, verdict: Resolution) -> Edge:
    if verdict.loser is not None and verdict.winner is not None:
        return Edge(night.space, verdict.winner, verdict.loser, "supersedes", 1.0, night.now, night.id, verdict.why)
    relation: Relation = "supports" if clash.kind == "extends" else "contradicts"
    return Edge(night.space, newer.id, older.id, relation, 1.0, night.now, night.id, verdict.why)


def _consequences(reader: Reader, trial: Trial) -> None:
    """What rests on an ended fact: insights go stale, and the sentence that said nothing else has ended with it."""
    ended = [id for id, changed in trial.moved.items() if "valid_until" in changed]
    if not ended:
        return
    for insights in reader.made_of_each(ended, "insight").values():
        for insight in insights:
            if not insight.stale:
                trial.revise(insight, **gone_stale(insight))
                trial.count("insights_stale")
    sources = reader.memories(source for id in ended for source in trial.facts[id].sources)
    # What was said again in the same words is one episode with several turns, and each may have given a fact.
    said = {id: (id, *memory.sources) for id, memory in sources.items() if memory.kind == "episode"}
    made = reader.made_of_each(dict.fromkeys(ref for refs in said.values() for ref in refs), "fact")
    for id, refs in said.items():
        drawn = {fact.id: trial.as_known(fact) for ref in refs for fact in made.get(ref, ())}
        until = over_since(sources[id], list(drawn.values()), trial.night.now)
        if until is not None and sources[id].valid_until is None:
            trial.revise(sources[id], valid_until=until)
            trial.count("episodes_ended")
    _close(reader, trial, ended)


def _close(reader: Reader, trial: Trial, ended: Sequence[str]) -> None:
    """A question that was open between two is answered when one of them has ended."""
    for record in reader.contradictions(ended):
        if record.status == "open" and record.kind != "extends":
            other = record.older if record.newer in ended else record.newer
            trial.records.append(
                replace(
                    record,
                    status="auto",
                    winner=None if other in ended else other,
                    evidence=f"{record.evidence}; one side has ended since",
                    resolved_by="night",
                    resolved_at=trial.night.now,
                )
            )
            trial.count("closed")
