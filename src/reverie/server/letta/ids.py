"""Reverie's ids as letta-client expects them, and back: only the prefix differs."""

import uuid


def message_id(turn: str) -> str:
    return _with("message", turn)


def turn_id(message: str) -> str:
    return _with("turn", message)


def run_id(night: str) -> str:
    return _with("run", night)


def night_id(run: str) -> str:
    return _with("night", run)


def group_id(agent: str) -> str:
    return _with("group", agent)


def archive_id(agent: str) -> str:
    return _with("archive", agent)


def agent_id(other: str) -> str:
    """Of a group or an archive: both are a space, seen from another side."""
    return _with("agent", other)


def passage_id(memory: str) -> str:
    """
    >>> passage_id("mem-0f8fad5bd9cb469fa16570867728950e")
    'passage-0f8fad5b-d9cb-469f-a165-70867728950e'
    """
    try:
        return f"passage-{uuid.UUID(memory.removeprefix('mem-'))}"
    except ValueError:
        return memory  # an importer's own: it stays as it is


def memory_ids(passage: str) -> tuple[str, ...]:
    """Which memories this may be: ids that a night derives are written without dashes."""
    rest = passage.removeprefix("passage-")
    return f"mem-{rest}", f"mem-{rest.replace('-', '')}", passage


def tool_id(name: str) -> str:
    return f"tool-{uuid.uuid5(uuid.NAMESPACE_URL, f'reverie:tool:{name}')}"


def step_id(night: str, position: int) -> str:
    return f"step-{uuid.uuid5(uuid.NAMESPACE_URL, f'{night}:{position}')}"


def _with(prefix: str, id: str) -> str:
    return f"{prefix}-{id.partition('-')[2]}"
