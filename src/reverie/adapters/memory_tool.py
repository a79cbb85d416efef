"""Anthropic's memory tool on a space: `client.beta.messages.tool_runner(tools=[ReverieMemoryTool(space)], …)`.

Claude's files are the space's memory files: every version is kept, recall finds what they say, and nights read it.
"""

import posixpath
from typing import Any

from reverie.adapters.calls import told
from reverie.adapters.shared import given_space, off_loop
from reverie.errors import Conflict, extra_needed
from reverie.space import Space
from reverie.verbs.files import MemoryFiles

try:
    from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
except ModuleNotFoundError as missing:
    missing.add_note(extra_needed("memory-tool"))
    raise

ROOT = "/memories"
MOST_LINES, WIDTH, AROUND, DEPTH = 999_999, 6, 2, 2
NOT_THERE = "The path {} does not exist. Please provide a valid path."


class MemoryCommands:
    """What the tool's commands do and answer, in the words that Claude was taught."""

    def __init__(self, space: Space) -> None:
        self.space = given_space(space)
        self.files = MemoryFiles(space)

    @told("memory-tool", "search_memory")
    def view(self, path: str, view_range: list[int] | None = None) -> str:
        inside = _inside(path)
        if (file := self.files.get(inside)) is not None:
            return _numbered_file(path, str(file.value), view_range)
        if inside != ROOT and not self.files.below(f"{inside}/"):
            raise ToolError(NOT_THERE.format(path))
        return self._listing(path, inside)

    @told("memory-tool", "create_memory")
    def create(self, path: str, file_text: str) -> str:
        inside = _inside(path)
        if self.files.below(f"{inside}/"):
            raise ToolError(f"File {path} already exists")
        try:
            self.files.create(inside, file_text)
        except Conflict as error:
            raise ToolError(f"File {path} already exists") from error
        return f"File created successfully at: {path}"

    @told("memory-tool", "update_memory")
    def str_replace(self, path: str, old_str: str, new_str: str) -> str:
        content = self._text(path)
        found = [content[:at].count("\n") + 1 for at in _places(content, old_str)]
        if not found:
            raise ToolError(f"No replacement was performed, old_str `{old_str}` did not appear verbatim in {path}.")
        if len(found) > 1:
            raise ToolError(
                f"No replacement was performed. Multiple occurrences of old_str `{old_str}` in lines:"
                f" {', '.join(map(str, found))}. Please ensure it is unique"
            )
        changed = content.replace(old_str, new_str)
        self.files.write(_inside(path), changed)
        first = max(0, found[0] - 1 - AROUND)
        shown = changed.split("\n")[first : found[0] + AROUND]
        told = "The memory file has been edited. Here is the snippet showing the change (with line numbers):"
        return "\n".join((told, *_numbered(shown, first + 1)))

    @told("memory-tool", "update_memory")
    def insert(self, path: str, insert_line: int, insert_text: str) -> str:
        content = self._text(path)
        lines = content.split("\n")
        if lines and lines[-1] == "":
            lines.pop()
        if not 0 <= insert_line <= len(lines):
            raise ToolError(
                f"Invalid `insert_line` parameter: {insert_line}. It should be within the range [0, {len(lines)}]."
            )
        lines.insert(insert_line, insert_text.rstrip("\n"))
        changed = "\n".join(lines)
        self.files.write(_inside(path), changed if changed.endswith("\n") else f"{changed}\n")
        return f"The file {path} has been edited."

    @told("memory-tool", "delete_memory")
    def delete(self, path: str) -> str:
        inside = _inside(path)
        if inside == ROOT:
            raise ToolError("Cannot delete the /memories directory itself")
        gone = [inside] if self.files.get(inside) else [file.key for file in self.files.below(f"{inside}/")]
        if not gone:
            raise ToolError(f"The path {path} does not exist")
        self.files.delete(*gone)
        return f"Successfully deleted {path}"

    @told("memory-tool", "update_memory")
    def rename(self, old_path: str, new_path: str) -> str:
        old, new = _inside(old_path), _inside(new_path)
        if old == ROOT:
            raise ToolError("Cannot rename the /memories directory itself")
        single = self.files.get(old)
        moved = [single] if single else self.files.below(f"{old}/")
        if not moved:
            raise ToolError(f"The path {old_path} does not exist")
        if self.files.get(new) or self.files.below(f"{new}/"):
            raise ToolError(f"The destination {new_path} already exists")
        for file in moved:
            self.files.change(file.id, path=f"{new}{file.key.removeprefix(old)}")
        return f"Successfully renamed {old_path} to {new_path}"

    @told("memory-tool", "delete_memory")
    def clear(self) -> str:
        self.files.delete(*(file.key for file in self.files.below(f"{ROOT}/")))
        return "All memory cleared"

    def _text(self, path: str) -> str:
        inside = _inside(path)
        file = self.files.get(inside)
        if file is not None:
            return str(file.value)
        there = inside == ROOT or self.files.below(f"{inside}/")
        raise ToolError(f"The path {path} is not a file." if there else NOT_THERE.format(path))

    def _listing(self, path: str, inside: str) -> str:
        sizes: dict[str, int] = {}
        for file in self.files.below(f"{inside}/"):
            parts = file.key.removeprefix(f"{inside}/").split("/")
            if any(part.startswith(".") for part in parts[:DEPTH]):
                continue
            for depth in range(1, min(len(parts), DEPTH) + 1):
                name = "/".join(parts[:depth]) + ("/" if depth < len(parts) else "")
                sizes[name] = sizes.get(name, 0) + len(str(file.value).encode())
        told = f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:"
        ordered = sorted(sizes, key=lambda name: name.strip("/").split("/"))
        whole = _size(sum(size for name, size in sizes.items() if name.count("/") == name.endswith("/")))
        return "\n".join((told, f"{whole}\t{path}", *(f"{_size(sizes[name])}\t{path}/{name}" for name in ordered)))


