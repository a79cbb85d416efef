"""What the dream looks at: the latest facts and turns, and what a person wrote in blocks."""

from reverie.model.memories import Memory
from reverie.model.turns import Turn
from reverie.policy.core.rewriting import lines_of
from reverie.store.reading.base import Reading
from reverie.store.tables import blocks, turns


class AheadReads(Reading):
    def latest_facts(self, limit: int) -> list[Memory]:
        """Facts that hold, newest first."""
        rows = self.db.rows(
            "SELECT id FROM memories WHERE space = :space AND kind = 'fact' AND valid_until IS NULL AND stale = 0"
            " AND quarantined = 0 ORDER BY created_at DESC, id LIMIT :limit",
            space=self.space,
            limit=limit,
        )
        return self.in_order([row["id"] for row in rows])

    def latest_turns(self, limit: int) -> list[Turn]:
        """The last turns that this night has read, oldest first."""
        return turns.listed(self.db, self.space, before=self.night.upto + 1, descending=True, limit=limit)[::-1]

    def own_lines(self) -> list[str]:
        """Lines of open blocks that no night wrote."""
        return [
            line.text
            for block in blocks.attached(self.db, self.space)
            if block.value and not block.protected
            for line in lines_of(block.value, blocks.sentence_sources(self.db, block.id))
            if line.own
        ]
