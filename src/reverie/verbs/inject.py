"""What is put into an agent's context unasked: as a session begins, for each prompt, and when something comes up that
the user wants to be reminded of. No model is called.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from reverie.errors import BadInput
from reverie.model.hits import Injection, SessionFigures
from reverie.model.ledger import Scope
from reverie.model.turns import Intent, Reminder
from reverie.policy.safety.channels import Surface, channel_of
from reverie.store.tables import intents, nights, turns
from reverie.telemetry import memory_span
from reverie.verbs.base import Verbs

if TYPE_CHECKING:
    from reverie.awake.intents import Reminders


class InjectVerbs(Verbs):
    @memory_span("search_memory")
    def briefing(self, project: str = "", *, write: bool = True) -> Injection:
        """Core memory and what matters for a project, at most 1.5 kB; it is written beside the store for hooks, too."""
        if not write:
            return self.parts.injector.briefing(self.id, project, self._now())
        return self.parts.write_briefing(self.record, project)

    @memory_span("search_memory", "prompt")
    def for_prompt(
        self, prompt: str, *, session: str, project: str = "", seen: Iterable[str] = (), quiet: bool = False
    ) -> Injection:
        """At most three lines: reminders that are due, and statements that surely belong to a prompt.

        None of the statements is among those that were `seen`. `quiet` only looks: it is no evidence for
        promotion, and no reminder counts as shown.
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
            memories=sum(self.parts.memory_counts.of(self.id).values()),
            captured=turns.count_in(self._db, self.id, self._session(session) or ""),
            last_night_at=done[0].ended_at if done else None,
            spent=self.parts.ledger.spent(Scope(space=self.id), 0.0).money,
        )


class IntentVerbs(Verbs):
    @property
    def _reminders(self) -> "Reminders":
        return self.parts.assembler.reminders

    def intend(self, remind: str, when: str, *, scope: str = "", surface: Surface = "library") -> Intent:
        """Reminds of something when a topic comes up: three times at most, a day apart, for ninety days.

        `when` has the words that must come up, or a question; `scope` limits it to a session by name (`*`: anything).
        The user's own words ("when the ledger comes up, remind me of the audit") make one too; an agent cannot.
        """
        from reverie.awake.intents import intend

        if not channel_of(surface, "remember").asks:
            raise BadInput(
                "only the user's own words or a person make a reminder",
                next_move='Let the user say it ("when X comes up, remind me of Y"), or `reverie intents add`.',
            )
        return intend(self._db, self.id, remind, when, scope, self._now())

    def intents(self, *, over: bool = False, limit: int = 50, after: str | None = None) -> list[Intent]:
        """What is to be reminded of, newest first; with `over`, also what was cancelled or has had its time."""
        found = intents.listed(self._db, self.id, limit=limit, after=after)
        return found if over else [one for one in found if one.live and one.expires_at > self._now()]

    def cancel_intent(self, id: str) -> Intent:
        """It reminds no more. Nothing but this, or the user's own word, cancels one."""
        from reverie.awake.intents import cancel

        return cancel(self._db, self.id, id, self._now())

    def reminders(self, query: str, *, session: str | None = None, quiet: bool = False) -> list[Reminder]:
        """What this question should remind of, and counts it as shown; `context` does the same."""
        return self._reminders.of(self.id, query, session, self._now(), quiet=quiet or self.only_read)
