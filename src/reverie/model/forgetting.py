"""What a forget is about to delete or has deleted, what of it still lies in files, and the receipt for it."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from reverie.model.base import Instant


@dataclass(frozen=True, slots=True)
class Purge:
    """Where bytes of deleted rows may still lie."""

    thorough: bool = False
    left: tuple[str, ...] = ()  # plain sentences; empty: nowhere in the store's own files
    out_of_reach: tuple[str, ...] = ()  # what no program of ours can clean


@dataclass(frozen=True, slots=True)
class Receipt:
    """What went, without a word of it: ids, and of each text a digest that only whoever has the text can make."""

    id: str
    space: str
    at: Instant
    turns: Mapping[str, str]  # id -> digest
    memories: Mapping[str, str]
    counts: Mapping[str, int]
    purge: Purge

    def as_json(self) -> str:
        return json.dumps(asdict(self), indent=2)


@dataclass(frozen=True, slots=True)
class Forgetting:
    """A dry run has texts and no receipt; a forget has counts, a receipt and no text."""

    turns: tuple[str, ...]
    memories: tuple[str, ...]  # with those derived from them alone
    counts: dict[str, int]  # rows that went, by what they were
    texts: dict[str, str] = field(default_factory=dict)  # of the first thousand that would go
    receipt: Receipt | None = None

    @property
    def left(self) -> tuple[str, ...]:
        """What may still be found in files, and how it goes."""
        return () if self.receipt is None else (*self.receipt.purge.left, *self.receipt.purge.out_of_reach)


def digest(receipt: str, text: str) -> str:
    """A text's digest on one receipt: the same text has another on the next.

    >>> digest("receipt-1", "tea") == digest("receipt-2", "tea")
    False
    """
    return hashlib.sha256(f"{receipt}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()
