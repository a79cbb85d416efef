"""What the primary model reads: who it is and core memory first, then the talk, what memory has, and the message.

Core memory changes seldom, so the beginning of the prompt stays the same from turn to turn and a provider's cache keeps
it. What was found for this message stands next to it, where a small model looks.
"""

import re

from reverie.minds.llm.client import ChatMessage
from reverie.minds.llm.prompt_data import prompt

_PART = re.compile(r'<reverie-memory part="(\w+)">\n(.*?)\n</reverie-memory>\n?', re.DOTALL)
# What stands with the message, in this order, under words that a small model understands.
NEAR = {
    "turns": "The talk so far:",
    "memories": "What you remember that may help, each with who said it and when (the latest counts):",
    "prepared": "What you had prepared for this:",
}


def messages(context: str, instructions: str, said: str, tools: bool = True) -> list[ChatMessage]:
    """The system's message and the person's. `context` is what `Space.context` gave; a model that is offered no `tools`
    reads of none.
    """
    near = {part: text for part, text in _PART.findall(context) if part in NEAR}
    core = _PART.sub(lambda found: "" if found[1] in NEAR else found[0], context).strip()
    asked = f"{prompt('agent')} {prompt('agent_tools')}" if tools else prompt("agent")
    system = "\n\n".join(part for part in (asked, instructions, core) if part)
    shown = [f"{heading}\n<{part}>\n{near[part]}\n</{part}>" for part, heading in NEAR.items() if part in near]
    return [ChatMessage("system", system), ChatMessage("user", "\n\n".join([*shown, said]))]
