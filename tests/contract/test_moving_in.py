"""Moving in from Codex, OpenClaw, Letta, Hermes: each message once, in its role, with its session's kind."""

import json
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from reverie import Reverie, Space
from reverie.errors import BadInput
from reverie.importers.turn_keys import CLAUDE_CODE, turn_key
from tests.conftest import BACKENDS

Told = list[tuple[str, str, str]]
AT = "2026-05-01T12:00:00Z"


@pytest.fixture
def ada(location: str, opened: Any) -> Space:
    memory: Reverie = opened(Reverie.open(location, embedder="none", durable=False))
    return memory.space("ada")


def lines(path: Path, *records: Mapping[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def told(space: Space) -> Told:
    return [(turn.role, turn.text, turn.origin) for turn in space.turns(limit=500)]


def kinds(space: Space) -> dict[str, str]:
    return {session["session"]: session["kind"] for session in space.sessions()}


def codex(folder: Path) -> Path:
    def item(kind: str, **payload: Any) -> dict[str, Any]:
        return {"timestamp": AT, "type": kind, "payload": payload}

    def text(role: str, said: str) -> dict[str, Any]:
        return item("response_item", type="message", role=role, content=[{"type": "input_text", "text": said}])

    lines(
        folder / "rollout-1.jsonl",
        item("session_meta", id="c1", source="cli"),
        text("user", "<environment_context>bash</environment_context>"),
        item("turn_context", turn_id="t1"),
        text("user", "I moved to Hamburg"),
        item("event_msg", type="user_message", message="I moved to Hamburg"),
        item("response_item", type="function_call_output", call_id="x", output={"content": "3 files"}),
        text("assistant", "Noted."),
        item("event_msg", type="agent_message", message="Noted."),
        item("compacted", message="The user said: I own a boat."),
    )
    lines(
        folder / "rollout-2.jsonl",
        item("session_meta", id="c2", source={"subagent": "review"}),
        item("event_msg", type="user_message", message="Look at the diff"),
    )
    return folder


def openclaw(folder: Path) -> Path:
    def message(id: str, role: str, said: str) -> dict[str, Any]:
        content = [{"type": "text", "text": said}]
        return {"type": "message", "id": id, "timestamp": AT, "message": {"role": role, "content": content}}

    sessions = folder / "sessions"
    lines(
        sessions / "s1.jsonl",
        {"type": "session", "id": "s1"},
        message("1", "user", "[WhatsApp Ann 2026-05-01 12:00] I moved to Hamburg"),
        message("2", "toolResult", "3 files"),
        message("3", "assistant", "Noted."),
        {"type": "compaction", "summary": "The user said: I own a boat."},
    )
    lines(sessions / "s2.jsonl", message("1", "user", "Check the backups"))
    index = {
        "agent:main:main": {"sessionId": "s1", "channel": "whatsapp"},
        "agent:main:cron:job": {"sessionId": "s2"},
    }
    (sessions / "sessions.json").write_text(json.dumps(index))
    (folder / "MEMORY.md").write_text("# Memory\n- Prefers green tea <!-- trigger: tea --> <!-- importance: 7 -->\n")
    (folder / "DREAMS.md").write_text("A dream of boats.\n")
    return folder


def letta(folder: Path) -> Path:
    def message(id: str, role: str, said: str, **more: Any) -> dict[str, Any]:
        return {"id": id, "role": role, "content": [{"type": "text", "text": said}], "created_at": AT, **more}

    sent = {"function": {"name": "send_message", "arguments": '{"message": "Noted."}'}}
    document = {
        "agents": [
            {
                "name": "ada",
                "block_ids": ["b1"],
                "messages": [
                    message("1", "system", "You are kind."),
                    message("2", "user", '{"type": "login", "message": "I own a boat"}'),
                    message("3", "user", '{"type": "user_message", "message": "I moved to Hamburg"}'),
                    message("4", "tool", "3 files"),
                    message("5", "assistant", "", tool_calls=[sent]),
                ],
            }
        ],
        "blocks": [{"id": "b1", "label": "human", "value": "Prefers green tea"}, {"id": "b2", "value": "another's"}],
    }
    (folder / "ada.af").write_text(json.dumps(document))
    return folder / "ada.af"


def hermes(folder: Path) -> Path:
    (folder / "memories").mkdir()
    (folder / "memories" / "MEMORY.md").write_text("Prefers green tea")
    with sqlite3.connect(folder / "state.db") as db:
        db.execute("CREATE TABLE sessions (id, source, model_config, chat_type)")
        db.execute("CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id, role, content, timestamp, compacted)")
        db.executemany("INSERT INTO sessions VALUES (?, ?, ?, NULL)", [("s1", "cli", "{}"), ("s2", "cron", None)])
        said = [
            ("s1", "user", "I moved to Hamburg"),
            ("s1", "tool", "3 files"),
            ("s1", "assistant", "Noted."),
            ("s1", "user", "[CONTEXT COMPACTION] The user said: I own a boat."),
            ("s2", "user", "Check the backups"),
        ]
        db.executemany(
            "INSERT INTO messages (session_id, role, content, timestamp, compacted) VALUES (?, ?, ?, 1777636800, 0)",
            said,
        )
    db.close()
    return folder


MAKERS: dict[str, Callable[[Path], Path]] = {"codex": codex, "openclaw": openclaw, "letta": letta, "hermes": hermes}


@pytest.mark.parametrize("source", MAKERS)
def test_what_the_person_typed_is_theirs_and_nothing_else_is(ada: Space, tmp_path: Path, source: str) -> None:
    ada.import_from(source, MAKERS[source](tmp_path))
    assert [entry for entry in told(ada) if entry[2] == "user"] == [("user", "I moved to Hamburg", "user")]
    assert ("tool", "3 files", "tool") in told(ada)
    assert ("assistant", "Noted.", "tool") in told(ada)  # what it read was from outside
    assert not any("boat" in text for _, text, _ in told(ada))
    assert all(memory.origin == "assistant" for memory in ada.all())


@pytest.mark.parametrize("source", MAKERS)
@pytest.mark.parametrize("location", BACKENDS[:1], indirect=True)
def test_importing_again_stores_nothing_twice(ada: Space, tmp_path: Path, source: str) -> None:
    path = MAKERS[source](tmp_path)
    first = ada.import_from(source, path)
    before = told(ada), len(ada.all())
    again = ada.import_from(source, path)
    assert (again.turns, again.memories, again.known) == (0, 0, first.turns + first.memories)
    assert (told(ada), len(ada.all())) == before


@pytest.mark.parametrize(
    ("source", "session", "kind"),
    [("codex", "c2/subagent", "subagent"), ("openclaw", "s2/cron", "cron"), ("hermes", "s2/cron", "cron")],
)
def test_sessions_of_subagents_and_jobs_are_found_and_give_nothing_lasting(
    ada: Space, tmp_path: Path, source: str, session: str, kind: str
) -> None:
    ada.import_from(source, MAKERS[source](tmp_path))
    assert kinds(ada)[session] == kind
    [turn] = ada.turns(session)
    assert turn.origin == "assistant"
    ada.sleep()
    assert not [memory for memory in ada.all() if memory.session == session and memory.kind != "episode"]


def test_a_packed_session_is_read_or_says_what_is_missing(ada: Space, tmp_path: Path) -> None:
    plain = codex(tmp_path) / "rollout-1.jsonl"
    packed = tmp_path / "packed" / "rollout-1.jsonl.zst"
    packed.parent.mkdir()
    try:
        import zstandard
    except ImportError:
        packed.write_bytes(b"\x28\xb5\x2f\xfd")
        with pytest.raises(BadInput, match="zstandard") as told_so:
            ada.import_from("codex", packed)
        assert ".[zstd]" in told_so.value.next_move
    else:
        packed.write_bytes(zstandard.ZstdCompressor().compress(plain.read_bytes()))
        assert ada.import_from("codex", packed).turns == 3


def test_a_hook_and_an_import_store_a_turn_once(ada: Space, tmp_path: Path) -> None:
    """Claude Code names the prompt to its hooks and in its transcript; blanks and lengths may differ."""
    said = [("user", "I live in  Bremen.\n", "p1"), ("assistant", "Noted.", "p1"), ("assistant", "Noted.", "p2")]
    for role, text, prompt in said:
        ada.append(role, text, "s1", key=turn_key(CLAUDE_CODE, prompt, role, text))

    def line(kind: str, uuid: str, text: str, **more: Any) -> dict[str, Any]:
        return {"type": kind, "uuid": uuid, "sessionId": "s1", "message": {"content": text}, "timestamp": AT, **more}

    transcript = lines(
        tmp_path / "s1.jsonl",
        line("user", "1", "I live in  Bremen.\n", promptId="p1"),
        line("assistant", "2", "Noted."),
        line("user", "3", "And I like tea.", promptId="p2"),
        line("assistant", "4", "Noted."),
    )
    done = ada.import_from("claude-code", transcript)
    assert (done.turns, done.known) == (1, 3)
    assert [text for _, text, _ in told(ada)] == ["I live in  Bremen.\n", "Noted.", "Noted.", "And I like tea."]


def test_an_export_of_another_store_can_be_read_as_somebody_elses_words(ada: Space, tmp_path: Path) -> None:
    ada.append("user", "Remember that I live in Kiel.")
    ada.export_to(tmp_path / "ada.jsonl")
    done = ada.import_from("reverie", tmp_path / "ada.jsonl")
    assert done.turns == 1
    assert told(ada)[-1] == ("user", "Remember that I live in Kiel.", "file")
