"""A space: one isolated memory, with everything it can do."""

from typing import Any

from reverie.config import own_settings
from reverie.errors import UsageError
from reverie.store.tables import spaces
from reverie.verbs.answers import AnswerVerbs
from reverie.verbs.blocks import BlockVerbs
from reverie.verbs.contradictions import ContradictionVerbs
from reverie.verbs.diary import DiaryVerbs
from reverie.verbs.dream import DreamVerbs
from reverie.verbs.explain import ExplainVerbs
from reverie.verbs.importing import ImportVerbs
from reverie.verbs.keep import KeepVerbs
from reverie.verbs.memories import MemoryVerbs
from reverie.verbs.mirror import MirrorVerbs
from reverie.verbs.recall import RecallVerbs
from reverie.verbs.reviews import ReviewVerbs
from reverie.verbs.sleep import SleepVerbs
from reverie.verbs.talk import TalkVerbs
from reverie.verbs.turns import TurnVerbs


class Space(
    DreamVerbs,
    TalkVerbs,
    ImportVerbs,
    TurnVerbs,
    RecallVerbs,
    AnswerVerbs,
    BlockVerbs,
    MemoryVerbs,
    ContradictionVerbs,
    SleepVerbs,
    ReviewVerbs,
    ExplainVerbs,
    DiaryVerbs,
    MirrorVerbs,
    KeepVerbs,
):
    """Made by `Reverie.space(name)`."""

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
        spaces.update(self._db, self.id, settings=own_settings(settings, self.name))
        self._fresh()
