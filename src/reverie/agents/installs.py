"""What `reverie install` writes for each agent: hooks, an MCP server, commands; beside what is the user's own."""

import os
import re
import shlex
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path, PurePath, PureWindowsPath
from typing import Any

from reverie.agents.edits import FileEdit, json_edit, text_edit
from reverie.errors import UsageError

OURS = "reverie-hook"  # in every command of ours, by which an older install is known again
MODULE = "reverie.agents.hook"
PYTHON = PurePath(sys.executable)
SECONDS = 5  # that an agent waits for a hook at most; it has a deadline of its own
COMMANDS = ("remember", "recall", "dream", "forget", "status")
_BLOCK = re.compile(r"\n?# >>> reverie\n.*?# <<< reverie\n", re.DOTALL)


@dataclass(frozen=True, slots=True)
class InstallPlace:
    """Where an install goes: the user's own directory, or one project; and which programs it names."""

    user: Path
    home: PurePath
    project: Path | None = None
    python: PurePath = PYTHON
    windows: bool = sys.platform == "win32"

    def root(self, folder: str) -> Path:
        return (self.project or self.user) / folder

    def hook(self, agent: str) -> str:
        """The command line of a hook."""
        return " ".join([*self._program("reverie-hook", MODULE), agent, "--home", self._word(self.home)])

    def server(self) -> dict[str, Any]:
        """The MCP server as agents' files have it."""
        found = self._found("reverie")
        words = [_plain(found)] if found else [_plain(self.python), "-m", "reverie"]
        return {"command": words[0], "args": [*words[1:], "--home", _plain(self.home), "mcp"]}

    def _program(self, name: str, module: str) -> list[str]:
        found = self._found(name)
        if found is not None:
            return [self._word(found)]
        return [self._word(self.python), "-m", module]

    def _found(self, name: str) -> PurePath | None:
        """The script beside this Python; a checkout without an install has none."""
        script = self.python.parent / (f"{name}.exe" if self.windows else name)
        return script if self.windows or Path(script).exists() else None

    def _word(self, path: PurePath) -> str:
        """A path as one word of a command line: Windows agents run hooks by a POSIX shell or cmd, both take this."""
        return f'"{_plain(path)}"' if self.windows else shlex.quote(str(path))


def _plain(path: PurePath) -> str:
    """
    >>> _plain(PureWindowsPath("C:\\\\Users\\\\Ana Maria\\\\.reverie"))
    'C:/Users/Ana Maria/.reverie'
    """
    return path.as_posix() if isinstance(path, PureWindowsPath) else str(path)


def edits_for(agent: str, place: InstallPlace) -> list[FileEdit]:
    """Every file that an install of this agent touches."""
    if agent not in AGENTS:
        raise UsageError(f"no agent {agent!r}", next_move=f"There are: {', '.join(AGENTS)}.")
    return AGENTS[agent](place)


def _claude_code(place: InstallPlace) -> list[FileEdit]:
    folder = place.root(".claude")
    settings = folder / ("settings.local.json" if place.project else "settings.json")
    servers = place.project / ".mcp.json" if place.project else place.user / ".claude.json"
    command = place.hook("claude-code")
    groups = {
        "SessionStart": _group(command, matcher="startup|resume|clear|compact"),
        "UserPromptSubmit": _group(command),
        "Stop": _group(command, more={"async": True}),
        "PreCompact": _group(command, matcher="manual|auto"),
        "SessionEnd": _group(command),
    }
    line = {"type": "command", "command": place.hook("statusline")}
    plugin = files("reverie.agents") / "plugin"
    texts = {folder / "commands" / "reverie" / f"{name}.md": plugin / "commands" / f"{name}.md" for name in COMMANDS}

    def put(found: dict[str, Any]) -> None:
        _put_groups(found, groups)
        _put_line(found, line)

    return [
        json_edit(settings, put, _take_settings),
        json_edit(servers, lambda found: _put_server(found, place), _take_server),
        *(text_edit(path, source.read_text("utf-8")) for path, source in texts.items()),
    ]


def _codex(place: InstallPlace) -> list[FileEdit]:
    folder = place.root(".codex")
    command = place.hook("codex")
    events = ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact")
    groups = {event: _group(command) for event in events}
    return [
        json_edit(folder / "hooks.json", lambda found: _put_groups(found, groups), _take_groups),
        toml_edit(folder / "config.toml", place),
    ]


def _gemini(place: InstallPlace) -> list[FileEdit]:
    command = place.hook("gemini")
    more = {"name": "reverie", "timeout": SECONDS * 1_000}
    events = ("SessionStart", "BeforeAgent", "AfterAgent", "PreCompress", "SessionEnd")
    groups = {event: _group(command, more=more) for event in events}

    def put(found: dict[str, Any]) -> None:
        _put_groups(found, groups)
        _put_server(found, place)

    def take(found: dict[str, Any]) -> None:
        _take_groups(found)
        _take_server(found)

    return [json_edit(place.root(".gemini") / "settings.json", put, take)]


