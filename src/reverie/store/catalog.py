"""Which tables hold what belongs to one space, and how their rows are found: for export, import and deletion."""

from dataclasses import dataclass

from reverie.store.db import Side

BY_SPACE = "space = :space"
BY_MEMORY = "memory IN (SELECT id FROM memories WHERE space = :space)"
BY_EDGE = "a IN (SELECT id FROM memories WHERE space = :space)"
BY_BLOCK = "block IN (SELECT id FROM blocks WHERE owner = :space)"
SHARED = "IN (SELECT block FROM attachments WHERE space = :space)"
CURRENT_VERSION = f"(block {SHARED} AND version = (SELECT b.version FROM blocks b WHERE b.id = block))"


@dataclass(frozen=True, slots=True)
class Table:
    """One table: its side of the store, how a space's rows are found, and in which order they are exported."""

    name: str
    side: Side
    where: str = BY_SPACE
    order: str = "1"
    left_out: tuple[str, ...] = ()  # columns that an import makes anew
    key: tuple[str, ...] = ()  # where a row may have no number: the columns that name it
    shared: str = ""  # rows of other spaces that an export takes along: shared blocks, without older versions

    @property
    def exported(self) -> str:
        """The condition for the rows that an export of a space has."""
        return f"({self.where} OR {self.shared})" if self.shared else self.where


# In an order that can be inserted as it stands; derived index rows last.
TABLES: tuple[Table, ...] = (
    Table("blocks", "memory", "owner = :space", "id", shared=f"id {SHARED}"),
    Table("block_versions", "memory", BY_BLOCK, "block, version", shared=CURRENT_VERSION),
    Table("block_sentences", "memory", BY_BLOCK, "block, sentence, source"),
    Table("attachments", "memory", order="position"),
    Table("memories", "memory", order="id"),
    Table("sources", "memory", order="memory, position", key=("memory", "source")),
    Table("edges", "memory", BY_EDGE, "a, b, relation", key=("a", "b", "relation")),
    Table("memory_words", "memory", BY_MEMORY, "memory", left_out=("row", "num")),
    Table("vectors", "memory", order="ref"),
    Table("documents", "memory", order="ref", left_out=("row", "words")),
    Table("contradictions", "memory", order="id"),
    Table("reviews", "memory", order="id"),
    Table("answers", "memory", order="id"),
    Table("answer_rests", "memory", order="answer, ref"),
    Table("predictors", "memory", order="predictor"),
    Table("nights", "memory", order="id"),
    Table("night_steps", "memory", "night IN (SELECT id FROM nights WHERE space = :space)", "night, position"),
    Table("journal", "memory", order="night, n"),
    Table("suppressed", "memory", order="ref, night"),
    Table("failures", "memory", order="step, item"),
    Table("rhythm", "memory"),
    Table("ledger", "memory", order="id"),
    Table("diary", "memory", order="night"),
    Table("recall_days", "memory", order="ref, day"),
    Table("chores", "memory", order="memory, chore", key=("space", "memory", "chore")),
    Table("mirror_files", "memory", order="path"),
    Table("entries", "memory", order="shelf, seq, key"),
    Table("entry_versions", "memory", order="shelf, entry, version"),
    Table("studies", "memory", order="id"),
    Table("tombstones", "memory", order="ref"),
    Table("turns", "log", order="seq", left_out=("row", "words")),
    Table("activity", "log"),
    Table("sessions", "log", order="first_seq"),
    Table("intents", "log", order="made_at, id"),
    Table("recall_events", "log", order="row", left_out=("row",)),
    Table("asked", "log", order="day, hash"),
    Table("servings", "log", order="row", left_out=("row",)),
    Table("awake_ledger", "log", order="id"),
    Table("added_blocks", "log", order="session, turn"),
)
