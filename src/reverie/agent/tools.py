"""The primary agent's tools. What rewrites or tidies memory is the night's, and out of reach because it is not here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reverie.agent.ports import AgentSpace
from reverie.errors import ReverieError
from reverie.minds.llm.client import Tool, ToolCall
from reverie.minds.llm.prompt_data import day
from reverie.model.hits import Hit
from reverie.policy.recall.lines import who
from reverie.policy.safety.trust import wrap_recalled

FOUND_AT_ONCE = 5
Arguments = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One use of a tool. `looked_up` says that the model needs another call to make something of the result."""

    name: str
    result: str
    looked_up: bool
    ok: bool = True


@dataclass(frozen=True, slots=True)
class AgentTool:
    tool: Tool
    run: Callable[[AgentSpace, str, Arguments], str]
    looks_up: bool = False


def _tool(name: str, description: str, **arguments: str) -> Tool:
    properties = {argument: {"type": "string", "description": about} for argument, about in arguments.items()}
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(arguments),
        "additionalProperties": False,
    }
    return Tool(name, description, schema)


def _block_append(space: AgentSpace, session: str, given: Arguments) -> str:
    written = space.blocks.as_agent(session)[given["label"]].append(given["text"])
    return f"{written.label}: {written.status}. {written.why}".strip()


def _block_replace(space: AgentSpace, session: str, given: Arguments) -> str:
    written = space.blocks.as_agent(session)[given["label"]].replace(given["old"], given["new"])
    return f"{written.label}: {written.status}. {written.why}".strip(". ")


def _block_read(space: AgentSpace, session: str, given: Arguments) -> str:
    return wrap_recalled(space.blocks.as_agent(session)[given["label"]].value, "block")


def _recall_search(space: AgentSpace, _: str, given: Arguments) -> str:
    return hits_text(space.recall(given["query"], FOUND_AT_ONCE, mode="raw"))


def _archival_search(space: AgentSpace, _: str, given: Arguments) -> str:
    return hits_text(space.recall(given["query"], FOUND_AT_ONCE))


def _remember(space: AgentSpace, session: str, given: Arguments) -> str:
    space.remember(given["text"], session=session, surface="agent")
    return f"remembered: {given['text']}"


_LABEL = "the block's label, like human or task"
TOOLS: tuple[AgentTool, ...] = (
    AgentTool(
        _tool("block_append", "Add a line to a block of core memory.", label=_LABEL, text="the line"), _block_append
    ),
    AgentTool(
        _tool(
            "block_replace", "Replace a text in a block.", label=_LABEL, old="as it stands there", new="the new text"
        ),
        _block_replace,
    ),
    AgentTool(_tool("block_read", "Read a block.", label=_LABEL), _block_read, looks_up=True),
    AgentTool(
        _tool("recall_search", "Search what was said in conversations, word for word.", query="what to look for"),
        _recall_search,
        looks_up=True,
    ),
    AgentTool(
        _tool("archival_search", "Search everything known: facts, notes, profiles.", query="what to look for"),
        _archival_search,
        looks_up=True,
    ),
    AgentTool(_tool("remember", "Keep a text for later.", text="one sentence that reads alone"), _remember),
)
_BY_NAME = {tool.tool.name: tool for tool in TOOLS}
DECLARED: tuple[Tool, ...] = tuple(tool.tool for tool in TOOLS)


def _renamed(name: str, ours: str, **arguments: str) -> AgentTool:
    """One of our tools under a name and arguments that agents know from elsewhere."""
    tool = _BY_NAME[ours]
    about = tool.tool.schema["properties"]
    declared = _tool(
        name, tool.tool.description, **{their: about[our]["description"] for their, our in arguments.items()}
    )

    def run(space: AgentSpace, session: str, given: Arguments) -> str:
        return tool.run(space, session, {our: given[their] for their, our in arguments.items()})

    return AgentTool(declared, run, tool.looks_up)


LETTA_TOOLS: tuple[AgentTool, ...] = (
    _renamed("memory_insert", "block_append", label="label", new_str="text"),
    _renamed("memory_replace", "block_replace", label="label", old_str="old", new_str="new"),
    _renamed("conversation_search", "recall_search", query="query"),
    _renamed("archival_memory_insert", "remember", content="text"),
    _renamed("archival_memory_search", "archival_search", query="query"),
)
LETTA_DECLARED: tuple[Tool, ...] = tuple(tool.tool for tool in LETTA_TOOLS)
_BY_NAME |= {tool.tool.name: tool for tool in LETTA_TOOLS}


def use(space: AgentSpace, session: str, call: ToolCall) -> ToolUse:
    """Never raises for what a model or the store says no to: the model is told, and may tell the user."""
    tool = _BY_NAME.get(call.name)
    if tool is None:
        return ToolUse(call.name, "there is no such tool", looked_up=False, ok=False)
    try:
        return ToolUse(call.name, tool.run(space, session, _arguments(tool, call.arguments)), tool.looks_up)
    except ReverieError as refused:
        return ToolUse(call.name, f"not done: {refused.message}. {refused.next_move}", tool.looks_up, ok=False)
    except KeyError as missing:
        return ToolUse(call.name, f"not done: {missing} is missing", tool.looks_up, ok=False)


def run_by_name(space: AgentSpace, name: str, arguments: Mapping[str, Any]) -> ToolUse:
    """What a tool answers to these arguments, outside of any conversation."""
    return use(space, "default", ToolCall(name, name, arguments))


def _arguments(tool: AgentTool, given: Mapping[str, Any]) -> Arguments:
    return {name: str(given[name]) for name in tool.tool.schema["required"]}


def hits_text(hits: Sequence[Hit]) -> str:
    if not hits:
        return "nothing was found"
    return wrap_recalled("\n".join(hit_line(hit) for hit in hits), "found")


def hit_line(hit: Hit) -> str:
    """Who said it, when, and the words; later lines are set in, so that none passes for another hit."""
    dated = f"{day(hit.said_at)}, " if hit.said_at is not None else ""
    text = "\n  ".join(hit.text.splitlines())
    return f"{dated}{who(hit)}: {text} [{hit.id}]"
