"""Messages of a conversation in pages: its system message, then its turns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from reverie.errors import NotFound
from reverie.model.turns import Turn
from reverie.server.letta.conversations import LettaConversation, system_message
from reverie.server.letta.shapes import turn_shape
from reverie.server.letta.shared import Cursor, Shape, page_of, turn_id
from reverie.space import Space

PART = 200
MOST_FORKED = 10_000


@dataclass(frozen=True, slots=True)
class Thread:
    """What is listed: a session or all of them, after a system message; of a fork, with what it inherited."""

    agent: Space
    session: str | None
    system: Shape | None = None
    base: Sequence[Turn] = field(default_factory=tuple)

    @classmethod
    def of(cls, conversation: LettaConversation) -> "Thread":
        system = system_message(conversation.agent, conversation.id)
        return cls(conversation.agent, conversation.session, system, conversation.inherited())


def messages_in(thread: Thread, page: Cursor, kinds: Sequence[str] | None = None) -> list[Shape]:
    def wanted(shape: Shape) -> bool:
        return kinds is None or shape["message_type"] in kinds

    if thread.base:
        own = thread.agent.turns(thread.session, limit=MOST_FORKED)
        every = [*([thread.system] if thread.system else []), *map(turn_shape, (*thread.base, *own))]
        return list(page_of(filter(wanted, every), page, lambda shape: str(shape["id"])))
    found = list(islice(filter(wanted, _shapes_from(thread, page)), page.limit))
    return found if page.before is None else found[::-1]


def _shapes_from(thread: Thread, page: Cursor) -> Iterator[Shape]:
    """Messages past the cursor, nearest first: away from `before`, which lists the other way round."""
    system, mark = thread.system, page.before or page.after
    newest_first = (page.order == "desc") != (page.before is not None)
    at_system = system is not None and mark == system["id"]
    place = None if at_system else _place_of(thread.agent, mark)
    if system is not None and not newest_first and place is None and not at_system:
        yield system
    if not (newest_first and at_system):
        yield from map(turn_shape, _turns_from(thread, place, newest_first))
        if system is not None and newest_first:
            yield system


def _turns_from(thread: Thread, place: str | None, newest_first: bool) -> Iterator[Turn]:
    while True:
        bound = {"before" if newest_first else "after": place}
        found = thread.agent.turns(thread.session, newest_first=newest_first, limit=PART, **bound)
        yield from found
        if len(found) < PART:
            return
        place = found[-1].id


def _place_of(agent: Space, message: str | None) -> str | None:
    """The turn that a cursor names; one that is gone starts over."""
    if message is None:
        return None
    try:
        return agent.turn(turn_id(message)).id
    except NotFound:
        return None
