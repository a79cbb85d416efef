"""What every noun shares: instants, trust, ids made from what they rest on."""

import hashlib
import re
import uuid
from datetime import UTC, datetime
from enum import IntEnum
from typing import Any, Literal, get_args

Instant = float  # seconds since the epoch, UTC
JSON = Any

MINUTE = 60.0
HOUR = 3600.0
DAY = 86400.0
WEEK = 7 * DAY

Role = Literal["user", "assistant", "tool", "system"]
Origin = Literal["user", "assistant", "tool", "web", "file", "unknown"]
# By their names, as a caller writes them.
ROLES: dict[str, Role] = {role: role for role in get_args(Role)}
ORIGINS: dict[str, Origin] = {origin: origin for origin in get_args(Origin)}


class Trust(IntEnum):
    """Set by the harness from the channel, never from text. What is derived has the least trust of its sources."""

    UNKNOWN = 0
    CONTENT = 1  # web pages, files
    TOOL = 2
    ASSISTANT = 3
    USER = 4


TRUST_OF: dict[Origin, Trust] = {
    "user": Trust.USER,
    "assistant": Trust.ASSISTANT,
    "tool": Trust.TOOL,
    "web": Trust.CONTENT,
    "file": Trust.CONTENT,
    "unknown": Trust.UNKNOWN,
}


def day_of(instant: Instant) -> str:
    """The calendar day (UTC): what evidence is counted by, and how a date is shown.

    >>> day_of(1_794_182_400.0)
    '2026-11-09'
    """
    return datetime.fromtimestamp(instant, UTC).date().isoformat()


def instant_of(written: str) -> Instant:
    """A date or a moment in ISO form; without a zone it is UTC. Raises ValueError for anything else.

    >>> instant_of("1970-01-02"), instant_of("1970-01-01T01:00Z"), instant_of("1970-01-01T01:00+01:00")
    (86400.0, 3600.0, 0.0)
    """
    said = datetime.fromisoformat(written.strip())
    return (said if said.tzinfo else said.replace(tzinfo=UTC)).timestamp()


def derived_id(prefix: str, *parts: str) -> str:
    """An id that follows from its sources, so that a resumed night makes the same rows as an unbroken one.

    >>> derived_id("mem", "space", "turn-1") == derived_id("mem", "space", "turn-1")
    True
    """
    digest = hashlib.blake2b("\x1f".join(parts).encode(), digest_size=16).hexdigest()
    return f"{prefix}-{digest}"


def derived_memory_id(space: str, *parts: str) -> str:
    """The id of a memory that follows from its sources, as long as its space's id is: ids stand in many rows, so they
    have become shorter twice, and what is made again in an older space has the id that it had.

    >>> derived_memory_id("agent-4k2xr9b7d", "turn-1")
    'mem-23p22ce2tyepe'
    >>> derived_memory_id("agent-0f8fad5bd9cb469f", "turn-1")
    'mem-addfe2cb7ba5538f4a1e'
    """
    if is_compact(space):
        return compact_id("mem", space, *parts)
    whole = derived_id("mem", space, *parts)
    return whole[: len("mem-") + 20] if len(space) <= len("agent-") + 16 else whole


def is_compact(space: str) -> bool:
    """Whether a space's id is of the shortest kind: then what stands in many of its rows is kept as short as may be."""
    return len(space) <= len("agent-") + LENGTHS["agent"]


def kept_hash(space: str, hash: str) -> str:
    """The hash of a text as rows of this space have it: 64 bits tell a space's texts apart; older ones have 128.

    >>> kept_hash("agent-4k2xr9b7d", "6adbd107fbaf0767c36976b4aa538842")
    '6adbd107fbaf0767'
    """
    return hash[:16] if is_compact(space) else hash


def compact_id(prefix: str, *parts: str) -> str:
    """As `derived_id`, and short for what stands in many rows."""
    whole = derived_id(prefix, *parts)
    length = LENGTHS.get(prefix)
    return whole if length is None else f"{prefix}-{_signs(int(whole[len(prefix) + 1 :], 16), length)}"


LENGTHS = {"agent": 9, "night": 9, "turn": 13, "mem": 13}  # of ids that stand in many rows
SIGNS = "0123456789abcdefghjkmnpqrstvwxyz"
# What follows the prefix of a short id: a digit and signs, so that no word of a text is one; or, until November 2026,
# hexadecimal digits.
OURS_PATTERN = r"[0-9][0-9a-hjkmnp-tv-z]{8}(?:[0-9a-hjkmnp-tv-z]{4})?|[0-9a-f]{16}|[0-9a-f]{20}"
OURS = re.compile(OURS_PATTERN)


def _signs(number: int, length: int) -> str:
    """A number as a digit and signs, so many together.

    >>> _signs(0, 9), _signs(10 * 32**8 - 1, 9)
    ('000000000', '9zzzzzzzz')
    """
    number, digit = divmod(number, 10)
    return str(digit) + "".join(SIGNS[number >> 5 * place & 31] for place in range(length - 1))


def new_id(prefix: str) -> str:
    """An id that nothing else has: short for what stands in many rows, otherwise a UUID."""
    length = LENGTHS.get(prefix)
    made = uuid.uuid4()
    if length is None:
        return f"{prefix}-{made}"
    return f"{prefix}-{_signs(int(made.hex[:12] + made.hex[-15:], 16), length)}"  # without the bits that never change


SHORT = 6  # characters of an id that a text for a prompt shows


def short_id(id: str) -> str:
    """What an id is shown as; every verb that takes an id takes this too.

    >>> short_id("mem-aabcfe3a46558ea8502f3f94bfc55f71"), short_id("key-of-mine")
    ('aabcfe', 'of-min')
    """
    return id.partition("-")[2][:SHORT] or id[:SHORT]
