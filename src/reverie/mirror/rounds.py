"""When a space's files are read and written: on request, around a night, and after a person's act."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from reverie.awake.append import append
from reverie.errors import Conflict, ReverieError
from reverie.mirror.comparison import Taken
from reverie.mirror.mirror import Mirror, Synced
from reverie.mirror.pages import file_of
from reverie.model.base import Instant, derived_id
from reverie.model.blocks import Block
from reverie.model.night import Night
from reverie.model.spaces import SpaceRecord
from reverie.model.turns import Draft
from reverie.policy.safety.channels import channel_of
from reverie.store.db import Database
from reverie.store.tables import blocks, nights
from reverie.store.tables.blocks import Writer

DREAMT = "dreamt"  # the key of those directories
MOST_DIRECTORIES = 8
SESSION = "mirror"  # statements from files are a conversation of their own
Clock = Callable[[], Instant]


def directory_of(root: str, main: str, space: str) -> Path | None:
    """Where a space is mirrored: the `main` one in the root, others below it; None where nothing is mirrored."""
    if not root:
        return None
    path = Path(root).expanduser()
    return path if space == main else path / file_of(space).removesuffix(".md")


def open_mirror(db: Database, space: SpaceRecord, path: Path, clock: Clock) -> Mirror:
    """The files of a space in one directory; what a person does to them goes into its log and its blocks."""
    return Mirror(db, space.id, path, lambda taken: store_edits(db, space, taken, clock()))


@contextmanager
def around_night(mirror: Mirror | None, clock: Clock) -> Iterator[Callable[[Night], None]]:
    """Reads before a night, writes after it. Call what it yields with the night as it ended."""
    if mirror is None:
        yield lambda _: None
        return
    with contextlib.suppress(Conflict):  # another process is at it: its round serves this night as well
        mirror.take_in(clock())
    yield lambda night: _write_after(mirror, night, clock())


def _write_after(mirror: Mirror, night: Night, now: Instant) -> None:
    if night.status != "done":
        return
    with contextlib.suppress(Conflict):
        done = mirror.sync(now)
        with mirror.db.write("memory") as tx:
            nights.tell(tx, night.id, "mirror", [*(f"wrote {name}" for name in done.files), *done.warnings])


def refresh(mirror: Mirror | None, now: Instant) -> Synced | None:
    """Brings the files up to date after a person's act; None where nothing is mirrored, or another process is at it."""
    if mirror is None:
        return None
    try:
        return mirror.sync(now)
    except Conflict:
        return None


def with_directory(private: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """What a space keeps to itself, with a directory that it has dreamt over: the last ones."""
    before = [name for name in private.get(DREAMT, ()) if name != str(path.resolve())]
    return {**private, DREAMT: [*before, str(path.resolve())][-MOST_DIRECTORIES:]}


def refresh_all(db: Database, space: SpaceRecord, mirror: Mirror | None, clock: Clock) -> None:
    """Brings a space's mirror up to date, and the directories that it has dreamt over: after an undo or a forget."""
    refresh(mirror, clock())
    for name in space.private.get(DREAMT, ()):
        path = Path(name)
        if path.is_dir() and (mirror is None or path != mirror.path.resolve()):
            with contextlib.suppress(ReverieError):  # somebody has made it unreadable since: that is theirs to know
                refresh(open_mirror(db, space, path, clock), clock())


def store_edits(db: Database, space: SpaceRecord, taken: Taken, now: Instant) -> None:
    """Each line once: the key is the line. What was struck out of a block's file leaves the block."""
    for said in taken.said:
        key = derived_id("mirror", space.id, said.file, said.text)
        origin = channel_of("mirror", "user", None if said.ours else "file").origin
        append(db, space, Draft("user", said.text, SESSION, key, origin, None, now, {"file": said.file}))
    for block in blocks.attached(db, space.id):
        name = file_of(block.label)
        struck = {line for file, line in taken.struck if file == name}
        if struck and not block.read_only:
            with db.write("memory") as tx:
                blocks.write(tx, block.id, partial(_without, struck), Writer("person", f"struck out in {name}", now))


def _without(struck: set[str], block: Block) -> str:
    return "\n".join(line for line in block.value.splitlines() if line not in struck)
