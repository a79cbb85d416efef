"""New statements against what is known: said for the first time, or said again."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from reverie.language.words import terms
from reverie.model.base import Instant
from reverie.model.changes import Revision
from reverie.model.memories import Memory
from reverie.policy.care.decay import confidence_at, exemption
from reverie.policy.truth.statements import is_over, statement_key
from reverie.store.reader import Reader
from reverie.store.reading import facts

MORE = 2  # words that the known quote has not: from here a quote says more than it
REINFORCED = ("confidence", "corroborations", "reinforced_at", "importance", "asked")


@dataclass
class Restatements:
    """One batch of drafted facts, sorted. `ids` names for each draft the fact that now says it."""

    now: Instant
    known: dict[str, Memory] = field(default_factory=dict)  # by statement
    stored: dict[str, Memory] = field(default_factory=dict)  # by id, as the store has it
    fresh: dict[str, str] = field(default_factory=dict)  # id -> statement, of facts of this batch
    ids: list[str] = field(default_factory=list)
    again: int = 0

    @classmethod
    def of(cls, reader: Reader, now: Instant, drafted: Sequence[Memory]) -> "Restatements":
        said = cls(now)
        said._remember(reader, drafted)
        for fact in drafted:
            said._sort(fact)
        return said

    @property
    def new(self) -> list[Memory]:
        return [self.known[statement] for statement in self.fresh.values()]

    @property
    def revisions(self) -> tuple[Revision, ...]:
        found = []
        for fact in self.known.values():
            before = self.stored.get(fact.id)
            if before is not None and fact != before:
                moved = {name: getattr(fact, name) for name in REINFORCED}
                found.append(Revision(fact.id, before.version, moved))
        return tuple(found)

    @property
    def more_sources(self) -> dict[str, tuple[str, ...]]:
        return {
            fact.id: fact.sources[len(before.sources) :]
            for fact in self.known.values()
            if (before := self.stored.get(fact.id)) is not None and len(fact.sources) > len(before.sources)
        }

    def _remember(self, reader: Reader, drafted: Sequence[Memory]) -> None:
        wanted: dict[str, set[str]] = {}
        for fact in drafted:
            wanted.setdefault(fact.subject or "", set()).add(fact.predicate or "")
        for subject, predicates in wanted.items():
            for fact in reversed(facts.stated(reader, subject, sorted(predicates))):
                self.known[statement_key(fact)] = fact
                self.known[_worded(fact)] = fact
                self.stored[fact.id] = fact

    def _sort(self, fact: Memory) -> None:
        statement = self._statement(fact)
        known = self.known.get(statement)
        if known is not None and (known.id == fact.id or set(fact.sources) <= set(known.sources)):
            self.ids.append(known.id)  # read a second time, or twice in one turn
        elif (
            known is None
            or is_over(known, fact.said_at or self.now)
            or fact.trust > known.trust
            or self._returned(known, fact)
        ):
            self._add(statement, fact)
        else:
            self.again += 1
            self.ids.append(known.id)
            # What a tool repeats of the user's words is no witness of the user's.
            if fact.trust == known.trust:
                self.known[statement] = self._reinforced(known, fact)

    def _statement(self, fact: Memory) -> str:
        """A quote that says more than the one that is known ("I live in Kiel and I have a dog") is not lost in it."""
        statement = statement_key(fact)
        known = self.known.get(statement)
        return statement if known is None or len(_words(fact) - _words(known)) < MORE else _worded(fact)

    def _returned(self, known: Memory, fact: Memory) -> bool:
        """Lisbon, then Oslo, then Lisbon again: a move back, not an echo that Oslo would outlive."""
        if not fact.marks.get("exclusive"):
            return False
        last, now = known.reinforced_at or known.said_at or 0.0, fact.said_at or self.now
        key = (fact.subject, fact.predicate)
        rivals = (r for r in self.known.values() if (r.subject, r.predicate) == key and r.value != fact.value)
        return any(last < (rival.said_at or 0.0) <= now for rival in rivals)

    def _add(self, statement: str, fact: Memory) -> None:
        replaced = self.known.get(statement)
        if replaced is not None and replaced.id in self.fresh:
            statement = f"{statement}|{fact.id}"  # both are of this batch, and both are kept
        self.known[statement] = fact
        self.fresh[fact.id] = statement
        self.ids.append(fact.id)

    def _reinforced(self, known: Memory, again: Memory) -> Memory:
        """Another session is an independent witness; the same one is an echo."""
        at = max(known.reinforced_at or 0.0, again.said_at or 0.0)
        witnesses = known.corroborations + (known.session != again.session)
        base = known.base_confidence if known.base_confidence is not None else known.confidence
        sure = confidence_at(base, at, self.now, witnesses, exempt=exemption(known) is not None)
        return replace(
            known,
            sources=tuple(dict.fromkeys((*known.sources, *again.sources))),
            corroborations=witnesses,
            reinforced_at=at,
            confidence=sure,
            importance=max(known.importance, again.importance),
            asked=known.asked or again.asked,
        )


def _words(fact: Memory) -> frozenset[str]:
    return frozenset(terms(fact.quote or fact.text))


def _worded(fact: Memory) -> str:
    """The statement with all words that it was made in."""
    return f"{statement_key(fact)}|{' '.join(sorted(_words(fact)))}"
