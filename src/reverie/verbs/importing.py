"""Moving in: what was said to, or kept by, another product."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.errors import BadInput
from reverie.model.base import derived_id
from reverie.verbs.memories import MemoryVerbs
from reverie.verbs.turns import TurnVerbs

if TYPE_CHECKING:
    from reverie.importers.record import ImportedMemory, ImportedMessage, Record

Through = Callable[["Iterable[Record]"], "Iterable[Record]"]


@dataclass(slots=True)
class Imported:
    """What came of it. Twice the same source: all of it is `known`."""

    turns: int = 0
    memories: int = 0
    known: int = 0
    passed_over: int = 0  # no speech (pictures, calls, settings), or of a shape that cannot be kept
    redacted: int = 0  # secrets taken out on the way


class ImportVerbs(TurnVerbs, MemoryVerbs):
    def import_from(
        self, source: str, path: str | Path, *, dry_run: bool = False, through: Through | None = None
    ) -> Imported:
        """Takes in a file of another product: `space.import_from("chatgpt", "conversations.json")`.

        Each message keeps its session and its date. Doing it again adds only what is new; a dry run counts and writes
        nothing. `through` sees the records pass, for a progress bar.
        """
        from reverie.importers.record import ImportedMemory
        from reverie.importers.sources import records

        done = Imported()
        found: Iterable[Record] = records(source, Path(path).expanduser())
        for record in through(found) if through else found:
            try:
                if record is None:
                    done.passed_over += 1
                elif isinstance(record, ImportedMemory):
                    self._keep(record, done, dry_run)
                else:
                    self._hear(record, done, dry_run)
            except BadInput:  # half a character, a text without end: the rest is still worth having
                done.passed_over += 1
        return done

    def _hear(self, message: "ImportedMessage", done: Imported, dry_run: bool) -> None:
        if dry_run:
            done.turns += 1
            return
        told = self.append(
            message.role,
            message.text,
            message.session,
            message.key,
            origin=message.origin,
            speaker=message.speaker,
            at=message.at,
        )
        done.known += told.repeated
        done.turns += not told.repeated
        done.redacted += told.redacted

    def _keep(self, kept: "ImportedMemory", done: Imported, dry_run: bool) -> None:
        id = derived_id("mem", self.id, kept.key)
        known = not dry_run and self._knows(id)
        if not dry_run and not known:
            self.remember(kept.text, tags=kept.tags, metadata=kept.metadata, origin=kept.origin, at=kept.at, id=id)
        done.known += known
        done.memories += not known

    def _knows(self, id: str) -> bool:
        from reverie.store.tables import memories

        return bool(memories.by_ids(self._db, self.id, [id]))
