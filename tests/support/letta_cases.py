"""Every Letta route with an id in its path, and a body that its owner may send."""

from dataclasses import replace
from typing import Any

from reverie import Reverie
from reverie.server.letta.agents import new_space
from reverie.server.letta.profile import Profile, change_profile
from reverie.server.letta.shared import archive_id, group_id, passage_id, run_id
from reverie.server.letta.tools import ALL
from reverie.space import Space

A = "/v1/agents/{agent_id}"
CORE = f"{A}/core-memory/blocks"
ARCHIVE = "/v1/archives/{archive_id}"
RUN = "/v1/runs/{run_id}"

LETTA_BODIES: dict[str, Any] = {
    f"GET {A}": None,
    f"PATCH {A}": {"name": "renamed"},
    f"DELETE {A}": None,
    f"POST {A}/recompile": None,
    f"GET {A}/export": None,
    f"GET {CORE}": None,
    f"GET {CORE}/{{block_label}}": None,
    f"PATCH {CORE}/{{block_label}}": {"value": "x"},
    f"PATCH {CORE}/attach/{{block_id}}": None,
    f"PATCH {CORE}/detach/{{block_id}}": None,
    "GET /v1/blocks/{block_id}": None,
    "PATCH /v1/blocks/{block_id}": {"value": "x"},
    "DELETE /v1/blocks/{block_id}": None,
    "GET /v1/blocks/{block_id}/agents": None,
    "GET /v1/blocks/{block_id}/versions": None,
    "POST /v1/blocks/{block_id}/restore": {"version": 1},
    f"POST {A}/archival-memory": {"text": "x"},
    f"GET {A}/archival-memory": None,
    f"GET {A}/archival-memory/search?query=Marzipan": None,
    f"DELETE {A}/archival-memory/{{memory_id}}": None,
    f"POST {A}/messages": {"input": "x"},
    f"POST {A}/messages/stream": {"input": "x"},
    f"POST {A}/messages/async": {"input": "x"},
    f"GET {A}/messages": None,
    f"POST {A}/messages/cancel": None,
    f"PATCH {A}/reset-messages": None,
    f"POST {A}/summarize": None,
    f"GET {A}/groups": None,
    f"GET {A}/tools": None,
    f"PATCH {A}/tools/attach/{{tool_id}}": None,
    "GET /v1/groups/{group_id}": None,
    "PATCH /v1/groups/{group_id}": {"manager_config": {"sleeptime_agent_frequency": 3}},
    f"GET {RUN}": None,
    f"GET {RUN}/messages": None,
    f"GET {RUN}/steps": None,
    f"GET {RUN}/usage": None,
    f"GET {RUN}/trace": None,
    f"POST {RUN}/undo": None,
    f"GET {ARCHIVE}": None,
    f"PATCH {ARCHIVE}": {"name": "x"},
    f"DELETE {ARCHIVE}": None,
    f"POST {ARCHIVE}/passages": {"text": "x"},
    f"POST {ARCHIVE}/passages/batch": {"passages": [{"text": "x"}]},
    f"DELETE {ARCHIVE}/passages/{{passage_id}}": None,
    f"PATCH {A}/archives/attach/{{archive_id}}": None,
    f"PATCH {A}/archives/detach/{{archive_id}}": None,
}
LETTA_NAMES = {"block_label": "shared", "tool_id": ALL[0]["id"]}  # of nobody's alone


def letta_things(memory: Reverie, space: Space, secret: str, ids: dict[str, str]) -> dict[str, str]:
    """The same things under Letta's names, and an archive that the agent has been given."""
    (archive,) = memory.create_spaces(new_space(Profile(f"{secret} archive", kind="archive"), {}))
    change_profile(space, lambda profile: replace(profile, archives=(archive.id,)))
    return {
        "block_id": ids["block"],
        "memory_id": passage_id(ids["memory"]),
        "run_id": run_id(ids["night"]),
        "group_id": group_id(space.id),
        "archive_id": archive_id(archive.id),
        "passage_id": passage_id(archive.remember(f"{secret} in an archive").id),
    }
