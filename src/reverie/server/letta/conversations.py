"""A conversation is a session, with what Letta knows of it: a title, a system message made once, what is in context.

It stands on a shelf of the agent's space under its id. The conversation `default` is there without being made.
"""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reverie.errors import NotFound
from reverie.model.base import Instant, new_id
from reverie.model.turns import Turn
from reverie.policy.safety.trust import unwrap_recalled
from reverie.server.formatting import iso
from reverie.server.gateway.auth import Caller
from reverie.server.letta.profile import Profile
from reverie.server.letta.shared import Shape, message_id, the_agent
from reverie.server.state import Server
from reverie.space import Space

SHELF, SYSTEM = "letta.conversations", "letta.system"
DEFAULT = "default"
IN_CONTEXT = 1_000  # turns that a conversation lists as in context
SHOWN = ("summary", "description", "model", "context_window_limit", "archived", "hidden")
SUMMARY_CHARS, LINE_CHARS = 4_000, 300
BLOCK = '<block label="{}">\n{}\n</block>'


@dataclass(frozen=True, slots=True)
class LettaConversation:
    agent: Space
    id: str
    value: Mapping[str, Any]
    created_at: Instant
    updated_at: Instant

    @property
    def session(self) -> str:
        return self.id

    def shape(self) -> Shape:
        last = self.agent.turns(self.session, newest_first=True, limit=1)
        return {
            "id": self.id,
            "agent_id": self.agent.id,
            "created_at": iso(self.created_at),
            "updated_at": iso(self.updated_at),
            "last_message_at": iso(last[0].at) if last else None,
            "in_context_message_ids": self.in_context(),
            **{name: self.value.get(name) for name in SHOWN if name != "hidden"},
        }

    def in_context(self) -> list[str]:
        """The system message, then the turns since the last compaction."""
        turns = self.agent.turns(
            self.session, after=self.value.get("since"), newest_first=self.id == DEFAULT, limit=IN_CONTEXT
        )
        shown = turns[::-1] if self.id == DEFAULT else turns
        base = [] if self.value.get("since") else self.inherited()
        return [system_id(self.agent, self.id), *(message_id(turn.id) for turn in (*base, *shown))]

    def inherited(self) -> list[Turn]:
        """The turns that a fork has from the conversation that it was forked from."""
        base = self.value.get("base")
        if base is None:
            return []
        parent = find_in(self.agent, base["conversation"])
        own = [] if parent is None else [*parent.inherited(), *_all_turns(self.agent, parent.session)]
        return [turn for turn in own if turn.seq <= base["upto"]]

    def changed(self, **given: Any) -> "LettaConversation":
        """The conversation with other values, stored."""
        value = {**self.value, **given}
        entry = self.agent.shelf(SHELF).put(self.id, value)
        return replace(self, value=value, updated_at=entry.updated_at)


def create(agent: Space, value: Mapping[str, Any]) -> LettaConversation:
    """A conversation with its system message, made of the memory as it stands."""
    entry = agent.shelf(SHELF).put(new_id("conv"), dict(value))
    compile_system(agent, entry.key)
    return LettaConversation(agent, entry.key, dict(value), entry.created_at, entry.updated_at)


def find_in(agent: Space, id: str) -> LettaConversation | None:
    entry = agent.shelf(SHELF).get(id)
    if entry is None:
        at = agent.record.created_at
        return LettaConversation(agent, DEFAULT, {}, at, at) if id == DEFAULT else None
    return LettaConversation(agent, id, entry.value, entry.created_at, entry.updated_at)


def the_conversation(server: Server, caller: Caller, id: str, agent: str | None = None) -> LettaConversation:
    """By its id; by an agent's id, or as `default` of an agent, the one that needs no making."""
    if id == DEFAULT or id.startswith("agent-"):
        found = find_in(the_agent(server, caller, agent or id), DEFAULT)
        assert found is not None
        return found
    try:
        space, entry = server.org(caller).find_entry(SHELF, id)
        owner = the_agent(server, caller, space.id)
    except NotFound:
        raise NotFound("conversation", id) from None
    return LettaConversation(owner, id, entry.value, entry.created_at, entry.updated_at)


def _all_turns(agent: Space, session: str) -> Iterator[Turn]:
    after = None
    while found := agent.turns(session, after=after, limit=500):
        yield from found
        after = found[-1].id


def system_id(agent: Space, conversation: str) -> str:
    return f"message-{uuid.uuid5(uuid.NAMESPACE_URL, f'{agent.id}:{conversation}:system')}"


def system_text(agent: Space, conversation: str, skills: str, now: Instant) -> str:
    """The prompt that a conversation begins with: the agent's own, its blocks, its skills, and whose it is."""
    metadata = (
        f"<memory_metadata>\n- AGENT_ID: {agent.id}\n- CONVERSATION_ID: {conversation}\n"
        f"- System prompt last recompiled: {iso(now)}\n</memory_metadata>"
    )
    blocks = [BLOCK.format(block.label, block.value) for block in agent.blocks]
    return "\n\n".join(part for part in (Profile.of(agent.record).system, *blocks, skills, metadata) if part)


def compile_system(agent: Space, conversation: str, skills: str = "", *, dry_run: bool = False) -> str:
    """Makes the system message anew, and stores it unless it is only asked for."""
    entry = agent.shelf(SYSTEM).get(system_id(agent, conversation))
    skills = skills or (entry.value["skills"] if entry else "")
    text = system_text(agent, conversation, skills, agent.now())
    if not dry_run:
        value = {"conversation": conversation, "content": text, "skills": skills}
        agent.shelf(SYSTEM).put(system_id(agent, conversation), value)
    return text


def with_skills(agent: Space, conversation: str, skills: Sequence[Mapping[str, Any]]) -> str:
    """The skills as the prompt has them; the system message is made anew only where they have changed."""
    if not skills:
        return ""
    lines = [f"- {one.get('name')}: {one.get('description')} ({one.get('location')})" for one in skills]
    text = "\n".join(("<available_skills>", *lines, "</available_skills>"))
    entry = agent.shelf(SYSTEM).get(system_id(agent, conversation))
    if entry is None or entry.value["skills"] != text:
        compile_system(agent, conversation, text)
    return text


def system_message(agent: Space, conversation: str) -> Shape:
    """As it was made; of a space that Letta did not make, as it would be made now."""
    entry = agent.shelf(SYSTEM).get(system_id(agent, conversation))
    at = agent.record.created_at if entry is None else entry.created_at
    text = system_text(agent, conversation, "", at) if entry is None else entry.value["content"]
    return {
        "id": system_id(agent, conversation),
        "date": iso(at),
        "message_type": "system_message",
        "content": text,
    }


def compacted(conversation: LettaConversation) -> Shape | None:
    """Takes the turns out of the context and says in short what they were; None if there are none. A nap reads them."""
    turns = [
        *([] if conversation.value.get("since") else conversation.inherited()),
        *conversation.agent.turns(conversation.session, after=conversation.value.get("since"), limit=IN_CONTEXT),
    ]
    if not turns:
        return None
    said = "\n".join(f"{turn.speaker or turn.role}: {unwrap_recalled(turn.text)[:LINE_CHARS]}" for turn in turns)
    conversation.changed(since=turns[-1].id)
    conversation.agent.request_sleep("nap")
    return {"summary": said[-SUMMARY_CHARS:], "num_messages_before": len(turns) + 1, "num_messages_after": 2}
