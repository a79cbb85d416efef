"""The key of a turn of another agent, the same whoever hands it over: a hook while it is said, an importer later.

Standard library alone, so that a hook can import it.
"""

import hashlib

CLAUDE_CODE, CODEX, HERMES = "claude-code", "codex", "hermes"


def turn_key(product: str, prompt: str, role: str, text: str) -> str:
    """The key of what was said in the exchange that a prompt began.

    `prompt` is the product's id of that prompt (Claude Code: `prompt_id` of every hook, `promptId` in a transcript).
    Blanks do not count: a transcript and a hook differ in them.

    >>> turn_key("codex", "p1", "user", "I live  in Kiel.\\n") == turn_key("codex", "p1", "user", "I live in Kiel.")
    True
    """
    said = " ".join(text.split())
    digest = hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
    return f"{product}:{prompt}:{role}:{digest}"
