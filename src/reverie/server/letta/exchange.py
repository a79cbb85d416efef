"""One exchange with an agent: what was sent goes to the log, the primary agent answers, a nap may fall due."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import Field, JsonValue

from reverie.agent.primary import AgentReply, Event, PrimaryAgent
from reverie.agent.tools import LETTA_DECLARED
from reverie.errors import BadInput, ConversationBusy
from reverie.model.base import Instant, new_id
from reverie.server.letta import tools
from reverie.server.letta.conversations import DEFAULT, with_skills
from reverie.server.letta.profile import Profile
from reverie.server.letta.shapes import message_shape
from reverie.server.letta.shared import Body, Shape, message_id
from reverie.server.letta.sleeptime import runs_of
from reverie.server.state import Server
from reverie.space import Space

BUSY: set[tuple[str, str]] = set()  # conversations of this server in which a message is being answered
END: Shape = {"message_type": "stop_reason", "stop_reason": "end_turn"}
Content = str | list[dict[str, JsonValue]]


class SentMessage(Body):
    role: Literal["user", "system", "assistant"] = "user"
    content: Content
    name: str | None = Field(default=None, max_length=200)

    @property
    def text(self) -> str:
        return text_of(self.content)


class TalkIn(Body):
    """Either `messages` or `input`."""

    messages: list[SentMessage] | None = Field(default=None, max_length=1_000)
    input: Content | None = None
    streaming: bool = False
    stream_tokens: bool = False
    include_return_message_types: list[str] | None = None
    override_system: str | None = Field(default=None, max_length=200_000)
    client_tools: list[dict[str, JsonValue]] | None = None
    client_skills: list[dict[str, JsonValue]] | None = Field(default=None, max_length=200)

    def checked_messages(self) -> list[SentMessage]:
        tools.check((), others=self.client_tools)
        given = list(self.messages or ())
        if self.input is not None:
            given.append(SentMessage(role="user", content=self.input))
        if not given or not all(said.text.strip() for said in given):
            raise BadInput("there is no text to answer", next_move="Give `messages` with text, or `input`.")
        return given

    def wants(self, message: Shape) -> bool:
        wanted = self.include_return_message_types
        return wanted is None or message["message_type"] in wanted


def text_of(content: Content) -> str:
    if isinstance(content, str):
        return content
    if other := [part.get("type") for part in content if part.get("type", "text") != "text"]:
        raise BadInput(f"content of type {other[0]!r} is not kept here", next_move="Send text.")
    return "\n".join(str(part.get("text", "")) for part in content)


@dataclass(frozen=True, slots=True)
class LettaExchange:
    server: Server
    space: Space
    given: TalkIn
    run: str | None = None  # under which it is asked for later: what it stores is then stored once
    conversation: str = DEFAULT
    alone: bool = False  # a second message of the conversation is refused while this one is answered

    def events(self) -> Iterator[Event]:
        """What precedes the last thing that the user says is kept; that is answered."""
        with self._held():
            yield from self._said()

    def check_free(self) -> None:
        """Raises ConversationBusy if another message of the conversation is being answered."""
        if self.alone and (self.space.id, self.conversation) in BUSY:
            raise ConversationBusy(f"conversation {self.conversation} is busy")

    @contextmanager
    def _held(self) -> Iterator[None]:
        self.check_free()
        place = (self.space.id, self.conversation)
        BUSY.add(place)
        try:
            yield
        finally:
            BUSY.discard(place)

    def _said(self) -> Iterator[Event]:
        sent = self.log_entries()
        last = last_user_message(self.given.checked_messages())
        for n, one in enumerate(sent):
            if n != last:
                self.space.append(**one)
        if last is not None:
            yield from self._agent().stream(sent[last]["text"], self.conversation, sent[last]["key"])

    def log_entries(self) -> list[Shape]:
        """What was sent, each as the log takes it."""
        said = self.given.checked_messages()
        last = last_user_message(said)
        return [
            {
                "role": one.role,
                "text": one.text,
                "session": self.conversation,
                "speaker": None if n == last else one.name,
                "key": self.run and f"{self.run}:{n}",
            }
            for n, one in enumerate(said)
        ]

    def whole(self) -> Shape:
        """A LettaResponse."""
        began = self.now()
        reply = next((event.reply for event in self.events() if event.kind == "end"), None)
        shown = [message for message in messages_of(reply, self.now()) if self.given.wants(message)]
        return {"messages": shown, "stop_reason": END, "usage": self.usage(reply, began)}

    def usage(self, reply: AgentReply | None, began: Instant) -> Shape:
        spent = [line for line in self.space.costs("day", began) if line.regime == "awake"]
        into, out = sum(line.tokens_in for line in spent), sum(line.tokens_out for line in spent)
        return {
            "message_type": "usage_statistics",
            "completion_tokens": out,
            "prompt_tokens": into,
            "total_tokens": into + out,
            "cached_input_tokens": sum(line.tokens_cached for line in spent),
            "step_count": max(1, reply.model_calls) if reply else 0,
            "run_ids": runs_of(self.space),
        }

    def now(self) -> Instant:
        return self.server.reverie.now()

    def _agent(self) -> PrimaryAgent:
        profile = Profile.of(self.space.record)
        skills = with_skills(self.space, self.conversation, self.given.client_skills or ())
        system = "\n\n".join(part for part in (self.given.override_system or profile.system, skills) if part)
        had = tuple(tool for tool in LETTA_DECLARED if tool.name not in profile.detached)
        return replace(self.space.agent(), precomputed=self.space.answer, instructions=system, tools=had)


def last_user_message(said: Sequence[SentMessage]) -> int | None:
    return max((n for n, one in enumerate(said) if one.role == "user"), default=None)


def messages_of(reply: AgentReply | None, now: Instant) -> Sequence[Shape]:
    """What a reply is made of, in its order: thinking, tools, the answer."""
    if reply is None:
        return []
    id = message_id(reply.turn or new_id("turn"))
    thought = [message_shape("reasoning_message", id, now, reasoning=reply.thinking)] if reply.thinking else []
    used = [tool_shape(new_id("message"), now, one.name, one.result, one.ok) for one in reply.tools]
    return [*thought, *used, message_shape("assistant_message", id, now, content=reply.text)]


def tool_shape(id: str, now: Instant, name: str, result: str, ok: bool = True) -> Shape:
    more: dict[str, Any] = {"name": name, "tool_return": result, "status": "success" if ok else "error"}
    return message_shape("tool_return_message", id, now, tool_call_id=id, **more)
