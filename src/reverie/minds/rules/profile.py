"""A profile: what somebody said of themselves, or what was said of them, as a short list of dated quotes."""

from collections.abc import Sequence

from reverie.minds.rules.blocks import holds
from reverie.model.memories import Memory
from reverie.model.thinking import ProfileDraft
from reverie.policy.core import lines

LEAST, MOST = 3, 12  # quotes


def profile(entity: str, facts: Sequence[Memory]) -> ProfileDraft | None:
    """The quotes that tell most of `entity`, the newest on each matter; None when fewer than three hold."""
    found = told(entity, facts)
    return draft(found[:MOST]) if len(found) >= LEAST else None


def told(entity: str, facts: Sequence[Memory]) -> list[Memory]:
    """All that holds and tells of them, what tells most first."""
    known = lines.newest_of_each(fact for fact in facts if holds(fact) and _tells_of(entity, fact))
    most = lines.weightiest(known, MOST)
    chosen = {fact.id for fact in most}
    return [*most, *lines.weightiest((fact for fact in known if fact.id not in chosen), len(known))]


def draft(facts: Sequence[Memory]) -> ProfileDraft:
    return ProfileDraft("\n".join(lines.shown(fact) for fact in facts), tuple(fact.id for fact in facts))


def _tells_of(entity: str, fact: Memory) -> bool:
    """Whether it is about them, or names them."""
    name = entity.casefold()
    return (fact.subject or "").casefold() == name or name in fact.quote.casefold()
