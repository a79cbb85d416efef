"""Moving in from other products: what they left is read with its sessions and dates, once, and nothing else of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from reverie import Reverie, Space
from reverie.errors import BadInput
from tests.contract.test_cli import Cli, cli

__all__ = ["cli"]
DAY = 1_777_636_800.0  # 1 May 2026, noon, UTC


def node(id: str, parent: str | None, role: str, text: Any, **more: Any) -> dict[str, Any]:
    message = {"id": id, "author": {"role": role}, "content": {"parts": [text]}, "create_time": DAY, **more}
    return {"parent": parent, "message": message}


CHATGPT = [
    {
        "conversation_id": "c1",
        "current_node": "d",
        "mapping": {
            "root": {"parent": None, "message": None},
            "a": node("a", "root", "user", "I moved to Hamburg last week"),
            "b": node("b", "a", "assistant", "a reply that was written anew"),
            "c": node("c", "a", "assistant", "Welcome to Hamburg!"),
            "d": node("d", "c", "user", {"asset_pointer": "a picture"}),
            "hidden": node("h", "root", "system", "be nice"),
        },
    }
]
MEM0 = {
    "results": [
        {"id": "1", "memory": "Likes green tea", "created_at": "2026-05-01T12:00:00Z", "user_id": "ada"},
        {"id": "2", "memory": "Works at Acme", "categories": ["Work"], "metadata": {"project": "move"}},
        {"id": "3", "memory": None},
    ]
}
JSONL = """{"role": "user", "content": "I like tea", "session": "s1", "timestamp": "2026-05-01T12:00:00"}
{"role": "human", "text": "My password is hunter2-hunter2", "session": "s1"}
{"text": "The office door code changes every Monday"}
{"role": "system", "content": "be nice"}
no json
"""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "conversations.json").write_text(json.dumps(CHATGPT))
    (tmp_path / "mem0.json").write_text(json.dumps(MEM0))
    (tmp_path / "talk.jsonl").write_text(JSONL)
    return tmp_path


@pytest.fixture
def ada(location: str, opened: Any) -> Space:
    memory: Reverie = opened(Reverie.open(location, embedder="none", durable=False))
    return memory.space("ada")


def test_chatgpt_tells_the_branch_that_was_last_shown(ada: Space, files: Path) -> None:
    done = ada.import_from("chatgpt", files / "conversations.json")
    assert (done.turns, done.passed_over) == (2, 2)  # the root and the picture
    told = [(turn.role, turn.text, turn.session, turn.at) for turn in ada.turns()]
    assert told == [
        ("user", "I moved to Hamburg last week", "c1", DAY),
        ("assistant", "Welcome to Hamburg!", "c1", DAY),
    ]


def test_what_another_model_concluded_is_not_the_users_word(ada: Space, files: Path) -> None:
    done = ada.import_from("mem0", files / "mem0.json")
    assert (done.memories, done.passed_over) == (2, 1)
    tea, work = sorted(ada.all(), key=lambda memory: memory.text)
    assert (tea.text, tea.said_at, tea.origin, tea.asked) == ("Likes green tea", DAY, "assistant", False)
    assert tea.metadata == {"user_id": "ada"}
    assert (work.manual_tags, work.metadata) == (("work",), {"project": "move"})
    ada.sleep()
    assert ada.blocks["human"].value == ""


def test_plain_lines_are_messages_or_memories_and_secrets_stay_out(ada: Space, files: Path) -> None:
    done = ada.import_from("jsonl", files / "talk.jsonl")
    assert (done.turns, done.memories, done.passed_over, done.redacted) == (2, 1, 2, 1)
    assert "hunter2" not in "".join(turn.text for turn in ada.turns())
    assert [hit.text for hit in ada.recall("door code")] == ["The office door code changes every Monday"]


@pytest.mark.parametrize(
    ("source", "name"), [("chatgpt", "conversations.json"), ("mem0", "mem0.json"), ("jsonl", "talk.jsonl")]
)
def test_twice_is_once_and_a_dry_run_is_never(ada: Space, files: Path, source: str, name: str) -> None:
    dry = ada.import_from(source, files / name, dry_run=True)
    assert (ada.turns(), ada.all()) == ([], [])
    first = ada.import_from(source, files / name)
    assert (first.turns, first.memories) == (dry.turns, dry.memories)
    again = ada.import_from(source, files / name)
    assert (again.turns, again.memories, again.known) == (0, 0, first.turns + first.memories)


@pytest.mark.parametrize(
    ("source", "text"), [("chatgpt", "{}"), ("chatgpt", "no json"), ("mem0", '"x"'), ("mem0", "\ud800"), ("letta", "")]
)
def test_what_is_not_what_it_should_be_is_said(ada: Space, tmp_path: Path, source: str, text: str) -> None:
    (tmp_path / "file").write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(BadInput) as wrong:
        ada.import_from(source, tmp_path / "file")
    assert wrong.value.next_move


GOOD = "I moved to Hamburg last week"
NODE = {"id": "m", "author": {"role": "user"}, "content": {"parts": [GOOD]}}
ODD: dict[str, list[Any]] = {
    "chatgpt": [
        5,
        {"mapping": [], "current_node": "a"},
        {"mapping": {"a": None}, "current_node": "a"},
        {"mapping": {"a": {}}, "current_node": []},
        {"mapping": {"a": {"message": {"author": "me", "content": "x"}}}, "current_node": "a"},
        {"mapping": {"a": {"message": NODE}}, "current_node": "a"},
    ],
    "mem0": [
        5,
        {"memory": "x", "metadata": "y"},
        {"memory": "x", "metadata": {"weight": float("nan")}},
        {"memory": "x", "categories": 7},
        {"memory": GOOD, "id": 1},
    ],
    "jsonl": [
        5,
        {"text": "half a \ud800"},
        {"role": "user", "content": "x" * 1_000_001},
        {"role": "user", "content": GOOD},
    ],
    "claude-code": [
        {"type": "user", "message": {"content": [{"type": "tool_result", "content": 7}]}},
        {"type": "user", "message": {"content": GOOD}},
    ],
}


@pytest.mark.parametrize("source", ODD)
def test_what_is_of_another_shape_does_not_end_an_import(ada: Space, tmp_path: Path, source: str) -> None:
    lines = source in ("jsonl", "claude-code")
    text = "\n".join(map(json.dumps, ODD[source])) if lines else json.dumps(ODD[source])
    (tmp_path / "file").write_text(text, "utf-8")
    done = ada.import_from(source, tmp_path / "file")
    assert (done.turns + done.memories, [*map(text_of, (*ada.turns(), *ada.all()))]) == (1, [GOOD])


def text_of(told: Any) -> str:
    return str(told.text)


def test_at_the_terminal(cli: Cli, files: Path) -> None:
    said = cli("import", "chatgpt", str(files / "conversations.json"), "-s", "ada")
    assert said.out == "took in 2 turns, 0 memories; 0 known already, 2 passed over\n"
    assert "Hamburg" in cli("recall", "Hamburg", "-s", "ada").out
    assert cli("import", "chatgpt", "nowhere.json").code == 2
