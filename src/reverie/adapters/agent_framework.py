"""A context provider for the Microsoft Agent Framework: `ChatAgent(…, context_providers=[ReverieContext(space)])`.

Before a run the agent sees what the space knows about the question; after it both sides are in the log.
"""

from typing import Any

from reverie.adapters.calls import told
from reverie.adapters.shared import given_space, off_loop
from reverie.errors import extra_needed
from reverie.model.hits import DEFAULT_BUDGET
from reverie.space import Space

try:
    from agent_framework import ContextProvider
except ModuleNotFoundError as missing:
    missing.add_note(extra_needed("agent-framework"))
    raise


class ReverieContext(ContextProvider):  # type: ignore[misc]  # without the framework its base is unknown
    def __init__(self, space: Space, *, source_id: str = "reverie", budget: int = DEFAULT_BUDGET) -> None:
        super().__init__(source_id)
        self.space = given_space(space)
        self.budget = budget

    @told("agent-framework", "search_memory")
    async def before_run(self, *, session: Any, context: Any, **_: Any) -> None:
        """Adds the memory of this space as instructions."""
        asked = "\n".join(message.text for message in context.input_messages if message.text)
        known = await off_loop(self.space.context, asked or None, self.budget, session=_session(session, context))
        if known.text.strip():
            context.extend_instructions(self.source_id, known.text)

    @told("agent-framework", "create_memory")
    async def after_run(self, *, session: Any, context: Any, **_: Any) -> None:
        """Appends what was asked and what was answered."""
        answered = context.response.messages if context.response else ()
        for message in (*context.input_messages, *answered):
            role = str(getattr(message.role, "value", message.role))
            if message.text and role in ("user", "assistant", "tool"):
                await off_loop(self.space.append, role, message.text, _session(session, context))


def _session(session: Any, context: Any) -> str:
    return str(context.session_id or getattr(session, "session_id", None) or "default")
