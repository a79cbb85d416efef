"""Blocks: every write is compare-and-swap on the version that the writer read, and every version is kept."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from reverie.errors import BadInput, Conflict, NotFound, StaleVersion
from reverie.model.base import Instant, Origin
from reverie.model.blocks import Block, BlockVersion
from reverie.policy.core.rewriting import unified
from reverie.policy.safety.grounding import Grounds
from reverie.store.db import Database, Reads, Row, Transaction
from reverie.store.rows import block_of, block_row, dumps_given, insertion
from reverie.store.tables.page import page


@dataclass(frozen=True, slots=True)
class Writer:
    """Who writes, why and when: kept with every version."""

    actor: str  # person, agent, operator, night
    reason: str
    now: Instant
    night: str | None = None
    outside: Origin | None = None  # where an agent has read something since the user last spoke
    grounds: Grounds | None = None  # what an agent's edit can rest on


def create(tx: Transaction, block: Block, writer: Writer, *, attach_to: str | None = None) -> Block:
    """Stores a new block with its first version. Raises Conflict if the space has one of that label."""
    block = _clean(tx, block)
    if not block.label or len(block.label) > 100:
        raise BadInput("a block's label has 1 to 100 characters", label=block.label)
    if attach_to is not None and _labelled(tx, attach_to, block.label, block.session) is not None:
        raise Conflict(f"this space has a block {block.label!r} already", next_move="Edit it, or choose another label.")
    row = block_row(replace(block, created_at=writer.now, updated_at=writer.now))
    tx.run(insertion("blocks", row), **row)
    keep_version(tx, block.id, block.version, block.value, writer)
    if attach_to is not None:
        attach(tx, attach_to, block.id)
    return block_of(_must(tx, block.id))


def _clean(tx: Transaction, block: Block) -> Block:
    """The block as it may be stored: no part of it holds a secret."""
    words = {name: tx.clean(getattr(block, name)) for name in ("label", "value", "description", "session")}
    return replace(block, **words, tags=tx.clean(block.tags), metadata=tx.clean(block.metadata))


def write(
    tx: Transaction,
    block: str,
    change: Callable[[Block], str],
    writer: Writer,
    *,
    expected: int | None = None,
) -> Block:
    """Reads, changes and writes one block in one transaction. `expected` is the version the caller had read."""
    current = block_of(_must(tx, block))
    if expected is not None and expected != current.version:
        raise stale_version(current, expected, _value_at(tx, block, expected))
    value = tx.clean(change(current))
    if value == current.value:
        return current
    tx.run(
        "UPDATE blocks SET value = :value, version = version + 1, updated_at = :now WHERE id = :id",
        value=value,
        now=writer.now,
        id=block,
    )
    written = replace(current, value=value, version=current.version + 1, updated_at=writer.now)
    keep_version(tx, block, written.version, value, writer)
    _drop_sentences(tx, written)
    return written


def describe(tx: Transaction, block: str, *, now: Instant, **columns: object) -> Block:
    """Changes what is not the value: label, limit, description, read_only, protected, tags, metadata, session."""
    _must(tx, block)
    for name, given in tx.clean(columns).items():
        column, value = ("size_limit", given) if name == "limit" else (name, given)
        if name in ("tags", "metadata"):
            value = dumps_given(given)
        elif isinstance(given, bool):
            value = int(given)
        tx.run(f"UPDATE blocks SET {column} = :value, updated_at = :now WHERE id = :id", value=value, now=now, id=block)
    return block_of(_must(tx, block))


def stale_version(current: Block, expected: int, was: str) -> StaleVersion:
    """The error for a writer who had read an older version, with the difference to what is there now."""
    return StaleVersion(
        "block",
        current.label,
        expected=expected,
        current=current.version,
        value=current.value,
        diff=unified(was, current.value),
    )


def by_id(db: Database, org: str, block: str) -> Block:
    row = db.row("SELECT * FROM blocks WHERE id = :id AND org = :org", id=block, org=org)
    if row is None:
        raise NotFound("block", block)
    return block_of(row)


def attached(db: Reads, space: str, session: str | None = None) -> list[Block]:
    """The blocks of a space in their fixed order; those bound to another session are left out."""
    rows = db.rows(
        "SELECT b.* FROM attachments a JOIN blocks b ON b.id = a.block WHERE a.space = :space"
        " ORDER BY a.position, b.id",
        space=space,
    )
    return [block for block in map(block_of, rows) if block.session in (None, session)]


def any_attached(tx: Transaction, space: str) -> bool:
    return bool(tx.rows("SELECT 1 AS yes FROM attachments WHERE space = :space LIMIT 1", space=space))


def labelled(db: Database, space: str, label: str, session: str | None = None) -> Block:
    """The block of that label; one bound to the session comes before the space's own."""
    found = [block for block in attached(db, space, session) if block.label == label]
    if not found:
        raise NotFound("block", label, next_move="`reverie blocks list` shows the blocks of a space.")
    return max(found, key=lambda block: block.session is not None)


