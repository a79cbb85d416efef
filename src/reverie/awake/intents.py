"""Intents, awake: made from the user's own words as they are stored, matched against a question, shown and counted."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from reverie.awake.events import Events
from reverie.errors import BadInput
from reverie.language.speech import utterances
from reverie.model.base import Instant, Trust, derived_id
from reverie.model.turns import LIFETIME, LONGEST, Intent, IntentWords, Reminder, SessionNote, Turn
from reverie.policy import intents as policy
from reverie.policy.safety.trust import strip_recalled
from reverie.store.db import Database, Transaction
from reverie.store.reading import log
from reverie.store.tables import intents

READ = 2_000  # characters of a turn: a longer one is pasted
MOST_SHOWN = 3
REMEMBERED = 1_000  # of what was shown lately, until the log has it


def words_in(turn: Turn, note: SessionNote) -> list[IntentWords]:
    """What a turn asks to be reminded of: only the user's own speech, in a conversation of theirs, can."""
    if turn.role != "user" or turn.trust < Trust.USER or turn.quarantine or len(turn.text) > READ:
        return []
    if note.kind not in (None, "interactive") or not policy.mentions(turn.text):
        return []
    return policy.wanted(one.text for one in utterances(strip_recalled(turn.text)))


def store(tx: Transaction, turn: Turn, words: Sequence[IntentWords]) -> None:
    """In the transaction of the turn: both are there, or neither."""
    for one in words:
        if not one.cancels:
            intents.put(tx, intent_of(turn.space, one, turn.at, turn=turn.id, session=turn.session))
            continue
        for gone in policy.cancelled_by(one.remind, intents.live(tx, turn.space, turn.at), turn.session):
            intents.cancel(tx, gone.id, turn.at)


def intent_of(
    space: str,
    words: IntentWords,
    now: Instant,
    *,
    turn: str | None = None,
    session: str | None = None,
    scope: str = "",
) -> Intent:
    """The same words again are the same intent."""
    id = derived_id("int", space, " ".join(words.trigger.split()).casefold(), words.remind.casefold(), scope)
    return Intent(id, space, words.remind, words.trigger, now, now + LIFETIME, turn, session, scope)


def intend(db: Database, space: str, remind: str, when: str, scope: str, now: Instant) -> Intent:
    """An intent that a person writes down."""
    remind, when = (" ".join(db.redactor.text(text).split()) for text in (remind, when))
    if not remind or max(len(remind), len(when), len(scope)) > LONGEST:
        raise BadInput(f"an intent has 1 to {LONGEST} characters")
    if not policy.comes_up(when, policy.stems_of(when)):
        raise BadInput(
            f"{when!r} names nothing that could come up", next_move="Name a topic, a person or a thing: --when ledger."
        )
    made = intent_of(space, IntentWords(remind, when), now, scope=scope)
    with db.write("log") as tx:
        intents.put(tx, made)
    return made


def cancel(db: Database, space: str, id: str, now: Instant) -> Intent:
    """The intent as it now is; it stays listed, and reminds no more."""
    intents.by_id(db, space, id)
    with db.write("log") as tx:
        intents.cancel(tx, id, now)
    return intents.by_id(db, space, id)


@dataclass
class Reminders:
    """What is due with a question. What was shown counts at once, though the log learns of it a moment later."""

    db: Database
    events: Events
    _shown: OrderedDict[str, tuple[Instant, int]] = field(default_factory=OrderedDict)
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def of(self, space: str, query: str, session: str | None, now: Instant, *, quiet: bool = False) -> list[Reminder]:
        """At most three, the oldest first; `quiet`: a person looks on, nothing is counted."""
        known = [self._current(intent) for intent in intents.live(self.db, space, now)]
        found = policy.due(known, query, session, now) if known else []
        if found:
            said_in = {intent.session for intent in found if intent.session}
            left_out = log.left_out(self.db, space, said_in) if said_in else {}
            found = [intent for intent in found if intent.session not in left_out][:MOST_SHOWN]
        if not quiet:
            for intent in found:
                self._fire(intent, now)
        return [Reminder(intent, policy.line_of(intent)) for intent in found]

    def _current(self, intent: Intent) -> Intent:
        with self._guard:
            at, fired = self._shown.get(intent.id, (0.0, 0))
        if at < intent.made_at or fired <= intent.fired:  # asked for anew since, or the log knows
            return intent
        return replace(intent, fired=fired, fired_at=max(at, intent.fired_at or 0.0))

    def _fire(self, intent: Intent, now: Instant) -> None:
        with self._guard:
            self._shown[intent.id] = (now, intent.fired + 1)
            while len(self._shown) > REMEMBERED:
                self._shown.popitem(last=False)
        self.events.put(lambda tx: intents.fire(tx, intent.id, now))
