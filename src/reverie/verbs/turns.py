"""The log: append, read, end a session."""

from collections.abc import Iterable, Mapping
from typing import Any

from reverie.awake.append import Draft, append
from reverie.errors import BadInput
from reverie.model.base import Instant
from reverie.model.turns import Appended, Turn
from reverie.store.tables import turns
from reverie.verbs.base import Verbs


class TurnVerbs(Verbs):
    def append(
        self,
        role: str,
        text: str,
        session: str = "default",
        key: str | None = None,
        *,
        origin: str | None = None,
        speaker: str | None = None,
        at: Instant | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Appended:
        """Stores one turn, durably. The same `key` twice stores once. Secrets are taken out before that."""
        when = self._now() if at is None else at
        draft = Draft(role, text, session, key, origin, speaker, when, metadata or {})
        return append(self._db, self.record, draft)

    def add(self, messages: Iterable[Mapping[str, Any]], session: str = "default") -> list[Appended]:
        """A list of chat messages at once; each needs `role` and `content` (or `text`)."""
        return [self.append(**_message(message), session=message.get("session", session)) for message in messages]

    def turn(self, id: str) -> Turn:
        """One turn by its id; `recall` names them in `hit.sources`."""
        return turns.by_id(self._db, self.id, id)

    def turns(
        self,
        session: str | None = None,
        *,
        after: str | None = None,
        before: str | None = None,
        newest_first: bool = False,
        limit: int = 50,
    ) -> list[Turn]:
        """Turns of the log; `after` and `before` are ids of turns and exclusive."""
        return turns.listed(
            self._db,
            self.id,
            session=session,
            after=None if after is None else self.turn(after).seq,
            before=None if before is None else self.turn(before).seq,
            descending=newest_first,
            limit=limit,
        )

    def sessions(self, *, limit: int = 50, after: int = 0) -> list[dict[str, Any]]:
        """Conversations in the order they began; `after` is the `first_seq` of the last one seen."""
        return turns.sessions(self._db, self.id, limit=limit, after=after)

    def unread(self) -> int:
        """How many turns no night has read."""
        return max(0, turns.activity(self._db, self.id).last_seq - self._fresh().watermark)

    def end_session(self, session: str = "default") -> bool:
        """Says that a conversation is over: the space may sleep."""
        with self._db.write("log") as tx:
            return turns.end_session(tx, self.id, session, self._now())


def _message(message: Mapping[str, Any]) -> dict[str, Any]:
    content = message.get("content", message.get("text"))
    if isinstance(content, list):  # content parts, as chat APIs have them
        content = "\n".join(part.get("text", "") for part in content if isinstance(part, Mapping))
    if not isinstance(content, str) or "role" not in message:
        raise BadInput("a message needs `role` and `content`", next_move='Give {"role": "user", "content": "…"}.')
    given = {name: message[name] for name in ("key", "origin", "speaker", "at", "metadata") if name in message}
    return {"role": message["role"], "text": content, **given}