def listed(db: Database, org: str, *, limit: int = 50, after: str | None = None) -> list[Block]:
    """All blocks of an org, oldest first."""
    return [block_of(row) for row in page(db, "blocks", "org", org, limit=limit, after=after)]


def attach(tx: Transaction, space: str, block: str) -> None:
    """Attaches a block to a space, after those that it has; nothing happens if it is attached already."""
    tx.run(
        "INSERT INTO attachments (space, block, position)"
        " SELECT CAST(:space AS TEXT), CAST(:block AS TEXT), coalesce(max(position), 0) + 1 FROM attachments"
        " WHERE space = :space ON CONFLICT (space, block) DO NOTHING",
        space=space,
        block=block,
    )


def detach(tx: Transaction, space: str, block: str) -> bool:
    return bool(tx.run("DELETE FROM attachments WHERE space = :space AND block = :block", space=space, block=block))


def spaces_of(db: Database, block: str) -> list[str]:
    return [
        row["space"]
        for row in db.rows("SELECT space FROM attachments WHERE block = :block ORDER BY space", block=block)
    ]


def delete(tx: Transaction, block: str) -> None:
    """Deletes a block with its attachments, versions and sentences."""
    tx.run("DELETE FROM attachments WHERE block = :block", block=block)
    tx.run("DELETE FROM block_versions WHERE block = :block", block=block)
    tx.run("DELETE FROM block_sentences WHERE block = :block", block=block)
    tx.run("DELETE FROM blocks WHERE id = :block", block=block)


def empty_own(tx: Transaction, space: str) -> None:
    """Empties the blocks that a space owns: no line, no older version, no metadata; a session's own block goes whole.

    Their labels, descriptions and limits stay.
    """
    own = [row["id"] for row in tx.rows("SELECT id, session FROM blocks WHERE owner = :space", space=space)]
    for block in own:
        tx.run("DELETE FROM block_versions WHERE block = :block", block=block)
        tx.run("DELETE FROM block_sentences WHERE block = :block", block=block)
        tx.run(
            "UPDATE blocks SET value = '', tags = '[]', metadata = '{}', version = version + 1 WHERE id = :block",
            block=block,
        )
        tx.run(
            "INSERT INTO block_versions (block, version, value, actor, reason, at)"
            " SELECT id, version, '', 'person', 'everything was forgotten', updated_at FROM blocks WHERE id = :block",
            block=block,
        )
    for row in tx.rows("SELECT id FROM blocks WHERE owner = :space AND session IS NOT NULL", space=space):
        delete(tx, row["id"])


def disown_shared(tx: Transaction, space: str) -> None:
    """A space that is deleted owns no longer those of its blocks that other spaces share: they stay."""
    tx.run(
        "UPDATE blocks SET owner = NULL WHERE owner = :space AND id IN"
        " (SELECT block FROM attachments WHERE space <> :space)",
        space=space,
    )


def withdraw_own(tx: Transaction, space: str) -> None:
    """A space that is deleted is attached to nothing, and the blocks that it owns are in no org: nobody finds them."""
    tx.run("DELETE FROM attachments WHERE space = :space", space=space)
    tx.run("UPDATE blocks SET org = '' WHERE owner = :space", space=space)


def history(db: Database, block: str) -> list[BlockVersion]:
    """Every version, oldest first, each with its diff to the one before."""
    rows = db.rows("SELECT * FROM block_versions WHERE block = :block ORDER BY version", block=block)
    before = ""
    versions = []
    for row in rows:
        versions.append(_version(row, unified(before, row["value"])))
        before = row["value"]
    return versions


def version(db: Database, block: str, number: int) -> BlockVersion:
    row = db.row("SELECT * FROM block_versions WHERE block = :block AND version = :v", block=block, v=number)
    if row is None:
        raise NotFound("version", str(number), next_move="`reverie blocks history LABEL` lists the versions.")
    return _version(row, "")


