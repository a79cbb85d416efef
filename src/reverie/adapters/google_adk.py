"""A Google ADK memory service: `Runner(memory_service=ReverieMemoryService(memory.space), …)`.

Every user has a space of their own, made when it is first needed.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from reverie.adapters.calls import told
from reverie.adapters.shared import off_loop
from reverie.errors import extra_needed
from reverie.model.hits import Hit
from reverie.space import Space

try:
    from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
    from google.adk.memory.memory_entry import MemoryEntry
    from google.genai import types
except ModuleNotFoundError as missing:
    missing.add_note(extra_needed("google-adk"))
    raise


class ReverieMemoryService(BaseMemoryService):  # type: ignore[misc]  # without ADK its base is unknown
    """`space_of` gives the space of a name, as `Reverie.space` does; the name is the app's and the user's."""

    def __init__(self, space_of: Callable[[str], Space], *, k: int = 10) -> None:
        self._space_of = space_of
        self._k = k

    async def add_session_to_memory(self, session: Any) -> None:
        """Appends what is new in a session; an event is stored once."""
        await self.add_events_to_memory(
            app_name=session.app_name, user_id=session.user_id, events=session.events, session_id=session.id
        )

    @told("google-adk", "create_memory")
    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Any],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,  # noqa: ARG002 - ADK's signature
    ) -> None:
        space = await off_loop(self._space, app_name, user_id)
        for event in events:
            text = _text(event.content)
            if text.strip():
                role = "user" if event.author == "user" else "assistant"
                await off_loop(space.append, role, text, session_id or "default", event.id or None, at=event.timestamp)

    @told("google-adk", "create_memory")
    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,  # noqa: ARG002 - ADK's signature
    ) -> None:
        space = await off_loop(self._space, app_name, user_id)
        for entry in memories:
            await off_loop(space.remember, _text(entry.content), surface="agent")

    @told("google-adk", "search_memory")
    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """What the user's space knows about a query, best first."""
        space = await off_loop(self._space, app_name, user_id)
        hits = await off_loop(space.recall, query, self._k) if query.strip() else []
        return SearchMemoryResponse(memories=[_entry(hit) for hit in hits])

    @told("google-adk", "delete_memory")
    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Forgets one memory for good, with what rests on it alone."""
        if memory_id is not None:
            await off_loop((await off_loop(self._space, app_name, user_id)).forget, memory_id)

    def _space(self, app: str, user: str) -> Space:
        return self._space_of(f"{app} {user}")


def _text(content: Any) -> str:
    return "\n".join(part.text for part in getattr(content, "parts", None) or () if part.text)


def _entry(hit: Hit) -> MemoryEntry:
    content = types.Content(role="user", parts=[types.Part(text=hit.text)])
    said = None if hit.said_at is None else datetime.fromtimestamp(hit.said_at, UTC).isoformat()
    return MemoryEntry(id=hit.id, content=content, author=hit.speaker or hit.origin, timestamp=said)
