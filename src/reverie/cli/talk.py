"""The commands that are called most: append, recall, context, mcp. A running server does them, where there is one.

No framework and no store is loaded before it is known that they are needed.
"""

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from reverie.cli.invocation import configuration, kinds_of, moment_of, named_space, open_space, open_store, text_of
from reverie.cli.output import Output, when
from reverie.errors import BadInput, NotFound, ReverieError, UsageError, extra_needed, of_code

if TYPE_CHECKING:
    from reverie.model.hits import Context, Hit
    from reverie.model.turns import Appended

FRESH = 64  # turns that a question at the terminal embeds first, so that they are found by meaning too


def append(text: str, *, as_json: bool = False, space: str | None = None, **turn: Any) -> None:
    """Stores one turn and says its id."""
    from reverie.model.base import new_id
    from reverie.model.turns import Appended

    turn = {"text": text_of(text), **turn}
    turn["key"] = turn["key"] or new_id("cli")  # whatever becomes of a server meanwhile, it is stored once
    found = _by_server(space, "turns", turn)
    if found is not None:
        _tell_appended(Output(as_json=as_json), Appended(**found))
        return
    with open_space(as_json, space, begin=True) as (here, output):
        _tell_appended(output, here.append(turn.pop("role"), turn.pop("text"), **turn))


def recall(query: str, *, limit: int, as_json: bool = False, space: str | None = None, **asked: Any) -> None:
    """Shows what is known about a query, best first."""
    asking = {
        "session": asked["session"],
        "after": moment_of(asked["after"]),
        "before": moment_of(asked["before"]),
        "as_of": moment_of(asked["as_of"]),
        "kinds": kinds_of(asked["kind"], "turn"),
        "tags": tuple(asked["tag"] or ()),
        "mode": "raw" if asked["raw"] else "all",
        "include_stale": asked["include_stale"],
        "explain": asked["explain"],
    }
    found = _by_server(space, "recall", {"query": query, "k": limit, **asking})
    if found is not None:
        _tell_hits(Output(as_json=as_json), [_hit(one) for one in found["hits"]])
        return
    with open_space(as_json, space) as (here, output):
        here.embed(FRESH)
        _tell_hits(output, here.recall(query, limit, **asking))


def context(
    query: str | None = None,
    *,
    budget: int,
    session: str | None = None,
    as_json: bool = False,
    space: str | None = None,
) -> None:
    """Shows the section for a prompt."""
    found = _by_server(space, "context", {"query": query, "budget": budget, "session": session})
    if found is not None:
        _tell_context(Output(as_json=as_json), _context(found))
        return
    with open_space(as_json, space) as (here, output):
        here.embed(FRESH)
        _tell_context(output, here.context(query, budget, session=session))


def mcp() -> None:
    """Serves MCP over stdio: a client's first questions are answered before the store is open."""
    from importlib.util import find_spec

    missing = [name for name in ("mcp", "fastapi") if find_spec(name) is None]
    if missing:
        raise UsageError(f"MCP needs the package {missing[0]}", next_move=extra_needed("mcp,server"))
    from reverie.server.mcp.front import serve

    serve(_mcp_behind)


def _mcp_behind() -> None:
    from reverie.server.mcp.surface import serve_stdio

    with open_store() as (memory, _output):
        memory.warm()
        serve_stdio(memory)


def _by_server(space: str | None, noun: str, body: dict[str, Any]) -> Any:
    """What the server of this home answers; None where it is for the command itself to do."""
    from reverie.server.local_socket import ask_server

    config = configuration()
    name = quote(named_space(space) or config["space"], safe="")
    reply = ask_server(config, "POST", f"/v1/spaces/{name}/{noun}", body)
    if reply is None or 200 <= reply[0] < 300:
        return reply and reply[1]
    error = _error(reply[1])
    if isinstance(error, (NotFound, BadInput)):  # done here: a space may begin, a slip of the pen is told in our words
        return None
    raise error


def _error(body: Any) -> ReverieError:
    """The server's no, as the library would have said it."""
    told = body.get("error", {}) if isinstance(body, dict) else {}
    code, message = str(told.get("code", "")), str(told.get("message", "the server refused it"))
    return of_code(code, message, next_move=told.get("next_move"), data=told.get("data") or {})


def _hit(given: dict[str, Any]) -> "Hit":
    from reverie.model.base import Trust
    from reverie.model.hits import Hit

    return Hit(**{**_tuples(given), "trust": Trust(given["trust"])})


def _context(given: dict[str, Any]) -> "Context":
    from reverie.model.hits import Context

    return Context(**{**_tuples(given), "hits": tuple(map(_hit, given["hits"]))})


def _tuples(given: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}


def _tell_appended(output: Output, done: "Appended") -> None:
    redacted = f", {done.redacted} secrets taken out" if done.redacted else ""
    again = " (stored before)" if done.repeated else ""
    output.value(done, f"{done.id}{again}{redacted}")


def _tell_hits(output: Output, hits: "list[Hit]") -> None:
    output.value(hits, lambda: _say_hits(output, hits))


def _say_hits(output: Output, hits: "list[Hit]") -> None:
    from reverie.policy.recall.lines import flag_words, says_who, who
    from reverie.policy.safety.trust import unwrap_recalled

    if not hits:
        output.say("Nothing found.")
    for hit in hits:
        said = "" if says_who(hit) else f"{who(hit)}: "
        text = unwrap_recalled(hit.text).replace("\n", "\n      ")  # below its score: no line of it passes for a hit
        output.say(f"{hit.relevance:.2f}  {said}{text}{flag_words(hit.flags)}")
        output.say(f"      {hit.kind}  {when(hit.said_at)}  {hit.id}", "dim")
        if hit.parts:
            output.say("      " + "  ".join(f"{name} {value:.3g}" for name, value in hit.parts.items()), "dim")


def _tell_context(output: Output, made: "Context") -> None:
    def say() -> None:
        output.say(made.text)
        output.aside(f"{made.tokens} tokens; {len(made.left_out)} left out")

    output.value(made, say)
