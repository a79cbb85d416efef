"""What a source holds, taken into a space: messages are appended, texts are remembered, each of them once."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from reverie.errors import BadInput, KeyReused, NotFound, ReservedKey
from reverie.importers.record import ImportedMemory, ImportedMessage, Record
from reverie.importers.sources import records
from reverie.model.base import Instant, derived_memory_id
from reverie.model.turns import Appended

Through = Callable[[Iterable[Record]], Iterable[Record]]


@dataclass(slots=True)
class Imported:
    """What came of it. Twice the same source: all of it is `known`."""

    turns: int = 0
    memories: int = 0
    known: int = 0
    passed_over: int = 0  # no speech (pictures, calls, settings), or of a shape that cannot be kept
    redacted: int = 0  # secrets taken out on the way


class ReceivingSpace(Protocol):
    """What an import needs of a space: `reverie.Space` has it."""

    @property
    def id(self) -> str: ...

    def append(
        self,
        role: str,
        text: str,
        session: str,
        key: str | None,
        *,
        origin: str | None,
        speaker: str | None,
        at: Instant | None,
        kind: str | None,
        channel: str | None,
        source: str | None,
    ) -> Appended: ...

    def remember(
        self,
        text: str,
        *,
        tags: tuple[str, ...],
        metadata: Mapping[str, Any] | None,
        origin: str,
        at: Instant | None,
        id: str | None,
        surface: Literal["import"],
    ) -> Any: ...

    def memory(self, id: str) -> Any: ...


def take_in(
    space: ReceivingSpace, source: str, path: Path, *, dry_run: bool = False, through: Through | None = None
) -> Imported:
    """Each record once. A dry run counts and writes nothing; `through` sees the records pass."""
    done = Imported()
    found: Iterable[Record] = records(source, path)
    for record in through(found) if through else found:
        try:
            if record is None:
                done.passed_over += 1
            elif isinstance(record, ImportedMemory):
                _remember(space, record, done, dry_run)
            else:
                _append(space, record, done, dry_run)
        except ReservedKey:  # somebody wants to steer: nothing more of this source is taken in
            raise
        except BadInput:  # half a character, a text without end: the rest is still worth having
            done.passed_over += 1
    return done


def _append(space: ReceivingSpace, message: ImportedMessage, done: Imported, dry_run: bool) -> None:
    if dry_run:
        done.turns += 1
        return
    appended = append_message(space, message)
    done.known += appended is None
    done.turns += appended is not None
    done.redacted += appended.redacted if appended else 0


def append_message(space: ReceivingSpace, message: ImportedMessage) -> Appended | None:
    """The turn that was stored; None if it is there already, also where a hook handed it over in other blanks."""
    try:
        appended = space.append(
            message.role,
            message.text,
            message.session,
            message.key,
            origin=message.origin,
            speaker=message.speaker,
            at=message.at,
            kind=message.kind,
            channel=message.channel,
            source=message.source,
        )
    except KeyReused:
        return None
    return None if appended.repeated else appended


def _remember(space: ReceivingSpace, memory: ImportedMemory, done: Imported, dry_run: bool) -> None:
    id = derived_memory_id(space.id, memory.key)
    known = not dry_run and _is_known(space, id)
    if not dry_run and not known:
        space.remember(
            memory.text,
            tags=memory.tags,
            metadata=memory.metadata,
            origin=memory.origin,
            at=memory.at,
            id=id,
            surface="import",
        )
    done.known += known
    done.memories += not known


def _is_known(space: ReceivingSpace, id: str) -> bool:
    try:
        space.memory(id)
    except NotFound:
        return False
    return True
