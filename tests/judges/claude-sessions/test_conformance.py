"""The Claude Agent SDK's own conformance suite for session stores: 14 contracts, each on a space of its own."""

import asyncio
from itertools import count
from pathlib import Path

import anyio
import pytest
from claude_agent_sdk.testing import run_session_store_conformance

from reverie import Reverie
from reverie.adapters.claude_sessions import ReverieSessionStore
from tests.judges.guides import run_guide

SAID = {"type": "user", "uuid": "u1", "message": {"role": "user", "content": "My sister Frieda keeps bees in Lisbon."}}


def test_all_contracts_hold(tmp_path: Path) -> None:
    with Reverie.open(tmp_path, embedder="none", durable=False) as memory:
        numbers = count()
        anyio.run(run_session_store_conformance, lambda: ReverieSessionStore(memory.space(f"store {next(numbers)}")))


def test_what_was_said_is_in_the_log_and_a_night_reads_it(tmp_path: Path) -> None:
    with Reverie.open(tmp_path, embedder="none", durable=False) as memory:
        space = memory.space("ada")
        store = ReverieSessionStore(space)
        key = {"project_key": "p", "session_id": "s1"}
        asyncio.run(store.append(key, [SAID]))
        asyncio.run(store.append(key, [SAID]))
        assert asyncio.run(store.load(key)) == [SAID]
        assert [turn.text for turn in space.turns("s1")] == ["My sister Frieda keeps bees in Lisbon."]
        space.sleep()
        assert "Lisbon" in space.recall("who keeps bees?")[0].text


def test_the_lines_of_the_guide_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_guide("agents-sdk.md", "Claude Agent SDK")
