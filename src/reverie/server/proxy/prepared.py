"""A prepared answer as a provider would give it, whole or as a stream: in the shape of each of the three APIs."""

import json
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reverie.server.proxy.apis import CHAT, MESSAGES, RESPONSES, Api, SentRequest

# What only a model can give: who asks for it gets no prepared answer.
NEEDS_A_MODEL = ("tools", "functions", "response_format", "output_config", "output_format", "logprobs", "audio", "text")
Event = tuple[str, Any]  # its name, which only some streams have, and what it says


def fits(api: Api, values: Mapping[str, Any]) -> bool:
    """Whether a prepared answer can stand for what is asked. A response that the provider is to keep must be its own:
    the next request names it."""
    kept = api is RESPONSES and (values.get("store") is not False or values.get("previous_response_id"))
    return not kept and values.get("n") in (None, 1) and not any(values.get(name) for name in NEEDS_A_MODEL)


@dataclass(frozen=True)
class PreparedReply:
    """One answer on its way out."""

    text: str
    model: str
    created: int
    id: str

    def message(self) -> Any:
        about = {"id": f"msg_{self.id}", "type": "message", "role": "assistant", "model": self.model}
        usage = {"input_tokens": 0, "output_tokens": 0}
        part = {"type": "text", "text": self.text}
        return {**about, "content": [part], "stop_reason": "end_turn", "stop_sequence": None, "usage": usage}

    def message_events(self) -> Iterator[Event]:
        whole = self.message()
        begun = {**whole, "content": [], "stop_reason": None}
        ended = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
        delta = {"type": "text_delta", "text": self.text}
        events: tuple[dict[str, Any], ...] = (
            {"type": "message_start", "message": begun},
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": ended, "usage": {"output_tokens": 0}},
            {"type": "message_stop"},
        )
        for event in events:
            yield event["type"], event

    def completion(self) -> Any:
        message = {"role": "assistant", "content": self.text, "refusal": None}
        choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        usage = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
        return {**self._about("chat.completion"), "choices": [choice], "usage": usage}

    def completion_events(self) -> Iterator[Event]:
        about = self._about("chat.completion.chunk")
        said = {"role": "assistant", "content": self.text}
        for delta, reason in ((said, None), ({}, "stop")):
            yield "", {**about, "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}
        yield "", "[DONE]"

    def _about(self, kind: str) -> dict[str, Any]:
        return {"id": f"chatcmpl-{self.id}", "object": kind, "created": self.created, "model": self.model}

    def response(self) -> Any:
        about = {"id": f"resp_{self.id}", "object": "response", "created_at": self.created, "model": self.model}
        options = {"parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "status": "completed"}
        return {**about, **options, "output": [self._item()]}

    def _item(self) -> dict[str, Any]:
        part = {"type": "output_text", "text": self.text, "annotations": []}
        about = {"type": "message", "id": f"msg_{self.id}", "status": "completed", "role": "assistant"}
        return {**about, "content": [part]}

    def response_events(self) -> Iterator[Event]:
        whole, item = self.response(), self._item()
        part = item["content"][0]
        at = {"item_id": item["id"], "output_index": 0, "content_index": 0}
        begun = {**item, "content": [], "status": "in_progress"}
        events: tuple[dict[str, Any], ...] = (
            {"type": "response.created", "response": {**whole, "output": [], "status": "in_progress"}},
            {"type": "response.output_item.added", "output_index": 0, "item": begun},
            {"type": "response.content_part.added", **at, "part": {**part, "text": ""}},
            {"type": "response.output_text.delta", **at, "delta": self.text, "logprobs": []},
            {"type": "response.output_text.done", **at, "text": self.text, "logprobs": []},
            {"type": "response.content_part.done", **at, "part": part},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": whole},
        )
        for number, event in enumerate(events):
            yield event["type"], {**event, "sequence_number": number}


WHOLE: Mapping[str, Callable[[PreparedReply], Any]] = {
    CHAT.name: PreparedReply.completion,
    MESSAGES.name: PreparedReply.message,
    RESPONSES.name: PreparedReply.response,
}
STREAMED: Mapping[str, Callable[[PreparedReply], Iterator[Event]]] = {
    CHAT.name: PreparedReply.completion_events,
    MESSAGES.name: PreparedReply.message_events,
    RESPONSES.name: PreparedReply.response_events,
}


def prepared_body(api: Api, request: SentRequest, text: str, now: float) -> tuple[bytes, bytes]:
    """The body of an answer, and its content type."""
    made = PreparedReply(text, request.model, int(now), f"reverie{uuid.uuid4().hex[:16]}")
    if not request.streams:
        return json.dumps(WHOLE[api.name](made)).encode(), b"application/json"
    return "".join(_line(*event) for event in STREAMED[api.name](made)).encode(), b"text/event-stream; charset=utf-8"


def _line(name: str, said: Any) -> str:
    data = said if isinstance(said, str) else json.dumps(said)
    return (f"event: {name}\n" if name else "") + f"data: {data}\n\n"
