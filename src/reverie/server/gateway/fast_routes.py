"""The short way for append, recall, context and answer: the models and calls of their routes, no framework."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError
from starlette.types import Scope

from reverie.model.answers import Answered
from reverie.model.hits import Context
from reverie.model.spaces import Verb
from reverie.model.turns import Appended
from reverie.server.errors import invalid_request, unstorable
from reverie.server.gateway.auth import Caller
from reverie.server.gateway.idempotency import REPLAYED, check
from reverie.server.gateway.responder import Responder
from reverie.server.rest import answers, recall, turns
from reverie.server.searchers.searchers import Question
from reverie.server.state import Server
from reverie.space import Space


@dataclass(frozen=True)
class FastRoute:
    """What it reads, calls and answers."""

    path: str
    body: type[BaseModel]
    call: Callable[[Space, Any], Any]
    reply: TypeAdapter[Any]
    verb: Verb
    status: int = 200


FAST_ROUTES: Mapping[str, FastRoute] = {
    "turns": FastRoute(
        "/v1/spaces/{space}/turns", turns.TurnIn, turns.append, TypeAdapter(Appended), verb="write", status=201
    ),
    "recall": FastRoute("/v1/spaces/{space}/recall", recall.RecallIn, recall.recall, recall.RECALL_REPLY, verb="read"),
    "context": FastRoute(
        "/v1/spaces/{space}/context", recall.ContextIn, recall.context, TypeAdapter(Context), verb="read"
    ),
    "answer": FastRoute(
        "/v1/spaces/{space}/answer", answers.AnswerIn, answers.answer, TypeAdapter(Answered), verb="read"
    ),
}


class Route:
    """Stands in the scope for the framework's route, so that a request is counted under its pattern."""

    def __init__(self, path: str) -> None:
        self.path = path


ROUTES = {name: Route(fast.path) for name, fast in FAST_ROUTES.items()}


def find(scope: Scope, key: str | None) -> tuple[FastRoute, str] | None:
    """The fast route and the space's id, if there is one for this request.

    A read with an idempotency key takes the long way, where replies are kept.
    """
    path = scope["path"]
    if scope["method"] != "POST" or not path.startswith("/v1/spaces/") or path.count("/") != 4:
        return None
    _, _, _, space, noun = path.split("/")
    found = FAST_ROUTES.get(noun)
    if found is None or not space or (key is not None and noun != "turns"):
        return None
    scope["route"] = ROUTES[noun]
    return found, space


async def answer(
    server: Server, caller: Caller, chosen: tuple[FastRoute, str], body: bytes, key: str | None, responder: Responder
) -> None:
    """Validates the body, calls the library, replies; what cannot be read or stored is refused as the route does."""
    route, _ = chosen
    caller.must(route.verb)
    try:
        given = route.body.model_validate_json(body)
    except ValidationError as error:
        await responder.refuse(invalid_request(error.errors(include_url=False, include_input=False), within=("body",)))
        return
    if key is not None:
        check(key)
        given = turns.with_key(given, key)  # the log itself knows the key: stored once, whatever happens in between
    try:
        if route is FAST_ROUTES["recall"]:
            await responder.reply(route.status, await _recalled(server, caller, chosen, given, body))
            return
        result = await _call(server, caller, chosen, given)
    except (UnicodeEncodeError, OverflowError) as error:
        await responder.refuse(unstorable(error))
        return
    replayed = (REPLAYED,) if key is not None and result.repeated else ()
    await responder.reply(route.status, route.reply.dump_json(result), replayed)


async def _call(server: Server, caller: Caller, chosen: tuple[FastRoute, str], given: Any) -> Any:
    route, space = chosen

    def found() -> Space:
        return server.space(caller, space)

    if route is FAST_ROUTES["turns"]:
        return await server.append(found, turns.draft_of(given))
    return await server.run(lambda: route.call(found(), given))


async def _recalled(server: Server, caller: Caller, chosen: tuple[FastRoute, str], given: Any, body: bytes) -> bytes:
    """The reply to a recall, from a searcher where there are some."""
    route, space = chosen

    async def here() -> bytes:
        return route.reply.dump_json(await server.run(lambda: route.call(server.space(caller, space), given)))

    return await server.recall(Question(caller, space, given.query, body), here)
