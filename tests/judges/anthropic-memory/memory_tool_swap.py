"""A pytest plugin: the SDK's memory tools on the file system are ours; a directory names a space."""

import tempfile
from pathlib import Path

import anthropic.lib.tools._beta_builtin_memory_tool as builtin
import anyio

from reverie import Reverie
from reverie.adapters.memory_tool import AsyncReverieMemoryTool, MemoryCommands, ReverieMemoryTool

STORES = []


def space(base_path):
    if not STORES:
        STORES.append(Reverie.open(tempfile.mkdtemp(), embedder="none", durable=False))
    return STORES[0].space(str(base_path).replace("/", " "))


class OnDisk(MemoryCommands):
    """The suite looks at files on disk, and puts some there: both sides are brought together around every command."""

    def __init__(self, memory, root):
        super().__init__(memory)
        self.root = root

    def __getattribute__(self, name):
        found = super().__getattribute__(name)
        if name not in ("view", "create", "str_replace", "insert", "delete", "rename"):
            return found

        def around(*args):
            self.read_disk()
            try:
                return found(*args)
            finally:
                self.write_disk()

        return around

    def read_disk(self):
        there = {f"/memories/{path.relative_to(self.root)}": path for path in self.root.rglob("*") if path.is_file()}
        for name, path in there.items():
            text = path.read_bytes().decode()
            if (known := self.files.get(name)) is None or known.value != text:
                self.files.write(name, text)

    def write_disk(self):
        kept = {file.key: file.value for file in self.files.below("/memories/")}
        for path in list(self.root.rglob("*")):
            if path.is_file() and f"/memories/{path.relative_to(self.root)}" not in kept:
                path.unlink()
        for name, text in kept.items():
            path = self.root / name.removeprefix("/memories/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())


def swapped(tool):
    class Swapped(tool):
        def __init__(self, base_path="./memory"):
            super().__init__(space(base_path))
            self.base_path = Path(base_path)
            self.memory_root = self.base_path / "memories"
            self.memory_root.mkdir(parents=True, exist_ok=True)
            self.commands = OnDisk(self.commands.files.space, self.memory_root)
            if tool is AsyncReverieMemoryTool:  # the suite awaits what it asks of the file system
                self.memory_root = anyio.Path(self.memory_root)

    return Swapped


builtin.BetaLocalFilesystemMemoryTool = swapped(ReverieMemoryTool)
builtin.BetaAsyncLocalFilesystemMemoryTool = swapped(AsyncReverieMemoryTool)
