"""The real Claude Code, driven prompt by prompt in a home of its own, against the fake model."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import claude_agent_sdk
from fake_model import FakeModel

CLAUDE = Path(claude_agent_sdk.__file__).parent / "_bundled" / "claude"
BIN = Path(sys.executable).parent
MARKED = re.compile(r'<reverie-memory part="(\w+)">\n(.*?)\n</reverie-memory>', re.DOTALL)


class World:
    """A user's home, the store in it, a repository in two directories and a fake model."""

    def __init__(self, root: Path) -> None:
        self.home = root / "home"
        self.store = self.home / ".reverie"
        self.model = FakeModel()
        self.home.mkdir()
        self.repo = self.repository("repo", "git@github.com:acme/billing.git")
        self.clone = self.repository("clone", "https://github.com/acme/billing")
        self.other = self.repository("other", "git@github.com:acme/website.git")
        self.env = {
            "PATH": f"{BIN}:{os.environ['PATH']}",
            "HOME": str(self.home),
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "ANTHROPIC_BASE_URL": self.model.address,
            "ANTHROPIC_API_KEY": "sk-fake",
        }

    def repository(self, name: str, origin: str) -> Path:
        path = self.home / name
        (path / "deep" / "inside").mkdir(parents=True)
        subprocess.run(["git", "init", "-q", str(path)], check=True)
        subprocess.run(["git", "-C", str(path), "remote", "add", "origin", origin], check=True)
        return path

    def reverie(self, *arguments: str) -> str:
        run = subprocess.run(
            [str(BIN / "reverie"), *arguments], env=self.env, cwd=self.home, capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stderr
        return run.stdout

    def claude(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [str(CLAUDE), *arguments], env=self.env, cwd=self.repo, capture_output=True, text=True, check=False
        )

    def session(
        self, directory: Path, *prompts: str, after: Callable[[int], None] = lambda _n: None
    ) -> list[dict[str, Any]]:
        """The results of a session's prompts; `after` is called when one has been answered."""
        command = [str(CLAUDE), "-p", "--verbose", "--input-format", "stream-json", "--output-format", "stream-json"]
        process = subprocess.Popen(
            [*command, "--allowedTools=Bash"],
            cwd=directory, env=self.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True,
        )  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        results = []
        try:
            for number, prompt in enumerate(prompts):
                said = {"type": "user", "message": {"role": "user", "content": prompt}}
                process.stdin.write(json.dumps(said) + "\n")
                process.stdin.flush()
                results.append(next(one for one in map(json.loads, process.stdout) if one["type"] == "result"))
                after(number)
            process.stdin.close()
            assert process.wait(30) == 0
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
        return results

    def server(self) -> dict[str, Any] | None:
        try:
            found: dict[str, Any] = json.loads((self.store / "server.json").read_text())
        except (OSError, ValueError):
            return None
        return found

    def server_is_up(self) -> None:
        until(lambda: self.server() is not None)
        time.sleep(3)  # the embedder loads beside it

    def turns(self) -> list[dict[str, Any]]:
        """The log, oldest first, once all that hooks handed over is in it."""
        until(lambda: not list((self.store / "spool").glob("*.json")))
        found: list[dict[str, Any]] = json.loads(
            self.reverie("--home", str(self.store), "turns", "--json", "--limit", "200")
        )
        return found

    def injected(self, request: dict[str, Any]) -> list[tuple[str, str]]:
        """(part, text) of everything that Reverie has put into a request, in order."""
        return [(part, text) for said in _texts(request["messages"]) for part, text in MARKED.findall(said)]

    def end(self) -> None:
        self.model.close()
        if (server := self.server()) is not None:
            os.kill(server["pid"], 15)


def until(true: Callable[[], bool], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.1)


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for one in inner for text in _texts(one)]
