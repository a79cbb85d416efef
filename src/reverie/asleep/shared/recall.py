"""What a recall would find for a question, as a reasoner takes it; it leaves no recall event."""

from collections.abc import Iterable, Sequence
from itertools import islice

from reverie.asleep.step import Minds
from reverie.language.quoting import alone
from reverie.language.speech import spoken
from reverie.model.base import Instant, Trust
from reverie.model.hits import Asking
from reverie.model.memories import Memory
from reverie.model.night import Night
from reverie.model.thinking import Evidence
from reverie.policy.answers.freshness import bears_on
from reverie.policy.answers.guards.reading import read
from reverie.store.reader import Reader
from reverie.store.reading import facts, memories

MOST = 8  # memories of a recall that an answer may draw on
RECENT_FACTS = 200  # the latest, which raise questions and are looked through for what bears on one
BEARING = 12  # of these, beside what a recall finds


def evidence_for(
    night: Night, reader: Reader, minds: Minds, question: str, raised_by: Sequence[str] = ()
) -> dict[str, Memory]:
    """What a recall finds for a question, what raised it, and the latest facts that bear on it, as far as they hold.

    A recall alone would miss "I moved to Berlin" for "Where do I live?". Turns that no night has read are left to the
    awake side. Only the user's own words count: nobody else's are shown to whoever answers, so that none are believed.
    """
    assert minds.search is not None
    hits = minds.search(reader.space, question, Asking(k=MOST), night.now)
    refs = [*(hit.id for hit in hits if hit.kind != "turn"), *raised_by]
    known = memories.by_ids(reader, refs)
    asked = read(question)
    latest = (fact for fact in facts.latest(reader, RECENT_FACTS) if bears_on(asked, fact.quote or fact.text))
    found = [*(known[ref] for ref in refs if ref in known), *islice(latest, BEARING)]
    holding = {memory.id: memory for memory in found if memory.trust >= Trust.USER and holds(memory, night.now)}
    return {memory.id: memory for memory in facts.current(reader, holding.values())}


def holds(memory: Memory, now: Instant) -> bool:
    """Whether it is neither over nor left out of nights."""
    return not memory.stale and memory.excluded is None and (memory.valid_until is None or memory.valid_until > now)


def as_evidence(found: Iterable[Memory]) -> list[Evidence]:
    return [
        Evidence(
            memory.id,
            _heard(memory),
            memory.said_at,
            memory.speaker or "",
            memory.confidence,
            memory.trust,
            memory.kind,
            memory.subject,
            memory.predicate,
            memory.value,
            memory.quote,
            memory.about,
            str(memory.marks.get("when") or ""),
            memory.happened_at,
            odds if isinstance(odds := memory.marks.get("core"), float) else None,
        )
        for memory in found
        if _heard(memory)
    ]


def _heard(memory: Memory) -> str:
    """Its text; of the user's turn only what the user says there, for a mail in it is no evidence of theirs; of a fact
    not how something in it was first named."""
    said = memory.kind == "episode" and memory.trust >= Trust.USER and memory.id not in memory.sources
    return spoken(memory.text) if said else alone(memory.text, memory.quote, str(memory.marks.get("introduced") or ""))
