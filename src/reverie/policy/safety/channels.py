"""Through which door a text comes: every surface and verb, with the origin, trust and rights that it gives.

Trust comes from this table alone, never from a text, a caller's metadata or what an agent says of itself. A caller may
name a lower origin than its channel has (a page that a person keeps), never a higher one.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from reverie.errors import BadInput, ReservedKey
from reverie.language.vocabulary import word_set
from reverie.model.base import ORIGINS, TRUST_OF, Origin, Role, Trust

Surface = Literal[
    "library", "cli", "console", "rest", "letta", "mem0", "proxy", "mcp", "agent",
    "mirror", "dream", "import", "restore",
]  # fmt: skip
Verb = Literal["user", "assistant", "tool", "system", "remember", "correct", "block", "forget"]  # four append a turn
Actor = Literal["person", "agent", "operator"]


@dataclass(frozen=True, slots=True)
class Channel:
    """One door: whose words come through it, and whether they may ask for something to be kept or corrected."""

    origin: Origin
    asks: bool = False  # what comes by it is asked for: it needs no second witness to be promoted
    corrects: bool = False  # what comes by it wins over what was said before
    actor: Actor = "person"  # who is named in the history of a block that is written by it

    @property
    def trust(self) -> Trust:
        return TRUST_OF[self.origin]

    def lowered(self, origin: str | None) -> "Channel":
        """The same door for a text of another origin; a higher one than its own stays as low as the door.

        >>> PERSON.lowered("web").trust.name, AGENT.lowered("user").trust.name
        ('CONTENT', 'ASSISTANT')
        """
        if origin is None:
            return self
        named = ORIGINS.get(origin)
        if named is None:
            raise BadInput(f"origin must be one of {', '.join(ORIGINS)}, not {origin!r}")
        if TRUST_OF[named] > self.trust or named == self.origin:
            return self
        return replace(self, origin=named, asks=False, corrects=False)


PERSON = Channel("user", asks=True, corrects=True)
AGENT = Channel("assistant", actor="agent")
OPERATOR = Channel("assistant", actor="operator")
TURN_OF: Mapping[Role, Channel] = {
    "user": Channel("user", asks=True, corrects=True),  # by what the user says, which a night reads
    "assistant": Channel("assistant", actor="agent"),
    "tool": Channel("tool", actor="agent"),
    "system": Channel("unknown", actor="operator"),
}
_TURNS: dict[Verb, Channel] = {"user": TURN_OF["user"], "assistant": TURN_OF["assistant"], "tool": TURN_OF["tool"]}
_ALL_TURNS: dict[Verb, Channel] = {**_TURNS, "system": TURN_OF["system"]}
_PERSON_ARCHIVE: dict[Verb, Channel] = {"remember": PERSON, "correct": PERSON, "forget": PERSON}
_PERSON: dict[Verb, Channel] = {**_PERSON_ARCHIVE, "block": PERSON}

# Only a person's own act and the user's own words ask or correct. What is not here has no such door.
CHANNELS: Mapping[Surface, Mapping[Verb, Channel]] = {
    "library": {**_ALL_TURNS, **_PERSON},
    "cli": {**_ALL_TURNS, **_PERSON},
    "console": {**_TURNS, **_PERSON},
    "rest": {**_ALL_TURNS, **_PERSON},
    "letta": {**_ALL_TURNS, "remember": AGENT, "block": OPERATOR, "forget": AGENT},
    "mcp": {"remember": AGENT, "correct": AGENT, "forget": AGENT},
    "agent": {"user": TURN_OF["user"], "assistant": TURN_OF["assistant"], "remember": AGENT, "block": AGENT},
    "mirror": {"user": TURN_OF["user"], "block": PERSON},  # a line that a person wrote, or struck out
    "dream": _TURNS,
    "import": {**_TURNS, "remember": AGENT},
    "proxy": _TURNS,  # what a tool brought back is of the world
    "mem0": {"user": TURN_OF["user"], "assistant": TURN_OF["assistant"], **_PERSON_ARCHIVE},
    "restore": {},  # rows come back as the store had them; none is made
}


def channel_of(surface: Surface, verb: Verb, origin: str | None = None) -> Channel:
    """The door of a surface for a verb, for a text of that origin. Raises BadInput where there is none.

    >>> channel_of("mcp", "correct").corrects, channel_of("cli", "correct").corrects
    (False, True)
    """
    found = CHANNELS[surface].get(verb)
    if found is None:
        has = ", ".join(CHANNELS[surface]) or "none"
        raise BadInput(f"{surface} has no way to {verb}", next_move=f"It has: {has}.")
    return found.lowered(origin)


def channel_by(actor: str) -> Channel:
    """The door of who writes a block.

    >>> channel_by("agent").origin, channel_by("person").origin
    ('assistant', 'user')
    """
    return {"person": PERSON, "agent": AGENT}.get(actor, OPERATOR)


# What only Reverie writes: taken for its own from nobody, so that no caller's value can ever be read as ours.
RESERVED = word_set("""
    deferred_block block reverie reverie_output letta profile archives admission private marks excluded quarantine
    quarantined asked correction trust origin quote about reasons scope when cue replaces negated exclusive fact_kind
    insight prose promoted provisional
""")


def checked_metadata(metadata: Mapping[str, Any] | None, where: str = "metadata") -> dict[str, Any]:
    """A caller's metadata, if none of its keys is Reverie's own; otherwise raises ReservedKey.

    >>> checked_metadata({"project": "move"})
    {'project': 'move'}
    """
    given = dict(metadata or {})
    if taken := reserved_in(given):
        raise ReservedKey(where, taken)
    return given


def reserved_in(keys: Iterable[str]) -> list[str]:
    """Those of these keys that are Reverie's own; case and blanks do not hide one."""
    return [key for key in keys if str(key).strip().casefold() in RESERVED]
