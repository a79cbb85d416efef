"""REM draws conclusions: deductions from two premises, inductions from three points. None is ever a premise."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from reverie.asleep.shared import derived
from reverie.asleep.shared.items import Attempts
from reverie.asleep.step import BATCH, Minds
from reverie.asleep.steps.profile import ENOUGH, known_facts, since
from reverie.language.words import content_hash
from reverie.model.base import derived_memory_id
from reverie.model.changes import Changes, Revision
from reverie.model.memories import Memory
from reverie.model.night import Night
from reverie.model.rhythm import Sleeping
from reverie.model.thinking import InsightDraft
from reverie.policy.care.decay import gone_stale
from reverie.store.reader import Reader
from reverie.store.reading import facts, memories, work

STEP = "reason"
LEAST_PREMISES = {"deduction": 2, "induction": 3}
CONFIDENCE = {"deduction": (0.80, 0.90), "induction": (0.60, 0.75)}
IMPORTANCE = 0.4  # below what was said
NEIGHBOURS = 10  # others whom the facts of an entity name


def reason(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
    """First what has lost a premise, then one entity a batch; the cursor is the place in their order."""
    if cursor is None:
        return _outdated(reader)
    subjects = _subjects(night, reader)
    place = int(cursor)
    if place >= len(subjects):
        return Changes()
    following = str(place + 1) if place + 1 < len(subjects) else None
    return replace(_conclusions(night, reader, minds, subjects[place]), cursor=following)


def reason_again(night: Night, reader: Reader, minds: Minds, items: Sequence[str]) -> Changes:
    """One entity a batch here too."""
    (subject,) = items
    if len(facts.about(reader, subject, limit=ENOUGH)) < ENOUGH:
        return Changes(tried=(subject,))
    return _conclusions(night, reader, minds, subject)


def _conclusions(night: Night, reader: Reader, minds: Minds, subject: str) -> Changes:
    premises = _premises(night, reader, subject)
    attempts, drafts = Attempts(), list[InsightDraft]()
    with attempts.item(subject):
        drafts = minds.reasoner.infer(list(premises.values()))
    sound = [draft for draft in drafts if _sound(draft, premises)]
    known = memories.same_text(reader, (content_hash(draft.text, night.space) for draft in sound))
    again = {old.id: draft.premises for draft in sound if (old := _known_insight(night, known, draft)) is not None}
    drawn = [_insight(night, draft, premises) for draft in sound if _known_insight(night, known, draft) is None]
    before = memories.by_ids(reader, (insight.id for insight in drawn))
    new = [insight for insight in drawn if insight.id not in before]
    return Changes(
        memories=tuple(new),
        revisions=tuple(_revived(old) for old in before.values()),
        documents=tuple(map(derived.document, new)),
        vectors=derived.vectors(minds, new),
        sources=again,
        tried=attempts.tried,
        failed=attempts.failed,
        counts={
            "considered": 1,
            "drafts": len(drafts),
            "rejected": len(drafts) - len(sound),
            "insights": len(new),
            "confirmed": len(again),
            "revived": len(before),
        },
    )


def _outdated(reader: Reader) -> Changes:
    outdated = facts.outdated_insights(reader, BATCH)
    return Changes(
        revisions=tuple(Revision(memory.id, memory.version, gone_stale(memory)) for memory in outdated),
        counts={"insights_stale": len(outdated)},
        cursor="0",
    )


def _subjects(night: Night, reader: Reader) -> list[str]:
    """The entities of which most has changed, if enough is known of them."""
    found: list[str] = []
    cap, aside = Sleeping.of_night(night).cap(STEP), work.set_aside(reader, STEP)
    for subject in facts.changed_subjects(reader, since(night)):
        if len(found) == cap:
            break
        if subject not in aside and len(facts.about(reader, subject, limit=ENOUGH)) >= ENOUGH:
            found.append(subject)
    return found


def _premises(night: Night, reader: Reader, subject: str) -> dict[str, Memory]:
    """What holds of an entity, and of those whom its facts name."""
    own = known_facts(night, reader, subject)
    named = dict.fromkeys(fact.value for fact in own if fact.value and fact.value[:1].isupper())
    near = [fact for other in list(named)[:NEIGHBOURS] for fact in known_facts(night, reader, other)]
    return {fact.id: fact for fact in (*own, *near)}


def _sound(draft: InsightDraft, premises: Mapping[str, Memory]) -> bool:
    cited = set(draft.premises)
    return len(cited) >= LEAST_PREMISES[draft.kind] and cited <= premises.keys() and bool(draft.text.strip())


def _known_insight(night: Night, known: Mapping[str, Sequence[Memory]], draft: InsightDraft) -> Memory | None:
    alike = known.get(content_hash(draft.text, night.space), ())
    return next((memory for memory in alike if memory.kind == "insight" and not memory.stale), None)


def _revived(old: Memory) -> Revision:
    """Its premises hold again: a decision was taken back."""
    return Revision(old.id, old.version, {"stale": False, "importance": IMPORTANCE})


def _insight(night: Night, draft: InsightDraft, premises: Mapping[str, Memory]) -> Memory:
    least, most = CONFIDENCE[draft.kind]
    cited = [premises[id] for id in dict.fromkeys(draft.premises)]
    return derived.new_memory(
        night,
        "insight",
        derived_memory_id(night.space, "insight", draft.text, *sorted(fact.id for fact in cited)),
        draft.text,
        cited,
        subject=cited[0].subject,
        importance=IMPORTANCE,
        confidence=min(most, max(least, draft.confidence)),
        valid_from=night.now,
        marks={"insight": draft.kind},
    )
