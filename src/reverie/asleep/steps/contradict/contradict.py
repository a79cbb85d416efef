"""REM looks for facts that cannot both hold. Better an open record than a wrong retirement."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reverie.asleep.shared.items import Attempts
from reverie.asleep.step import BATCH, Minds
from reverie.asleep.steps.contradict.lifting import lifts
from reverie.asleep.steps.contradict.overtaking import overtaken
from reverie.asleep.steps.contradict.updates import inherited, updates
from reverie.minds.rules.clash import clause_of, rivals, says_more
from reverie.model.base import derived_id
from reverie.model.changes import Changes, Revision
from reverie.model.memories import Contradiction, Edge, Memory, Relation
from reverie.model.night import Night
from reverie.model.rhythm import Sleeping
from reverie.model.thinking import Clash
from reverie.model.turns import is_turn
from reverie.policy.care.decay import gone_stale
from reverie.policy.recall.current import PART
from reverie.policy.truth.contradiction import Resolution, came_back, in_order, resolve, worth_asking
from reverie.policy.truth.statements import is_over, over_since
from reverie.store.reader import Reader
from reverie.store.reading import facts, memories, work
from reverie.store.tables.chores import COMPARE

STEP = "contradict"
MOST_RIVALS = 50
ASKED_FOR_ONE = 5  # questions to the reasoner for each contradiction that a night may record


@dataclass
class Findings:
    """What one batch finds. Its facts are as they will be then: where somebody moved twice, each home ends once."""

    night: Night
    room: int
    facts: dict[str, Memory] = field(default_factory=dict)
    records: list[Contradiction] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    moved: dict[str, dict[str, Any]] = field(default_factory=dict)  # memory -> its new fields
    asked: int = 0
    attempts: Attempts = field(default_factory=Attempts)
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
    news, rest = work.news(reader, ("fact", "episode"), cursor=cursor, limit=2 * BATCH)
    batch = [memory for memory in news if memory.kind == "fact"]
    waiting = work.chores(reader, COMPARE, BATCH) if cursor is None else []
    here = {fact.id for fact in batch}
    earlier = [fact for fact in memories.by_ids(reader, waiting).values() if fact.id not in here and not fact.stale]
    found = _changes(night, reader, minds, [*earlier, *batch])
    edges = updates(night, reader, minds, news)
    edges = [*edges, *overtaken(night, reader, minds, news, edges)]
    edges += inherited(night, reader, batch)
    edges += lifts(night, reader, minds, news)
    found = replace(found, edges=(*found.edges, *edges), counts={**found.counts, "updates": len(edges)})
    left = {id for id, _, _ in found.chores}
    return replace(found, done_chores=tuple((id, COMPARE) for id in waiting if id not in left), cursor=rest)


def contradict_again(night: Night, reader: Reader, minds: Minds, items: Sequence[str]) -> Changes:
    again = [fact for fact in memories.by_ids(reader, items).values() if not fact.stale and not fact.quarantined]
    found = _changes(night, reader, minds, again)
    left = {id for id, _, _ in found.chores}
    return replace(found, tried=tuple(id for id in items if id not in left))


def _changes(night: Night, reader: Reader, minds: Minds, new: Sequence[Memory]) -> Changes:
    findings = Findings(night, Sleeping.of_night(night).cap(STEP) - facts.count_contradictions(reader))
    aside = work.set_aside(reader, STEP)
    left = _examine(reader, minds, findings, [fact for fact in new if fact.id not in aside])
    _consequences(reader, findings)
    return Changes(
        revisions=tuple(Revision(id, findings.facts[id].version, changed) for id, changed in findings.moved.items()),
        contradictions=tuple(findings.records),
        edges=tuple(findings.edges),
        chores=tuple((fact.id, COMPARE, fact.importance) for fact in left),
        tried=findings.attempts.tried,
        failed=findings.attempts.failed,
        counts={"considered": len(new), "asked": findings.asked, **findings.counts, "left": len(left)},
    )


def _examine(reader: Reader, minds: Minds, findings: Findings, new: Sequence[Memory]) -> list[Memory]:
    """Each new fact against those it may clash with; answers the facts that there was no room for."""
    known = {frozenset((r.older, r.newer)) for r in facts.contradictions(reader, (fact.id for fact in new))}
    minds.reasoner.prepare(
        clashes=[in_order(fact, other) for fact in new for other in _to_compare(reader, fact, known)]
    )
    for place, fact in enumerate(new):
        if findings.full:
            return list(new[place:])
        with findings.attempts.item(fact.id):
            _compare(reader, minds, findings, fact, known)
    return []


def _compare(reader: Reader, minds: Minds, findings: Findings, fact: Memory, known: set[frozenset[str]]) -> None:
    stated = _stated(reader, fact)
    for other in stated:
        pair = frozenset((fact.id, other.id))
        if pair not in known and not findings.full and worth_asking(*in_order(fact, other)):
            known.add(pair)
            _judge(minds, findings, *in_order(findings.as_known(fact), findings.as_known(other)), [fact, *stated])


def _to_compare(reader: Reader, fact: Memory, known: set[frozenset[str]]) -> list[Memory]:
    """What it has not been compared with yet, and may clash with."""
    found = (other for other in _stated(reader, fact) if frozenset((fact.id, other.id)) not in known)
    return [other for other in found if worth_asking(*in_order(fact, other))]


def _stated(reader: Reader, fact: Memory) -> list[Memory]:
    """What else is said of the same subject that it may clash with."""
    if not fact.subject or not fact.predicate or not fact.value:
        return []
    found = facts.stated(reader, fact.subject, sorted(rivals(fact.predicate)), limit=MOST_RIVALS)
    return [other for other in found if other.id != fact.id]


def _judge(minds: Minds, findings: Findings, older: Memory, newer: Memory, stated: Sequence[Memory]) -> None:
    if is_over(older, newer.dated) or (newer.valid_until is not None and newer.valid_until <= findings.night.now):
        return  # what has ended contradicts nothing
    findings.asked += 1
    clash = minds.reasoner.clash(older, newer)
    if clash.kind == "conflict" and came_back(older, newer, stated):
        clash = Clash("update", f"left and come back to: {older.value} -> {newer.value}", 0.8)
    verdict = resolve(older, newer, clash)
    if verdict.status == "none" or clash.kind == "none":
        return
    findings.count(_outcome(verdict))
    findings.records.append(_record(findings.night, older, newer, clash, verdict))
    findings.edges += _edges(findings.night, older, newer, clash, verdict)
    if verdict.loser is not None:
        loser = older if verdict.loser == older.id else newer
        findings.revise(loser, valid_until=verdict.valid_until)


def _outcome(verdict: Resolution) -> str:
    if verdict.status == "open":
        return "open"
    if verdict.loser is not None:
        return "retired"
    return "extends" if verdict.winner is None else "earlier"


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


def _edges(night: Night, older: Memory, newer: Memory, clash: Clash, verdict: Resolution) -> list[Edge]:
    def edge(a: str, b: str, relation: Relation) -> Edge:
        return Edge(night.space, a, b, relation, 1.0, night.now, night.id, verdict.why)

    if verdict.loser is not None and verdict.winner is not None:
        return [edge(verdict.winner, verdict.loser, "supersedes")]
    if clash.kind == "extends":
        return [edge(newer.id, older.id, "supports")]
    found = [edge(newer.id, older.id, "contradicts")] if verdict.status == "open" else []
    if (older.speaker or "user") == (newer.speaker or "user"):
        # Nothing has ended, but what was said last comes first, and before the turn that said the older, too.
        turns = [source for source in older.sources if not is_turn(source)]
        whole = [] if says_more(older) else [older.id]
        found += [edge(newer.id, id, "updates") for id in whole]
        parts = (edge(newer.id, id, "updates") for id in (older.id, *turns) if id not in whole)
        found += [replace(part, weight=PART, why=clause_of(older)) for part in parts]
    return found


def _consequences(reader: Reader, findings: Findings) -> None:
    """What rests on an ended fact: insights go stale, and the sentence that said nothing else has ended with it."""
    ended = [id for id, changed in findings.moved.items() if "valid_until" in changed]
    if not ended:
        return
    for insights in memories.made_of_each(reader, ended, "insight").values():
        for insight in insights:
            if not insight.stale:
                findings.revise(insight, **gone_stale(insight))
                findings.count("insights_stale")
    sources = memories.by_ids(reader, (source for id in ended for source in findings.facts[id].sources))
    # What was said again in the same words is one episode with several turns, and each may have given a fact.
    said = {id: (id, *memory.sources) for id, memory in sources.items() if memory.kind == "episode"}
    made = memories.made_of_each(reader, dict.fromkeys(ref for refs in said.values() for ref in refs), "fact")
    for id, refs in said.items():
        drawn = {fact.id: findings.as_known(fact) for ref in refs for fact in made.get(ref, ())}
        until = over_since(sources[id], list(drawn.values()), findings.night.now)
        if until is not None and sources[id].valid_until is None:
            findings.revise(sources[id], valid_until=until)
            findings.count("episodes_ended")
    _close(reader, findings, ended)


def _close(reader: Reader, findings: Findings, ended: Sequence[str]) -> None:
    """A question that was open between two is answered when one of them has ended."""
    for record in facts.contradictions(reader, ended):
        if record.status == "open" and record.kind != "extends":
            other = record.older if record.newer in ended else record.newer
            findings.records.append(
                replace(
                    record,
                    status="auto",
                    winner=None if other in ended else other,
                    evidence=f"{record.evidence}; one side has ended since",
                    resolved_by="night",
                    resolved_at=findings.night.now,
                )
            )
            findings.count("closed")
