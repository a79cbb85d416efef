"""What a forget takes: the turns and memories that a person means, and what is derived from them alone."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from reverie.errors import BadInput, NotFound
from reverie.language.quoting import unquoted, words_before, words_of_talk
from reverie.language.words import tokens
from reverie.model.turns import is_turn
from reverie.store.catalog import BY_MEMORY
from reverie.store.db import Database, Row, Transaction
from reverie.store.rows import unpack
from reverie.store.tables import memories, turns
from reverie.store.tables.memory_words import names_of

Found = tuple[list[str], list[str]]  # turns, memories
Rows = Database | Transaction
SHOWN = 1_000
# Kinds that stay if another source says the same; prose made of several sources is made anew by the next night.
RESTS_ON_OTHERS = ("episode", "fact")
INTRODUCED = "introduced"  # the mark of a fact that holds the words by which something was first named
LEADS = ("about", "on", "told")  # marks of a fact that hold words of the turns before its own


def meant(
    db: Database,
    space: str,
    ids: Sequence[str] = (),
    query: str | None = None,
    session: str | None = None,
    person: str | None = None,
    everything: bool = False,
) -> Found:
    """The one way that is given, with the turns that the memories found are, word for word."""
    given = [way for way in (ids, query, session, person, everything) if way]
    if len(given) != 1:
        raise BadInput("forget needs exactly one of: ids, query, session, person, everything")
    if ids:
        found = named(db, space, ids)
    elif query:
        found = containing(db, space, query)
    elif session:
        found = of_session(db, space, session)
    elif person:
        found = of_person(db, space, person)
    else:
        found = all_of(db, space)
    said = list(dict.fromkeys((*found[0], *spoken(db, space, found[1]))))
    return said, found[1] if everything else list(dict.fromkeys((*found[1], *showing(db, space, said))))


def showing(db: Database, space: str, ids: Sequence[str]) -> list[str]:
    """Facts of other turns that show words of these before their own: the question they answer, what they lean on."""
    said: dict[str, list[str]] = {}
    for row in db.each("SELECT session, text FROM turns WHERE space = :space AND id IN (:keys)", ids, space=space):
        said.setdefault(row["session"], []).append(" ".join(row["text"].split()))
    sql = (
        "SELECT id, text, marks FROM memories WHERE space = :space AND session = :session"
        " AND kind IN ('fact', 'directive')"
    )
    facts = ((row, texts) for session, texts in said.items() for row in db.rows(sql, space=space, session=session))
    found = [row["id"] for row, texts in facts if any(_shows(lead, texts) for lead in _leads(row))]
    every = [text for texts in said.values() for text in texts]
    sql = "SELECT id, marks FROM memories WHERE space = :space AND kind = 'fact' AND marks LIKE :introduced"
    named = db.rows(sql, space=space, introduced=f'%"{INTRODUCED}"%') if every else []
    return list(dict.fromkeys((*found, *(row["id"] for row in named if _shows(_introduction(row), every)))))


def _leads(row: Row) -> Iterator[str]:
    marks = json.loads(row["marks"])
    yield from (" ".join(str(marks[name]).split()) for name in LEADS if marks.get(name))
    yield from words_before(row["text"], str(marks.get("quote") or ""))
    yield from words_of_talk(str(marks.get("talk") or ""))


def _introduction(row: Row) -> str:
    """The words by which something was first named, in whatever session: they stand behind their day."""
    return unquoted(str(json.loads(row["marks"]).get(INTRODUCED, "")).partition(": ")[2])


def _shows(lead: str, texts: Sequence[str]) -> bool:
    return bool(lead) and any(lead in text for text in texts)


def named(db: Database, space: str, ids: Sequence[str]) -> Found:
    """Every id must be of this space, or nothing is forgotten."""
    here = {*turns.by_ids(db, space, ids), *memories.by_ids(db, space, ids)}
    for id in ids:
        if id not in here:
            raise NotFound("memory", id)
    return [id for id in ids if is_turn(id)], [id for id in ids if not is_turn(id)]


def containing(db: Database, space: str, query: str) -> Found:
    """What contains every word of a query, whatever its case and accents. Read here: SQL's `lower` knows only ASCII."""
    words = tokens(query)
    return _where(db, space, lambda row: bool(words) and _says(row, words))


