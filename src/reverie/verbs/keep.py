"""A person's rights over a space: forget, export."""

from collections.abc import Iterator
from dataclasses import dataclass

from reverie.errors import BadInput, NotFound
from reverie.model.turns import is_turn
from reverie.store.forget import forget, selection
from reverie.store.tables import memories, turns
from reverie.store.transfer import export
from reverie.verbs.base import Verbs
from reverie.verbs.mirror import refreshed


@dataclass(frozen=True, slots=True)
class Forgetting:
    """What a forget is about to delete, or has deleted."""

    turns: tuple[str, ...]
    memories: tuple[str, ...]
    counts: dict[str, int]  # rows that went, by what they were; empty for a dry run


class KeepVerbs(Verbs):
    def forget(
        self,
        *ids: str,
        query: str | None = None,
        session: str | None = None,
        person: str | None = None,
        everything: bool = False,
        dry_run: bool = False,
    ) -> Forgetting:
        """Deletes for good, with everything derived: by id, by words, a session, a person, or all. Cannot be undone."""
        found_turns, found_memories = self._meant(ids, query, session, person, everything)
        found_turns = list(dict.fromkeys((*found_turns, *selection.spoken(self._db, self.id, found_memories))))
        if dry_run:
            return Forgetting(tuple(found_turns), tuple(found_memories), {})
        counts = forget.forget(self._db, self.id, memories=found_memories, turns=found_turns, now=self._now())
        refreshed(self.parts, self.record)
        return Forgetting(tuple(found_turns), tuple(found_memories), counts)

    def export(self) -> Iterator[str]:
        """The whole space as JSON lines; `Reverie.import_space` reads them back without loss."""
        return export.export(self._db, self.id)

    def _meant(
        self, ids: tuple[str, ...], query: str | None, session: str | None, person: str | None, everything: bool
    ) -> tuple[list[str], list[str]]:
        ways = [way for way in (ids, query, session, person, everything) if way]
        if len(ways) != 1:
            raise BadInput("forget needs exactly one of: ids, query, session, person, everything")
        if ids:
            return self._named(ids)
        if query:
            return selection.containing(self._db, self.id, query)
        if session:
            return selection.of_session(self._db, self.id, session)
        if person:
            return selection.of_person(self._db, self.id, person)
        return selection.everything(self._db, self.id)

    def _named(self, ids: tuple[str, ...]) -> tuple[list[str], list[str]]:
        """Every id must be of this space, or nothing is forgotten."""
        here = {*turns.by_ids(self._db, self.id, ids), *memories.by_ids(self._db, self.id, ids)}
        for id in ids:
            if id not in here:
                raise NotFound("memory", id)
        return [id for id in ids if is_turn(id)], [id for id in ids if not is_turn(id)]
