"""Which project a directory belongs to, what may be put into a prompt unasked, and command lines on every system."""

from pathlib import Path, PureWindowsPath

import pytest

from reverie import handover
from reverie.agents.hook import call_of, printed
from reverie.agents.installs import InstallPlace
from reverie.agents.project import normalised, path_identity, project_of
from reverie.model.base import Trust
from reverie.model.hits import Hit
from reverie.policy.recall.injection import (
    BriefingPart,
    Weighed,
    briefing_text,
    chosen,
    hits_text,
    marks_of,
    may_be_shown,
)


@pytest.mark.parametrize(
    ("remote", "project"),
    [
        ("git@github.com:acme/app.git", "github.com/acme/app"),
        ("https://github.com/acme/app", "github.com/acme/app"),
        ("https://me:token@GitHub.com/acme/app.git/", "github.com/acme/app"),
        ("ssh://git@github.com:22/acme/app.git", "github.com/acme/app"),
        ("git://host.example/~ana/app", "host.example/~ana/app"),
        ("host:srv/app.git", "host/srv/app"),
        ("/srv/git/app.git", "/srv/git/app"),
        ("file:///srv/git/app.git", "/srv/git/app"),
        (r"C:\src\app.git", "c:/src/app"),
        ("C:/src/app", "c:/src/app"),
        ("file:///C:/src/app.git", "c:/src/app"),
        (r"\\server\share\app", "//server/share/app"),
    ],
)
def test_a_remote_is_one_project_however_it_is_written(remote: str, project: str) -> None:
    assert normalised(remote) == project


def test_a_directory_is_known_by_its_repository_wherever_that_lies(tmp_path: Path) -> None:
    inside = tmp_path / "app" / "src" / "deep"
    inside.mkdir(parents=True)
    assert project_of(str(inside)) == path_identity(str(inside))
    git = tmp_path / "app" / ".git"
    git.mkdir()
    assert project_of(str(inside)) == path_identity(str(tmp_path / "app"))
    (git / "config").write_text(
        '[core]\n\tbare = false\n[remote "fork"]\n\turl = x:y\n[remote "origin"]\n\turl = h.org:a/b\n'
    )
    assert project_of(str(inside)) == "h.org/a/b"
    worktree = tmp_path / "other"
    worktree.mkdir()
    (git / "worktrees" / "other").mkdir(parents=True)
    (git / "worktrees" / "other" / "commondir").write_text("../..\n")
    (worktree / ".git").write_text(f"gitdir: {git / 'worktrees' / 'other'}\n")
    assert project_of(str(worktree)) == "h.org/a/b"


def test_command_lines_on_windows_hold_in_any_shell() -> None:
    base = PureWindowsPath(r"C:\Users\Ana Maria")
    place = InstallPlace(
        Path("unused"), base / ".reverie", None, base / "venv" / "Scripts" / "python.exe", windows=True
    )
    assert place.hook("claude-code") == (
        '"C:/Users/Ana Maria/venv/Scripts/reverie-hook.exe" claude-code --home "C:/Users/Ana Maria/.reverie"'
    )
    assert place.server() == {
        "command": "C:/Users/Ana Maria/venv/Scripts/reverie.exe",
        "args": ["--home", "C:/Users/Ana Maria/.reverie", "mcp"],
    }


def test_a_windows_path_names_a_file_that_windows_takes() -> None:
    named = handover.file_name(path_identity("C:\\Users\\Ana Maria\\src\\app"))
    assert named.startswith("c--Users-Ana-Maria-src-app-")
    assert not set(named) & set('\\/:*?"<>| ')


@pytest.mark.parametrize(
    ("agent", "name", "more", "moment", "text"),
    [
        ("claude-code", "UserPromptSubmit", {"prompt": "hi <private>x</private>there"}, "prompt", "hi there"),
        ("codex", "Stop", {"last_assistant_message": "done"}, "answer", "done"),
        ("gemini", "BeforeAgent", {"prompt": "hi"}, "prompt", "hi"),
        ("gemini", "AfterAgent", {"prompt": "hi", "prompt_response": "ho"}, "answer", "ho"),
        ("cursor", "beforeSubmitPrompt", {"prompt": "hi", "workspace_roots": ["/w"]}, "prompt", "hi"),
        ("cursor", "afterAgentResponse", {"text": "ho"}, "answer", "ho"),
        ("cursor", "sessionEnd", {}, "end", ""),
    ],
)
def test_each_agents_words_become_ours(agent: str, name: str, more: dict[str, object], moment: str, text: str) -> None:
    id = "conversation_id" if agent == "cursor" else "session_id"
    call = call_of(agent, {id: "s1", "hook_event_name": name, **more})
    assert call is not None
    assert (call["moment"], call["text"], call["session"]) == (moment, text, "s1")


def test_context_is_printed_in_the_shape_that_each_agent_reads() -> None:
    same = '{"hookSpecificOutput": {"hookEventName": "BeforeAgent", "additionalContext": "x"}}'
    assert printed("gemini", "BeforeAgent", "x") == same
    assert printed("cursor", "sessionStart", "x") == '{"additional_context": "x"}'
    assert printed("cursor", "beforeSubmitPrompt", "x") == printed("codex", "SessionStart", "") == ""


def hit(id: str, text: str = "", **more: object) -> Hit:
    return Hit(id, "turn", text or id, 1.0, 0.98, (id,), 1.0, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("cosine", "cover", "own", "passes"),
    [
        (0.46, 0.0, False, True),  # near enough by itself
        (0.44, 0.3, False, False),
        (0.37, 0.5, False, True),  # less near, but in the question's own words
        (0.35, 1.0, False, False),  # words alone are not enough
        (0.41, 0.0, True, True),  # of this project
        (0.32, 0.5, True, True),
        (0.30, 1.0, True, False),
    ],
)
def test_the_bar_is_absolute(cosine: float, cover: float, own: bool, passes: bool) -> None:
    assert Weighed(hit("a"), cosine, cover, own).passes() is passes


def test_at_most_three_are_shown_and_no_statement_twice() -> None:
    same = [Weighed(hit(f"turn-{n}", "We deploy on Mondays."), 0.9 - n / 100, 1.0) for n in range(2)]
    rest = [Weighed(hit(f"turn-x{n}", f"statement {n}"), 0.6 - n / 100, 0.0) for n in range(5)]
    assert [one.id for one in chosen([*rest, *same])] == ["turn-0", "turn-x0", "turn-x1"]
    assert hits_text([]) == ""


def test_what_the_session_said_was_shown_or_no_longer_holds_is_not_shown() -> None:
    one = hit("turn-1", session="old")
    assert may_be_shown(one, "new", ())
    assert not may_be_shown(one, "old", ())
    assert not any(may_be_shown(one, "new", (mark,)) for mark in marks_of(one))
    assert not may_be_shown(hit("turn-2", flags=("superseded",)), "new", ())
    assert not may_be_shown(hit("turn-2", trust=Trust.TOOL), "new", ())


def test_a_part_of_a_briefing_takes_the_room_that_others_leave() -> None:
    long, short = [f"- directive {n} " + "x" * 80 for n in range(30)], ["- Mara"]
    text, lines = briefing_text(
        [BriefingPart("A:", long, 0.5), BriefingPart("B:", short, 0.4), BriefingPart("C:", (), 0.5)]
    )
    assert "- Mara" in lines
    assert "C:" not in text
    assert 1_350 < len(text.encode()) <= 1_500
    assert briefing_text([]) == ("", [])
