"""A profile: what somebody said of themselves, or what was said of them, as a short list of dated quotes."""

from collections.abc import Sequence

from reverie.minds.rules.blocks import holds
from reverie.model.memories import Memory
from reverie.model.thinking import ProfileDraft
from reverie.policy.core import lines

LEAST, MOST = 3, 12  # quotes


def profile(entity: str, facts: Sequence[Memory]) -> ProfileDraft | None:
    """The quotes that tell most of `entity`, the newest on each matter; None when fewer than three hold."""
    told = lines.quote_list([fact for fact in facts if holds(fact) and _tells_of(entity, fact)], MOST)
    if len(told) < LEAST:
        return None
    return ProfileDraft("\n".join(lines.shown(fact) for fact in told), tuple(fact.id for fact in told))


def _tells_of(entity: str, fact: Memory) -> bool:
    """Whether it is about them, or names them."""
    name = entity.casefold()
    return (fact.subject or "").casefold() == name or name in fact.quote.casefold()
