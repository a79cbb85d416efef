"""What a request to a provider says, and what its answer says, in each of the three APIs."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from reverie.server.proxy.splice import Edit, NotReadable, Part, edited, members, whole_object, written

ProxyRole = Literal["user", "assistant", "tool", "system"]
MEMORY_TOOL = "memory_search"  # an agent that has it asks for itself
NOTHING = Part(None, 0, 0)
MOST_BEFORE_ID = 4_096  # bytes
_ID = re.compile(rb'"id"\s{0,8}:\s{0,8}"([^"\\]{1,200})"')
FORGETTABLE = "cache_control"  # moves from turn to turn, and is none of its words


class SentTurn(NamedTuple):
    """A turn of the request."""

    role: ProxyRole
    text: str
    carries: bool = False  # a person's words, which a block can be added to
    rest: str = ""  # its pictures and files, as far as they tell two turns apart
    item: int = 0  # the element of the conversation that it stands in


@dataclass(frozen=True, slots=True)
class SentRequest:
    turns: tuple[SentTurn, ...]
    session: str | None = None  # as the client names it
    follows: str = ""  # what the provider has kept of the conversation
    tools: frozenset[str] = frozenset()
    listed: Part = NOTHING  # the conversation, and where it stands in the request
    values: Mapping[str, Any] = field(default_factory=dict)  # everything else

    @property
    def model(self) -> str:
        return str(self.values.get("model") or "")

    @property
    def streams(self) -> bool:
        return self.values.get("stream") is True

    @property
    def fresh(self) -> int:
        """Where the turns begin that no model has answered. The beginning of an answer that a client gives is none."""
        end = len(self.turns)
        while end and self.turns[end - 1].role == "assistant":
            end -= 1
        return max((n + 1 for n, turn in enumerate(self.turns[:end]) if turn.role == "assistant"), default=0)

    @property
    def newest(self) -> int | None:
        """The turn that a person has just said, if that is what the model is to answer."""
        said = [n for n, turn in enumerate(self.turns) if turn.role in ("user", "tool")]
        last = said[-1] if said else None
        return last if last is not None and last >= self.fresh and self.turns[last].carries else None

    @property
    def asks_for_itself(self) -> bool:
        return any(name.endswith(MEMORY_TOOL) for name in self.tools)


@dataclass(frozen=True, slots=True)
class ProviderAnswer:
    text: str = ""
    whole: bool = False  # False: the stream broke off


@dataclass(frozen=True, slots=True)
class Api:
    """One API: where its conversation stands, how a part of a turn is written, how requests and answers are read."""

    name: str
    listed: str  # the member that holds the conversation
    part: str  # the type of a part that holds text
    turns: Callable[[Any, int], Iterator[SentTurn]]  # of one element, with its place
    session: Callable[[Mapping[str, Any]], str | None]
    answer: Callable[[Mapping[str, Any]], str]  # of a whole reply
    piece: Callable[[Mapping[str, Any]], str]  # of one event of a stream
    ends: Callable[[Mapping[str, Any]], bool]

    def read(self, text: str) -> SentRequest:
        """Raises NotReadable for what is no request of this API."""
        given = whole_object(text, self.listed)
        listed = given.pop(self.listed, NOTHING)
        values = {name: part.value for name, part in given.items()}
        return SentRequest(
            tuple(self._turns(listed.value)),
            self.session(values),
            str(values.get("previous_response_id") or ""),
            frozenset(_tool_names(values.get("tools"))),
            listed,
            values,
        )

    def _turns(self, listed: Any) -> Iterator[SentTurn]:
        if isinstance(listed, str):  # the whole conversation is one text
            yield SentTurn("user", listed, carries=True)
            return
        if not isinstance(listed, list):
            raise NotReadable
        for n, item in enumerate(listed):
            yield from self.turns(item.value, n)

    def with_blocks(self, text: str, request: SentRequest, blocks: Mapping[int, str]) -> str:
        """The request with a block behind the words of some of its elements; everything else keeps its bytes."""
        if not blocks:
            return text
        listed = request.listed
        if isinstance(listed.value, str):
            parts = self._behind(text, listed, blocks[0])
            return edited(text, [parts._replace(text=f'[{{"role":"user","content":{parts.text}}}]')])
        places = {n: members(text, listed.value[n].start)["content"] for n in blocks}
        return edited(text, [self._behind(text, places[n], block) for n, block in blocks.items()])

    def _behind(self, text: str, place: Part, block: str) -> Edit:
        """The block as a part of its own, behind the parts or the text that stand there."""
        added = self._part(written(block))
        if isinstance(place.value, list):
            return Edit(place.end - 1, place.end - 1, f",{added}" if place.value else added)
        return Edit(place.start, place.end, f"[{self._part(text[place.start : place.end])},{added}]")

    def _part(self, literal: str) -> str:
        return f'{{"type":"{self.part}","text":{literal}}}'


def _tool_names(tools: Any) -> Iterator[str]:
    for tool in tools if isinstance(tools, list) else ():
        if isinstance(tool, dict):
            inner = tool.get("function")
            name = tool.get("name") or (inner.get("name") if isinstance(inner, dict) else None)
            if isinstance(name, str):
                yield name


def texts(content: Any, kinds: Sequence[str] = ("text",)) -> list[str]:
    """The texts of a turn, part by part."""
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else []
    found = [part.get("text") for part in parts if isinstance(part, dict) and part.get("type") in kinds]
    return [text for text in found if isinstance(text, str)]


def others(content: Any, kinds: Sequence[str]) -> str:
    """What else a turn holds, as one text that tells it apart."""
    parts = content if isinstance(content, list) else []
    rest = [part for part in parts if not (isinstance(part, dict) and part.get("type") in kinds)]
    plain = [{k: v for k, v in part.items() if k != FORGETTABLE} if isinstance(part, dict) else part for part in rest]
    return json.dumps(plain, sort_keys=True) if plain else ""


def _person(content: Any, kinds: Sequence[str], n: int) -> SentTurn:
    said = "\n\n".join(texts(content, kinds))
    return SentTurn("user", said, isinstance(content, str | list), others(content, kinds), n)


# Chat completions


def chat_turns(item: Any, n: int) -> Iterator[SentTurn]:
    role, content = (item.get("role"), item.get("content")) if isinstance(item, dict) else (None, None)
    if role == "user":
        yield _person(content, ("text",), n)
    elif role in ("assistant", "tool", "function"):
        yield SentTurn("assistant" if role == "assistant" else "tool", "\n".join(texts(content)))
    else:
        yield SentTurn("system", "")


def chat_session(given: Mapping[str, Any]) -> str | None:
    return _named(given.get("user"))


def chat_answer(reply: Mapping[str, Any]) -> str:
    first = _first(reply.get("choices"))
    return "\n".join(texts(_inner(first, "message").get("content")))


def chat_piece(event: Mapping[str, Any]) -> str:
    first = _first(event.get("choices"))
    said = _inner(first, "delta").get("content")
    return said if isinstance(said, str) and first.get("index", 0) == 0 else ""


def chat_ends(event: Mapping[str, Any]) -> bool:
    return bool(_first(event.get("choices")).get("finish_reason"))


# Responses

SPOKEN = ("input_text", "output_text", "text")


def response_turns(item: Any, n: int) -> Iterator[SentTurn]:
    if not isinstance(item, dict):
        raise NotReadable
    kind, role, content = item.get("type", "message"), item.get("role"), item.get("content")
    if kind == "message" and role == "user":
        yield _person(content, SPOKEN, n)
    elif kind == "message" and role in ("system", "developer"):
        yield SentTurn("system", "")
    elif str(kind).endswith("_output"):
        yield SentTurn("tool", "\n".join(texts(item.get("output"), SPOKEN)))
    else:  # the model's own words, calls and thoughts
        yield SentTurn("assistant", "\n".join(texts(content, SPOKEN)))


def response_session(given: Mapping[str, Any]) -> str | None:
    conversation = given.get("conversation")
    named = conversation.get("id") if isinstance(conversation, dict) else conversation
    return _named(named) or _named(given.get("prompt_cache_key")) or _named(given.get("user"))


def response_answer(reply: Mapping[str, Any]) -> str:
    output = reply.get("output")
    said = (
        text
        for item in (output if isinstance(output, list) else ())
        if isinstance(item, dict) and item.get("type") == "message"
        for text in texts(item.get("content"), SPOKEN)
    )
    return "\n".join(said)


def response_piece(event: Mapping[str, Any]) -> str:
    said = event.get("delta") if event.get("type") == "response.output_text.delta" else ""
    return said if isinstance(said, str) else ""


def response_ends(event: Mapping[str, Any]) -> bool:
    return event.get("type") in ("response.completed", "response.incomplete")


# Messages


def message_turns(item: Any, n: int) -> Iterator[SentTurn]:
    role, content = (item.get("role"), item.get("content")) if isinstance(item, dict) else (None, None)
    if role == "assistant":
        yield SentTurn("assistant", "\n".join(texts(content)))
        return
    results = [part for part in content if _is_result(part)] if isinstance(content, list) else []
    if not results:
        yield _person(content, ("text",), n) if role == "user" else SentTurn("system", "")
    for part in results:  # what stands beside a result is the harness's
        yield SentTurn("tool", "\n".join(texts(part.get("content"))))


def _is_result(part: Any) -> bool:
    return isinstance(part, dict) and str(part.get("type")).endswith("tool_result")


def message_session(given: Mapping[str, Any]) -> str | None:
    """Claude Code names the session inside of `metadata.user_id`."""
    user = _named(_inner(given, "metadata").get("user_id"))
    if user is None:
        return None
    if user.startswith("{"):
        try:
            return _named(json.loads(user).get("session_id")) or user
        except (ValueError, AttributeError):
            return user
    return user.rpartition("_session_")[2] or user


def message_piece(event: Mapping[str, Any]) -> str:
    said = _inner(event, "delta").get("text") if event.get("type") == "content_block_delta" else ""
    return said if isinstance(said, str) else ""


def message_ends(event: Mapping[str, Any]) -> bool:
    return event.get("type") == "message_stop"


def _first(items: Any) -> Mapping[str, Any]:
    return items[0] if isinstance(items, list) and items and isinstance(items[0], dict) else {}


def _inner(value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = value.get(name)
    return found if isinstance(found, dict) else {}


def _named(value: Any) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


CHAT = Api("chat", "messages", "text", chat_turns, chat_session, chat_answer, chat_piece, chat_ends)
RESPONSES = Api(
    "responses",
    "input",
    "input_text",
    response_turns,
    response_session,
    response_answer,
    response_piece,
    response_ends,
)
MESSAGES = Api(
    "messages",
    "messages",
    "text",
    message_turns,
    message_session,
    lambda reply: "\n".join(texts(reply.get("content"))),
    message_piece,
    message_ends,
)


def first_id(body: bytes) -> str:
    """The id of a response, which stands before all else in it and in its stream; empty: not there yet."""
    found = _ID.search(body, 0, MOST_BEFORE_ID)
    return found[1].decode("utf-8", "replace") if found else ""


def read_answer(api: Api, body: bytes, streams: bool) -> ProviderAnswer:
    """What the model said; of a stream that broke off, as far as it came."""
    if not streams:
        reply = _object(body.decode("utf-8", "replace"))
        return ProviderAnswer(api.answer(reply), bool(reply))
    said, whole = [], False
    for event in _events(body.decode("utf-8", "replace").split("\n")):
        said.append(api.piece(event))
        whole = whole or api.ends(event)
    return ProviderAnswer("".join(said), whole)


def _events(lines: Iterable[str]) -> Iterator[Mapping[str, Any]]:
    for line in lines:
        if line.startswith("data:") and (event := _object(line.removeprefix("data:"))):
            yield event


def _object(text: str) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
