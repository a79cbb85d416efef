"""Quotes of a forgotten text, and its id, in other tables: answers, reviews, blocks, journal, ledger, diary, replies.

Every table is read once for all that is forgotten, and without the write lock: searching it for each text in turn would
take a long forget minutes.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reverie.language.sentences import sentences
from reverie.store.commit import journal
from reverie.store.db import Database, T, Transaction
from reverie.store.parts import Pace
from reverie.store.tables import (
    answers,
    blocks,
    diary,
    entries,
    failures,
    ledger,
    mirror_files,
    recalls,
    replies,
    reviews,
    spaces,
    suppressed,
)
from reverie.store.tables.blocks import Writer

Count = Callable[[str, int], None]
Clean = Callable[[Transaction, Sequence[Mapping[str, Any]]], None]  # takes the keys of the rows to clean
SHORT = 12  # a shorter text ("yes") is no trace of anything
ID = re.compile(r"[\w.-]+")


@dataclass(frozen=True, slots=True)
class Place:
    """A table whose texts may cite or quote: its key, the columns to look at, and how a row is cleaned."""

    what: str
    relation: str
    key: tuple[str, ...]
    texts: tuple[str, ...]
    clean: Clean
    where: str = "space = :space"


PLACES = (
    Place("reviews", "reviews", ("id",), ("target", "evidence", "proposal", "diff"), reviews.delete),
    Place("journal entries", "journal", ("night", "n"), ("key", "before", "after"), journal.forget),
    Place("model responses", "ledger", ("id",), ("response",), ledger.clear_responses),
    Place("mirrored files", "mirror_files", ("space", "path"), ("content",), mirror_files.clear),
    Place("replies", "replies", ("org", "key", "route"), ("body",), replies.delete, "CAST(:space AS TEXT) IS NOT NULL"),
)


class ForgottenTexts:
    """What was forgotten: ids, and texts with their sentences, each as it stands and as JSON holds it."""

    def __init__(self, refs: Iterable[str], texts: Iterable[str]) -> None:
        self.refs = dict.fromkeys(refs)
        self._odd = [ref for ref in self.refs if not ID.fullmatch(ref)]  # an importer's own
        self.quotes = list(dict.fromkeys(part for text in texts for part in _quotable(text)))
        self._parts = list(dict.fromkeys(form for part in self.quotes for form in _forms(part)))

    def among(self, rows: Sequence[tuple[Any, str]]) -> list[Any]:
        """The keys of the rows whose text cites or quotes any of it."""
        texts = [text.casefold() for _, text in rows]
        everything = "\n".join(texts)
        parts = [part for part in self._parts if part in everything]
        return [
            key
            for (key, text), folded in zip(rows, texts, strict=True)
            if self._cited(text) or any(part in folded for part in parts)
        ]

    def quoted_in(self, text: str) -> list[str]:
        """Those of its texts and sentences that occur there, in whatever case."""
        folded = text.casefold()
        return [part for part in self.quotes if part.casefold() in folded]

    def _cited(self, text: str) -> bool:
        return not self.refs.keys().isdisjoint(ID.findall(text)) or any(ref in text for ref in self._odd)


def remove_citations(tx: Transaction, space: str, refs: Sequence[str], count: Count) -> None:
    """Deletes what names these turns and memories by their ids; `count` is told how many of each."""
    suppressed.delete_refs(tx, space, refs)
    recalls.delete_days_of(tx, space, refs)
    failures.delete_items(tx, space, refs)
    rests = tx.each("SELECT answer FROM answer_rests WHERE space = :space AND ref IN (:keys)", refs, space=space)
    count("answers", _delete_answers(tx, space, dict.fromkeys(row["answer"] for row in rests)))
    count("block sentences", sum(_drop_sentences(tx, ref) for ref in refs))


def remove_lines(db: Database, refs: Sequence[str], count: Count) -> None:
    """Deletes whole lines of blocks that rest on these; `count` is told how many. Quotes in other lines come after."""

    def drop(tx: Transaction, part: Sequence[str]) -> None:
        count("block sentences", sum(_drop_sentences(tx, ref) for ref in part))

    _in_parts(db, refs, drop)


def remove_quotes(db: Database, space: str, gone: ForgottenTexts, count: Count) -> None:
    """Deletes or cleans every row that cites or quotes what was forgotten; `count` is told how many of each.

    They are looked for without the write lock, and cleaned in parts.
    """
    for place in PLACES:
        found = [dict(zip(place.key, key, strict=True)) for key in gone.among(_read(db, place, space))]
        _in_parts(db, found, place.clean)
        count(place.what, len(found))
    said = db.rows("SELECT id, question, answer FROM answers WHERE space = :space", space=space)
    quoting = gone.among([(row["id"], f"{row['question']}\n{row['answer']}") for row in said])
    _in_parts(db, quoting, lambda tx, ids: _delete_answers(tx, space, ids))
    count("answers", len(quoting))
    count("block versions", _clean_blocks(db, space, gone))
    count("diary entries", _clean_diary(db, space, gone))
    count("entries", _clean_entries(db, space, gone))


def _in_parts(db: Database, found: Sequence[T], clean: Callable[[Transaction, Sequence[T]], object]) -> None:
    pace = Pace()
    for part in pace.parts(found):
        with db.write("memory") as tx:
            clean(tx, part)
        pace.ended(tx, len(part))


def _read(db: Database, place: Place, space: str) -> list[tuple[tuple[Any, ...], str]]:
    columns = ", ".join(dict.fromkeys((*place.key, *place.texts)))
    rows = db.rows(f"SELECT {columns} FROM {place.relation} WHERE {place.where}", space=space)
    return [(tuple(row[n] for n in place.key), "\n".join(row[n] or "" for n in place.texts)) for row in rows]


def _delete_answers(tx: Transaction, space: str, ids: Collection[str]) -> int:
    answers.delete(tx, ids)
    if ids:
        spaces.next_change(tx, space)
    return len(ids)


def _clean_blocks(db: Database, space: str, gone: ForgottenTexts) -> int:
    """Deletes quotes that a person or an agent had put into a block of this space; answers how many blocks had one."""
    rows = db.rows(
        "SELECT v.block AS block, v.value AS value FROM blocks b JOIN block_versions v ON v.block = b.id"
        " WHERE b.owner = :space",
        space=space,
    )
    found = dict.fromkeys(gone.among([(row["block"], row["value"]) for row in rows]))
    quotes = [
        (block, sentence)
        for block in found
        for sentence in gone.quoted_in("\n".join(row["value"] for row in rows if row["block"] == block))
    ]
    _in_parts(db, quotes, _delete_sentences)
    return len(found)


def _delete_sentences(tx: Transaction, quotes: Sequence[tuple[str, str]]) -> None:
    for block, sentence in quotes:
        _delete_sentence(tx, block, sentence)


def _clean_diary(db: Database, space: str, gone: ForgottenTexts) -> int:
    rows = db.rows("SELECT night, text FROM diary WHERE space = :space", space=space)
    found = gone.among([(row["night"], row["text"]) for row in rows])

    def clean(tx: Transaction, nights: Sequence[str]) -> None:
        for row in tx.each("SELECT night, text FROM diary WHERE night IN (:keys)", nights):
            diary.update(tx, row["night"], _cleaned(row["text"], gone))

    _in_parts(db, found, clean)
    return len(found)


def _clean_entries(db: Database, space: str, gone: ForgottenTexts) -> int:
    """Deletes the entries whose words are forgotten, and takes quotes out of the others; answers how many had one."""
    rows = db.rows("SELECT shelf, key, value, ref FROM entries WHERE space = :space", space=space)
    found = gone.among([((row["shelf"], row["key"]), f"{row['value']}\n{row['ref'] or ''}") for row in rows])
    past = db.rows("SELECT shelf, entry, version, value FROM entry_versions WHERE space = :space AND value IS NOT NULL",
                   space=space)  # fmt: skip
    quoting = gone.among([((row["shelf"], row["entry"], row["version"]), row["value"]) for row in past])

    def clean(tx: Transaction, keys: Sequence[tuple[str, str]]) -> None:
        which = "space = :space AND shelf = :shelf AND key = :key"
        for shelf, key in keys:
            place = {"space": space, "shelf": shelf, "key": key}
            row = tx.row(f"SELECT value, ref FROM entries WHERE {which}", **place)
            if row is not None and row["ref"] in gone.refs:
                entries.delete(tx, [place])
            elif row is not None:
                entries.rewrite(tx, [place | {"value": _unquoted(row["value"], gone)}])

    def clean_past(tx: Transaction, keys: Sequence[tuple[str, str, int]]) -> None:
        which = "space = :space AND shelf = :shelf AND entry = :entry AND version = :version"
        for shelf, entry, version in keys:
            place = {"space": space, "shelf": shelf, "entry": entry, "version": version}
            row = tx.row(f"SELECT value FROM entry_versions WHERE {which} AND value IS NOT NULL", **place)
            if row is not None:
                entries.rewrite_versions(tx, [place | {"value": _unquoted(row["value"], gone)}])

    _in_parts(db, found, clean)
    _in_parts(db, quoting, clean_past)
    return len(found)


def _cleaned(text: str, gone: ForgottenTexts) -> str:
    """The text with a mark in the place of each quote."""
    for quote in gone.quoted_in(text):
        text = re.sub(re.escape(quote), "[…]", text, flags=re.IGNORECASE)
    return text


def _unquoted(value: str, gone: ForgottenTexts) -> str:
    """The same JSON, with none of the forgotten texts in its strings and keys."""

    def cleaned(part: Any) -> Any:
        if isinstance(part, str):
            return _cleaned(part, gone)
        if isinstance(part, list):
            return [cleaned(one) for one in part]
        return {cleaned(key): cleaned(one) for key, one in part.items()} if isinstance(part, dict) else part

    return json.dumps(cleaned(json.loads(value)), ensure_ascii=False)


def _drop_sentences(tx: Transaction, ref: str) -> int:
    """Deletes the block sentences that rest on this source alone; answers how many."""
    rows = tx.rows("SELECT block, sentence FROM block_sentences WHERE source = :ref", ref=ref)
    dropped = 0
    for row in rows:
        if not blocks.uncite(tx, row["block"], row["sentence"], ref):
            _delete_sentence(tx, row["block"], row["sentence"])
            dropped += 1
    return dropped


def _delete_sentence(tx: Transaction, block: str, sentence: str) -> None:
    """Deletes a sentence from a block: the current value becomes a new version, older versions are changed in place."""
    row = tx.row("SELECT value, version, updated_at FROM blocks WHERE id = :id", id=block)
    if row is None:
        return
    for version in tx.rows("SELECT version, value FROM block_versions WHERE block = :id", id=block):
        blocks.replace_version(tx, block, version["version"], without(version["value"], sentence))
    value = without(row["value"], sentence)
    if value != row["value"]:
        writer = Writer("person", "forgotten", row["updated_at"])
        blocks.replace_value(tx, block, row["version"] + 1, value, writer)


def without(text: str, sentence: str) -> str:
    """The text without a sentence, however it is capitalized there, and without the hole it would leave.

    >>> without("Likes tea.\\nLives in Lisbon.\\nHas a dog.", "lives in Lisbon.")
    'Likes tea.\\nHas a dog.'
    """
    said = re.compile(re.escape(sentence), re.IGNORECASE)
    if not said.search(text):
        return text
    lines = (said.sub("", line).strip() if said.search(line) else line for line in text.splitlines())
    return "\n".join(line for line in lines if any(map(str.isalnum, line)))


def _quotable(text: str) -> Iterator[str]:
    return (part for part in dict.fromkeys((text.strip(), *sentences(text))) if len(part) >= SHORT)


def _forms(part: str) -> Iterator[str]:
    yield part.casefold()
    for ascii_only in (False, True):
        yield json.dumps(part, ensure_ascii=ascii_only)[1:-1].casefold()
