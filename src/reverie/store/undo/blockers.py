"""Why a night cannot be undone yet: what later nights, or a person, made of what it wrote."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from reverie.errors import RestsOn
from reverie.model.night import Change
from reverie.store.commit.apply import QUIET
from reverie.store.commit.journal import change_of, key_of
from reverie.store.db import Database, Transaction
from reverie.store.rows import dumps
from reverie.store.search import documents

# Columns that every night computes anew: a later night's value simply stands.
RECOMPUTED = QUIET - {"packed", "title", "summary", "metadata", "marks", "asked", "block"}
DERIVED = ("spaces", "documents", "vectors", "answers", "answer_rests")
Key = tuple[str, str]
Reason = tuple[str | None, str]  # the later night (None: a person), and why


@dataclass(frozen=True, slots=True)
class ChangedRow:
    """One row that a night changed: its columns as they were before the night and as the night left them."""

    relation: str
    key: str
    before: dict[str, Any]
    after: dict[str, Any]


class Blockers:
    """What a night made and changed, by its journal, compared with everything that came after it."""

    def __init__(self, tx: Transaction | Database, night: str, entries: Sequence[Change]) -> None:
        self._tx = tx
        self._night = night
        self.made: set[Key] = {(entry.relation, entry.key) for entry in entries if entry.before is None}
        rows: dict[Key, ChangedRow] = {}
        for entry in entries:
            if entry.before is not None and entry.after is not None and (entry.relation, entry.key) not in self.made:
                row = rows.setdefault((entry.relation, entry.key), ChangedRow(entry.relation, entry.key, {}, {}))
                row.before.update({name: value for name, value in entry.before.items() if name not in row.before})
                row.after.update(entry.after)
        self.changed_rows = list(rows.values())

    def check(self) -> None:
        """Raises RestsOn with the nights to undo first, or with what a person did since."""
        reasons = list(dict.fromkeys((*self._citations(), *self._later_changes())))
        if not reasons:
            return
        later = list(dict.fromkeys(night for night, _ in reasons if night is not None))
        whys = list(dict.fromkeys(why for _, why in reasons))
        raise RestsOn(
            f"{self._night} cannot be undone: {'; '.join(whys[:3])}{' …' if len(whys) > 3 else ''}",
            nights=later,
            reasons=whys,
            next_move=f"Undo {later[-1]} first."
            if later
            else "First forget or revert what a person has changed since.",
        )

    def later(self, row: ChangedRow, column: str) -> list[Change]:
        """What later nights did to the same column, first to last."""
        rows = self._tx.rows(
            "SELECT j.* FROM journal j JOIN nights n ON n.id = j.night JOIN nights mine ON mine.id = :night"
            " WHERE j.relation = :relation AND j.key = :key AND j.night <> :night AND n.status <> 'undone'"
            " AND (n.requested_at > mine.requested_at OR (n.requested_at = mine.requested_at AND n.id > mine.id))"
            " ORDER BY n.requested_at, n.id, j.n",
            night=self._night,
            relation=row.relation,
            key=row.key,
        )
        return [change for change in map(change_of, rows) if change.before and column in change.before]

    def _citations(self) -> Iterator[Reason]:
        for relation, key in sorted(self.made):
            if relation == "memories":
                yield from self._citations_of(key)

    def _citations_of(self, memory: str) -> Iterator[Reason]:
        """Memories, block sentences and contradictions that name a memory, and a person's care for it."""
        rows = self._tx.rows(
            "SELECT m.id AS id, m.night AS night FROM sources s JOIN memories m ON m.id = s.memory"
            " WHERE s.source = :memory AND m.id <> :memory AND (m.night IS NULL OR m.night <> :night)",
            memory=memory,
            night=self._night,
        )
        for row in rows:
            if ("sources", _json(row["id"], memory)) not in self.made:
                yield row["night"], f"{row['id']} was made from {memory} ({row['night'] or 'by a person'})"
        yield from self._later_sources(memory)
        for row in self._tx.rows("SELECT block, sentence FROM block_sentences WHERE source = :m", m=memory):
            key = _json(row["block"], row["sentence"], memory)
            if ("block_sentences", key) not in self.made:
                writer = self._writer("block_sentences", key)
                yield writer, f"a sentence of {row['block']} rests on {memory} ({writer or 'by a person'})"
        for row in self._tx.rows("SELECT id, night FROM contradictions WHERE older = :m OR newer = :m", m=memory):
            if ("contradictions", row["id"]) not in self.made:
                yield row["night"], f"{row['id']} weighs {memory} ({row['night'] or 'by a person'})"
        yield from self._care(memory)

    def _later_sources(self, memory: str) -> Iterator[Reason]:
        """Sources that a later night added to a memory: they would be lost with it."""
        for row in self._tx.rows("SELECT source FROM sources WHERE memory = :m", m=memory):
            writer = self._writer("sources", _json(memory, row["source"]))
            if writer is not None and writer != self._night:
                yield writer, f"{row['source']} was merged into {memory} ({writer})"

    def _care(self, memory: str) -> Iterator[Reason]:
        row = self._tx.row("SELECT pinned, manual_tags, version FROM memories WHERE id = :m", m=memory)
        # Tags that a turn brought along are no later care: those are there in the first version.
        if row is not None and row["version"] > 1 and (row["pinned"] or row["manual_tags"] != "[]"):
            yield None, f"a person has pinned or tagged {memory} since"

    def _later_changes(self) -> Iterator[Reason]:
        for row in self.changed_rows:
            current = None if row.relation in DERIVED else current_row(self._tx, row.relation, row.key)
            if current is not None:
                for name in changed_since(row, current) - RECOMPUTED:
                    writers = [change.night for change in self.later(row, name)]
                    by = writers[-1] if writers else None
                    yield by, f"{name} of {row.key} was changed since ({by or 'by a person'})"

    def _writer(self, relation: str, key: str) -> str | None:
        """The night that made a row; None if a person did."""
        row = self._tx.row(
            "SELECT night FROM journal WHERE relation = :relation AND key = :key AND before IS NULL",
            relation=relation,
            key=key,
        )
        return None if row is None else str(row["night"])


def current_row(tx: Transaction | Database, relation: str, key: str) -> Any:
    """The row that a journal entry is about, as it is now; None if it is gone."""
    names = key_of(relation, key)
    where = " AND ".join(f"{name} = :{name}" for name in names)
    found = tx.row(f"SELECT * FROM {relation} WHERE {where}", **names)
    return found if found is None or relation != "documents" else documents.shown(found)


def changed_since(row: ChangedRow, current: Any) -> set[str]:
    """Columns that are no longer as the night left them. Versions only grow: a newer one alone says nothing."""
    return {name for name, value in row.after.items() if name != "version" and not _equal(current[name], value)}


def _json(*values: str) -> str:
    return dumps(list(values))


def _equal(a: Any, b: Any) -> bool:
    return bool((bytes(a) if isinstance(a, memoryview) else a) == b)
