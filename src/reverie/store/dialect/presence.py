"""Which process holds something, and whether it still lives: its number, and when and on which machine it began."""

import contextlib
import functools
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any


def here(**more: Any) -> str:
    """This process, as it is kept with a lease."""
    pid = os.getpid()
    return json.dumps({"pid": pid, "host": socket.gethostname(), "machine": _machine(), "began": _began(pid), **more})


def is_gone(presence: str) -> bool:
    """Whether that process has ended. Of one on another machine that cannot be told from here: False."""
    one = read(presence)
    if not one or one.get("host") != socket.gethostname():
        return False
    if one.get("machine") != _machine():
        # The same host since its last start, or another room of processes on it: only the first is certain.
        return _boot(one.get("machine")) != _boot(_machine())
    return one.get("began") is not None and _began(int(one["pid"])) != one["began"]


def read(presence: str) -> dict[str, Any]:
    """Its parts; nothing of a lease that was stored without."""
    try:
        found = json.loads(presence)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def shown(presence: str) -> str:
    """For a person: which process, and where."""
    one = read(presence)
    return f"process {one['pid']} on {one['host']}" if "pid" in one and "host" in one else ""


@functools.cache
def _machine() -> str:
    """This start of this machine, and the room of processes in it: numbers mean something only there."""
    boot = room = ""
    with contextlib.suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        room = str(Path("/proc/self/ns/pid").readlink())
    return f"{boot} {room}"


def _boot(machine: object) -> str:
    return str(machine).partition(" ")[0]


def _began(pid: int) -> str | None:
    """When a process began, as its system says it; empty if there is none, None where the system does not say."""
    if sys.platform == "linux":
        try:
            told = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
        except OSError:
            return ""
        fields = told.rpartition(")")[2].split()  # its name may hold anything
        return "" if fields[0] in "ZX" else fields[19]
    try:
        done = subprocess.run(["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.strip()
