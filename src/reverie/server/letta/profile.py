"""What Letta knows of an agent and a space does not: kept in the metadata of the space, under one key."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from reverie.model.spaces import SpaceRecord
from reverie.reverie import Reverie
from reverie.store.tables import spaces

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
    kind: Literal["agent", "archive"] = "agent"
    token: str = ""  # who made the space, so that two who ask for one name at once get two
    agent_type: AgentType = "letta_v1_agent"
    system: str = ""
    description: str | None = None
    tags: tuple[str, ...] = ()
    model: str | None = None
    embedding: str | None = None
    context_window: int = 32_000
    timezone: str = "UTC"
    archives: tuple[str, ...] = ()  # spaces whose passages this agent sees too

    @classmethod
    def of(cls, record: SpaceRecord) -> "Profile":
        saved = record.metadata.get(KEY)
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


def change_profile(org: Reverie, space: str, edit: Callable[[Profile], Profile], **more: Any) -> SpaceRecord:
    """Reads, edits and writes the profile in one transaction: of two edits at once, both stay."""
    db = org.parts.db
    with db.write("memory") as tx:
        profile = Profile.of(spaces.locked(tx, space))
        metadata = {**more.pop("metadata", {}), KEY: edit(profile).saved()}
        spaces.update(db, space, metadata=metadata, **more)
    return spaces.by_id(db, space)


def metadata_of(record: SpaceRecord) -> dict[str, Any]:
    """The agent's own metadata."""
    return {name: value for name, value in record.metadata.items() if name != KEY}
