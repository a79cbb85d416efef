"""What Letta knows of an agent and a space does not: kept in what is private of the space, under one key."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from reverie.model.spaces import SpaceRecord
from reverie.space import Space

KEY = "letta"
AgentType = Literal[
    "memgpt_agent",
    "memgpt_v2_agent",
    "letta_v1_agent",
    "react_agent",
    "workflow_agent",
    "split_thread_agent",
    "sleeptime_agent",
    "voice_convo_agent",
    "voice_sleeptime_agent",
]


@dataclass(frozen=True, slots=True)
class Profile:
    name: str | None = None  # as it was asked for: agents may share a name, spaces may not
    kind: Literal["agent", "archive", "folder"] = "agent"
    agent_type: AgentType = "letta_v1_agent"
    system: str = ""
    description: str | None = None
    tags: tuple[str, ...] = ()
    model: str | None = None
    embedding: str | None = None
    context_window: int = 32_000
    timezone: str = "UTC"
    tool_rules: tuple[Any, ...] = ()  # kept as they were given
    detached: tuple[str, ...] = ()  # names of tools that this agent has not
    folders: tuple[str, ...] = ()  # spaces of files that it searches
    archives: tuple[str, ...] = ()  # spaces whose passages this agent sees too

    @classmethod
    def of(cls, record: SpaceRecord) -> "Profile":
        saved = record.private.get(KEY)
        if not isinstance(saved, Mapping):
            return cls()
        known = {f.name for f in fields(cls)}
        given: dict[str, Any] = {
            name: tuple(v) if isinstance(v, list) else v for name, v in saved.items() if name in known
        }
        return cls(**given)

    def saved(self) -> dict[str, Any]:
        default = asdict(Profile())
        return {name: value for name, value in asdict(self).items() if value != default[name]}


def change_profile(space: Space, edit: Callable[[Profile], Profile], **more: Any) -> None:
    """Edits the profile as it stands now, with what else `Space.change` takes: of two edits at once, both stay."""
    space.change(private=lambda record: {KEY: edit(Profile.of(record)).saved()}, **more)
