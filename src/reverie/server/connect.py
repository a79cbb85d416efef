"""What to copy so that a client reaches this server: the token goes where each of them can carry it."""

from collections.abc import Mapping


def connections(address: str, token: str | None) -> Mapping[str, str]:
    """The line for each kind of client; without a token, for a server that asks for none.

    >>> connections("http://127.0.0.1:8283", "rv_x")["curl"]
    "curl -H 'x-reverie-key: rv_x' http://127.0.0.1:8283/v1/spaces"
    >>> connections("http://127.0.0.1:8283", None)["letta-client"]
    'Letta(base_url="http://127.0.0.1:8283")'
    """
    header = f"-H 'x-reverie-key: {token}' " if token else ""
    key = f', api_key="{token}"' if token else ""
    mcp = f' --header "Authorization: Bearer {token}"' if token else ""
    base = f"{address}/t/{token}" if token else address
    return {
        "curl": f"curl {header}{address}/v1/spaces",
        "letta-client": f'Letta(base_url="{address}"{key})',
        "mem0": f'MemoryClient(host="{address}", api_key="{token or "none"}")',
        "OpenAI": f'OpenAI(base_url="{base}/openai/v1")',
        "Anthropic": f'Anthropic(base_url="{base}/anthropic")',
        "Claude Code by proxy": f"export ANTHROPIC_BASE_URL={base}/anthropic",
        "MCP": f"claude mcp add --transport http reverie {address}/mcp{mcp}",
        "a base URL alone": base,
    }