def sentence_sources(db: Reads, block: str) -> dict[str, tuple[str, ...]]:
    """What each sentence of a block rests on. A sentence that is not there is a person's own."""
    rows: Sequence[Row] = db.rows(
        "SELECT sentence, source FROM block_sentences WHERE block = :block ORDER BY sentence, source", block=block
    )
    found: dict[str, tuple[str, ...]] = {}
    for row in rows:
        found[row["sentence"]] = (*found.get(row["sentence"], ()), row["source"])
    return found


def _labelled(tx: Transaction, space: str, label: str, session: str | None) -> Row | None:
    same = "b.session IS NULL" if session is None else "b.session = :session"
    return tx.row(
        "SELECT b.id FROM attachments a JOIN blocks b ON b.id = a.block"
        f" WHERE a.space = :space AND b.label = :label AND {same}",
        space=space,
        label=label,
        **({} if session is None else {"session": session}),
    )


def _must(tx: Transaction, block: str) -> Row:
    """The row of a block that is being written."""
    row = tx.locked_row("SELECT * FROM blocks WHERE id = :id", id=block)
    if row is None:
        raise NotFound("block", block)
    return row


def keep_version(tx: Transaction, block: str, version: int, value: str, writer: Writer) -> None:
    """Stores one version of a block's text, with who wrote it and why."""
    tx.run(
        "INSERT INTO block_versions (block, version, value, actor, reason, night, at)"
        " VALUES (:block, :version, :value, :actor, :reason, :night, :at)",
        block=block,
        version=version,
        value=value,
        actor=writer.actor,
        reason=tx.clean(writer.reason),
        night=writer.night,
        at=writer.now,
    )


def sentences_citing(tx: Transaction, source: str) -> list[tuple[str, str]]:
    """(block, sentence) of the block sentences that rest on a memory."""
    rows = tx.rows("SELECT block, sentence FROM block_sentences WHERE source = :source", source=source)
    return [(row["block"], row["sentence"]) for row in rows]


def replace_version(tx: Transaction, block: str, version: int, value: str) -> None:
    """Another text for a version that is kept: what a person forgot is taken out of it in place."""
    tx.run(
        "UPDATE block_versions SET value = :value WHERE block = :id AND version = :v", value=value, id=block, v=version
    )


def replace_value(tx: Transaction, block: str, version: int, value: str, writer: Writer) -> None:
    """A new version, whoever reads the block: what a person forgot is taken out of it. The block keeps its date."""
    tx.run("UPDATE blocks SET value = :value, version = :v WHERE id = :id", value=value, v=version, id=block)
    keep_version(tx, block, version, value, writer)


def cite(tx: Transaction, block: str, sentence: str, source: str) -> None:
    """Keeps what a sentence rests on, beside the text."""
    tx.run(
        "INSERT INTO block_sentences (block, sentence, source) VALUES (:block, :sentence, :source)"
        " ON CONFLICT (block, sentence, source) DO NOTHING",
        block=block,
        sentence=sentence,
        source=source,
    )


def uncite(tx: Transaction, block: str, sentence: str, source: str) -> bool:
    """A sentence rests no longer on this source; False if it rests on nothing now."""
    here = {"block": block, "sentence": sentence}
    same = "block = :block AND sentence = :sentence"
    tx.run(f"DELETE FROM block_sentences WHERE {same} AND source = :ref", **here, ref=source)
    return bool(tx.rows(f"SELECT 1 AS yes FROM block_sentences WHERE {same}", **here))


def _drop_sentences(tx: Transaction, block: Block) -> None:
    """Deletes the sources of sentences that an edit has taken out of the block."""
    rows = tx.rows("SELECT DISTINCT sentence FROM block_sentences WHERE block = :block", block=block.id)
    for row in rows:
        if row["sentence"] not in block.value:
            tx.run(
                "DELETE FROM block_sentences WHERE block = :block AND sentence = :sentence",
                block=block.id,
                sentence=row["sentence"],
            )


def _value_at(tx: Transaction, block: str, number: int) -> str:
    row = tx.row("SELECT value FROM block_versions WHERE block = :block AND version = :v", block=block, v=number)
    return "" if row is None else str(row["value"])


def _version(row: Row, diff: str) -> BlockVersion:
    return BlockVersion(
        block=row["block"],
        version=row["version"],
        value=row["value"],
        actor=row["actor"],
        reason=row["reason"],
        night=row["night"],
        at=row["at"],
        diff=diff,
    )
