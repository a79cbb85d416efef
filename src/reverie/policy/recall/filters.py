"""What a recall's options let through: some of it is known before candidates are cut, some only when they are read."""

from collections.abc import Callable

from reverie.model.base import Instant
from reverie.model.hits import RAW_KINDS, Asking
from reverie.model.memories import Filter, Glimpse, Memory
from reverie.model.turns import Turn
from reverie.policy.recall.ranking import holds

FOREVER = 1e18
NO_KIND = ("none",)


def kinds(asking: Asking) -> tuple[str, ...]:
    """Empty: all of them.

    >>> kinds(Asking(mode="raw")), kinds(Asking(mode="raw", kinds=("fact",)))
    (('turn', 'episode'), ('none',))
    """
    if asking.mode != "raw":
        return tuple(asking.kinds)
    return tuple(kind for kind in RAW_KINDS if not asking.kinds or kind in asking.kinds) or NO_KIND


def span(asking: Asking) -> tuple[Instant, Instant] | None:
    """When it must have been said (the end is not in it); None for any time. After `as_of`, nothing was known yet.

    >>> span(Asking(after=5.0, before=9.0)), span(Asking())
    ((5.0, 9.0), None)
    """
    if asking.after is asking.before is asking.as_of is None:
        return None
    until = FOREVER if asking.before is None else asking.before
    if asking.as_of is not None:
        until = min(until, asking.as_of + 1e-6)
    return (-FOREVER if asking.after is None else asking.after, until)


def decided_late(asking: Asking) -> bool:
    """Whether reading may reject any number of candidates: these are traits that change."""
    late = asking.tags, asking.metadata, asking.tiers, asking.min_confidence > 0, asking.as_of is not None
    return any(late)


def glimpse_is_enough(asking: Asking) -> bool:
    """Whether a glimpse of a memory says if it may be shown."""
    return not asking.tags and not asking.metadata


def is_plain(asking: Asking) -> bool:
    """Whether nothing is asked for in particular."""
    filtered = asking.kinds, asking.tags, asking.metadata, asking.tiers, asking.min_confidence, asking.include_stale
    return asking.mode != "raw" and not any(filtered) and asking.session is None and span(asking) is None


def acceptance(asking: Asking) -> Callable[[Memory | Glimpse | Turn], bool]:
    """Whether something that was read may be shown."""
    if is_plain(asking):
        return _is_shown
    wanted, filter = kinds(asking), _filter(asking)

    def accepted(thing: Memory | Glimpse | Turn) -> bool:
        if isinstance(thing, Turn):
            return (not wanted or "turn" in wanted) and _turn_accepted(thing, asking)
        if asking.as_of is not None and not holds(thing.valid_from, thing.valid_until, asking.as_of):
            return False
        return (not wanted or thing.kind in wanted) and filter.accepts(thing)

    return accepted


def _is_shown(thing: Memory | Glimpse | Turn) -> bool:
    """Where nothing is asked for in particular: `accepted`, without the questions that need no answer then."""
    return isinstance(thing, Turn) or not (thing.stale or thing.quarantined)


def _turn_accepted(turn: Turn, asking: Asking) -> bool:
    """A turn has no tags, no tier and no confidence: a recall that asks for tags is not about turns."""
    after, before = span(asking) or (-FOREVER, FOREVER)
    return (
        not asking.tags
        and (asking.session is None or turn.session == asking.session)
        and after <= turn.at < before
        and all(turn.metadata.get(key) == value for key, value in asking.metadata.items())
    )


def _filter(asking: Asking) -> Filter:
    after, before = span(asking) or (None, None)
    return Filter(
        tags=asking.tags,
        metadata=asking.metadata,
        tiers=asking.tiers,
        session=asking.session,
        after=after,
        before=before,
        min_confidence=asking.min_confidence,
        # What has since become stale may have held at the moment that is asked about.
        include_stale=asking.include_stale or asking.as_of is not None,
    )
