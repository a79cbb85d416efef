"""A space as text files: read what a person changed there, write what the nights have made of it."""

import contextlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.awake.append import Draft, append
from reverie.errors import BadInput, Conflict
from reverie.model.base import derived_id
from reverie.model.blocks import Block
from reverie.model.night import Night
from reverie.model.spaces import SpaceRecord
from reverie.store.tables import blocks
from reverie.store.tables.blocks import Writer
from reverie.verbs.base import Verbs
from reverie.wiring.parts import Parts

if TYPE_CHECKING:
    from reverie.mirror.comparison import Taken
    from reverie.mirror.mirror import Mirror, Synced

SESSION = "mirror"  # statements from files are a conversation of their own


class MirrorVerbs(Verbs):
    def mirror(self, directory: str | Path | None = None) -> "Synced":
        """One round with a directory: a person's edits come in as statements, then the files are brought up to date."""
        path = Path(directory).expanduser() if directory else mirror_path(self.parts, self.record)
        if path is None:
            raise BadInput("no directory is mirrored", next_move="Name one: `reverie mirror DIR`, or set `mirror`.")
        return mirror_of(self.parts, self._fresh(), path).sync(self._now())


def mirror_path(parts: Parts, record: SpaceRecord) -> Path | None:
    """The directory of the setting `mirror` for the setting's own `space`; other spaces have one below it."""
    if not parts.config["mirror"]:
        return None
    from reverie.mirror.pages import file_of

    root = Path(parts.config["mirror"]).expanduser()
    return root if record.name == parts.config["space"] else root / file_of(record.name).removesuffix(".md")


def mirror_of(parts: Parts, record: SpaceRecord, path: Path) -> "Mirror":
    from reverie.mirror.mirror import Mirror

    return Mirror(parts.db, record.id, path, lambda taken: keep(parts, record, taken))


@contextmanager
def mirrored(parts: Parts, record: SpaceRecord) -> Iterator[Callable[[Night], None]]:
    """Around a night: reads before it, writes after it. Call what it yields with the night as it ended."""
    path = mirror_path(parts, record)
    if path is None:
        yield lambda _: None
        return
    mirror = mirror_of(parts, record, path)
    with contextlib.suppress(Conflict):  # another process is at it: its round serves this night as well
        mirror.take_in(parts.clock())
    yield lambda night: _written(parts, mirror, night)


def _written(parts: Parts, mirror: "Mirror", night: Night) -> None:
    from reverie.store.tables import nights

    if night.status != "done":
        return
    with contextlib.suppress(Conflict):
        done = mirror.sync(parts.clock())
        with parts.db.write("memory") as tx:
            nights.tell(tx, night.id, "mirror", [*(f"wrote {name}" for name in done.files), *done.warnings])


def refreshed(parts: Parts, record: SpaceRecord) -> "Synced | None":
    """Brings the mirrored files up to date after a person's act; None where nothing is mirrored."""
    path = mirror_path(parts, record)
    if path is None:
        return None
    try:
        return mirror_of(parts, record, path).sync(parts.clock())
    except Conflict:
        return None


def keep(parts: Parts, record: SpaceRecord, taken: "Taken") -> None:
    """Each line once: the key is the line. What was struck out of a block's file leaves the block."""
    from reverie.mirror.pages import file_of

    for said in taken.said:
        key = derived_id("mirror", record.id, said.file, said.text)
        draft = Draft("user", said.text, SESSION, key, "user", None, parts.clock(), {"file": said.file})
        append(parts.db, record, draft)
    lines = set(taken.struck)
    for block in blocks.attached(parts.db, record.id):
        gone = {line for name, line in lines if name == file_of(block.label)}
        if gone and not block.read_only:
            writer = Writer("person", f"struck out in {file_of(block.label)}", parts.clock())
            with parts.db.write("memory") as tx:
                blocks.write(tx, block.id, partial(_without, gone), writer)


def _without(gone: set[str], block: Block) -> str:
    return "\n".join(line for line in block.value.splitlines() if line not in gone)
