"""The real Hermes finds, loads and drives Reverie's memory provider: its own loader, its own memory manager."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reverie import Reverie
from reverie.adapters.hermes.install import install, uninstall


@pytest.fixture
def hermes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Hermes home with Reverie installed, and a store of its own."""
    home = tmp_path / "hermes"
    home.mkdir()
    (home / "config.yaml").write_text(
        "# mine\nmemory:\n  # which one\n  provider: mem0\n  memory_enabled: true\nmodel: x\n"
    )
    monkeypatch.setenv("HERMES_HOME", str(home))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("REVERIE_EMBEDDER", "none")
    install(home, tmp_path / "store")
    return home


@pytest.fixture
def manager(hermes: Path) -> Iterator[Any]:
    import sys

    from agent.memory_manager import MemoryManager
    from plugins.memory import load_memory_provider

    sys.modules.pop("_hermes_user_memory.reverie", None)
    provider = load_memory_provider("reverie")
    assert provider is not None
    made = MemoryManager()
    made.add_provider(provider)
    made.initialize_all("s1", hermes_home=str(hermes), platform="cli", agent_context="primary")
    yield made
    made.shutdown_all()


def turns(tmp_path: Path) -> list[tuple[str, str, str, str]]:
    with Reverie.open(tmp_path / "store", embedder="none") as memory:
        return [(turn.session, turn.role, turn.text, turn.origin) for turn in memory.space().turns(limit=500)]


def say(manager: Any, session: str, user: str, answer: str, *before: dict[str, Any]) -> None:
    messages = [*before, {"role": "user", "content": user}, {"role": "assistant", "content": answer}]
    manager.sync_all(user, answer, session_id=session, messages=messages)
    assert manager.flush_pending(timeout=30)


def test_hermes_discovers_it_as_available(hermes: Path) -> None:
    from plugins.memory import discover_memory_providers

    found = {name: (about, available) for name, about, available in discover_memory_providers()}
    assert found["reverie"][1] is True
    assert "Reverie" in found["reverie"][0]
    assert hermes.is_dir()


def test_installing_twice_changes_nothing_and_uninstalling_leaves_the_home_as_it_was(hermes: Path) -> None:
    import yaml

    text = (hermes / "config.yaml").read_text()
    settings = yaml.safe_load(text)
    assert settings["memory"] == {"provider": "reverie", "memory_enabled": True}
    assert install(hermes, hermes.parent / "store") == []
    uninstall(hermes)
    assert (hermes / "config.yaml").read_text() == text.replace(
        "provider: reverie  # before reverie: provider: mem0", "provider: mem0"
    )
    assert not (hermes / "plugins" / "reverie").exists()


def test_a_conversation_with_a_switch_a_compression_and_a_shutdown(manager: Any, tmp_path: Path) -> None:
    assert "Reverie" in manager.build_system_prompt()
    assert manager.prefetch_all("hello", session_id="s1") == ""
    say(manager, "s1", "I live in Bremen and my sister is called Clara.", "Noted.")
    say(manager, "s1", "yes", "Good.")
    say(manager, "s1", "yes", "Good.")

    history = [
        {"role": "user", "content": "I live in Bremen and my sister is called Clara."},
        {"role": "assistant", "content": "Noted."},
        {"role": "user", "content": "Half a turn that was cut off about the heron."},
    ]
    assert manager.on_pre_compress(history) == ""
    manager.on_session_switch("s2", parent_session_id="s1", reset=False, reason="compression")
    assert "Bremen" in manager.prefetch_all("where do I live?", session_id="s2")
    say(manager, "s2", "The heron nests at the mill.", "Nice.", {"role": "tool", "content": "a page"})
    manager.on_session_end([{"role": "user", "content": "The heron nests at the mill."}])
    manager.on_session_switch("s3", parent_session_id="s2", reset=True)
    assert "heron" in manager.prefetch_all("where does the heron nest?", session_id="s3")
    manager.shutdown_all()

    said = turns(tmp_path)
    assert [text for session, role, text, _ in said if session == "s1" and role == "user"] == [
        "I live in Bremen and my sister is called Clara.",
        "yes",
        "yes",
        "Half a turn that was cut off about the heron.",
    ]
    assert [text for session, role, text, _ in said if session == "s2" and role == "user"] == [
        "The heron nests at the mill."
    ]


def test_tools_answer_and_an_agents_words_are_the_agents(manager: Any, tmp_path: Path) -> None:
    assert {"reverie_recall", "reverie_remember"} <= manager.get_all_tool_names()
    kept = json.loads(manager.handle_tool_call("reverie_remember", {"text": "The office door is blue."}))
    assert kept["kept"].startswith("mem-")
    hits = json.loads(manager.handle_tool_call("reverie_recall", {"query": "office door"}))["hits"]
    assert "The office door is blue." in hits[0]
    manager.on_memory_write("add", "user", "Prefers tea.", {"session_id": "s1"})
    manager.on_delegation("find the file", "it is in src", child_session_id="c1")
    manager.shutdown_all()
    with Reverie.open(tmp_path / "store", embedder="none") as memory:
        space = memory.space()
        assert {one.origin for one in space.all()} == {"assistant"}
        kinds = {one["session"]: one["kind"] for one in space.sessions()}
        assert kinds == {"s1/subagent": "subagent"}


@pytest.mark.parametrize("context", ["subagent", "cron", "flush"])
def test_only_the_users_own_agent_writes(hermes: Path, tmp_path: Path, context: str) -> None:
    from agent.memory_manager import MemoryManager
    from plugins.memory import load_memory_provider

    made = MemoryManager()
    made.add_provider(load_memory_provider("reverie"))
    made.initialize_all("s9", hermes_home=str(hermes), platform="cli", agent_context=context)
    say(made, "s9", "Summarise the news.", "Here.")
    made.on_delegation("x", "y", child_session_id="c")
    made.shutdown_all()
    assert turns(tmp_path) == []


def test_its_own_database_is_imported_without_doubling_what_the_provider_stored(
    manager: Any, hermes: Path, tmp_path: Path
) -> None:
    from hermes_state import SessionDB

    said = [("user", "I live in Bremen."), ("assistant", "Noted."), ("user", "yes"), ("assistant", "Noted.")]
    state = SessionDB(hermes / "state.db")
    state.create_session("s1", source="cli")
    for role, text in said:
        state.append_message("s1", role, text)
    say(manager, "s1", *[text for _, text in said[:2]])
    say(manager, "s1", *[text for _, text in said[2:]])
    manager.shutdown_all()
    with Reverie.open(tmp_path / "store", embedder="none") as memory:
        done = memory.space().import_from("hermes", hermes / "state.db")
        assert (done.turns, done.known) == (0, 4)
    assert sqlite3.connect(hermes / "state.db").execute("SELECT count(*) FROM messages").fetchone() == (4,)
