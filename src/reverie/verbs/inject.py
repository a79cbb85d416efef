"""What a coding agent's hooks put into its context: as a session begins, and for each prompt. No model is called."""

from collections.abc import Iterable

from reverie import handover
from reverie.model.injection import Injection
from reverie.verbs.base import Verbs


class InjectVerbs(Verbs):
    def briefing(self, project: str = "") -> Injection:
        """Core memory and what matters for a project, at most 1.5 kB; it is written beside the store, too."""
        return self.parts.write_briefing(self.record, project)

    def for_prompt(self, prompt: str, *, session: str, project: str = "", seen: Iterable[str] = ()) -> Injection:
        """At most three statements that surely belong to a prompt, none of them among those that were `seen`."""
        return self.parts.injector.for_prompt(
            self.id, prompt, session=self._session(session) or "", project=project, seen=seen, now=self._now()
        )

    def drop_briefings(self) -> None:
        """Deletes what was written beside the store for sessions to begin with."""
        handover.drop_briefings(self.parts.home)