def _cursor(place: InstallPlace) -> list[FileEdit]:
    folder = place.root(".cursor")
    events = ("sessionStart", "beforeSubmitPrompt", "afterAgentResponse", "preCompact", "sessionEnd")
    groups = {event: {"command": place.hook("cursor")} for event in events}

    def put(found: dict[str, Any]) -> None:
        found.setdefault("version", 1)
        _put_groups(found, groups)

    def take(found: dict[str, Any]) -> None:
        _take_groups(found)
        if set(found) == {"version"}:
            del found["version"]

    return [
        json_edit(folder / "hooks.json", put, take),
        json_edit(folder / "mcp.json", lambda found: _put_server(found, place), _take_server),
    ]


def _hermes(place: InstallPlace) -> list[FileEdit]:
    from reverie.adapters.hermes.install import edits

    if place.project:
        raise UsageError("Hermes has one home, not one for each project", next_move="Leave --project out.")
    return [
        FileEdit(*edit) for edit in edits(Path(os.environ.get("HERMES_HOME") or place.user / ".hermes"), place.home)
    ]


AGENTS: Mapping[str, Callable[[InstallPlace], list[FileEdit]]] = {
    "claude-code": _claude_code,
    "codex": _codex,
    "gemini": _gemini,
    "cursor": _cursor,
    "hermes": _hermes,
}


def _group(command: str, matcher: str = "", more: Mapping[str, Any] | None = None) -> dict[str, Any]:
    one = {"type": "command", "command": command, "timeout": SECONDS, **(more or {})}
    return {**({"matcher": matcher} if matcher else {}), "hooks": [one]}


def _is_ours(group: Any) -> bool:
    """Whether a hook, or a group of them, is what an install of ours wrote."""
    if not isinstance(group, dict):
        return False
    named = [group, *(one for one in group.get("hooks") or () if isinstance(one, dict))]
    return any(OURS in str(one.get("command", "")) or MODULE in str(one.get("command", "")) for one in named)


def _put_groups(found: dict[str, Any], groups: Mapping[str, Any]) -> None:
    hooks = found.setdefault("hooks", {})
    for event, group in groups.items():
        there = hooks.get(event) or []
        if [one for one in there if _is_ours(one)] != [group]:
            hooks[event] = [*(one for one in there if not _is_ours(one)), group]


def _take_groups(found: dict[str, Any]) -> None:
    hooks = found.get("hooks")
    if not isinstance(hooks, dict):
        return
    for event in list(hooks):
        kept = [one for one in hooks[event] if not _is_ours(one)] if isinstance(hooks[event], list) else hooks[event]
        if kept:
            hooks[event] = kept
        else:
            del hooks[event]
    if not hooks:
        del found["hooks"]


def _put_line(found: dict[str, Any], line: Mapping[str, Any]) -> None:
    """The status line, where the user has none of their own."""
    if not found.get("statusLine") or _is_ours(found["statusLine"]):
        found["statusLine"] = dict(line)


def _take_settings(found: dict[str, Any]) -> None:
    _take_groups(found)
    if _is_ours(found.get("statusLine")):
        del found["statusLine"]


def _put_server(found: dict[str, Any], place: InstallPlace) -> None:
    found.setdefault("mcpServers", {})["reverie"] = place.server()


def _take_server(found: dict[str, Any]) -> None:
    servers = found.get("mcpServers")
    if isinstance(servers, dict) and servers.pop("reverie", None) is not None and not servers:
        del found["mcpServers"]


def toml_edit(path: Path, place: InstallPlace) -> FileEdit:
    """A table at the end of a TOML file, between marks; a server of that name that the user set up stays theirs."""
    server = place.server()
    words = ", ".join(_quoted(word) for word in server["args"])
    table = f"[mcp_servers.reverie]\ncommand = {_quoted(server['command'])}\nargs = [{words}]\n"

    def merge(raw: bytes | None) -> bytes:
        text = (raw or b"").decode()
        plain = _BLOCK.sub("", text)
        try:
            taken = "reverie" in tomllib.loads(plain).get("mcp_servers", {})
        except tomllib.TOMLDecodeError as error:
            raise UsageError(f"{path} is not TOML: {error}", next_move="Mend it; nothing was changed.") from error
        if taken:
            return raw or b""
        gap = "" if not plain or plain.endswith("\n") else "\n"
        return f"{plain}{gap}\n# >>> reverie\n{table}# <<< reverie\n".encode()

    def strip(raw: bytes) -> bytes | None:
        plain = _BLOCK.sub("", raw.decode())
        return plain.encode() or None

    return FileEdit(path, merge, strip)


def _quoted(word: str) -> str:
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'
