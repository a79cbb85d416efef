"""A LlamaIndex memory block: `Memory.from_defaults(memory_blocks=[ReverieBlock(space)])`.

Messages that leave the chat's own memory go to the log; what the space knows about the last one stands in the prompt.
"""

from typing import Any

from pydantic import PrivateAttr

from reverie.adapters.calls import told
from reverie.adapters.shared import given_space, off_loop
from reverie.errors import extra_needed
from reverie.model.hits import DEFAULT_BUDGET
from reverie.space import Space

try:
    from llama_index.core.llms import ChatMessage
    from llama_index.core.memory import BaseMemoryBlock
except ModuleNotFoundError as missing:
    missing.add_note(extra_needed("llama-index"))
    raise

ROLES = ("user", "assistant", "tool", "system")


class ReverieBlock(BaseMemoryBlock[str]):  # type: ignore[misc]  # without LlamaIndex its base is unknown
    budget: int = DEFAULT_BUDGET
    _space: Space = PrivateAttr()

    def __init__(self, space: Space, *, name: str = "reverie", **more: Any) -> None:
        super().__init__(name=name, **more)
        self._space = given_space(space)

    @told("llama-index", "search_memory")
    async def _aget(self, messages: list[ChatMessage] | None = None, **_: Any) -> str:
        """What the space knows about what the user said last."""
        asked = next((said.content for said in reversed(messages or []) if str(said.role.value) == "user"), None)
        known = await off_loop(self._space.context, asked or None, self.budget)
        return known.text

    @told("llama-index", "create_memory")
    async def _aput(self, messages: list[ChatMessage]) -> None:
        """Appends messages that the chat's own memory lets go."""
        for message in messages:
            role, session = str(message.role.value), str(message.additional_kwargs.get("session_id") or "default")
            if message.content and role in ROLES:
                await off_loop(self._space.append, role, message.content, session)

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """Drops lines from the end, where the least important stands."""
        lines = content.splitlines()
        while lines and tokens_to_truncate > 0:
            tokens_to_truncate -= max(1, len(lines.pop()) // 4)
        return "\n".join(lines) or None
