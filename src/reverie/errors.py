"""Every error that Reverie raises on purpose, each with the next move and its data.

ReverieError
├── UsageError               the caller asked for something that cannot be
│   ├── BadInput             a value is malformed or out of range
│   └── ConfigError          a setting is unknown or malformed
├── NotFound                 no such space, block, memory, night, …
├── Conflict                 somebody else was first
│   ├── StaleVersion         a block or memory changed since it was read
│   ├── NoSingleMatch        `old` occurs not once in the block
│   ├── AmbiguousId          a short id begins several whole ones
│   ├── ConversationBusy     another message of this conversation is being answered
│   ├── KeyReused            an idempotency key came back with another body
│   └── RestsOn              undo refused: later changes rest on it
├── NotAllowed               read-only, protected, wrong org, no key
│   └── BlockTooLong         a write would pass a block's limit
├── StoreError               the disk, the database
│   ├── StoreBusy            locked for longer than the timeout
│   ├── StoreTooNew          made by a newer Reverie
│   └── StoreBroken          read-only, full, out of reach
│       ├── StoreDamaged     its files are not what was written
│       └── StoreUnpaired    log.db and memory.db do not belong together
├── LeaseLost                another worker holds this space's night
├── ModelError               a model could not be reached or made no sense
│   ├── ModelUnavailable     no model configured, or its package is missing
│   ├── BatchOut             a provider still works on calls that were handed in together
│   └── ModelFault           one call failed, or its answer was of no use; `kind` says how
└── BudgetSpent              the budget allows no further model call
"""

from collections.abc import Sequence
from typing import Any


class ReverieError(Exception):
    """`code` is stable and machine-readable; `next_move` tells a person what to do; `data` carries the figures."""

    code = "error"
    next_move = "Run `reverie doctor`; if it finds nothing, report this."

    def __init__(self, message: str, *, next_move: str | None = None, **data: Any) -> None:
        super().__init__(message)
        self.message = message
        self.data = data
        if next_move is not None:
            self.next_move = next_move
        self.add_note(self.next_move)  # so that a traceback shows it too

    def __reduce__(self) -> tuple[Any, ...]:
        """Whole on the other side of a process, whatever its own constructor takes."""
        return _again, (type(self), self.args, self.__dict__)


def _again(kind: type[ReverieError], args: tuple[Any, ...], state: dict[str, Any]) -> ReverieError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class UsageError(ReverieError):
    code = "usage"
    next_move = "See `reverie --help`."


class BadInput(UsageError):
    code = "bad_input"
    next_move = "Correct the value and try again; nothing was stored."


class ReservedKey(BadInput):
    code = "reserved_key"

    def __init__(self, where: str, keys: list[str]) -> None:
        super().__init__(
            f"{where} may not have the key {keys[0]!r}: Reverie keeps that for itself",
            next_move=f"Rename it, for example to 'my_{keys[0]}'; nothing of it was stored.",
            keys=keys,
        )


class UntrustedExport(BadInput):
    code = "untrusted_export"
    next_move = (
        "If you know where the file comes from, restore it with --trust (Python: trust=True, REST: ?trust=true); to"
        " have only its texts, as what somebody else wrote: `reverie import reverie FILE`. Nothing was made of it."
    )

    def __init__(self) -> None:
        super().__init__("this export was made by another store, or was altered since")


class ConfigError(UsageError):
    code = "bad_config"
    next_move = "See `reverie config show --origin` for every setting and where its value comes from."


class NotFound(ReverieError):
    code = "not_found"
    next_move = "Check the id; lists show what there is."

    def __init__(self, noun: str, key: str, *, next_move: str | None = None) -> None:
        super().__init__(f"no {noun} {key!r}", next_move=next_move, noun=noun, key=key)


class Conflict(ReverieError):
    code = "conflict"
    next_move = "Read the current state and try again."


class StaleVersion(Conflict):
    code = "stale_version"

    def __init__(self, noun: str, key: str, *, expected: int, current: int, value: str, diff: str) -> None:
        super().__init__(
            f"{noun} {key!r} is at version {current}, not {expected}",
            noun=noun, key=key, expected=expected, current=current, value=value, diff=diff,
        )  # fmt: skip