def of_session(db: Database, space: str, session: str) -> Found:
    return _where(db, space, lambda row: row["session"] == session)


def of_person(db: Database, space: str, person: str) -> Found:
    """What the person said, what is about them, and every text that names them."""
    words, name = tokens(person), person.casefold()
    naming = db.rows(f"SELECT memory, names FROM memory_words WHERE names <> '' AND {BY_MEMORY}", space=space)
    about = {row["memory"] for row in naming if name in map(str.casefold, names_of(row["names"]))}

    def concerned(row: Row) -> bool:
        named = name in (_name(row, "speaker"), _name(row, "subject"))
        return named or row["id"] in about or (bool(words) and _says(row, words))

    return _where(db, space, concerned)


def all_of(db: Database, space: str) -> Found:
    return _where(db, space, lambda _: True)


def spoken(db: Database, space: str, ids: Iterable[str]) -> list[str]:
    """The turns that these memories are, word for word: forgetting an episode is forgetting that it was said."""
    rows = db.each(
        "SELECT s.source AS id FROM memories m JOIN sources s ON s.memory = m.id JOIN turns t ON t.id = s.source"
        " WHERE m.space = :space AND m.kind = 'episode' AND m.id IN (:keys)",
        ids,
        space=space,
    )
    return list(dict.fromkeys(row["id"] for row in rows))


@dataclass(frozen=True, slots=True)
class Plan:
    """The memories that go, and (memory, source) of those that others say too: they only lose a source."""

    doomed: list[str]
    loosened: list[tuple[str, str]]


def with_derived(tx: Rows, space: str, start: Sequence[str]) -> Plan:
    """What a forget of these does to memories: those named go, and what is derived from them alone. Only reads."""
    loosened: list[tuple[str, str]] = []
    doomed: dict[str, None] = {ref: None for ref in start if not is_turn(ref)}
    lost, edge = set(start), list(start)
    while edge:
        source = edge.pop()
        rows = tx.rows(
            "SELECT m.id AS id, m.kind AS kind FROM sources s JOIN memories m ON m.id = s.memory"
            " WHERE s.space = :space AND s.source = :source",
            space=space,
            source=source,
        )
        for row in rows:
            if row["id"] in doomed:
                continue
            if row["kind"] in RESTS_ON_OTHERS and _has_other_sources(tx, row["id"], lost):
                loosened.append((row["id"], source))
            else:
                doomed[row["id"]] = None
                lost.add(row["id"])
                edge.append(row["id"])
    here = "SELECT 1 AS yes FROM memories WHERE id = :id AND space = :space"
    kept = [pair for pair in loosened if pair[0] not in doomed]
    return Plan([ref for ref in doomed if tx.rows(here, id=ref, space=space)], kept)


def texts(db: Database, space: str, ids: Sequence[str]) -> dict[str, str]:
    """The texts of these turns and memories, the first thousand."""
    shown = ids[:SHOWN]
    said = db.each("SELECT id, text FROM turns WHERE space = :space AND id IN (:keys)", shown, space=space)
    kept = db.each("SELECT id, text, packed FROM memories WHERE space = :space AND id IN (:keys)", shown, space=space)
    found = {row["id"]: row["text"] for row in said}
    found |= {row["id"]: row["text"] if row["packed"] is None else unpack(row["packed"]) for row in kept}
    return {id: found[id] for id in shown if id in found}


def _has_other_sources(tx: Rows, memory: str, lost: set[str]) -> bool:
    rows = tx.rows("SELECT source FROM sources WHERE memory = :memory", memory=memory)
    return any(row["source"] not in lost and row["source"] != memory for row in rows)


def _where(db: Database, space: str, means: Callable[[Row], bool]) -> Found:
    said = "SELECT id, text, session, speaker, NULL AS packed, NULL AS subject FROM turns WHERE space = :space"
    kept = "SELECT id, text, session, speaker, packed, subject FROM memories WHERE space = :space"
    found = ([row["id"] for row in db.rows(sql, space=space) if means(row)] for sql in (said, kept))
    return next(found), next(found)


def _says(row: Row, words: Sequence[str]) -> bool:
    said = " ".join(tokens(row["text"] if row["packed"] is None else unpack(row["packed"])))
    return all(word in said for word in words)


def _name(row: Row, column: str) -> str:
    return str(row[column] or "").casefold()
