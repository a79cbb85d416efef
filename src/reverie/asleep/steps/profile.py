"""REM writes who somebody is, from the facts that hold now: by the reasoner for those who matter most, a list of
quotes for the rest."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from reverie.asleep.shared import derived
from reverie.asleep.shared.items import Attempts
from reverie.asleep.step import Minds
from reverie.model.base import Trust, derived_memory_id
from reverie.model.changes import Changes, Revision
from reverie.model.memories import Memory
from reverie.model.night import Night
from reverie.model.rhythm import Sleeping
from reverie.model.thinking import ProfileDraft
from reverie.policy.care.decay import gone_stale
from reverie.policy.core import lines
from reverie.policy.truth.statements import is_over, plan_until
from reverie.store.reader import Reader
from reverie.store.reading import facts, memories, vectors, work

STEP = "profile"
ENOUGH = 3  # facts
MOST_FACTS = 60
PROFILES = 10  # of one batch
MOST_PROFILES = 100  # of one night
LISTED = 12  # facts of a profile that is only a list
IMPORTANCE = 0.6
CONFIDENCE = 0.80


def profile(night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
    subjects = _subjects(night, reader)
    done = int(cursor or 0)
    prose = subjects[: Sleeping.of_night(night).cap("profile")]
    made = _written(night, reader, minds, subjects[done : done + PROFILES], prose)
    return replace(made, cursor=str(done + PROFILES) if done + PROFILES < len(subjects) else None)


def profile_again(night: Night, reader: Reader, minds: Minds, items: Sequence[str]) -> Changes:
    """In prose: a list cannot fail."""
    return _written(night, reader, minds, items, items)


def _written(night: Night, reader: Reader, minds: Minds, part: Sequence[str], prose: Collection[str]) -> Changes:
    current = {memory.subject: memory for memory in facts.profiles(reader, part)}
    new: list[Memory] = []
    attempts = Attempts()
    for subject in part:
        known = known_facts(night, reader, subject)
        with attempts.item(subject):
            made = _profile(night, minds, subject, known, current.get(subject), in_prose=subject in prose)
            new += [made] if made is not None else []
    replaced = [old for memory in new if (old := current.get(memory.subject)) is not None]
    return Changes(
        memories=tuple(new),
        documents=tuple(map(derived.document, new)),
        vectors=derived.vectors(minds, new),
        revisions=tuple(_retired(night, old) for old in replaced),
        gone_documents=tuple(old.id for old in replaced),
        tried=attempts.tried,
        failed=attempts.failed,
        counts={"considered": len(part), "profiles": len(new), "replaced": len(replaced)},
    )


def since(night: Night) -> float:
    """What counts as changed: everything in a full night, else what came after the last one."""
    return float("-inf") if night.settings.get("full") else float(night.settings.get("since") or 0.0)


def known_facts(night: Night, reader: Reader, subject: str) -> list[Memory]:
    """What holds of somebody now, or names them, the weightiest first; what is past or earlier has left."""
    own = facts.about(reader, subject)
    naming = [id for ids in vectors.mentioning(reader, [subject]).values() for id in ids]
    others = (m for m in memories.by_ids(reader, naming).values() if m.kind == "fact" and not m.stale)
    found = {fact.id: fact for fact in (*own, *others) if not fact.quarantined}
    holding = [fact for fact in facts.current(reader, list(found.values())) if not is_over(fact, night.now)]
    own_words = [fact for fact in holding if fact.trust >= Trust.USER]
    holding = own_words if len(own_words) >= ENOUGH else holding  # a profile is as trusted as the least of its facts
    return sorted(holding, key=lambda fact: (-fact.importance * fact.confidence, fact.id))[:MOST_FACTS]


def _subjects(night: Night, reader: Reader) -> list[str]:
    """Those of whom something has changed, the most first; the order is the same for every batch of the night."""
    moved = dict.fromkeys((*facts.changed_subjects(reader, since(night)), *facts.outdated_profiles(reader)))
    aside = work.set_aside(reader, STEP)
    return [subject for subject in moved if subject not in aside][:MOST_PROFILES]


def _profile(
    night: Night, minds: Minds, subject: str, known: Sequence[Memory], current: Memory | None, *, in_prose: bool
) -> Memory | None:
    if len(known) < ENOUGH:
        return None
    id = derived_memory_id(night.space, "profile", subject, *sorted(f"{fact.id} {fact.version}" for fact in known))
    if current is not None and current.id == id:
        return None
    draft = minds.reasoner.profile(subject, known) if in_prose else _list(known)
    cited = [fact for fact in known if draft is not None and fact.id in draft.sources]
    if draft is None or not cited or not draft.text.strip():
        return None
    return derived.new_memory(
        night,
        "profile",
        id,
        draft.text,
        cited,
        subject=subject,
        title=subject,
        importance=IMPORTANCE,
        confidence=CONFIDENCE,
        valid_from=night.now,
        valid_until=min((until for fact in cited if (until := plan_until(fact)) is not None), default=None),
        marks={"prose": in_prose},
    )


def _list(known: Sequence[Memory]) -> ProfileDraft:
    told = lines.quote_list(known, LISTED)
    return ProfileDraft("\n".join(map(lines.shown, told)), tuple(fact.id for fact in told))


def _retired(night: Night, old: Memory) -> Revision:
    until = night.now if old.valid_until is None else min(night.now, old.valid_until)
    return Revision(old.id, old.version, gone_stale(old) | {"valid_until": until})