class ReverieMemoryTool(BetaAbstractMemoryTool):
    """For the synchronous client."""

    def __init__(self, space: Space, **more: Any) -> None:
        super().__init__(**more)
        self.commands = MemoryCommands(space)

    def view(self, command: Any) -> str:
        return self.commands.view(command.path, command.view_range)

    def create(self, command: Any) -> str:
        return self.commands.create(command.path, command.file_text)

    def str_replace(self, command: Any) -> str:
        return self.commands.str_replace(command.path, command.old_str, command.new_str)

    def insert(self, command: Any) -> str:
        return self.commands.insert(command.path, command.insert_line, command.insert_text)

    def delete(self, command: Any) -> str:
        return self.commands.delete(command.path)

    def rename(self, command: Any) -> str:
        return self.commands.rename(command.old_path, command.new_path)

    def clear_all_memory(self) -> str:
        return self.commands.clear()


class AsyncReverieMemoryTool(BetaAsyncAbstractMemoryTool):
    """For the asynchronous client: each command runs off the event loop."""

    def __init__(self, space: Space, **more: Any) -> None:
        super().__init__(**more)
        self.commands = MemoryCommands(space)

    async def view(self, command: Any) -> str:
        return await off_loop(self.commands.view, command.path, command.view_range)

    async def create(self, command: Any) -> str:
        return await off_loop(self.commands.create, command.path, command.file_text)

    async def str_replace(self, command: Any) -> str:
        return await off_loop(self.commands.str_replace, command.path, command.old_str, command.new_str)

    async def insert(self, command: Any) -> str:
        return await off_loop(self.commands.insert, command.path, command.insert_line, command.insert_text)

    async def delete(self, command: Any) -> str:
        return await off_loop(self.commands.delete, command.path)

    async def rename(self, command: Any) -> str:
        return await off_loop(self.commands.rename, command.old_path, command.new_path)

    async def clear_all_memory(self) -> str:
        return await off_loop(self.commands.clear)


def _inside(path: str) -> str:
    """The path as files have it.

    >>> _inside("/memories/a//b/../c.md")
    '/memories/a/c.md'
    """
    if not path.startswith(ROOT):
        raise ToolError(f"Path must start with /memories, got: {path}")
    whole = posixpath.normpath(f"{ROOT}/{path[len(ROOT) :].lstrip('/')}")
    if whole != ROOT and not whole.startswith(f"{ROOT}/"):
        raise ToolError(f"Path {path} would escape /memories directory")
    return whole


def _places(content: str, text: str) -> list[int]:
    places, at = [], content.find(text)
    while at != -1:
        places.append(at)
        at = content.find(text, at + 1)
    return places


def _numbered(lines: list[str], first: int) -> list[str]:
    return [f"{n:>{WIDTH}}\t{line}" for n, line in enumerate(lines, first)]


def _numbered_file(path: str, content: str, view_range: list[int] | None) -> str:
    lines = content.split("\n")
    if len(lines) > MOST_LINES:
        raise ToolError(f"File {path} exceeds maximum line limit of 999,999 lines.")
    first, last = view_range if view_range and len(view_range) == 2 else (1, -1)
    shown = lines[max(1, first) - 1 : len(lines) if last == -1 else last]
    return "\n".join((f"Here's the content of {path} with line numbers:", *_numbered(shown, max(1, first))))


def _size(size: int) -> str:
    """
    >>> _size(0), _size(800), _size(1536), _size(2048)
    ('0B', '800B', '1.5K', '2K')
    """
    if size < 1024:
        return f"{size}B"
    for unit in "KMG":
        size_in_unit = size / 1024
        if size_in_unit < 1024 or unit == "G":
            return f"{size_in_unit:.1f}".removesuffix(".0") + unit
        size = size // 1024
    return ""
