"""The hot path's questions: recall, context. No model is called, no maintenance runs."""

from collections.abc import Mapping, Sequence
from typing import Any

from reverie.awake.context import DEFAULT_BUDGET
from reverie.awake.tail_vectors import embed_tail
from reverie.model.base import Instant
from reverie.model.hits import Asking, Context, Hit, HitKind, Mode
from reverie.model.memories import Tier
from reverie.store.tables import turns
from reverie.verbs.base import Verbs


class RecallVerbs(Verbs):
    def recall(
        self,
        query: str,
        k: int = 10,
        *,
        session: str | None = None,
        after: Instant | None = None,
        before: Instant | None = None,
        as_of: Instant | None = None,
        kinds: Sequence[HitKind] = (),
        tags: tuple[str, ...] = (),
        metadata: Mapping[str, Any] | None = None,
        tiers: Sequence[Tier] = (),
        min_confidence: float = 0.0,
        include_stale: bool = False,
        mode: Mode = "all",
        explain: bool = False,
    ) -> list[Hit]:
        """What the space knows about a query, best first, each hit with its sources, dates and score.

        `as_of` asks what was believed at that moment; `mode="raw"` answers turns and episodes only.
        """
        asking = Asking(
            k=k,
            session=session,
            after=after,
            before=before,
            as_of=as_of,
            kinds=tuple(kinds),
            tags=tuple(tags),
            metadata=metadata or {},
            tiers=tuple(tiers),
            min_confidence=min_confidence,
            include_stale=include_stale,
            mode=mode,
            explain=explain,
        )
        return self.parts.recaller.recall(self.id, query, asking, self._now())

    def context(
        self, query: str | None = None, budget: int = DEFAULT_BUDGET, *, session: str | None = None, k: int = 20
    ) -> Context:
        """The prompt section: blocks first, then memories and recent turns, within `budget` tokens.

        A prepared answer to a question much like this one is shown too, as what was thought before.
        """
        now = self._now()
        prepared = self.parts.answerer.look(self.id, query, now) if query and query.strip() else None
        return self.parts.assembler.context(
            self.id, query, session=session, budget=budget, asking=Asking(k=k), now=now, prepared=prepared
        )

    def embed(self, limit: int = 1_000_000) -> int:
        """Embeds fresh turns now, which the next nap otherwise does; answers how many."""
        return embed_tail(self._db, self.parts.embedder, self.id, limit)

    def overflowed(self) -> None:
        """Says that a context could not hold what it wanted to: the space may nap and condense."""
        with self._db.write("log") as tx:
            turns.overflowed(tx, self.id)
