"""Letta's sleep-time switch and frequency are the cadence trigger of a space: a nap after so many exchanges."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Path
from pydantic import Field

from reverie.errors import NotFound
from reverie.server.dependencies import MAX_ID, Asking, Routes
from reverie.server.letta.shared import (
    Body,
    Cursor,
    ReadableAgent,
    Shape,
    TheServer,
    agent_id,
    cursor,
    group_id,
    page_of,
    run_id,
    the_agent,
    visible_agents,
)
from reverie.server.state import Server
from reverie.space import Space

routes = Routes(prefix="/v1", tags=["letta"])
EXCHANGE = 2  # Letta counts what the user sends; the log has the answer as a turn of its own
FREQUENCY = 5
OFF: dict[str, Any] = {"enabled": False}
Frequency = Annotated[int, Field(ge=1, le=10_000)]
GroupId = Annotated[str, Path(max_length=MAX_ID)]


@dataclass(frozen=True, slots=True)
class Sleeptime:
    enabled: bool
    frequency: int

    @classmethod
    def of(cls, space: Space) -> "Sleeptime":
        sleeping = space.sleeping
        frequency = max(1, -(-sleeping.cadence_turns // EXCHANGE))
        return cls(sleeping.enabled and sleeping.cadence_turns > 0, frequency)

    @property
    def settings(self) -> dict[str, Any]:
        """As the space keeps them. Without sleep time a space sleeps only when it is asked to."""
        return {"enabled": True, "cadence_turns": self.frequency * EXCHANGE} if self.enabled else OFF

    def switched(self, enabled: bool | None) -> dict[str, Any]:
        """The settings that change when sleep time is set so; none where it is so already, or nothing is said."""
        if enabled is None or enabled == self.enabled:
            return {}
        return Sleeptime(enabled, FREQUENCY).settings

    def group(self, space: Space, blocks: list[str]) -> Shape | None:
        """The pair of a waking and a sleeping agent; here both are the space."""
        if not self.enabled:
            return None
        return {
            "id": group_id(space.id),
            "agent_ids": [space.id],
            "description": "A space and its nights.",
            "manager_type": "sleeptime",
            "manager_agent_id": space.id,
            "sleeptime_agent_frequency": self.frequency,
            "turns_counter": None,
            "shared_block_ids": blocks,
        }


def runs_of(space: Space) -> list[str]:
    """Asks for the nap that an exchange has made due; answers the sleep runs that wait or are under way."""
    if not space.sleeping.enabled:
        return []
    space.request_due_nap()
    return [run_id(night.id) for night in space.nights(limit=10, statuses=("requested", "running"))]


class Manager(Body):
    manager_type: str = "sleeptime"
    sleeptime_agent_frequency: Frequency | None = None


class GroupPatch(Body):
    manager_config: Manager


@routes.get("/agents/{agent_id}/groups")
def list_groups(agent: ReadableAgent, after: str | None = None) -> list[Shape]:
    group = group_shape(agent)
    return [] if after or group is None else [group]


@routes.get("/groups/")
def list_all_groups(
    server: TheServer,
    caller: Asking,
    page: Cursor = cursor(50, "asc"),
    manager_type: str | None = None,
) -> list[Shape]:
    """One for each agent with sleep time."""
    caller.must("read")
    found = [group for agent in visible_agents(server, caller) if (group := group_shape(agent)) is not None]
    wanted = [group for group in found if manager_type in (None, group["manager_type"])]
    return list(page_of(wanted, page, lambda group: str(group["id"])))


@routes.get("/groups/{group_id}")
def read_group(server: TheServer, caller: Asking, group_id: GroupId) -> Shape:
    caller.must("read")
    found = group_shape(agent_of_group(server, caller, group_id))
    if found is None:
        raise NotFound("group", group_id, next_move="Set `enable_sleeptime` on the agent.")
    return found


@routes.patch("/groups/{group_id}")
def change_group(server: TheServer, caller: Asking, group_id: GroupId, body: GroupPatch) -> Shape:
    """Sets after how many exchanges the agent naps."""
    caller.must("write")
    space = agent_of_group(server, caller, group_id)
    frequency = body.manager_config.sleeptime_agent_frequency or Sleeptime.of(space).frequency
    space.configure(**Sleeptime(True, frequency).settings)
    return group_shape(space) or {}


def agent_of_group(server: Server, caller: Any, group: str) -> Space:
    if not group.startswith("group-"):
        raise NotFound("group", group)
    return the_agent(server, caller, agent_id(group))


def group_shape(space: Space) -> Shape | None:
    return Sleeptime.of(space).group(space, [block.id for block in space.blocks])
