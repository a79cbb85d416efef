"""Reviews: what a night would not decide alone, decided by a person."""

from reverie.errors import Conflict
from reverie.model.blocks import Review
from reverie.store.tables import reviews
from reverie.verbs.base import Verbs


class ReviewVerbs(Verbs):
    def reviews(self, status: str | None = "open", *, limit: int = 50, after: str | None = None) -> list[Review]:
        """Proposals and quarantined texts, oldest first; `status=None` shows decided ones too."""
        return reviews.listed(self._db, self.id, status=status, limit=limit, after=after)

    def review(self, id: str) -> Review:
        """One review, with its diff and its evidence."""
        return reviews.by_id(self._db, self.id, id)

    def approve(self, id: str, *, by: str = "person") -> Review:
        """A block takes the proposed text, if it still is as the night saw it; a quarantined text may be used."""
        review = self._open(id)
        if review.kind == "quarantine":
            reviews.release(self._db, review, by, self._now())
        elif not reviews.accept(self._db, review, by, self._now()):
            raise Conflict(
                f"{review.label} has changed since the night proposed this",
                next_move="Nothing to do: the next night proposes it anew.",
                review=review.id,
            )
        return self.review(id)

    def reject(self, id: str, *, by: str = "person") -> Review:
        """Nothing changes, and nights do not propose it again; a quarantined text stays out of use."""
        reviews.refuse(self._db, self._open(id), by, self._now())
        return self.review(id)

    def _open(self, id: str) -> Review:
        review = self.review(id)
        if review.status != "open":
            raise Conflict(f"{id} has already been {review.status}", next_move="Nothing to do.", status=review.status)
        return review
