"""The short way for append, recall, context and answer: the models and calls of their routes, no framework."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError
from starlette.types import Scope

from reverie.model.answers import Answered
from reverie.model.hits import Context
from reverie.model.spaces import Scope as KeyScope
from reverie.model.turns import Appended
from reverie.server.errors import invalid, unstorable
from reverie.server.gateway.auth import Caller
from reverie.server.gateway.idempotency import REPLAYED, check
from reverie.server.gateway.responder import Responder
from reverie.server.rest import answers, recall, turns
from reverie.server.state import Server
from reverie.space import Space


@dataclass(frozen=True)
class Way:
    """What a hot route reads, calls and answers."""

    path: str
    body: type[BaseModel]
    call: Callable[[Space, Any], Any]
    reply: TypeAdapter[Any]
    scope: KeyScope
    status: int = 200


WAYS: Mapping[str, Way] = {
    "turns": Way(
        "/v1/spaces/{space}/turns", turns.TurnIn, turns.append, TypeAdapter(Appended), scope="write", status=201
    ),
    "recall": Way("/v1/spaces/{space}/recall", recall.RecallIn, recall.recall, TypeAdapter(recall.Hits), scope="read"),
    "context": Way("/v1/spaces/{space}/context", recall.ContextIn, recall.context, TypeAdapter(Context), scope="read"),
    "answer": Way("/v1/spaces/{space}/answer", answers.AnswerIn, answers.answer, TypeAdapter(Answered), scope="read"),
}


class Route:
    """Stands in the scope for the framework's route, so that a request is counted under its pattern."""

    def __init__(self, path: str) -> None:
        self.path = path


ROUTES = {name: Route(way.path) for name, way in WAYS.items()}


def way(scope: Scope, key: str | None) -> tuple[Way, str] | None:
    """The way and the space's id. A read with an idempotency key takes the long way, where replies are kept."""
    path = scope["path"]
    if scope["method"] != "POST" or not path.startswith("/v1/spaces/") or path.count("/") != 4:
        return None
    _, _, _, space, noun = path.split("/")
    found = WAYS.get(noun)
    if found is None or not space or (key is not None and noun != "turns"):
        return None
    scope["route"] = ROUTES[noun]
    return found, space


async def go(
    server: Server, caller: Caller, chosen: tuple[Way, str], body: bytes, key: str | None, exchange: Responder
) -> None:
    route, _ = chosen
    caller.must(route.scope)
    try:
        given = route.body.model_validate_json(body)
    except ValidationError as error:
        await exchange.refuse(invalid(error.errors(include_url=False, include_input=False), within=("body",)))
        return
    if key is not None:
        check(key)
        given = turns.keyed(given, key)  # the log itself knows the key: stored once, whatever happens in between
    try:
        result = await _called(server, caller, chosen, given)
    except (UnicodeEncodeError, OverflowError) as error:
        await exchange.refuse(unstorable(error))
        return
    replayed = (REPLAYED,) if key is not None and result.repeated else ()
    await exchange.reply(route.status, route.reply.dump_json(result), replayed)


async def _called(server: Server, caller: Caller, chosen: tuple[Way, str], given: Any) -> Any:
    route, space = chosen

    def found() -> Space:
        return server.space(caller, space)

    if route is WAYS["turns"]:
        return await server.append(found, lambda space: turns.append(space, given))
    return await server.run(lambda: route.call(found(), given))
