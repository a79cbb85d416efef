"""Memory files of a space: texts under paths, every version kept, read by nights as an agent's words.

Anthropic's memory tool and its memory stores both stand on them, so that what one writes the other shows.
"""

from collections.abc import Iterator
from typing import Any, Protocol

from reverie.awake.edits.shelves import Shelf
from reverie.errors import NotFound
from reverie.model.spaces import ShelfEntry

SHELF = "files"
MOST_SAID = 100_000  # characters of an entry that memory takes up


class FileSpace(Protocol):
    """What memory files need of a space."""

    def shelf(self, name: str, *, versions: bool = False, actor: str = "client") -> Shelf: ...

    def remember(self, text: str, *, metadata: Any = None, surface: Any = "library") -> Any: ...

    def retract(self, *ids: str) -> None: ...


def renewed(space: FileSpace, old: str | None, text: str, **metadata: Any) -> str | None:
    """The memory that carries a text to recall and to nights, as an agent's words; the one before it is taken back."""
    if old is not None:
        space.retract(old)
    if not text.strip():
        return None
    return str(space.remember(text[:MOST_SAID], metadata=metadata, surface="agent").id)


class MemoryFiles:
    """Paths begin with a slash and name files; a directory is there while a file lies below it, or it was made."""

    def __init__(self, space: FileSpace, actor: str = "agent") -> None:
        self.space = space
        self.shelf = space.shelf(SHELF, versions=True, actor=actor)

    def __iter__(self) -> Iterator[ShelfEntry]:
        return iter(self.shelf)

    def get(self, path: str) -> ShelfEntry | None:
        return self.shelf.get(path)

    def by_id(self, id: str) -> ShelfEntry:
        found = self.shelf.by_id(id)
        if found is None:
            raise NotFound("memory", id)
        return found

    def create(self, path: str, content: str) -> ShelfEntry:
        """A new file; a conflict if there is one."""
        return self._said(self.shelf.put(path, content, new=True))

    def write(self, path: str, content: str) -> ShelfEntry:
        """The file with that content, new or not."""
        return self._said(self.shelf.put(path, content, ref=self._ref(path)))

    def change(
        self, id: str, *, path: str | None = None, content: str | None = None, expected: int | None = None
    ) -> ShelfEntry:
        """Another path or content; with `expected`, only at that version."""
        before = self.by_id(id)
        changed = self.shelf.change(id, key=path, value=content, expected=expected)
        return self._said(changed) if changed.value != before.value else changed

    def delete(self, *paths: str) -> None:
        """Takes files away; their versions stay, and nights no longer read them."""
        for gone in self.shelf.delete(*paths):
            renewed(self.space, gone.ref, "")

    def below(self, directory: str) -> list[ShelfEntry]:
        """Every file below a directory, whose path ends with a slash."""
        return self.shelf.all(directory)

    def _ref(self, path: str) -> str | None:
        known = self.shelf.get(path)
        return None if known is None else known.ref

    def _said(self, entry: ShelfEntry) -> ShelfEntry:
        ref = renewed(self.space, entry.ref, str(entry.value), path=entry.key)
        self.shelf.set_ref(entry.key, ref)
        return entry
