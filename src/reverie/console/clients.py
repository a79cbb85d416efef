"""What to paste so that an agent, a program or a person reaches this memory, in the order that people look for it."""

from collections.abc import Mapping
from dataclasses import dataclass

from reverie.console.shell import Here
from reverie.server.connect import connections


@dataclass(frozen=True, slots=True)
class ClientLines:
    """`about` says in a sentence what it does."""

    name: str
    lines: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class ClientGroup:
    title: str
    about: str
    clients: tuple[ClientLines, ...]


def groups(here: Here) -> list[ClientGroup]:
    """With this server's own address, and the key that this page was opened with."""
    address = f"{here.request.url.scheme}://{here.request.headers.get('host', '127.0.0.1:8283')}"
    secret = here.session.secret
    ready = connections(address, secret)
    base = f"{address}/t/{secret}" if secret else address
    return [
        ClientGroup("Coding agents", "On the agent's own machine. Your settings stay.", _agents(ready)),
        ClientGroup(
            "A changed base URL", "Your own key goes on to the provider; nothing else changes.", _proxies(base)
        ),
        ClientGroup("Clients of other products", "They work unchanged.", _drop_ins(address, secret or "rv_…", ready)),
        ClientGroup("Inside a framework", "One object, in Python; no server is needed.", _adapters(here.space.name)),
        ClientGroup("Your own code", "Over REST, in Python, in TypeScript.", _own(here, address, ready)),
    ]


def first_lines(here: Here) -> str:
    """What a new user pastes first: something said, a question to it, and the agent that is to have it."""
    named = f"--space {here.space.name} " if here.space.name.isidentifier() else ""
    return (
        f'reverie append {named}"I moved to Lisbon, and I am allergic to peanuts."\n'
        f'reverie context {named}"where do I live?"\nreverie install claude-code'
    )


def _agents(ready: Mapping[str, str]) -> tuple[ClientLines, ...]:
    hooks = "hooks and an MCP server; reverie uninstall takes them out"
    names = {"Claude Code": "claude-code", "Codex": "codex", "Gemini CLI": "gemini", "Cursor": "cursor"}
    installs = (ClientLines(name, f"reverie install {word}", hooks) for name, word in names.items())
    return (
        *installs,
        ClientLines("Hermes", "reverie install hermes", "its memory provider"),
        ClientLines("A status line", "reverie statusline", "memories, turns captured, the last night, the cost"),
        ClientLines("Any MCP client", ready["MCP"], "tools and resources over HTTP"),
    )


def _proxies(base: str) -> tuple[ClientLines, ...]:
    return (
        ClientLines("OpenAI SDK, Ollama, vLLM", f'OpenAI(base_url="{base}/openai/v1")', "memory in every chat"),
        ClientLines("Anthropic SDK", f'Anthropic(base_url="{base}/anthropic")'),
        ClientLines("Claude Code by proxy", f"export ANTHROPIC_BASE_URL={base}/anthropic", "instead of the hooks"),
    )


def _drop_ins(address: str, secret: str, ready: Mapping[str, str]) -> tuple[ClientLines, ...]:
    stores = f'Anthropic(base_url="{address}", api_key="{secret}").beta.memory_stores'
    return (
        ClientLines("letta-client", ready["letta-client"]),
        ClientLines("mem0", f'MemoryClient(host="{address}", api_key="{secret}")'),
        ClientLines("Anthropic memory stores and dreams", stores),
    )


def _adapters(space: str) -> tuple[ClientLines, ...]:
    opened = f"from reverie import Reverie\n\nspace = Reverie.open().space({space!r})\n"
    session = 'Runner.run(agent, "Hi", session=ReverieSession("s1", space))'
    lines = {
        "LangGraph": ("langgraph", "ReverieStore", "graph = builder.compile(store=ReverieStore(space))"),
        "OpenAI Agents SDK": ("openai_agents", "ReverieSession", session),
        "Anthropic memory tool": ("memory_tool", "ReverieMemoryTool", "tools = [ReverieMemoryTool(space)]"),
    }
    return tuple(
        ClientLines(name, f"from reverie.adapters.{module} import {noun}\n{opened}{line}")
        for name, (module, noun, line) in lines.items()
    )


def _own(here: Here, address: str, ready: Mapping[str, str]) -> tuple[ClientLines, ...]:
    secret = here.session.secret or "rv_…"
    turn = (
        f"curl -X POST {address}/v1/spaces/{here.space.id}/turns -H 'x-reverie-key: {secret}'"
        ' -H \'content-type: application/json\' -d \'{"role": "user", "text": "I moved to Lisbon."}\''
    )
    library = (
        "from reverie import Reverie\n\nwith Reverie.open() as memory:\n"
        f'    memory.space({here.space.name!r}).append("user", "I moved to Lisbon.")'
    )
    script = f'import {{ Reverie }} from "reverie-memory";\n\nnew Reverie({{ url: "{address}", key: "{secret}" }})'
    return (
        ClientLines("Is it there?", ready["curl"]),
        ClientLines("One turn over REST", turn),
        ClientLines("Python, without a server", library),
        ClientLines("TypeScript", script),
        ClientLines("A base URL alone", ready["a base URL alone"], "where a client has no field for a key"),
    )
