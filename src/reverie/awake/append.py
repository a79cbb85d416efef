"""One INSERT in the log, counters bumped, answered. Nothing else happens while the user waits."""

import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from reverie.awake import intents
from reverie.errors import BadInput
from reverie.language.playing import ends_play, opens_play
from reverie.language.words import turn_terms
from reverie.model.base import ROLES, Instant, Trust, new_id
from reverie.model.spaces import SpaceRecord
from reverie.model.turns import SESSION_KINDS, Appended, Draft, IntentWords, Play, SessionNote, Turn
from reverie.policy.safety.channels import TURN_OF, Channel, checked_metadata
from reverie.policy.safety.redaction import Redactor
from reverie.policy.safety.trust import needs_quarantine
from reverie.store.db import Database, Transaction
from reverie.store.rows import dumps_given
from reverie.store.tables import turns

MAX_TEXT = 1_000_000
BLOCKS_SESSION = "blocks"  # lines that wait for a block are a conversation of their own

# a turn, its terms, its draft's digest, its importance, its session, the reminders it asks for
Ready = tuple[Turn, str, str, float, SessionNote, Sequence[IntentWords]]


def append(db: Database, space: SpaceRecord, draft: Draft) -> Appended:
    """Durable when it returns. The same key twice stores once."""
    ready = _ready(db.redactor, space, draft)
    with db.write("log") as tx:
        return _insert(tx, ready)


def defer(db: Database, space: SpaceRecord, line: str, block: str, channel: Channel, now: Instant) -> Appended:
    """Keeps a line that a block has no room for. Only an edit of that block comes here: no caller can name a block."""
    draft = Draft("system", line, session=BLOCKS_SESSION, at=now)
    turn = replace(_turn(db.redactor, space.id, draft), origin=channel.origin, trust=channel.trust, block=block)
    turn = replace(turn, quarantine=needs_quarantine(turn.text, turn.trust))
    ready: Ready = turn, turn_terms(space.num, turn), "", importance(turn), draft.session_note, ()
    with db.write("log") as tx:
        return _insert(tx, ready)


def append_all(db: Database, drafts: Sequence[tuple[SpaceRecord, Draft]], now: Instant) -> list[Appended]:
    """Turns of any spaces in one transaction: all of them are stored, or none.

    Space by space in the order of their ids, each space's as they came: two that have the same spaces never wait for
    each other.
    """
    ready = [_ready(db.redactor, space, draft, now) for space, draft in drafts]
    by_space = sorted(range(len(ready)), key=lambda i: ready[i][0].space)
    with db.write("log") as tx:
        stored = {i: _insert(tx, ready[i]) for i in by_space}
    return [stored[i] for i in range(len(ready))]


def chat_message(message: Mapping[str, Any]) -> dict[str, Any]:
    """What `Space.append` takes, from a message as chat APIs have them."""
    content = message.get("content", message.get("text"))
    if isinstance(content, list):  # content parts, as chat APIs have them
        content = "\n".join(part.get("text", "") for part in content if isinstance(part, Mapping))
    if not isinstance(content, str) or "role" not in message:
        raise BadInput("a message needs `role` and `content`", next_move='Give {"role": "user", "content": "…"}.')
    named = ("key", "origin", "speaker", "at", "metadata", "kind", "channel", "source")
    given = {name: message[name] for name in named if name in message}
    return {"role": message["role"], "text": content, **given}


def end_session(db: Database, space: str, session: str, now: Instant) -> bool:
    """False if there is no such session, or it had already ended."""
    with db.write("log") as tx:
        return turns.end_session(tx, space, tx.redactor.name(session), now)


def note_overflow(db: Database, space: str) -> None:
    """A context could not hold what it wanted to: the overflow trigger counts it."""
    with db.write("log") as tx:
        turns.overflowed(tx, space)


def _ready(redactor: Redactor, space: SpaceRecord, draft: Draft, now: Instant | None = None) -> Ready:
    turn = _turn(redactor, space.id, draft, now)
    note = replace(_checked_note(draft.session_note), play=_play(turn))
    return turn, turn_terms(space.num, turn), _digest(draft), importance(turn), note, intents.words_in(turn, note)


def _play(turn: Turn) -> Play:
    """Whether the user begins or ends a play by this turn."""
    if turn.role != "user" or turn.trust < Trust.USER:
        return ""
    return "begins" if opens_play(turn.text) else "ends" if ends_play(turn.text) else ""


def _insert(tx: Transaction, ready: Ready) -> Appended:
    turn, words, digest, weight, note, asked = ready
    stored = turns.insert(tx, turn, words=words, digest=digest, importance=weight, note=note)
    if asked and not stored.repeated and (note.play == "begins" or not turns.is_play(tx, turn.space, turn.session)):
        intents.store(tx, turn, asked)
    return stored


def _checked_note(note: SessionNote) -> SessionNote:
    if note.kind is not None and note.kind not in SESSION_KINDS:
        raise BadInput(f"a session's kind is one of {', '.join(SESSION_KINDS)}, not {note.kind!r}")
    if any(len(name or "") > 200 for name in (note.channel, note.source)):
        raise BadInput("the name of a channel or a source has at most 200 characters")
    return note


def importance(turn: Turn) -> float:
    """A guess from the outside, for the event trigger: people's words weigh, and more of them weigh more."""
    base = 0.5 if turn.role == "user" else 0.2
    return min(1.0, base + len(turn.text) / 2_000)


def _turn(redactor: Redactor, space: str, draft: Draft, now: Instant | None = None) -> Turn:
    role = ROLES.get(draft.role)
    if role is None:
        raise BadInput(f"role must be one of {', '.join(ROLES)}, not {draft.role!r}")
    channel = TURN_OF[role].lowered(draft.origin)
    if not draft.text.strip():
        raise BadInput("a turn needs text")
    if len(draft.text) > MAX_TEXT:
        raise BadInput(f"a turn has at most {MAX_TEXT:,} characters, this has {len(draft.text):,}")
    if not draft.session or len(draft.session) > 200:
        raise BadInput("a session's name has 1 to 200 characters")
    clean, found = redactor.redact(draft.text.replace("\x00", "")), list[str]()
    return Turn(
        id=new_id("turn"),
        space=space,
        seq=0,
        session=redactor.name(draft.session),
        role=role,
        text=clean.text,
        at=_moment(draft.at, now),
        origin=channel.origin,
        trust=channel.trust,
        speaker=draft.speaker and redactor.name(draft.speaker),
        metadata=redactor.value(checked_metadata(draft.metadata, "a turn's metadata"), found) if draft.metadata else {},
        key=draft.key and redactor.key(draft.key),
        redacted=clean.count + len(found),
        quarantine=needs_quarantine(clean.text, channel.trust) if role != "system" else None,
    )


def _moment(given: Instant | None, now: Instant | None) -> Instant:
    if given is not None:
        return checked_instant(given)
    return time.time() if now is None else now


def _digest(draft: Draft) -> str:
    if draft.key is None:
        return ""
    said = dumps_given([draft.role, draft.text, draft.session, draft.origin, draft.speaker, dict(draft.metadata)])
    return hashlib.blake2b(said.encode(), digest_size=16).hexdigest()


EARLIEST, LATEST = -5e10, 1e11  # the years 385 and 5138


def checked_instant(at: Instant) -> Instant:
    """Refuses what no date can be made of: one such turn would break every recall of its space."""
    if not EARLIEST <= at <= LATEST:
        raise BadInput(f"{at!r} is not a moment", next_move="Give seconds since the epoch, UTC (not milliseconds).")
    return at
