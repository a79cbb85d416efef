"""The thin interface to any model: a call goes in, a completion or a fault comes out. Nothing here knows a provider."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Protocol

from reverie.errors import BudgetSpent, ModelError
from reverie.language.words import token_count

Mode = Literal["schema", "object", "text"]  # how the answer's shape is asked for: the rungs of the ladder
Finish = Literal["stop", "length", "refused", "tool_call"]
Schema = Mapping[str, Any]
Failure = ModelError | BudgetSpent

PER_MESSAGE = 8  # tokens that a chat template puts around each message


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    description: str
    schema: Schema


@dataclass(frozen=True, slots=True)
class ToolCall:
    id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ChatMessage:
    role: Literal["system", "user", "assistant", "tool"]
    text: str
    tool_calls: tuple[ToolCall, ...] = ()  # of an assistant
    answers: ToolCall | None = None  # of a tool: the call that this is the result of


@dataclass(frozen=True, slots=True)
class Call:
    messages: tuple[ChatMessage, ...]
    max_tokens: int = 1024
    mode: Mode = "text"
    schema: Schema | None = None
    tools: tuple[Tool, ...] = ()
    temperature: float = 0.0

    def prompt_hash(self, model: str) -> str:
        """The same question to the same model has the same hash: what replay without paying again rests on."""
        canonical = json.dumps([model, asdict(self)], sort_keys=True, default=str)
        return hashlib.blake2b(canonical.encode(), digest_size=20).hexdigest()

    @property
    def tokens(self) -> int:
        """About how much the model has to read."""
        shapes = [tool.schema for tool in self.tools]
        if self.schema is not None and self.mode == "schema":
            shapes.append(self.schema)
        texts = [message.text for message in self.messages] + [json.dumps(shape) for shape in shapes]
        return sum(token_count(text) + PER_MESSAGE for text in texts)


@dataclass(frozen=True, slots=True)
class ModelUsage:
    tokens_in: int = 0  # cached ones included
    tokens_out: int = 0
    tokens_cached: int = 0
    tokens_thinking: int = 0  # of those written: native reasoning


@dataclass(frozen=True, slots=True)
class Completion:
    text: str
    usage: ModelUsage = ModelUsage()
    finish: Finish = "stop"
    thinking: str = ""  # native reasoning, on its own channel: never part of the answer
    tool_calls: tuple[ToolCall, ...] = ()
    seconds: float = 0.0
    replayed: bool = False  # from the ledger: nothing was paid

    def to_json(self) -> str:
        kept = {"text": self.text, "finish": self.finish, "thinking": self.thinking}
        return json.dumps(kept | {"tool_calls": [asdict(call) for call in self.tool_calls]})

    @classmethod
    def replay(cls, recorded: str) -> "Completion":
        kept = json.loads(recorded)
        calls = tuple(ToolCall(**call) for call in kept.pop("tool_calls"))
        return cls(**kept, tool_calls=calls, replayed=True)


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of a streamed completion; the last one is `end` and carries the whole."""

    kind: Literal["text", "thinking", "end"]
    text: str = ""
    completion: Completion = field(default=Completion(""))


class Client(Protocol):
    @property
    def name(self) -> str:
        """ "provider:model" """
        ...

    def complete_all(self, calls: Sequence[Call]) -> list[Completion | Failure]:
        """All at once, answers in the order of the calls; a failure takes its call's place and spares the others."""
        ...

    def batched(self) -> bool:
        """Whether many calls, made here and now, would go out as one provider batch."""
        ...

    def stream(self, call: Call) -> Iterator[Delta]:
        """Raises ModelFault or BudgetSpent; also midway, when the stream is cut."""
        ...


def complete(client: Client, call: Call) -> Completion:
    """One call: its completion, or its failure raised."""
    (outcome,) = client.complete_all([call])
    if isinstance(outcome, Completion):
        return outcome
    raise outcome
