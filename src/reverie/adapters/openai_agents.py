"""An OpenAI Agents SDK `Session` on a space: `Runner.run(agent, "Hi", session=ReverieSession("s1", space))`.

Items come back as they were given. What was said in them goes to the log, where recall finds it and nights read it; an
item that is popped is taken back there too.
"""

import json
import uuid
from collections.abc import Mapping
from typing import Any

from reverie.adapters.calls import told
from reverie.adapters.shared import given_space, off_loop, said_in
from reverie.errors import extra_needed
from reverie.space import Space

try:
    from agents.memory.session_settings import SessionSettings, coerce_session_settings, resolve_session_limit
except ModuleNotFoundError as missing:
    missing.add_note(extra_needed("openai-agents"))
    raise

SHELF = "openai-agents {}"
HANDED_OVER = "<CONVERSATION HISTORY>"


class ReverieSession:
    """Has the four methods of the SDK's protocol; each is finished once it has begun, also if it is cancelled."""

    def __init__(
        self, session_id: str, space: Space, *, session_settings: SessionSettings | dict[str, Any] | None = None
    ) -> None:
        self.session_id = session_id
        self.space = given_space(space)
        given = SessionSettings() if session_settings is None else session_settings
        self.session_settings = coerce_session_settings(given)
        self._shelf = space.shelf(SHELF.format(session_id))
        self._closed = False

    @told("openai-agents", "search_memory")
    async def get_items(self, limit: int | None = None) -> list[Any]:
        """The newest `limit` items, oldest first; all of them without a limit, and as in the SDK with one below 0."""
        self._check_open()
        wanted = resolve_session_limit(limit, self.session_settings)
        return await off_loop(self._newest, None if wanted is not None and wanted < 0 else wanted)

    @told("openai-agents", "create_memory")
    async def add_items(self, items: list[Any]) -> None:
        """All of them, or none."""
        self._check_open()
        if items:
            await off_loop(self._add, items)

    @told("openai-agents", "delete_memory")
    async def pop_item(self) -> Any | None:
        """The newest item, which is gone then."""
        self._check_open()
        return await off_loop(self._pop)

    @told("openai-agents", "delete_memory")
    async def clear_session(self) -> None:
        """Takes all items back."""
        self._check_open()
        await off_loop(self._clear)

    async def close(self) -> None:
        """The session is not used any more; what it holds stays."""
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise RuntimeError(f"{type(self).__name__} is closed")

    def _add(self, items: list[Any]) -> None:
        json.dumps(items, allow_nan=False)  # what cannot be kept is refused before anything is
        told = [self._appended(item) for item in items]
        self._shelf.add([(str(uuid.uuid4()), item, turn) for item, turn in zip(items, told, strict=True)])

    def _appended(self, item: Any) -> str | None:
        """The turn of what an item says; None where it says nothing."""
        role, text = said_in(item)
        if role == "user" and HANDED_OVER in text:
            role = "assistant"  # one agent tells the next what was said
        return self.space.append(role, text, self.session_id).id if text.strip() else None

    def _newest(self, wanted: int | None) -> list[Any]:
        """Oldest first. What is no item, whoever put it there, is passed over and not counted."""
        found: list[Any] = []
        left, after = wanted, None
        while left != 0 and (page := self._shelf.all(newest_first=True, limit=left, after=after)):
            found += [entry.value for entry in page if isinstance(entry.value, Mapping)]
            left, after = None if wanted is None else wanted - len(found), page[-1].seq
        return found[::-1]

    def _pop(self) -> Any | None:
        while (entry := self._shelf.pop()) is not None:
            if entry.ref is not None:
                self.space.retract(entry.ref)
            if isinstance(entry.value, Mapping):
                return entry.value
        return None

    def _clear(self) -> None:
        gone = self._shelf.delete(*(entry.key for entry in self._shelf))
        self.space.retract(*(entry.ref for entry in gone if entry.ref is not None))
