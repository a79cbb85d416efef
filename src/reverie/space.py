"""A space: one isolated memory, with everything it can do."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reverie.config import own_settings
from reverie.errors import UsageError
from reverie.model.base import Instant
from reverie.model.spaces import SpaceRecord
from reverie.verbs.archive import ArchiveVerbs
from reverie.verbs.core import CoreVerbs
from reverie.verbs.inject import InjectVerbs, IntentVerbs
from reverie.verbs.keep import KeepVerbs
from reverie.verbs.shelves import ShelfVerbs
from reverie.verbs.sleep import SleepVerbs
from reverie.verbs.study import StudyVerbs
from reverie.verbs.talk import TalkVerbs
from reverie.verbs.watch import WatchVerbs

if TYPE_CHECKING:
    from reverie.agent.primary import AgentReply, PrimaryAgent
    from reverie.importers.intake import Imported, Through
    from reverie.mirror.dream import Dream


class Space(
    TalkVerbs,
    InjectVerbs,
    IntentVerbs,
    CoreVerbs,
    ArchiveVerbs,
    SleepVerbs,
    KeepVerbs,
    WatchVerbs,
    StudyVerbs,
    ShelfVerbs,
):
    """Made by `Reverie.space(name)`. The groups of verbs are in `verbs/`; here is what needs the whole space."""

    def __repr__(self) -> str:
        return f"Space({self.name!r})"

    def __reduce__(self) -> Any:
        raise UsageError("a space cannot be pickled", next_move="Open the store again in the other process.")

    @property
    def settings(self) -> dict[str, Any]:
        """The space's own settings; what is not there comes from the configuration."""
        return dict(self._fresh().settings)

    def configure(self, /, **settings: Any) -> None:
        """Sets sleep settings of this space (`Sleeping`'s fields); None goes back to the configuration's value."""
        self.change(settings=settings)

    def change(
        self,
        *,
        name: str | None = None,
        settings: Mapping[str, Any] | None = None,
        metadata: Mapping[str, Any] | None = None,
        private: Callable[[SpaceRecord], Mapping[str, Any]] | None = None,
        block_ids: Sequence[str] | None = None,
    ) -> None:
        """Renames it, merges settings and metadata (None takes a key out), sets which blocks it has: all, or nothing.

        `private` is for surfaces, which keep there what no caller may set: it is made from the space as it stands, so
        that of two edits at once both stay.
        """
        from reverie.awake.edits import spaces

        self.record = spaces.change(
            self._db,
            self.record,
            self._now(),
            name=name,
            settings=own_settings(settings or {}, self.name),
            metadata=metadata,
            private=private,
            block_ids=block_ids,
        )

    def now(self) -> Instant:
        """This moment by the store's clock."""
        return self._now()

    def agent(self) -> "PrimaryAgent":
        """Who answers a person: with the primary model if one is set, else from memory alone."""
        return self.parts.agent(self, self.answer)

    def say(self, text: str, session: str = "default") -> "AgentReply":
        """One turn of a conversation: both sides are in the log when it returns."""
        return self.agent().say(text, session)

    def import_from(
        self, source: str, path: str | Path, *, dry_run: bool = False, through: "Through | None" = None
    ) -> "Imported":
        """Takes in a file of another product: `space.import_from("chatgpt", "conversations.json")`.

        Each message keeps its session and its date. Doing it again adds only what is new; a dry run counts and writes
        nothing. `through` sees the records pass, for a progress bar.
        """
        from reverie.importers.intake import take_in

        return take_in(self, source, Path(path).expanduser(), dry_run=dry_run, through=through)

    def dream(self, directory: str | Path, transcripts: str | Path, *, force: bool = False) -> "Dream":
        """Runs one if its gates are open: a day since the last, five new sessions, nobody else at it.

        The clock moves only when the night succeeds. A killed dream's clock is put back by the next one, its files
        are finished or thrown away, and its night is resumed.
        """
        from reverie.mirror.dream import dream
        from reverie.mirror.rounds import open_mirror, with_directory

        path = Path(directory).expanduser()
        mirror = open_mirror(self._db, self._fresh(), path, self._now)
        done = dream(self, mirror, Path(transcripts).expanduser(), self._now, force=force)
        if done.synced is not None:
            self.change(private=lambda record: with_directory(record.private, path))
        return done
