"""What a step is: it reads, thinks and answers Changes; it writes nothing, and has nothing to write with.

How steps work together (a new one is one function here in `steps/` and one line in `pipeline.STEPS`):

* It reads by the functions of `store/reading/`, one file a topic, each with the `reader` as its first argument.
* It is called again and again, with the cursor that its last Changes carried, until that is None. One batch is one
  transaction, so it holds about `BATCH` memories: the write lock is then free again after a few milliseconds.
* The same store, night and cursor give the same Changes: ids by `derived_id`, times from `night.now`, no clock, no
  random. A night that was killed and resumed is then equal to an unbroken one, row by row.
* What it wants a later step to see, it hands over through the store.
* What it does item by item, it does under `Attempts`: an item that cannot be done is recorded with its error, and the
  batch goes on. Later nights hand such items to the step's `again`, news or not; `work.set_aside(reader, step)` names
  those that have failed three times, which the step leaves out. A record goes when its item was tried and did not fail.
* `work.suppressed(reader)` names the sources of undone nights. The commit refuses what rests on them; a step that skips
  them saves the work.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

from reverie.minds.embed import Embedder
from reverie.minds.judge import Judge
from reverie.minds.overtaking import OvertakingReader
from reverie.minds.reasoner import Reasoner
from reverie.model.answers import Anticipating
from reverie.model.base import Instant
from reverie.model.changes import Changes
from reverie.model.hits import Asking, Hit
from reverie.model.ledger import Purpose
from reverie.model.night import Night
from reverie.store.db import Database
from reverie.store.reader import Reader
from reverie.store.reading import work

BATCH = 32
Phase = Literal["light", "rem", "deep", "dream", "morning"]


class Search(Protocol):
    """`Retriever.retrieve`: what is found in a space for a query; `meant` are those of its words that are embedded."""

    def __call__(
        self, space: str, query: str, asking: Asking, now: Instant, meant: str | None = None, /
    ) -> list[Hit]: ...


class FaultLog(Protocol):
    """What went wrong with the models since it was last asked."""

    def take(self) -> Mapping[str, int]: ...


class NoFaults:
    """For the rules, which call no model."""

    def take(self) -> Mapping[str, int]:
        return {}


def free(_: Purpose) -> AbstractContextManager[None]:
    """Charges nobody: the rules cost nothing."""
    return nullcontext()


@dataclass(frozen=True, slots=True)
class Minds:
    """Who thinks for a night."""

    reasoner: Reasoner
    embedder: Embedder
    faults: FaultLog = field(default_factory=NoFaults)
    charged_to: Callable[[Purpose], AbstractContextManager[None]] = free
    search: Search | None = None  # kept between nights: it catches up instead of loading anew
    anticipating: Anticipating = field(default_factory=Anticipating)
    judge: Judge | None = None  # with the bundled embedder, and so is the next
    overtaking: OvertakingReader | None = None
    second_opinion: bool = False  # a reviewer model is set: it may approve changes of protected blocks


StepFunction = Callable[[Night, Reader, Minds, str | None], Changes]
AgainFunction = Callable[[Night, Reader, Minds, Sequence[str]], Changes]
AGAIN = "again:"  # how the cursor of a batch of items begins that failed in earlier nights; the last of them follows


@dataclass(frozen=True, slots=True)
class Step:
    phase: Phase
    name: str
    run: StepFunction
    naps: bool = False  # a nap runs it too
    thinks: bool = False  # it may call a model: it yields while the user is active
    after: Callable[[Database, Night], object] | None = None  # upkeep outside of transactions; may run twice
    again: AgainFunction | None = None  # tries items that failed in earlier nights; in its Changes they are `tried`
    at_once: int = BATCH  # of those in one batch

    def batch(self, night: Night, reader: Reader, minds: Minds, cursor: str | None) -> Changes:
        """One batch: first what the step finds itself, then what failed in earlier nights and was not among that."""
        if cursor is not None and cursor.startswith(AGAIN):
            return self._again(night, reader, minds, cursor.removeprefix(AGAIN))
        changes = self.run(night, reader, minds, cursor)
        if changes.cursor is None and self.again is not None:
            left = set(work.failed_before(reader, self.name)) - set(changes.tried)
            return replace(changes, cursor=AGAIN if left else None)
        return changes

    def _again(self, night: Night, reader: Reader, minds: Minds, after: str) -> Changes:
        items = work.failed_before(reader, self.name, after=after, limit=self.at_once)
        if not items or self.again is None:
            return Changes()
        changes = self.again(night, reader, minds, items)
        return replace(changes, cursor=AGAIN + items[-1] if len(items) == self.at_once else None)
