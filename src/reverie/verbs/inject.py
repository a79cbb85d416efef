"""What a coding agent's hooks put into its context: as a session begins, and for each prompt. No model is called."""

from collections.abc import Iterable

from reverie.model.hits import Injection, SessionFigures
from reverie.model.ledger import Scope
from reverie.store.tables import memories, nights, turns
from reverie.verbs.base import Verbs


class InjectVerbs(Verbs):
    def briefing(self, project: str = "") -> Injection:
        """Core memory and what matters for a project, at most 1.5 kB; it is written beside the store, too."""
        return self.parts.write_briefing(self.record, project)

    def for_prompt(
        self, prompt: str, *, session: str, project: str = "", seen: Iterable[str] = (), quiet: bool = False
    ) -> Injection:
        """At most three statements that surely belong to a prompt, none of them among those that were `seen`.

        `quiet` only looks: it is no evidence for promotion.
        """
        return self.parts.injector.for_prompt(
            self.id,
            prompt,
            session=self._session(session) or "",
            project=project,
            seen=seen,
            now=self._now(),
            quiet=quiet,
        )

    def session_figures(self, session: str) -> SessionFigures:
        """What a status line shows of this space and one session."""
        done = nights.listed(self._db, self.id, limit=1, statuses=("done",))
        return SessionFigures(
            memories=sum(memories.count(self._db, self.id).values()),
            captured=turns.count_in(self._db, self.id, self._session(session) or ""),
            last_night_at=done[0].ended_at if done else None,
            spent=self.parts.ledger.spent(Scope(space=self.id), 0.0).money,
        )
