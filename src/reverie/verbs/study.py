"""Studying: documents are kept to be thought about ahead, and what nights worked out is shown."""

from pathlib import Path

from reverie.errors import BadInput
from reverie.model.memories import Memory, PonderReport, Studied, Study
from reverie.policy.ponder.serving import PREFIX
from reverie.policy.safety.channels import Surface, channel_of
from reverie.store.tables import studies
from reverie.verbs.base import Verbs


class StudyVerbs(Verbs):
    def study(
        self,
        path: str | Path | None = None,
        name: str | None = None,
        *,
        text: str | None = None,
        surface: Surface = "library",
    ) -> Studied:
        """Keeps a document, a file or a text with a name, as material that the next night thinks about ahead.

        It is found at once, gives no facts about anybody and never reaches core. The same text again changes nothing;
        of a changed one the changed passages are replaced, and what was worked out from those no longer holds.
        """
        from reverie.awake.edits import studies as edits
        from reverie.awake.edits.studies import GivenDocument

        if (path is None) == (text is None):
            raise BadInput(
                "study needs a path or a text", next_move="study('notes.md'), or study(text=…, name='notes')."
            )
        file = None if path is None else Path(path).expanduser()
        named = name or (file.name if file is not None else "")
        if not named:
            raise BadInput("a text to study needs a name", next_move="Give `name`: by it the text is changed later.")
        content = edits.read_file(file) if file is not None else text or ""
        channel = channel_of(surface, "remember", "file")
        given = GivenDocument(named, content, channel, str(file.resolve()) if file is not None else None)
        return edits.study(self._db, self.record, given, self._now())

    def studies(self, *, limit: int = 100, after: str = "") -> list[Study]:
        """The documents that are kept, by name; `after` is the name of the last one seen."""
        return studies.listed(self._db, self.id, limit=limit, after=after)

    def insights(self, study: str | None = None, *, limit: int = 50) -> list[Memory]:
        """What nights worked out ahead and holds, the newest first: of all contexts, or of one study."""
        session = None if not study else f"{PREFIX}{studies.by_name_or_raise(self._db, self.id, study).name}"
        return studies.pondered(self._db, self.id, limit=limit, session=session)

    def ponder_report(self) -> PonderReport:
        """What thinking ahead cost and saved in the last four weeks, and whether a model still does it here."""
        from reverie.asleep.steps.ponder.accounts import report

        return report(self._db, self.id, self._now())
