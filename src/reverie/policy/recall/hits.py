"""What was found, as the hits that are shown: with their relevance, their flags and what they rest on."""

from collections.abc import Mapping
from typing import NamedTuple

from reverie.language.quoting import by_itself
from reverie.model.base import Instant
from reverie.model.hits import Asking, Flag, Hit
from reverie.model.memories import Glimpse, Memory
from reverie.model.turns import Turn
from reverie.policy.recall.ranking import Ranked


class Placed(NamedTuple):
    """A hit in its place: the relevance that is shown there, and its flags."""

    ranked: Ranked
    relevance: float
    flags: tuple[Flag, ...]


def hit_of(placed: Placed, thing: Memory | Glimpse | Turn, asking: Asking) -> Hit:
    ranked, relevance, flags = placed
    parts = ranked.parts if asking.explain else {}
    if isinstance(thing, Turn):
        return turn_hit(thing, ranked.score, relevance, parts, ranked.relevance, flags)
    return Hit(
        id=thing.id,
        kind=thing.kind,
        text=by_itself(thing.text, thing.quote),
        score=ranked.score,
        relevance=relevance,
        sources=thing.sources,
        said_at=thing.said_at,
        valid_from=thing.valid_from,
        valid_until=thing.valid_until,
        origin=thing.origin,
        trust=thing.trust,
        speaker=thing.speaker,
        session=thing.session,
        flags=flags,
        quote=thing.quote,
        matter=_matter(thing),
        matched=ranked.relevance,
        parts=parts,
    )


def turn_hit(
    turn: Turn,
    score: float,
    relevance: float,
    parts: Mapping[str, float],
    matched: float,
    flags: tuple[Flag, ...] = (),
) -> Hit:
    return Hit(
        id=turn.id,
        kind="turn",
        text=turn.text,
        score=score,
        relevance=relevance,
        sources=(turn.id,),
        said_at=turn.at,
        origin=turn.origin,
        trust=turn.trust,
        speaker=turn.speaker or turn.role,
        session=turn.session,
        flags=flags,
        matched=matched,
        parts=parts,
    )


def _matter(memory: Memory | Glimpse) -> str:
    """Subject and predicate; with the value as well where somebody may have several."""
    if memory.kind != "fact" or not memory.subject or not memory.predicate:
        return ""
    value = "" if memory.marks.get("exclusive") else memory.value or ""
    return " ".join((memory.subject, memory.predicate, value)).casefold().strip()


def flags_of(thing: Memory | Glimpse | Turn, moment: Instant, disputed: bool, earlier: bool) -> tuple[Flag, ...]:
    flags: list[Flag] = ["conflict"] if disputed else []
    if not isinstance(thing, Turn) and thing.valid_until is not None and thing.valid_until <= moment:
        flags.append("superseded")
    elif earlier:
        flags.append("earlier")
    if not isinstance(thing, Turn) and thing.stale:
        flags.append("stale")
    return tuple(flags)