class NoSingleMatch(Conflict):
    code = "no_single_match"
    next_move = "Give `old` as it stands in the block, long enough to occur once."

    def __init__(self, label: str, old: str, matches: int) -> None:
        found = "does not occur" if matches == 0 else f"occurs {matches} times"
        super().__init__(f"the text to replace {found} in block {label!r}", label=label, old=old, matches=matches)


class AmbiguousId(Conflict):
    code = "ambiguous_id"
    next_move = "Give one of the whole ids."

    def __init__(self, short: str, ids: Sequence[str]) -> None:
        super().__init__(f"{short!r} is short for {len(ids)} ids: {', '.join(ids)}", short=short, ids=list(ids))


class ConversationBusy(Conflict):
    code = "conversation_busy"
    next_move = "Send it when the answer that is under way has come."


class KeyReused(Conflict):
    code = "key_reused"
    next_move = "Use a new idempotency key for a new turn."


class RestsOn(Conflict):
    code = "rests_on"
    next_move = "Undo the later nights first, newest first."


class NotAllowed(ReverieError):
    code = "not_allowed"
    next_move = "Ask the owner of this space."


class BlockTooLong(NotAllowed):
    code = "block_too_long"
    next_move = "Shorten the text, raise the block's limit, or append: a night condenses the block and merges it."

    def __init__(self, label: str, size: int, limit: int) -> None:
        super().__init__(
            f"block {label!r} would hold {size} characters, its limit is {limit}", label=label, size=size, limit=limit
        )


class StoreError(ReverieError):
    code = "store"


class StoreBusy(StoreError):
    code = "store_busy"
    next_move = "Try again; if it stays busy, another process holds the store: see `reverie doctor`."


class StoreTooNew(StoreError):
    code = "store_too_new"
    next_move = "Use the newer Reverie that has opened it, or a backup from before that."

    def __init__(self, found: int, known: int) -> None:
        super().__init__(f"this store has schema {found}, this Reverie knows up to {known}", found=found, known=known)


class StoreBroken(StoreError):
    code = "store_broken"
    next_move = "Nothing acknowledged is lost: free some disk space or correct the permissions, and try again."


class StoreDamaged(StoreBroken):
    code = "store_damaged"
    next_move = (
        "Keep a copy of the directory. `reverie doctor --repair` makes indexes anew, `reverie salvage DIR` copies every"
        " row that can be read; else go back to your last backup."
    )


class StoreUnpaired(StoreBroken):
    code = "store_unpaired"
    next_move = "Put both files back from one backup."


class LeaseLost(ReverieError):
    code = "lease_lost"
    next_move = "Nothing to do: the worker that holds the lease finishes the night."


class ModelError(ReverieError):
    code = "model"
    next_move = "Try `reverie models check`."


class ModelUnavailable(ModelError):
    code = "model_unavailable"
    next_move = "Set a model (`reverie config show`), install `reverie[llm]`, or go on with the rules."


class ModelFault(ModelError):
    code = "model_fault"

    def __init__(self, kind: str, message: str, *, retry_after: float | None = None, status: int | None = None) -> None:
        super().__init__(message, kind=kind, retry_after=retry_after, status=status)
        self.kind = kind
        self.retry_after = retry_after
        self.status = status  # HTTP's, where a server gave one


class BatchOut(ModelError):
    code = "batch_out"
    next_move = "Nothing to do: the next run of the night fetches what the provider has done."


class BudgetSpent(ReverieError):
    code = "budget_spent"
    next_move = "Raise the budget, or wait until tomorrow if it is today's; the rules go on without a model."


def of_code(code: str, message: str, *, next_move: str | None, data: dict[str, Any]) -> ReverieError:
    """An error as another process told it: of its own kind where the code is known."""
    kinds = [ReverieError]
    for kind in kinds:
        kinds.extend(kind.__subclasses__())
    known = next((kind for kind in kinds if kind.code == code), ReverieError)
    error = known.__new__(known, message)
    ReverieError.__init__(error, message, next_move=next_move, **data)
    return error


def extra_needed(extra: str) -> str:
    """The next move where an optional package is missing."""
    return f"In Reverie's checkout: pip install '.[{extra}]'; from a wheel: pip install 'reverie-VERSION.whl[{extra}]'."
