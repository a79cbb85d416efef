"""Everything that a step wants written, as a value. Steps return it; `store/commit` writes it, journal and all."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from reverie.model.answers import Answer, TrackRecord
from reverie.model.blocks import Review
from reverie.model.memories import Contradiction, Document, Edge, Memory


@dataclass(frozen=True, slots=True)
class Revision:
    """Some fields of a known memory, valid only while it is at `version`; a changed one is skipped and counted."""

    id: str
    version: int
    changed: Mapping[str, Any]  # names of Memory's fields


@dataclass(frozen=True, slots=True)
class BlockChange:
    """A whole new value for a block, with what each new sentence rests on; with a `label`, the block is made first."""

    block: str
    version: int
    value: str
    reason: str
    sentences: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    merged: tuple[str, ...] = ()  # deferred appends (memory ids) that are in it now
    review: str | None = None  # the review that allows it: a second model approved a protected block's change
    label: str = ""  # of a block that the space does not have yet


@dataclass(frozen=True, slots=True)
class Vector:
    """What a turn or memory is found by meaning by: one vector, or several, of which the nearest counts."""

    ref: str
    embedder: str
    vec: bytes  # float32; several one after the other
    parts: int = 1


@dataclass(frozen=True, slots=True)
class Failed:
    """An item that a step could not do: counted, retried on later nights, set aside after three."""

    item: str
    error: str

    @classmethod
    def of(cls, item: str, error: Exception) -> "Failed":
        return cls(item, f"{type(error).__name__}: {error}")


@dataclass(frozen=True, slots=True)
class Changes:
    """One batch of a step. `cursor` is where the next batch goes on; None means the step is done."""

    memories: tuple[Memory, ...] = ()
    revisions: tuple[Revision, ...] = ()
    documents: tuple[Document, ...] = ()
    vectors: tuple[Vector, ...] = ()
    gone_documents: tuple[str, ...] = ()  # refs that leave the index (an episode whose duplicate survives)
    edges: tuple[Edge, ...] = ()
    gone_edges: tuple[tuple[str, str, str], ...] = ()
    mentions: tuple[tuple[str, str], ...] = ()  # (entity, memory)
    keywords: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # memory -> its keywords, replacing the old
    bands: tuple[tuple[int, str], ...] = ()  # (band, memory)
    sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # memory -> more sources
    contradictions: tuple[Contradiction, ...] = ()
    blocks: tuple[BlockChange, ...] = ()
    reviews: tuple[Review, ...] = ()
    answers: tuple[Answer, ...] = ()
    dropped_answers: Mapping[str, str] = field(default_factory=dict)  # answer -> why
    records: tuple[TrackRecord, ...] = ()  # predictors' track records, as they now stand
    packed: Mapping[str, bytes] = field(default_factory=dict)  # memory -> compressed text, taking the text's place
    unpacked: Mapping[str, str] = field(default_factory=dict)  # memory -> text, back from the archive
    chores: tuple[tuple[str, str, float], ...] = ()  # (memory, chore, priority)
    done_chores: tuple[tuple[str, str], ...] = ()
    studies: Mapping[str, str] = field(default_factory=dict)  # study -> the digest that was thought about
    diary: str | None = None
    watermark: int | None = None
    tried: tuple[
        str, ...
    ] = ()  # items that it worked at: earlier failures of those that did not fail now are forgotten
    failed: tuple[Failed, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # lines for the night's report: why nothing was promoted, what came nearest
    cursor: str | None = None

    def __bool__(self) -> bool:
        """Whether anything would be written."""
        silent = {"counts", "notes", "cursor", "tried"}
        return any(getattr(self, f.name) not in ((), {}, None) for f in fields(self) if f.name not in silent)


@dataclass(frozen=True, slots=True)
class Applied:
    """What a commit came to."""

    written: int
    conflicts: int
    gone: int  # drafts whose sources a person had forgotten meanwhile
    held_ms: float  # how long the write lock was held
