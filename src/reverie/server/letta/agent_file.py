"""What an agent file says, in today's format and in the older one of a single agent."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

from pydantic import Field, JsonValue, field_validator

from reverie.server.letta.blocks import LettaBlockIn
from reverie.server.letta.passages import PassageIn
from reverie.server.letta.profile import AgentType, Profile
from reverie.server.letta.shared import Body, Moment


class FileMessage(Body):
    role: Literal["user", "assistant", "system", "tool"]
    content: str | list[dict[str, JsonValue]] | None = None
    tool_calls: list[dict[str, Any]] | None = None
    name: str | None = Field(default=None, max_length=200)
    created_at: Moment | None = None
    session: str | None = Field(default=None, max_length=200)

    @field_validator("role", mode="before")
    @classmethod
    def _known_role(cls, role: Any) -> Any:
        return {"developer": "system", "function": "tool", "approval": "tool"}.get(role, role)

    @property
    def text(self) -> str:
        """Of older agents the answer is an argument of `send_message`, and what the user said is JSON."""
        if isinstance(self.content, list):
            said = "\n".join(str(part["text"]) for part in self.content if part.get("text"))
        else:
            said = self.content or ""
        if self.role == "assistant":
            return _message_sent(self.tool_calls or ()) or said
        return _user_text(said) if self.role == "user" else said


def _message_sent(calls: Sequence[Mapping[str, Any]]) -> str:
    for call in calls:
        function = call.get("function")
        if isinstance(function, Mapping) and function.get("name") == "send_message":
            return str(_object(function.get("arguments")).get("message", ""))
    return ""


def _user_text(said: str) -> str:
    packed = _object(said)
    return str(packed.get("message", "")) if packed.get("type") == "user_message" else said


def _object(text: Any) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


class FileBlock(LettaBlockIn):
    id: str | None = None


class FilePassage(PassageIn):
    agent_id: str | None = None


class FileModel(Body):
    handle: str | None = None
    model: str | None = None


class FileAgent(Body):
    id: str = ""
    name: str = Field(default="imported", min_length=1, max_length=170)
    agent_type: str | None = None
    system: str | None = None
    description: str | None = None
    tags: list[str] | None = None
    metadata: dict[str, JsonValue] | None = None
    timezone: str | None = None
    llm_config: FileModel | None = None
    enable_sleeptime: bool | None = None
    block_ids: list[str] = Field(default_factory=list)
    core_memory: list[FileBlock] = Field(default_factory=list)  # the older format's blocks
    messages: list[FileMessage] = Field(default_factory=list)

    def profile(self, name: str) -> Profile:
        model = self.llm_config or FileModel()
        given: dict[str, Any] = {
            "agent_type": self.agent_type if self.agent_type in get_args(AgentType) else None,
            "system": self.system,
            "description": self.description,
            "tags": None if self.tags is None else tuple(self.tags),
            "model": model.handle or model.model,
            "timezone": self.timezone,
        }
        return Profile(name=name, **{name: value for name, value in given.items() if value is not None})


class OwnPart(Body):
    passages: list[FilePassage] = Field(default_factory=list)


class AgentFile(Body):
    agents: list[FileAgent] = Field(min_length=1, max_length=100)
    blocks: list[FileBlock] = Field(default_factory=list)
    reverie: OwnPart = Field(default_factory=OwnPart)

    def blocks_of(self, agent: FileAgent) -> list[FileBlock]:
        return [*(block for block in self.blocks if block.id in agent.block_ids), *agent.core_memory]

    def passages_of(self, agent: str) -> list[FilePassage]:
        return [passage for passage in self.reverie.passages if passage.agent_id in (None, agent)]


def read(document: Any) -> AgentFile:
    older = (
        isinstance(document, dict) and "agents" not in document and ("core_memory" in document or "name" in document)
    )
    return AgentFile.model_validate({"agents": [document]} if older else document)
