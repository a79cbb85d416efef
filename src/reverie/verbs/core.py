"""Core memory, as a space shows it."""

from typing import TYPE_CHECKING

from reverie.verbs.base import Verbs

if TYPE_CHECKING:
    from reverie.verbs.blocks import Blocks


class CoreVerbs(Verbs):
    @property
    def blocks(self) -> "Blocks":
        """Core memory by label: `space.blocks["human"].append("Likes tea.")`."""
        from reverie.verbs.blocks import Blocks, Editing

        return Blocks(Editing(self.parts, self.record))
