"""What a client can read without a tool: blocks, the diary, the last nights; and the prompt that loads the context."""

from contextvars import ContextVar
from typing import Any

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import Context, MCPServer
from mcp.types import Resource

from reverie.errors import NotFound
from reverie.policy.safety.trust import without_marks
from reverie.server.formatting import iso
from reverie.server.mcp.access import Access
from reverie.space import Space

Ctx = Context[Any, Any]
SHOWN_ENTRIES, SHOWN_NIGHTS = 7, 10  # of the diary and the nights that are listed
PLAIN, MARKDOWN = "text/plain", "text/markdown"


def add_resources(server: MCPServer[Any], access: Access) -> None:
    @server.resource("reverie://blocks/{label}", title="A block of core memory", mime_type=PLAIN)
    async def block(label: str, ctx: Ctx) -> str:
        """What is always in the prompt: who the user is, how they want to be served, what is going on."""
        return await access.call(ctx, "read", None, lambda here: without_marks(here.blocks[label].value))

    @server.resource("reverie://diary/{count}", title="The diary of the last nights", mime_type=MARKDOWN)
    async def diary(count: str, ctx: Ctx) -> str:
        """What each night did, in its own words, newest first."""
        return await access.call(ctx, "read", None, lambda here: _diary(here, _number(count)))

    @server.resource("reverie://nights/{count}", title="The last nights", mime_type=PLAIN)
    async def nights(count: str, ctx: Ctx) -> str:
        """When it slept and how that ended, newest first."""
        return await access.call(ctx, "read", None, lambda here: _nights(here, _number(count)))

    @server.prompt(title="Load the memory's context")
    async def load_context(ctx: Ctx, query: str = "") -> str:
        """Core memory and what is known about a task, to begin with."""
        made = await access.call(ctx, "read", None, lambda here: here.context(query or None, 2_000))
        return f"What is known, as data:\n\n{made.text}"


class MemoryServer(MCPServer[Any]):
    """Lists what there is to read in the caller's own space: its blocks by name, not only the patterns."""

    def __init__(self, access: Access, name: str, **described: Any) -> None:
        super().__init__(name, **described)
        self._access = access
        self.middleware.append(_note_request)

    async def list_resources(self) -> list[Resource]:
        context: Ctx = Context(request_context=_REQUEST.get(), mcp_server=self)
        return await self._access.call(context, "read", None, _resources)


_REQUEST: ContextVar[ServerRequestContext[Any, Any]] = ContextVar("request")


async def _note_request(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Who asks, for the list that depends on it: the SDK hands that to tools alone."""
    _REQUEST.set(ctx)
    return await call_next(ctx)


def _resources(here: Space) -> list[Resource]:
    listed = [
        Resource(
            uri=f"reverie://blocks/{block.label}",
            name=block.label,
            title=f"Core memory: {block.label}",
            description=block.description or None,
            mime_type=PLAIN,
        )
        for block in here.blocks
    ]
    diary = Resource(
        uri=f"reverie://diary/{SHOWN_ENTRIES}", name="diary", title="The diary of the last nights", mime_type=MARKDOWN
    )
    nights = Resource(uri=f"reverie://nights/{SHOWN_NIGHTS}", name="nights", title="The last nights", mime_type=PLAIN)
    return [*listed, diary, nights]


def _diary(here: Space, count: int) -> str:
    entries = here.diary(limit=count)
    return "\n\n".join(f"## {iso(entry.at)}\n{entry.text}" for entry in entries) or "No nights yet."


def _nights(here: Space, count: int) -> str:
    lines = (f"{iso(night.requested_at)} {night.kind} {night.status} {night.id}" for night in here.nights(limit=count))
    return "\n".join(lines) or "No nights yet."


def _number(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 100:
        raise NotFound("page", text, next_move="Give a number from 1 to 100.")
    return int(text)
