"""What is a person's own: forget it, take it along, have it as files."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.errors import BadInput
from reverie.handover import drop_briefings
from reverie.model.memories import Forgetting
from reverie.store.ids import whole_id
from reverie.telemetry import memory_span
from reverie.verbs.base import Verbs

if TYPE_CHECKING:
    from reverie.mirror.mirror import Synced
    from reverie.store.transfer.export import Through


class KeepVerbs(Verbs):
    @memory_span("delete_memory")
    def forget(
        self,
        *ids: str,
        query: str | None = None,
        session: str | None = None,
        person: str | None = None,
        everything: bool = False,
        dry_run: bool = False,
        purge: bool = False,
    ) -> Forgetting:
        """Deletes for good, with everything derived: by id, by words, a session, a person, or all. Cannot be undone.

        `dry_run` deletes nothing and shows the texts. `purge` also rewrites the store's files, so that no byte of
        what was deleted is left in them; on Postgres that locks its tables for a while.
        """
        from reverie.store.forget import forget, selection

        ids = tuple(whole_id(self._db, self.id, id) for id in ids)
        turns, memories = selection.meant(self._db, self.id, ids, query, self._session(session), person, everything)
        if dry_run:
            going = [*turns, *selection.with_derived(self._db, self.id, [*memories, *turns]).doomed]
            return Forgetting(tuple(turns), tuple(going[len(turns) :]), {}, selection.texts(self._db, self.id, going))
        from reverie.mirror.rounds import refresh_all

        receipt = forget.forget(
            self._db,
            self.id,
            memories=memories,
            turns=turns,
            now=self._now(),
            everything=everything,
            purge=purge,
        )
        self.parts.fresh.clear(self.id)
        drop_briefings(self.parts.home)
        record = self._fresh()
        refresh_all(self._db, record, self.parts.mirror(record), self._now)
        return Forgetting(tuple(turns), tuple(receipt.memories), dict(receipt.counts), receipt=receipt)

    def export(self) -> Iterator[str]:
        """The whole space as JSON lines; `Reverie.import_space` reads them back without loss."""
        from reverie.store.transfer import export

        return export.export(self._db, self.id)

    def export_to(self, path: str | Path, through: "Through" = iter) -> None:
        """Writes that to a file, whole or not at all. `through` sees the lines pass, for whoever shows progress."""
        from reverie.store.transfer import export

        export.export_to(self._db, self.id, Path(path), through)

    def mirror(self, directory: str | Path | None = None) -> "Synced":
        """One round with a directory: a person's edits come in as statements, then the files are brought up to date."""
        mirror = self.parts.mirror(self._fresh(), directory)
        if mirror is None:
            raise BadInput("no directory is mirrored", next_move="Name one: `reverie mirror DIR`, or set `mirror`.")
        return mirror.sync(self._now())
