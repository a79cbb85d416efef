"""What clients and frameworks keep in a space as they gave it: JSON values under keys; and what they take back."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reverie.store.ids import whole_id
from reverie.verbs.base import Verbs

if TYPE_CHECKING:
    from reverie.awake.edits.shelves import Shelf


class ShelfVerbs(Verbs):
    def shelf(self, name: str, *, versions: bool = False, actor: str = "client") -> "Shelf":
        """A place for JSON values of a client or framework, each under a key; they come back as they were given.

        They leave with the space, are exported with it, and a forget takes out of them what it forgets.
        """
        from reverie.awake.edits.shelves import Shelf

        return Shelf(self._db, self._now, self.id, name, versions=versions, actor=actor)

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """Texts as the store's embedder sees them; none without one."""
        embedder = self.parts.embedder
        return [[float(x) for x in vector] for vector in embedder.embed(list(texts))] if embedder.dim else []

    def retract(self, *ids: str) -> None:
        """Takes turns or memories back: they are kept, shown to nobody, and no night reads them."""
        from reverie.awake.edits.shelves import retract

        meant = [whole_id(self._db, self.id, id) for id in ids]
        retract(self._db, self.id, meant, self._now())
        self.parts.fresh.clear(self.id)
