"""Which space a call is about, and who may ask: whoever started the process over stdio, a key's owner over HTTP."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError

from reverie.errors import NotFound, ReverieError
from reverie.model.spaces import Verb
from reverie.reverie import Reverie
from reverie.server.gateway.auth import Caller
from reverie.server.state import Server
from reverie.space import Space

T = TypeVar("T")
Ctx = Context[Any, Any]


class Access(Protocol):
    async def call(self, context: Ctx, verb: Verb, space: str | None, do: Callable[[Space], T]) -> T:
        """Runs `do` on the space in a worker thread; every error reaches the client with its next move."""
        ...


class LocalAccess:
    """Over stdio: one user, one store."""

    def __init__(self, memory: Reverie) -> None:
        self._memory = memory
        self._pool = ThreadPoolExecutor(4, "reverie-mcp")

    async def call(self, context: Ctx, verb: Verb, space: str | None, do: Callable[[Space], T]) -> T:  # noqa: ARG002
        return await _with_mcp_errors(
            asyncio.get_running_loop().run_in_executor(self._pool, lambda: do(self._space(verb, space)))
        )

    def _space(self, verb: Verb, name: str | None) -> Space:
        if name and verb == "read" and not self._memory.has_space(name):
            raise no_such_space(name)
        return self._memory.space(name)

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)


class RemoteAccess:
    """Over HTTP: the gate in front has found out who calls; a key for one space sees that one only."""

    def __init__(self, server: Server) -> None:
        self._server = server

    async def call(self, context: Ctx, verb: Verb, space: str | None, do: Callable[[Space], T]) -> T:
        return await _with_mcp_errors(self._server.run(lambda: do(self._space(_caller(context), verb, space))))

    def _space(self, caller: Caller, verb: Verb, name: str | None) -> Space:
        caller.must(verb)
        if name is None and caller.space is not None:
            return self._server.space(caller, caller.space)
        wanted = name or self._server.reverie.config["space"]
        try:
            return self._server.space(caller, wanted)
        except NotFound:
            if caller.space is not None or wanted.startswith("agent-") or not caller.may("write"):
                raise
            if name and verb == "read":
                raise no_such_space(name) from None
            return self._server.org(caller).space(wanted)


def no_such_space(space: str) -> NotFound:
    """Who only reads makes no space: a name that is not there is a slip of the pen."""
    return NotFound("space", space, next_move="Leave `space` out for the default one; memory_add begins a new one.")


def _caller(context: Ctx) -> Caller:
    request: Any = context.request_context.request
    caller: Caller = request.scope["state"]["caller"]
    return caller


async def _with_mcp_errors(work: Awaitable[T]) -> T:
    try:
        return await work
    except ReverieError as error:
        kind = ResourceNotFoundError if isinstance(error, NotFound) else ResourceError  # of a tool both count alike
        raise kind(f"{error.message} ({error.code}). {error.next_move}") from error
