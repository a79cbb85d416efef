"""Doors of an agent's own program: the proxies before a provider's API, and sessions of the Agents SDKs."""

import asyncio
import contextlib
import sys
import time
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tests.support.attacks.corpus import Step
from tests.support.serving import TOKEN
from tests.support.waiting import until

if TYPE_CHECKING:
    from tests.support.attacks.surfaces import Victim

PATHS = {
    "chat": "/openai/v1/chat/completions",
    "responses": "/openai/v1/responses",
    "messages": "/anthropic/v1/messages",
}
SETTLES = 0.08  # seconds: an answer is kept just behind what was sent


def proxy(victim: "Victim", step: Step) -> None:
    """A request through a proxy, with the answer that the provider gives; back when the exchange is kept."""
    house = victim.house
    house.provider.said = lambda _asked: step.get("answer", "Noted.")
    headers = {"x-reverie-space": victim.space.name, "authorization": "Bearer sk-provider-1", **step.get("headers", {})}
    before = len(victim.space.turns(limit=500))
    body = {"model": "fake-1", "max_tokens": 64, **step["body"]}
    reply = house.client.post(f"/t/{TOKEN}{PATHS[step['api']]}", json=body, headers=headers)
    assert reply.status_code == 200, reply.text
    with contextlib.suppress(AssertionError, TimeoutError):
        until(lambda: len(victim.space.turns(limit=500)) > before, 1)
    time.sleep(SETTLES)


def claude_session(victim: "Victim", step: Step) -> None:
    """Entries of a transcript, as the Claude Agent SDK gives them to its session store."""
    from reverie.adapters.claude_sessions import ReverieSessionStore

    key: Any = {"project_key": "p", "session_id": victim.session, **step.get("key", {})}
    asyncio.run(ReverieSessionStore(victim.space).append(key, list(step["entries"])))


def agents_session(victim: "Victim", step: Step) -> None:
    """Items of a run, as the OpenAI Agents SDK gives them to its session."""
    session = _session_class()(victim.session, victim.space)
    asyncio.run(session.add_items(list(step["items"])))


def _session_class() -> Any:
    """The adapter; where the SDK is not installed, with a stand-in for the three names that it takes from it."""
    names = ("agents", "agents.memory", "agents.memory.session_settings")
    try:
        from reverie.adapters.openai_agents import ReverieSession
    except ModuleNotFoundError:
        made = {name: ModuleType(name) for name in names}
        settings: Any = made[names[-1]]
        settings.SettingsBase = settings.SessionSettings = dict
        settings.coerce_session_settings = lambda given: given
        settings.resolve_session_limit = lambda limit, _settings: limit
        sys.modules.update(made)
        try:
            from reverie.adapters.openai_agents import ReverieSession
        finally:
            for name in names:
                del sys.modules[name]
    return ReverieSession
