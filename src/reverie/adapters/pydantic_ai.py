"""A pydantic-ai capability: `Agent(model, capabilities=[ReverieMemory(space)])`.

The agent sees what the space knows about the prompt, has tools to look further and to keep something, and both sides
of every run are in the log.
"""

from dataclasses import dataclass
from typing import Any

from reverie.adapters.calls import call, told
from reverie.adapters.shared import given_space, lines_of, off_loop
from reverie.errors import extra_needed
from reverie.model.hits import DEFAULT_BUDGET
from reverie.space import Space

try:
    from pydantic_ai import RunContext
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.toolsets import FunctionToolset
except ModuleNotFoundError as missing:
    missing.add_note(extra_needed("llm"))
    raise

ADAPTER = "pydantic-ai"


@dataclass
class ReverieMemory(AbstractCapability[Any]):
    space: Space
    session: str = "default"
    budget: int = DEFAULT_BUDGET

    def __post_init__(self) -> None:
        given_space(self.space)

    def get_instructions(self) -> Any:
        """The memory of this space about what is asked."""

        async def known(context: RunContext[Any]) -> str:
            asked = context.prompt if isinstance(context.prompt, str) else None
            with call(ADAPTER, "instructions", "search_memory", self.space.id):
                return (await off_loop(self.space.context, asked, self.budget, session=self.session)).text

        return known

    def get_toolset(self) -> Any:
        """`recall_memory` and `remember`."""

        async def recall_memory(query: str) -> str:
            """Search long-term memory: past conversations, facts, preferences, decisions."""
            with call(ADAPTER, "recall_memory", "search_memory", self.space.id):
                return lines_of(await off_loop(self.space.recall, query, 5)) or "Nothing is known about that."

        async def remember(text: str) -> str:
            """Keep one sentence for later; it must read alone."""
            with call(ADAPTER, "remember", "create_memory", self.space.id):
                await off_loop(self.space.remember, text, session=self.session, surface="agent")
            return "Remembered."

        return FunctionToolset([recall_memory, remember])

    @told(ADAPTER, "create_memory")
    async def after_run(self, ctx: RunContext[Any], *, result: Any) -> Any:
        """Appends what was asked and what was answered."""
        if isinstance(ctx.prompt, str) and ctx.prompt.strip():
            await off_loop(self.space.append, "user", ctx.prompt, self.session)
        if isinstance(result.output, str) and result.output.strip():
            await off_loop(self.space.append, "assistant", result.output, self.session)
        return result
