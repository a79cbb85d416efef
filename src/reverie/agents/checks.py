"""What `reverie doctor` says of agents: whether an install is still there and its program runs, and hooks' own log."""

import json
import os
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reverie.agents.edits import InstallRecord
from reverie.agents.hook import LOG
from reverie.agents.installs import MODULE, OURS
from reverie.model.base import DAY, Instant


@dataclass(frozen=True, slots=True)
class InstallCheck:
    """One thing that was looked at."""

    well: bool
    said: str
    next_move: str = ""


def installed(home: Path) -> Iterator[InstallCheck]:
    """For each agent that was installed from this home, what is missing; else that all is there."""
    noted = InstallRecord(home).noted.values()
    for agent in dict.fromkeys(one.agent for one in noted):
        again = f"Run `reverie install {agent}` again."
        wrong = [trouble for one in noted if one.agent == agent and (trouble := _trouble(Path(one.path)))]
        if wrong:
            yield from (InstallCheck(False, f"{agent}: {trouble}", again) for trouble in wrong)
        else:
            yield InstallCheck(True, f"{agent}: installed")


def stumbled(home: Path, now: Instant) -> Iterator[InstallCheck]:
    """The last line that a hook has logged, where that is of the last day."""
    log = home / LOG
    try:
        lines = log.read_text("utf-8", "replace").splitlines() if now - log.stat().st_mtime < DAY else []
    except OSError:  # there is none, or it is not ours to read
        return
    if lines:
        said = f"hooks logged {len(lines)} troubles, the last: {lines[-1][:200]}"
        yield InstallCheck(False, said, f"The agent went on without memory each time. See {log}.")


def _trouble(path: Path) -> str | None:
    """What is wrong with a file that an install wrote."""
    try:
        text = path.read_text("utf-8")
    except OSError:
        return f"{path} is gone"
    if "reverie" not in text:
        return f"{path} has lost its entries"
    missing = [program for command in _commands(text) if not os.path.exists(program := shlex.split(command)[0])]
    return f"{missing[0]} is gone, which {path} names" if missing else None


def _commands(text: str) -> list[str]:
    """The hook commands of ours in a JSON file."""
    try:
        found = json.loads(text)
    except ValueError:
        return []
    return [command for command in _texts(found) if OURS in command or MODULE in command]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(inner)
