"""What makes Hermes find Reverie: a plugin of two files in its home, and one line of its config.yaml."""

import json
import re
from collections.abc import Callable
from pathlib import Path, PurePath

from reverie.errors import UsageError

Merge = Callable[[bytes | None], bytes]  # a file with our entries
Strip = Callable[[bytes], bytes | None]  # a file without them; None: nothing else is in it
Edit = tuple[Path, Merge, Strip]
NAME = "reverie"
_SECTION = re.compile(r"^memory:[ \t]{0,40}(?P<rest>[^\n]{0,200})$", re.MULTILINE)
_PROVIDER = re.compile(
    r"^(?P<head>[ \t]{1,40}provider:[ \t]{0,40})(?P<value>[^\n#]{0,200}?)(?P<tail>[ \t]{0,40}(?:#[^\n]{0,200})?)$"
)
_WAS = "# before reverie: "  # how the line of before is kept beside ours

PLUGIN = '''"""Reverie, the memory of this Hermes: a MemoryProvider. Written by `reverie install hermes`."""

from agent.memory_provider import MemoryProvider
from reverie.adapters.hermes.provider import HermesMemory


class ReverieProvider(HermesMemory, MemoryProvider):
    """Both: what Hermes asks for, and how Reverie does it."""


def register(ctx):
    ctx.register_memory_provider(ReverieProvider({home}))
'''
ABOUT = """name: reverie
version: 1.0.0
description: "Reverie: memory that answers in milliseconds and consolidates while nobody waits; local, no tokens spent."
hooks:
  - on_session_end
  - on_session_switch
  - on_pre_compress
  - on_memory_write
  - on_delegation
"""


def edits(root: Path, home: PurePath | None = None) -> list[Edit]:
    """The files of a Hermes home (`~/.hermes`) that an install writes, each with how it comes in and out again.

    `home` is the home of Reverie's store; without one Hermes uses the same as every command.
    """
    plugin = root / "plugins" / NAME
    code = PLUGIN.format(home=json.dumps(str(home)) if home else "")
    return [
        (plugin / "__init__.py", lambda _: code.encode(), lambda _: None),
        (plugin / "plugin.yaml", lambda _: ABOUT.encode(), lambda _: None),
        (root / "config.yaml", _with_provider, _without_provider),
    ]


def install(root: Path, home: PurePath | None = None, *, dry_run: bool = False) -> list[Path]:
    """Writes what is not there yet; answers which files it wrote, or would write."""
    changed = []
    for path, merge, _ in edits(root, home):
        before = path.read_bytes() if path.is_file() else None
        after = merge(before)
        if after != before:
            changed.append(path)
            if not dry_run:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(after)
    return changed


def uninstall(root: Path, *, dry_run: bool = False) -> list[Path]:
    """Takes it out again; what was set before is set again."""
    changed = []
    for path, _, strip in edits(root):
        before = path.read_bytes() if path.is_file() else None
        after = None if before is None else strip(before)
        if after != before:
            changed.append(path)
            if not dry_run:
                _put(path, after)
    return changed


def _put(path: Path, after: bytes | None) -> None:
    if after is not None:
        path.write_bytes(after)
        return
    path.unlink()
    if path.parent.name == NAME and not any(one for one in path.parent.iterdir() if one.name != "__pycache__"):
        for left in sorted(path.parent.rglob("*"), reverse=True):
            left.rmdir() if left.is_dir() else left.unlink()
        path.parent.rmdir()


def _with_provider(before: bytes | None) -> bytes:
    """The configuration with our name as `memory.provider`, and all else of it as it stands."""
    text = (before or b"").decode()
    section = _SECTION.search(text)
    if section is None:
        gap = "" if not text or text.endswith("\n") else "\n"
        return f"{text}{gap}memory:\n  provider: {NAME}\n".encode()
    if section["rest"].strip() and not section["rest"].strip().startswith("#"):
        raise UsageError(
            "config.yaml has its memory section in one line", next_move="`hermes config set memory.provider reverie`."
        )
    head, lines = text[: section.end()], text[section.end() :].split("\n")
    place = _provider_line(lines)
    if place is None:
        lines.insert(1, f"  provider: {NAME}")
    elif (found := _PROVIDER.match(lines[place])) and found["value"].strip(" \"'") != NAME:
        lines[place] = f"{found['head']}{NAME}  {_WAS}{lines[place].strip()}"
    return (head + "\n".join(lines)).encode()


def _provider_line(lines: list[str]) -> int | None:
    """Where the section names a provider; lines[0] is the rest of its heading."""
    for place, line in enumerate(lines[1:], start=1):
        if line.strip() and not line.startswith((" ", "\t", "#")):
            return None
        if _PROVIDER.match(line):
            return place
    return None


def _without_provider(before: bytes) -> bytes | None:
    text = before.decode()
    section = _SECTION.search(text)
    if section is None:
        return before
    head, lines = text[: section.end()], text[section.end() :].split("\n")
    place = _provider_line(lines)
    found = _PROVIDER.match(lines[place]) if place is not None else None
    if place is None or found is None or found["value"].strip(" \"'") != NAME:
        return before
    _, kept, was = lines[place].partition(_WAS)
    indent = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
    lines[place : place + 1] = [indent + was] if kept else []
    left = (head + "\n".join(lines)).encode()
    return (None if left == b"memory:\n" else left.removesuffix(b"memory:\n")) if not kept else left
