"""`reverie install` and `uninstall`: merged, done once, and taken back byte for byte."""

import json
import tomllib
from pathlib import Path

import pytest

from reverie.agents import edits
from reverie.agents.checks import installed
from reverie.agents.installs import AGENTS, InstallPlace, edits_for
from reverie.errors import UsageError

NOW = 1_794_900_000.0
OWN = {
    ".claude/settings.json": '{"model":"opus", "hooks": {"Stop": [{"hooks": [{"type":"command","command":"say"}]}]}}',
    ".claude.json": '{"numStartups": 3}',
    ".codex/config.toml": 'model = "o9"   # mine\n[mcp_servers.docs]\ncommand = "docs"',
    ".gemini/settings.json": '{\n\t"theme": "dark"\n}\n',
    ".hermes/config.yaml": "model: o9\nmemory:\n  provider: mem0  # mine\n",
    ".cursor/hooks.json": '{"version": 1, "hooks": {"stop": [{"command": "./mine.sh"}]}}',
}


@pytest.fixture(autouse=True)
def _no_hermes_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HERMES_HOME", raising=False)


@pytest.fixture
def place(tmp_path: Path) -> InstallPlace:
    for name, text in OWN.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return InstallPlace(tmp_path, tmp_path / ".reverie")


def files(root: Path) -> dict[str, bytes]:
    """Everything of the user's, directories too."""
    found = [path for path in root.rglob("*") if ".reverie" not in path.parts]
    return {str(path.relative_to(root)): path.read_bytes() if path.is_file() else b"" for path in found}


@pytest.mark.parametrize("agent", list(AGENTS))
def test_an_install_is_done_once_and_an_uninstall_leaves_every_byte(agent: str, place: InstallPlace) -> None:
    before, home = files(place.user), place.user / ".reverie"
    planned = edits.install(home, agent, edits_for(agent, place), NOW, dry_run=True)
    assert files(place.user) == before
    done = edits.install(home, agent, edits_for(agent, place), NOW)
    assert [(one.path, one.done) for one in done] == [(one.path, one.done) for one in planned]
    for one in done:
        if one.backup is not None:
            assert Path(one.backup).read_bytes() == before[str(Path(one.path).relative_to(place.user))]
    after = files(place.user)
    assert {one.done for one in edits.install(home, agent, edits_for(agent, place), NOW)} == {"unchanged"}
    assert files(place.user) == after
    assert [check.well for check in installed(home)] == [True]
    edits.uninstall(home, edits_for(agent, place))
    assert files(place.user) == before
    assert list(installed(home)) == []


def test_what_the_user_set_stays_and_works_beside_ours(place: InstallPlace) -> None:
    home = place.user / ".reverie"
    for agent in AGENTS:
        edits.install(home, agent, edits_for(agent, place), NOW)
    settings = json.loads((place.user / ".claude/settings.json").read_text())
    assert settings["model"] == "opus"
    assert settings["hooks"]["Stop"][0]["hooks"][0]["command"] == "say"
    assert settings["hooks"]["Stop"][1]["hooks"][0]["async"] is True
    assert json.loads((place.user / ".claude.json").read_text())["numStartups"] == 3
    codex = tomllib.loads((place.user / ".codex/config.toml").read_text())
    assert set(codex["mcp_servers"]) == {"docs", "reverie"}
    assert json.loads((place.user / ".gemini/settings.json").read_text())["theme"] == "dark"
    assert len(json.loads((place.user / ".cursor/hooks.json").read_text())["hooks"]) == 6


def test_where_somebody_edited_a_file_since_only_our_entries_go(place: InstallPlace) -> None:
    home, path = place.user / ".reverie", place.user / ".claude/settings.json"
    edits.install(home, "claude-code", edits_for("claude-code", place), NOW)
    path.write_text(path.read_text().replace('"opus"', '"haiku"'))
    edits.uninstall(home, edits_for("claude-code", place))
    assert json.loads(path.read_text()) == {**json.loads(OWN[".claude/settings.json"]), "model": "haiku"}


def test_a_status_line_of_the_users_own_is_left_alone(place: InstallPlace) -> None:
    path = place.user / ".claude/settings.json"
    path.write_text('{"statusLine": {"type": "command", "command": "mine"}}')
    edits.install(place.user / ".reverie", "claude-code", edits_for("claude-code", place), NOW)
    assert json.loads(path.read_text())["statusLine"]["command"] == "mine"


def test_a_new_program_takes_the_place_of_an_older_install(place: InstallPlace) -> None:
    home = place.user / ".reverie"
    edits.install(home, "cursor", edits_for("cursor", place), NOW)
    moved = InstallPlace(place.user, place.user / "elsewhere")
    edits.install(home, "cursor", edits_for("cursor", moved), NOW)
    hooks = json.loads((place.user / ".cursor/hooks.json").read_text())["hooks"]
    assert [len(hooks[event]) for event in ("sessionStart", "beforeSubmitPrompt")] == [1, 1]
    assert "elsewhere" in hooks["sessionStart"][0]["command"]
    edits.uninstall(home, edits_for("cursor", moved))
    assert (place.user / ".cursor/hooks.json").read_text() == OWN[".cursor/hooks.json"]


def test_a_file_that_cannot_be_read_changes_nothing_at_all(place: InstallPlace) -> None:
    (place.user / ".claude.json").write_text("{broken")
    before = files(place.user)
    with pytest.raises(UsageError, match="not JSON"):
        edits.install(place.user / ".reverie", "claude-code", edits_for("claude-code", place), NOW)
    assert files(place.user) == before


def test_a_project_install_stays_in_the_project(place: InstallPlace, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    before = {name: raw for name, raw in files(tmp_path).items() if not name.startswith("project")}
    inside = InstallPlace(place.user, place.home, project)
    inside_one = [agent for agent in AGENTS if agent != "hermes"]
    for agent in inside_one:
        edits.install(tmp_path / ".reverie", agent, edits_for(agent, inside), NOW)
    assert (project / ".claude" / "settings.local.json").exists()
    assert {name: raw for name, raw in files(tmp_path).items() if not name.startswith("project")} == before
    for agent in inside_one:
        edits.uninstall(tmp_path / ".reverie", edits_for(agent, inside))
    assert list(project.iterdir()) == []
    with pytest.raises(UsageError, match="one home"):
        edits_for("hermes", inside)


def test_the_doctor_sees_a_program_that_is_gone(place: InstallPlace) -> None:
    home = place.user / ".reverie"
    gone = InstallPlace(place.user, place.home, None, place.user / "venv" / "bin" / "python")
    edits.install(home, "codex", edits_for("codex", gone), NOW)
    (check,) = installed(home)
    assert not check.well
    assert "is gone" in check.said
    assert check.next_move == "Run `reverie install codex` again."
