"""Which worker sleeps for which space, and which space goes first.

Spaces are spread over slots, slots over the workers that live. Everybody who sees the same workers comes to the same
placement, so nobody has to agree on it. Two that see different workers for a moment may both work on a slot; the lease
of a space lets one of them write.
"""

from collections.abc import Collection, Mapping
from hashlib import blake2b

SLOTS = 64
PERSON, RESUME, NEWS, CLOCK = 100, 50, 10, 0


def slot_of(space: str) -> int:
    """The slot of a space: always the same one.

    >>> slot_of("space-a") == slot_of("space-a"), 0 <= slot_of("space-b") < SLOTS
    (True, True)
    """
    return _number(space) % SLOTS


def slots_of(workers: Collection[str]) -> Mapping[str, frozenset[int]]:
    """The slots of every worker: as many for each as go, give or take one; a worker's end moves few but its own.

    >>> sorted(len(slots) for slots in slots_of(["a", "b", "c"]).values())
    [21, 21, 22]
    """
    found: dict[str, set[int]] = {name: set() for name in workers}
    room = dict.fromkeys(sorted(found), SLOTS // max(1, len(found)))
    for name in sorted(found)[: SLOTS % max(1, len(found))]:
        room[name] += 1
    pairs = sorted((_number(f"{slot} {name}"), slot, name) for slot in range(SLOTS) for name in found)
    placed: set[int] = set()
    for _, slot, name in pairs:
        if slot not in placed and len(found[name]) < room[name]:
            found[name].add(slot)
            placed.add(slot)
    return {name: frozenset(slots) for name, slots in found.items()}


def priority(trigger: str, *, begun: bool) -> int:
    """How urgent a run is: a person waits, a night was broken off, there is news, or only the clock says so.

    >>> priority("manual", begun=True), priority("idle", begun=True), priority("idle", begun=False)
    (100, 50, 10)
    >>> priority("cron", begun=False)
    0
    """
    if trigger == "manual":
        return PERSON
    return RESUME if begun else CLOCK if trigger == "cron" else NEWS


def _number(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
