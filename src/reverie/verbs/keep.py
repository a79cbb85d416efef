"""What is a person's own: forget it, take it along, have it as files."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.errors import BadInput
from reverie.handover import drop_briefings
from reverie.model.memories import Forgetting
from reverie.policy.safety.channels import Surface, channel_of
from reverie.store.ids import whole_id
from reverie.telemetry import memory_span
from reverie.verbs.base import Verbs

if TYPE_CHECKING:
    from reverie.mirror.mirror import Synced
    from reverie.model.blocks import Review
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
        surface: Surface = "library",
    ) -> Forgetting:
        """Deletes for good, with everything derived: by id, by words, a session, a person, or all. Cannot be undone.

        `dry_run` deletes nothing and shows the texts. `purge` also rewrites the store's files, so that no byte of
        what was deleted is left in them; on Postgres that locks its tables for a while. By a `surface` that an agent
        uses, the user's words wait for a person (`held`, a review) if something was read from outside just before.
        """
        from reverie.awake.edits.agents import forget_waits, hold_forget
        from reverie.store.forget import selection

        ids = tuple(whole_id(self._db, self.id, id) for id in ids)
        turns, memories = selection.meant(self._db, self.id, ids, query, self._session(session), person, everything)
        if dry_run:
            going = [*turns, *selection.with_derived(self._db, self.id, [*memories, *turns]).doomed]
            return Forgetting(tuple(turns), tuple(going[len(turns) :]), {}, selection.texts(self._db, self.id, going))
        named, channel = [*turns, *memories], channel_of(surface, "forget")
        if held := forget_waits(self._db, self.id, channel, named, self._now()):
            review = hold_forget(self._db, self.id, named, held.why, self._now())
            return Forgetting(tuple(turns), tuple(memories), {}, held=review.id)
        return self._forgotten(turns, memories, everything=everything, purge=purge)

    def approve(self, id: str, *, by: str = "person") -> "Review":
        """A block takes the proposed text, if it still is as the night saw it; a quarantined text may be used; what an
        agent wanted forgotten is forgotten, and the review with it."""
        from reverie.awake.edits import decisions
        from reverie.store.forget import selection
        from reverie.store.tables import reviews

        review = reviews.by_id(self._db, self.id, id)
        if review.kind != "forget" or review.status != "open":
            return decisions.approve(self._db, review, by, self._now())
        self._forgotten(*selection.named(self._db, self.id, review.evidence))
        return replace(review, proposal="", status="approved", decided_by=by, decided_at=self._now())

    def _forgotten(
        self, turns: list[str], memories: list[str], *, everything: bool = False, purge: bool = False
    ) -> Forgetting:
        from reverie.mirror.rounds import refresh_all
        from reverie.store.forget import forget

        now = self._now()
        receipt = forget.forget(
            self._db, self.id, memories=memories, turns=turns, now=now, everything=everything, purge=purge
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
